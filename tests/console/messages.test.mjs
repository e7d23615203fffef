// The console never decides by the message of an error. It may display it, but reads `reason` and the other members.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { ResourceModel } from "../../build/console/model/fields.js";
import { describe as fieldsOf } from "../../build/console/model/schema.js";
import { describeExpected, describeIssue, hintOf, labelOf, sentenceOf } from "../../build/console/model/wording.js";

const folder = new URL("../../www/", import.meta.url);

// Code that splits, searches, or compares a message.
const READS = [
  /\bmessage\s*\??\.\s*(match|matchAll|replace|replaceAll|includes|startsWith|endsWith|split|slice|substring|substr|indexOf|lastIndexOf|search|charAt|at|codePointAt|localeCompare|normalize|toLowerCase|toUpperCase|trim|length)\b/,
  /\bmessage\s*(===?|!==?)|(===?|!==?)\s*[\w.?]*\bmessage\b/,
  /\.(test|exec|match|includes|has|get|startsWith|indexOf)\([^()]*\bmessage\b/,
  /\bswitch\s*\([^)]*\bmessage\b/,
  /\[[\w.?]*\bmessage\]/,
];

/** Returns the lines of a program that read a message. */
const reading = (text) => text.split("\n").filter((line) => READS.some((pattern) => pattern.test(line)));

test("no file of the console reads a message", () => {
  const files = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((name) => name.endsWith(".ts"));
  assert.ok(files.length > 30);
  for (const name of files) assert.deepEqual(reading(readFileSync(new URL(name, folder), "utf8")), [], name);
});

const DECIMAL = { whole: false };

test("the text at a field depends on the reason and its members, whatever the message", () => {
  const message = "?";
  for (const [issue, said, field] of /** @type {[object, string, object?][]} */ ([
    [{ reason: "type", expected: ["integer"], invalidValue: 2.5 }, "Expected an integer, found 2.5."],
    [{ reason: "type", expected: ["object"] }, "Expected an object."],
    [{ reason: "range", minimum: 0, maximum: 5, invalidValue: 6 }, "Expected an integer from 0 to 5, found 6."],
    [{ reason: "length", minLength: 1, maxLength: 256, field: "key" }, "Expected 1 to 256 bytes."],
    [{ reason: "count", maxItems: 500 }, "Expected at most 500."],
    [{ reason: "count", minItems: 2, maxItems: 2 }, "Expected none, or exactly 2.", { pair: true }],
    [{ reason: "count", minItems: 2, maxItems: 2 }, "Expected exactly 2."],
    [{ reason: "count", minItems: 1 }, "Expected at least 1."],
    [{ reason: "range", minimum: 0, maximum: 5, invalidValue: 6 }, "Expected a number from 0 to 5, found 6.", DECIMAL],
    [{ reason: "range", exclusiveMinimum: 0, maximum: 5 }, "Expected a number above 0 and of at most 5.", DECIMAL],
    [{ reason: "range", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "Expected an integer of at least 1."],
    [{ reason: "multipleOf", multipleOf: 0.5, invalidValue: 0.7 }, "Expected a multiple of 0.5, found 0.7."],
    [{ reason: "length", maxLength: 3, field: "title" }, "Expected at most 3 characters."],
    [{ reason: "pattern", pattern: "^a$", invalidValue: "b" }, 'Expected a text that matches ^a$, found "b".'],
    [{ reason: "format", expected: ["email"], invalidValue: "b" }, 'Expected an e-mail address, found "b".'],
    [{ reason: "notUnique", invalidValue: "a" }, 'Each item may occur only once. "a" occurs again.'],
    [
      { reason: "enum", allowedValues: ["a", "b"], invalidValue: "c", suggestion: "a" },
      "Expected one of 'a' or 'b', found \"c\". Did you mean 'a'?",
    ],
    [
      { reason: "unknownField", field: "costum", suggestion: "custom" },
      "There is no field 'costum'. Did you mean 'custom'?",
    ],
    [{ reason: "duplicate", field: "key" }, "The field 'key' occurs twice."],
    [{ reason: "notUnique", invalidValue: 3 }, "Each number may occur only once. 3 occurs again."],
    [{ reason: "required", field: "version" }, "This field is required."],
    [{ reason: "of a later version" }, message],
    [{}, message],
  ])) {
    assert.equal(describeIssue({ ...issue, message }, field), said);
  }
  assert.equal(describeExpected({ expected: ["<field>", "not", "("] }), "a field name, 'not' or '('");
  assert.equal(describeExpected({}), undefined);
});

test("a field has its title, or its name in words", () => {
  const names = { createdAt: "Created at", price: "Price", size_width: "Size width", SKUCode: "SKU code", id: "ID" };
  for (const [name, label] of Object.entries({ ...names, supplierId: "Supplier ID", int32: "Int32" }))
    assert.equal(labelOf({ name, schema: {} }), label);
  assert.equal(labelOf({ name: "price", schema: { title: "Price in euros" } }), "Price in euros");
});

test("hints are the rules in a few words, without what the control shows", () => {
  const hints = Object.entries({
    "At least 0.": { type: "number", minimum: 0 },
    "Whole number, from 1 to 5.": { type: "integer", minimum: 1, maximum: 5 },
    "Above 0 and below 1, a multiple of 0.25.": {
      type: "number",
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      multipleOf: 0.25,
    },
    "The name. At most 80 characters.": { type: "string", description: "The name.", minLength: 1, maxLength: 80 },
    "Unique, matches ^[A-Z]+$.": { type: "string", pattern: "^[A-Z]+$", "x-unique": true },
    "Unique, for example LP.": { type: "string", pattern: "^[A-Z]+$", "x-unique": true, examples: ["LP"] },
    "Each at most 9 characters, at most 3 items, no item twice.": {
      type: "array",
      items: { type: "string", maxLength: 9 },
      maxItems: 3,
      uniqueItems: true,
    },
  });
  for (const [hint, schema] of hints) {
    const [field] = fieldsOf({ properties: { field: schema } });
    assert.equal(hintOf(field), hint);
  }
  for (const schema of [{ type: "number" }, { enum: ["a", "b"] }, { type: "string", format: "date-time" }]) {
    const [field] = fieldsOf({ properties: { field: schema } });
    assert.equal(hintOf(field), undefined);
  }
  // Sentences of the console explain the interface's own.
  const ofActions = Object.values(new ResourceModel().actions).flat();
  assert.deepEqual(ofActions.map(hintOf), [undefined]);
});

test("the sentence of an issue in a summary is that at the field, after its place", () => {
  const item = { type: "object", properties: { color: { type: "string" }, stock: { type: "integer" } } };
  const fields = fieldsOf({ properties: { tags: { items: { type: "string" } }, variants: { items: item } } });
  const issue = {
    path: ["variants", 1, "stock"],
    reason: "type",
    expected: ["integer"],
    invalidValue: 1.5,
    message: "",
  };
  assert.equal(sentenceOf(fields, issue), "Variants 2, Stock: Expected an integer, found 1.5.");
  const unknown = { path: ["colour"], reason: "unknownField", field: "colour", suggestion: "color", message: "" };
  assert.equal(sentenceOf(fields, unknown), "There is no field 'colour'. Did you mean 'color'?");
});
