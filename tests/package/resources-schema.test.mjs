// `resources.schema.json`, by which code editors check and complete resources.json: it agrees with the service.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { toJsonSchema } from "@valibot/to-json-schema";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import * as v from "valibot";
import Type from "typebox";
import * as z from "zod";

import { createService } from "../../pkg/dist/testing/index.js";
import { RESOURCES } from "./resources.mjs";
import { printed as plain } from "./schemas/plain.mjs";
import { accepted, refused } from "./schemas/types.mjs";
import { printed as typebox } from "./schemas/typebox.mjs";
import { printed as valibot } from "./schemas/valibot.mjs";
import { printed as zod } from "./schemas/zod.mjs";

const schema = JSON.parse(readFileSync(new URL("../../pkg/dist/resources.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const check = ajv.compile(schema);

const PRINT = {
  zod: (/** @type {any} */ a) => z.toJSONSchema(z.object({ a })),
  valibot: (/** @type {any} */ a) => toJsonSchema(v.object({ a })),
  typebox: (/** @type {any} */ a) => Type.Object({ a }),
};

const plainly = (/** @type {any} */ value) => JSON.parse(JSON.stringify(value));
const one = (/** @type {any} */ schema) => plainly({ resources: { one: schema } });
const property = (/** @type {any} */ a) => one({ type: "object", properties: { a } });

/** Returns whether the service accepts the content of resources.json. */
async function isServed(resources) {
  try {
    (await createService({ resources })).close();
    return true;
  } catch (error) {
    assert.match(error.message, /^The resources are invalid/);
    return false;
  }
}

test("the schema accepts what the service accepts", async () => {
  const all = { ...zod, ...valibot, ...typebox, ...plain };
  const projects = Object.fromEntries(Object.keys(all).map((name) => [`${name}-*`, name]));
  const files = [
    ["the twelve", { $schema: "node_modules/resource-edge/resources.schema.json", resources: all, projects }],
    ["the tests'", RESOURCES],
    ["no type", one({ properties: { a: { enum: ["b", null] }, c: { properties: {} }, d: { items: { const: 1 } } } })],
    ["lists", property({ type: ["null", "integer"], minimum: 1, default: 2, "x-unique": true, "x-index": false })],
    ["a list of one", property({ type: ["string"], "x-search": false, "x-title": true })],
    [
      "beside",
      one({ type: "object", properties: { a: { $ref: "#/$defs/b", "x-index": false } }, $defs: { b: { const: 1 } } }),
    ],
  ];
  for (const [library, types] of Object.entries(accepted))
    for (const [name, type] of Object.entries(types)) files.push([`${library} ${name}`, one(PRINT[library](type))]);
  for (const [name, file] of files) {
    assert.ok(check(plainly(file)), `${name}: ${JSON.stringify(check.errors)}`);
    assert.ok(await isServed(plainly(file)), name);
  }
});

const text = { type: "string" };

/** Files that are wrong at one place. @type {any[]} */
const WRONG = [
  [],
  {},
  { resources: {} },
  { resources: [] },
  { ...property(text), fields: [] },
  { resources: { "a b": { type: "object" } } },
  { resources: { ["a".repeat(65)]: { type: "object" } } },
  { resources: { a: { type: "object" }, b: { type: "object" } } },
  { ...property(text), projects: { "*a*": "one" } },
  { ...property(text), projects: { "*": 1 } },
  one(text),
  one({}),
  one({ type: ["object", "null"] }),
  one({ type: "object", $ref: "#/$defs/a" }),
  one({ type: "object", "x-index": false }),
  one({ type: "object", default: {} }),
  one({ type: "object", unknown: 1 }),
  one({ type: "object", additionalProperties: true }),
  one({ type: "object", required: "a" }),
  one({ type: "object", properties: [] }),
  one({ type: "object", properties: { id: text } }),
  one({ type: "object", properties: { Not: text } }),
  one({ type: "object", properties: { "a-b": text } }),
  one({ type: "object", properties: { "1a": text } }),
  one({ type: "object", properties: { ["a".repeat(65)]: text } }),
  property(true),
  property(null),
  property("string"),
  property({}),
  property({ type: "text" }),
  property({ type: [] }),
  property({ type: ["null"] }),
  property({ type: ["string", "number"] }),
  property({ type: "string", unknown: 1 }),
  property({ type: "string", minimum: 1 }),
  property({ type: ["string", "null"], minimum: 1 }),
  property({ type: "string", required: [] }),
  property({ type: "number", minLength: 1 }),
  property({ type: "boolean", "x-search": true }),
  property({ type: "string", minLength: -1 }),
  property({ type: "string", minLength: 1.5 }),
  property({ type: "string", maxLength: "1" }),
  property({ type: "string", pattern: "[" }),
  property({ type: "string", pattern: 1 }),
  property({ type: "string", format: "slug" }),
  property({ type: "string", "x-unique": 1 }),
  property({ type: "string", enum: [] }),
  property({ type: "string", enum: "a" }),
  property({ type: "string", enum: [null] }),
  property({ type: "string", const: ["a"] }),
  property({ type: "string", $defs: {} }),
  property({ enum: ["a", 1] }),
  property({ enum: [["a"]] }),
  property({ const: null }),
  property({ enum: ["a"], items: text }),
  property({ enum: ["a"], properties: {} }),
  property({ type: "number", multipleOf: 0 }),
  property({ type: "number", minimum: "1" }),
  property({ type: "array" }),
  property({ type: "array", items: text, minLength: 1 }),
  property({ type: "array", items: text, "x-unique": true }),
  property({ type: "array", items: text, uniqueItems: "true" }),
  property({ type: "array", items: text, enum: ["a"] }),
  property({ type: "array", items: [text] }),
  property({ type: "array", items: { type: "array", items: text } }),
  property({ type: "array", items: { type: ["string", "null"] } }),
  property({ type: "array", items: { enum: ["a", null] } }),
  property({ type: "array", items: { ...text, "x-unique": true } }),
  property({ type: "array", items: { ...text, default: "a" } }),
  property({ type: "array", items: { ...text, unknown: 1 } }),
  property({ items: text, minLength: 1 }),
  property({ type: "object", minItems: 1 }),
  property({ type: "object", "x-unique": true }),
  property({ type: "object", properties: { b: { ...text, unknown: 1 } } }),
  property({ type: "object", properties: { b: { ...text, default: "c" } } }),
  property({ type: "object", properties: { b: { ...text, "x-title": true } } }),
  property({ type: "object", properties: { "b-c": text } }),
  property({ properties: {}, minLength: 1 }),
  property({ $ref: "https://a.example" }),
  one({ type: "object", properties: { a: { $ref: "#/$defs/b", type: "string" } }, $defs: { b: text } }),
  property({ anyOf: [] }),
  property({ anyOf: [{ type: "null" }] }),
  property({ anyOf: [text, { type: "number" }] }),
  property({ anyOf: [text, { type: "null" }, { type: "null" }, { type: "number" }] }),
  property({ anyOf: [text, { type: "null" }], minLength: 1 }),
  property({ anyOf: [{ ...text, unknown: 1 }, { type: "null" }] }),
  property({ anyOf: [{ const: "a" }, { const: "b", unknown: 1 }] }),
];

test("the schema refuses what the service refuses", async () => {
  const accepted = [];
  for (const file of WRONG) {
    if (await isServed(file)) accepted.push(`service: ${JSON.stringify(file)}`);
    if (check(file)) accepted.push(`schema: ${JSON.stringify(file)}`);
  }
  assert.deepEqual(accepted, []);
});

/** What only the service can find. */
const BEYOND = [
  property({ $ref: "#/$defs/none" }),
  property({ type: "integer", minimum: 2, maximum: 1 }),
  one({ type: "object", required: ["a"] }),
  one({ type: "object", properties: { ab: text, Ab: text } }),
  one({ type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { items: { $ref: "#/$defs/a" } } } }),
  { ...property(text), projects: { "*": "two" } },
];

test("what JSON Schema cannot say is an error of the service only", async () => {
  for (const file of BEYOND) assert.deepEqual([check(file), await isServed(file)], [true, false], JSON.stringify(file));
});

test("the schema refuses what libraries print and a resource cannot have", () => {
  for (const [library, types] of Object.entries(refused))
    for (const [name, [type]] of Object.entries(types)) {
      // A definition that contains itself is one of those.
      if (name !== "itself") assert.equal(check(one(PRINT[library](type))), false, `${library} ${name}`);
    }
});
