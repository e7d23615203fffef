// Lists and JSON as text: the typed text, its value, and the places of issues.

import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "../../pkg/dist/node.js";
import { notation, parseList, spanOf } from "../../build/console/model/edit/lists.js";
import { locateIssues, offsetOf } from "../../build/console/model/locate.js";
import { ResourceModel } from "../../build/console/model/fields.js";
import { valueAt, withValue } from "../../build/console/model/schema.js";

const { fields } = new ResourceModel();
// The members of a field depend on its kind.
const field = (name) => /** @type {any} */ (fields.find((one) => one.name === name));
const items = (name, text) => parseList(notation(field(name)), text).items;

test("numbers may have any separators between them", () => {
  assert.deepEqual(items("arrayOfIntExample", "1, 2;3\n\t4  [5,6]"), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(items("arrayOfFloatExample", ".5 -1e3 +2. 1e400 0x10 abc"), [0.5, -1000, 2, "1e400", "0x10", "abc"]);
  assert.deepEqual(items("arrayOfIntExample", " ,\n"), []);
});

test("lists are the same after printing and parsing", () => {
  const lists = {
    arrayOfIntExample: [1, -2, 9007199254740991, 0],
    arrayOfFloatExample: [0.1, 1e21, -5e-324, 1.7976931348623157e308],
    arrayOfStringExample: [
      "a, b",
      "",
      " in front",
      "two\nlines",
      '"quoted"',
      "tab\tin",
      "ü😀\u2028",
      "\u0001",
      "a\\b",
      "\r",
    ],
    arrayOfObjectType: [
      { integerExample: 1, integerExampleInt32: 2 },
      { integerExample: 3 },
      { integerExampleInt32: 4 },
      {},
    ],
  };
  for (const [name, list] of Object.entries(lists)) {
    const form = notation(field(name));
    assert.deepEqual(parseList(form, form.print(list)), { items: list, problems: [] }, name);
  }
});

test("text that cannot be read is a problem of its item", () => {
  const strings = parseList(notation(field("arrayOfStringExample")), 'a\n"b');
  assert.deepEqual([strings.items, strings.problems.map(({ index }) => index)], [["a", '"b'], [1]]);
  const objects = parseList(notation(field("arrayOfObjectType")), "1,2,3");
  assert.match(objects.problems[0].message, /3 values\. Expected at most 2: integerExample, integerExampleInt32/);
});

test("an item has its place in the text", () => {
  assert.deepEqual(spanOf(notation(field("arrayOfIntExample")), "1, 22\n333", 2), { from: 6, to: 9 });
  assert.deepEqual(spanOf(notation(field("arrayOfStringExample")), "a\n\nbc", 1), { from: 3, to: 5 });
});

test("each issue has its place in the JSON text", () => {
  const text =
    '{\n  "key": "",\n  "key": "b",\n  "objectTypeProperty": { "arrayOfIntExample": [1, 2.5, {"a": "]"}], ' +
    '"a/b~c": 1 }\n}';
  const found = locateIssues(text, validate("resourceDraft", text).issues);
  const marked = found.map(({ pointer, from, to, line }) => [pointer, text.slice(from, to), line]);
  assert.deepEqual(marked, [
    ["/key", '""', 2],
    ["/key", '"key"', 3],
    ["/objectTypeProperty/arrayOfIntExample/1", "2.5", 4],
    ["/objectTypeProperty/arrayOfIntExample/2", '{"a": "]"}', 4],
    ["/objectTypeProperty/a~1b~0c", '"a/b~c"', 4],
  ]);
});

test("a missing field is marked at its object, and broken syntax at its place", () => {
  const [missing] = locateIssues(" {}", validate("resourceDraft", " {}").issues);
  assert.deepEqual([missing.code, missing.from, missing.to], ["RequiredField", 1, 2]);
  const text = '{"key":\n  oops}';
  const [broken] = locateIssues(text, validate("resourceDraft", text).issues);
  assert.equal(text.slice(broken.from, broken.from + 1), "o");
  assert.deepEqual([broken.line, broken.column], [2, 3]);
  assert.equal(offsetOf("ab\ncd", 2, 2), 4);
});

test("columns are counted in characters, as in the validator", () => {
  const wrong = '{\n "custom": "😀😀" oops}';
  const [broken] = locateIssues(wrong, validate("resourceDraft", wrong).issues);
  assert.deepEqual([wrong.slice(broken.from, broken.to), broken.line, broken.column], ["o", 2, 17]);
  const text = '{"custom": "😀😀", "objectTypeProperty": {"arrayOfIntExample": ["x"]}}';
  const [issue] = locateIssues(text, validate("resourceDraft", text).issues);
  assert.deepEqual([text.slice(issue.from, issue.to), issue.column], ['"x"', [...text].lastIndexOf("x")]);
});

test("values are read and written at their paths", () => {
  const value = { a: { b: 1, c: 2 }, d: 3 };
  assert.equal(valueAt(value, ["a", "b"]), 1);
  assert.equal(valueAt(value, ["d", "x"]), undefined);
  assert.deepEqual(withValue(value, ["a", "b"], undefined), { a: { c: 2 }, d: 3 });
  assert.deepEqual(withValue({ a: 5 }, ["a", "b"], 1), { a: { b: 1 } });
  assert.deepEqual(value, { a: { b: 1, c: 2 }, d: 3 });
});
