// Schemas of parts return the same issues as the schema of the whole body.

import assert from "node:assert/strict";
import { test } from "node:test";

import { schemas } from "../../../pkg/dist/generated/json-schemas.js";
import { kinds } from "../../../pkg/dist/generated/kinds.js";
import { fieldSchema, validate } from "../../../pkg/dist/node.js";

const VALUES = [
  undefined,
  null,
  true,
  0,
  -0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  NaN,
  Infinity,
  1n,
  "",
  "x",
  "a\0",
  "\ud800",
  "key=a",
  "..",
  "é".repeat(200),
  "y".repeat(300),
  "2026-01-01T00:00:00.000Z",
  "2026-02-30T00:00:00.000Z",
  "doSomeThing",
  "nothing",
  {},
  [],
  [1],
  [1, 2],
  [1, 1, 2],
  [1.5, "x", null],
  ["a"],
  new Array(1),
  { firstName: "Ada" },
  { firstName: 1, nope: 2 },
  [{ integerExample: 1.5, integerExampleInt32: 2 ** 31 }, {}],
  { integerExample: "x" },
  { action: "doSomeThing" },
  { action: "changeSomeProperty" },
  { action: "changeSomeProperty", someProperty: 5 },
  { action: "nothing" },
  [{ action: "doSomeThing" }],
  { arrayOfIntExample: ["x"] },
  new Date(0),
  new Map(),
  () => {},
  Symbol("x"),
  Array.from({ length: 120 }, () => "x"),
  Array.from({ length: 501 }, () => ({ action: "doSomeThing" })),
];

/**
 * Returns the schemas of the values that a schema allows, without null.
 * @returns {any[]}
 */
function formsOf(/** @type {any} */ { $ref, anyOf, oneOf, ...schema }) {
  if ($ref !== undefined) return formsOf(schemas[$ref.replace("#/$defs/", "")]);
  const forms = oneOf ?? (schema.type === undefined ? anyOf : undefined);
  return forms?.flatMap(formsOf).filter(({ type }) => type !== "null") ?? [schema];
}

/** Returns a value that a schema allows. */
function sample(schema) {
  const [{ const: only, type, required = [], properties }] = formsOf(schema);
  if (type === "object") return Object.fromEntries(required.map((name) => [name, sample(properties[name])]));
  return only ?? { string: "", integer: 0, array: [] }[type];
}

/** Yields every path of a schema, with an index for items, and a function that builds a body around a value there. */
function* parts(schema, path = [], around = (value) => value) {
  if (path.length > 0) yield { path, around };
  for (const { items, properties = {}, required = [] } of formsOf(schema)) {
    if (items) yield* parts(items, [...path, 0], (value) => around([value]));
    const others = Object.fromEntries(required.map((name) => [name, sample(properties[name])]));
    for (const name in properties)
      yield* parts(properties[name], [...path, name], (value) => around({ ...others, [name]: value }));
  }
}

// What the body of a write in a batch must have depends on the operation beside it, which a part does not have.
const whole = kinds.filter((kind) => kind !== "writeBatch");
const all = whole.flatMap((kind) =>
  [...parts({ $ref: kind[0].toUpperCase() + kind.slice(1) })].map((part) => ({ kind, ...part })),
);

test("the schema of a part and the schema of the body find the same issues in each value", () => {
  assert.equal(all.length, 102);
  let [valid, invalid] = [0, 0];
  for (const { kind, path, around } of all) {
    const schema = fieldSchema(kind, path.join("."));
    for (const value of VALUES) {
      const result = schema.validate(value);
      const whole = validate(kind, around(value));
      const inside = (whole.issues ?? [])
        .filter((issue) => path.every((name, at) => issue.path[at] === name))
        .map((issue) => ({
          ...issue,
          path: issue.path.slice(path.length),
          pointer: issue.pointer
            .split("/")
            .slice(path.length + 1)
            .map((part) => `/${part}`)
            .join(""),
        }));
      const name = `${kind} ${path.join(".")}`;
      assert.deepEqual(result.issues ?? [], inside, name);
      assert.equal(result.valid, inside.length === 0, name);
      if (result.valid) assert.equal(result.value, value);
      else assert.equal(result.more, whole.more, name);
      result.valid ? valid++ : invalid++;
    }
  }
  assert.ok(valid > 500 && invalid > 3000, `${valid} valid, ${invalid} not`);
});

test("a part is a Standard Schema in both notations of an index", () => {
  for (const path of /** @type {const} */ (["actions.0.someProperty", "actions[7].someProperty"])) {
    const { version, vendor, validate: run } = fieldSchema("resourceUpdate", path)["~standard"];
    assert.deepEqual([version, vendor], [1, "resource-edge"]);
    assert.deepEqual(run("x"), { value: "x" });
    assert.deepEqual(
      /** @type {any} */ (run(5)).issues.map(({ path, message }) => [path, message]),
      [[[], "Malformed field 'someProperty': expected a string, found a number."]],
    );
  }
});

test("an absent part is an issue if the body requires it", () => {
  assert.deepEqual(
    fieldSchema("resourceDraft", "objectTypeProperty")
      .validate(undefined)
      .issues.map(({ code, pointer }) => [code, pointer]),
    [["RequiredField", ""]],
  );
  assert.equal(fieldSchema("resourceDraft", "version").validate(undefined).valid, true);
  assert.equal(fieldSchema("resourceOverwrite", "version").validate(null).issues[0].code, "RequiredField");
});

test("an unknown path is a TypeError", () => {
  for (const [kind, path] of [
    ["resourceDraft", "nope"],
    ["resourceDraft", ""],
    ["resourceDraft", "custom.x"],
    ["resourceDraft", "actions.0"],
    ["resourceUpdate", "actions.x"],
    ["nope", "id"],
    ["resourceDraft", "constructor"],
    ["resourceDraft", "__proto__"],
  ]) {
    // @ts-expect-error: types refuse most of them already.
    assert.throws(() => fieldSchema(kind, path), /^TypeError: No field /, path);
  }
});
