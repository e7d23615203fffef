// Own fields in the package and in the service in memory. A program has one table, so the tests of this file share it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Ajv } from "ajv";

import { fieldSchema, ResourceClient, setFields, validate } from "../../pkg/dist/node.js";
import * as schemas from "../../pkg/dist/json-schema.js";
import { loadSyntax } from "../../pkg/dist/syntax.js";
import { createService } from "../../pkg/dist/testing/index.js";

const KINDS = ["text", "integer", "number", "boolean", "datetime"];
const scalars = KINDS.map((type) => ({ name: `one${type}`, type }));
const lists = KINDS.map((type) => ({ name: `some${type}`, type: `${type}[]` }));
const fields = { $schema: "./schema.json", fields: [{ name: "title", type: "text" }, ...scalars, ...lists] };

/** @type {[any, string][]} */
const wrongTables = [
  [undefined, 'The own fields are invalid: expected { "fields": [{ "name": "title", "type": "text" }] }.'],
  [{ fields: {} }, 'The own fields are invalid: expected { "fields": [{ "name": "title", "type": "text" }] }.'],
  [{ fields: [], field: 1 }, "The own fields are invalid: unknown member 'field'. Expected $schema, fields."],
  [
    { fields: [null] },
    'The own fields are invalid at /fields/0: expected a field such as { "name": "title", "type": "text" }.',
  ],
  [
    { fields: [{ name: "a b", type: "text" }] },
    'The own fields are invalid at /fields/0: expected a field such as { "name": "title", "type": "text" }.',
  ],
  [
    { fields: [{ name: "a", type: "text", required: true }] },
    "The own fields are invalid at /fields/0: unknown member 'required'. Expected name, type.",
  ],
  [{ fields: [{ name: "id", type: "text" }] }, "The name of an own field 'id' is reserved. Choose another name."],
  [
    { fields: [{ name: "a", type: "string" }] },
    "The type 'string' of the own field 'a' is unknown. The types are text, integer, number, boolean, datetime, " +
      "text[], integer[], number[], boolean[], datetime[].",
  ],
];

test("a wrong table is refused with its fault, in the package and in the service", async () => {
  for (const [table, message] of wrongTables) {
    assert.throws(() => setFields(table), { name: "TypeError", message });
    if (table !== undefined) await assert.rejects(createService({ fields: table }), { name: "TypeError", message });
  }
  assert.equal(validate("resourceDraft", { objectTypeProperty: {}, title: "x" }).valid, false);
});

test("the schema for editors accepts tables, and refuses wrong ones", () => {
  const schema = JSON.parse(readFileSync(new URL("../../pkg/dist/fields.schema.json", import.meta.url), "utf8"));
  const isTable = new Ajv({ strict: true }).compile(schema);
  assert.ok(isTable(fields), JSON.stringify(isTable.errors));
  for (const [table] of wrongTables) assert.ok(!isTable(table), JSON.stringify(table));
  const names = ["not", "Title", "a-b", "custom", "a".repeat(65)];
  for (const name of names) assert.ok(!isTable({ fields: [{ name, type: "text" }] }), name);
  const many = (length) => ({ fields: Array.from({ length }, (_, at) => ({ name: `a${at}`, type: "text" })) });
  assert.deepEqual([isTable(many(40)), isTable(many(41))], [true, false]);
});

test("a program has one table", () => {
  setFields(fields);
  setFields(structuredClone(fields));
  assert.throws(() => setFields({ fields: [] }), /A program has one table of own fields/);
});

test("objects have the verdict and the issues of their text", () => {
  const values = ["x", "", "\0", "\ud800", 1, 0, -1.5, 1e300, 2 ** 53, true, false, "2026-01-31T00:00:00.000Z", null];
  const all = [...values, ...values.map((value) => [value]), [], [1, "x"], [[1]], {}, { a: 1 }];
  for (const { name, type } of fields.fields) {
    const verdicts = all.map((value) => {
      const action = `set${name[0].toUpperCase()}${name.slice(1)}`;
      const bodies = {
        resourceDraft: { objectTypeProperty: {}, [name]: value },
        resourceOverwrite: { version: 1, objectTypeProperty: {}, [name]: value },
        complexBody: { [name]: value },
        resourceUpdate: { version: 1, actions: [{ action, [name]: value }] },
      };
      const found = Object.entries(bodies).map(([name, body]) => {
        const kind = /** @type {keyof typeof bodies} */ (name);
        const { valid, issues } = validate(kind, body);
        const ofText = validate(kind, JSON.stringify(body));
        assert.deepEqual(
          { valid, issues },
          { valid: ofText.valid, issues: ofText.issues },
          `${kind} ${JSON.stringify(body)}`,
        );
        return valid;
      });
      assert.equal(new Set(found).size, 1, `${name} ${JSON.stringify(value)}`);
      return found[0];
    });
    assert.ok(verdicts.includes(true) && verdicts.includes(false), type);
  }
});

test("what JSON cannot represent is an issue of an own field", () => {
  for (const value of [Number.NaN, new Date(0), 1n, [undefined], new Array(1), () => {}]) {
    for (const { name } of fields.fields) {
      const result = validate("resourceDraft", { objectTypeProperty: {}, [name]: value });
      assert.equal(result.issues?.[0].path[0], name);
    }
  }
  assert.ok(validate("resourceDraft", { objectTypeProperty: {}, title: undefined }).valid);
  const sly = { action: { toString: () => "setTitle" }, title: "x" };
  assert.equal(validate("resourceUpdate", { version: 1, actions: [sly] }).valid, false);
});

test("a form can validate an own field", () => {
  /** @type {any} */
  const schemaOf = fieldSchema;
  assert.equal(schemaOf("resourceDraft", "title").validate(1).valid, false);
  assert.deepEqual(schemaOf("resourceDraft", "sometext.0").validate("x"), { valid: true, value: "x" });
});

test("the check of queries finds own fields", async () => {
  assert.equal((await loadSyntax()).where('title = "a"').reason, "unknownField");
  const { where, sort } = await loadSyntax(fields);
  assert.deepEqual([where('title = "a"'), sort("oneinteger desc")], [undefined, undefined]);
  assert.equal(where('titel = "a"').suggestion, "title");
  for (const [table, message] of wrongTables.slice(1))
    await assert.rejects(loadSyntax(table), { name: "TypeError", message });
});

test("the OpenAPI document and the JSON Schemas have own fields", async () => {
  const kinds = [...KINDS, ...KINDS.map((kind) => `${kind}[]`)];
  const table = { fields: kinds.map((type, at) => ({ name: `${type.replace("[]", "")}${at}`, type })) };
  const [plain, own] = await Promise.all(
    [{}, { fields: table }].map(async (options) => {
      const service = await createService(options);
      const response = await service.fetch("/openapi.json");
      return { etag: response.headers.get("etag"), document: await response.json() };
    }),
  );
  assert.notEqual(own.etag, plain.etag);
  const expected = JSON.parse(readFileSync(new URL("../repository/openapi/own-fields.json", import.meta.url), "utf8"));
  assert.deepEqual(own.document.components.schemas, expected);
  const { "x-own-fields": described, ...rest } = own.document;
  assert.deepEqual(described, table.fields);
  assert.deepEqual({ ...rest, components: 0 }, { ...plain.document, components: 0 });
  const schema = (body) => body["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  const { properties } = schema(schemas.resourceDraft);
  // As in a program that loads the module after it has set the fields.
  const later = await import(String(new URL("../../pkg/dist/json-schema.js?later", import.meta.url)));
  assert.deepEqual(schema(later.resourceDraft).properties, properties);
  assert.deepEqual(properties.title, { type: ["string", "null"], pattern: "^[^\\u0000]*$" });
  assert.deepEqual(properties.somenumber, { type: ["array", "null"], items: { type: "number" } });
  assert.deepEqual(properties.onedatetime.format, "date-time");
  const update = schema(schemas.resourceUpdate);
  assert.ok(update.$defs.ExampleResourceUpdateAction.oneOf.some(({ $ref }) => $ref === "#/$defs/SetTitle"));
  assert.deepEqual(update.$defs.SetTitle.properties.action, { type: "string", const: "setTitle" });
});

test("the client and the service in memory have the own fields", async () => {
  /** @type {any} */
  const old = { key: "old", title: "Old", objectTypeProperty: {} };
  const service = await createService({ fields, bodies: [old] });
  /** @type {any} */
  const client = new ResourceClient(service.clientOptions());
  const made = await client.createOrUpdate({ key: "a", title: "One", someinteger: [1, 2], objectTypeProperty: {} });
  assert.deepEqual([made.title, made.someinteger, made.onenumber], ["One", [1, 2], undefined]);
  const actions = [
    { action: "setTitle", title: "Two" },
    { action: "setOnenumber", onenumber: 1.5 },
    { action: "setSomeinteger" },
  ];
  const changed = await client.updateById(made.id, { version: 1, actions });
  assert.deepEqual([changed.title, changed.someinteger, changed.onenumber], ["Two", [], 1.5]);
  assert.deepEqual(await client.getByKey("a"), changed);
  const page = await client.query({ where: 'title in ("Two", "Old")', sort: "title" });
  assert.deepEqual(
    page.results.map(({ title }) => title),
    ["Old", "Two"],
  );
  await assert.rejects(client.createOrUpdate({ title: 1, objectTypeProperty: {} }), { kind: "invalid" });
  const other = await createService();
  const stranger = new ResourceClient(other.clientOptions());
  await assert.rejects(stranger.createOrUpdate(old), /Unknown field 'title'/);
  service.close();
  other.close();
});
