// The syntax check in JavaScript, and the predicates of the builder, parsed by the service's parser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { and, not, or, variable, where } from "../../../pkg/dist/predicate.js";
import { loadSyntax } from "../../../pkg/dist/syntax.js";

const syntax = await loadSyntax();

test("valid text has no issue, and the issue of invalid text has its place", () => {
  for (const [language, right, wrong, expected] of /** @type {[string, string, string, object][]} */ ([
    ["where", 'key = "ä😀" and version in :versions', 'key = "😀" and\n nope = 1', { line: 2, column: 2, length: 4 }],
    ["sort", "createdAt desc", "createdAt up", { line: 1, column: 11, length: 2 }],
    ["filter", 'custom:"a","b"', "custom:5", { line: 1, column: 8, length: 1 }],
    ["facet", "arrayOfIntExample:range(* to 5)", "arrayOfIntExample:range(* 5)", { line: 1, column: 27, length: 1 }],
  ])) {
    assert.equal(syntax[language](right), undefined);
    const { message, line, column, length, reason } = syntax[language](wrong);
    assert.deepEqual({ line, column, length }, expected, wrong);
    assert.match(message, /^[A-Z'e].+\.$/);
    assert.equal(typeof reason, "string");
  }
  assert.deepEqual(syntax.where("key ="), {
    code: "SyntaxError",
    message:
      "Unexpected end of input, expected a string in double quotes, a number, true, false or a variable " +
      "(:name) (line 1, column 6).",
    reason: "syntax",
    expected: ["<string>", "<number>", "true", "false", "<variable>"],
    line: 1,
    column: 6,
    length: 0,
  });
  const { reason, suggestion } = syntax.where("keey = 1");
  assert.deepEqual([reason, suggestion], ["unknownField", "key"]);
});

test("a long expression is checked completely, and does not affect the next one", () => {
  const long = Array.from({ length: 450 }, (_, at) => `version = ${at}`).join(" or ");
  assert.equal(syntax.where(long), undefined);
  assert.match(syntax.where(long.repeat(3)).message, /longer than 8192 bytes/);
  assert.equal(syntax.where("version = 1"), undefined);
});

test("the syntax module is loaded once", async () => {
  assert.equal(await loadSyntax(), syntax);
});

/** The fields of the types, each with the names of its groups of operators. */
const groups = readFileSync(new URL("../../../pkg/src/generated/predicate-fields.ts", import.meta.url), "utf8");
/** @type {Record<string, [string, string[]][]>} */
const interfaces = Object.fromEntries(
  [...groups.matchAll(/export interface (\w+)(?: extends \w+)? \{\n(.*?)\n\}/gs)].map(([, name, body]) => [
    name,
    [...body.matchAll(/readonly (\w+): (.*);/g)].map(([, field, type]) => [field, type.split(" & ")]),
  ]),
);
const VALUES = {
  string: ['a "b" \\', variable("text")],
  "number | bigint": [1.5, -2n, variable("number")],
  "Date | string": [new Date(0), variable("time")],
  boolean: [true, variable("truth")],
};
const lists = (values) => [
  [],
  [values[0]],
  values[1] instanceof Date ? values : [...values.filter((value) => value.text === undefined), values[0]],
  variable("list"),
];
/** @type {Record<string, (field: any, values?: any[]) => any[]>} */
const OPERATORS = {
  Equals: (field, values) => [
    ...["eq", "ne"].flatMap((name) => values.map((value) => field[name](value))),
    ...["in", "notIn"].flatMap((name) => lists(values).map((list) => field[name](list))),
  ],
  Compares: (field, values) => [
    ...OPERATORS.Equals(field, values),
    ...["lt", "lte", "gt", "gte"].flatMap((name) => values.map((value) => field[name](value))),
  ],
  Contains: (field, values) =>
    ["containsAll", "containsAny"].flatMap((name) => lists(values).map((list) => field[name](list))),
  Empties: (field) => [field.isEmpty(), field.isNotEmpty()],
  Defines: (field) => [field.isDefined(), field.isNotDefined()],
  Matches: (field) => [field.matchesIgnoreCase("x"), field.matchesIgnoreCase(variable("x"))],
  Circles: (field) => [field.withinCircle(13.4, -52, 1e3)],
};

/** Returns every condition that the types allow on the fields of an interface. */
function conditions(name, fields) {
  return interfaces[name].flatMap(([field, types]) =>
    types.flatMap((type) => {
      const [, group, value] = type.match(/^(\w+)(?:<(.+)>)?$/);
      if (group in OPERATORS) return OPERATORS[group](fields[field], VALUES[value]);
      if (group === "Items") {
        const inside = interfaces[value].length;
        return Array.from({ length: inside }, (_, at) =>
          fields[field].some((item) =>
            or(.../** @type {[any, ...any[]]} */ (conditions(value, item).filter((_, index) => index % inside === at))),
          ),
        );
      }
      return conditions(group, fields[field]);
    }),
  );
}

test("the service accepts every condition that the builder's types allow, alone and joined", () => {
  const count = [];
  where((resource) => {
    const all = conditions("ResourceFields", resource);
    for (const condition of all) {
      for (const one of [condition, not(condition), and(condition, not(or(condition, condition)))])
        assert.equal(syntax.where(where(() => one)), undefined, one.text);
    }
    count.push(all.length);
    return all[0];
  });
  assert.ok(count[0] > 600, `${count}`);
});
