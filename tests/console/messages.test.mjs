// The console never decides by the message of an error. It may display it, but reads `reason` and the other members.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { describeExpected, describeIssue } from "../../build/site/model/wording.js";

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
