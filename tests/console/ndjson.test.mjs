import assert from "node:assert/strict";
import { test } from "node:test";
import { ResourceModel } from "../../build/console/model/fields.js";
import { failedLines } from "../../build/console/model/import/items.js";
import { Splitter } from "../../pkg/dist/items/items.js";

const model = new ResourceModel();

/** Returns the items of a text that arrives in pieces of a size. */
function split(text, size = text.length || 1, name) {
  const splitter = new Splitter(model.columns, name);
  const items = [];
  for (let at = 0; at < text.length; at += size) items.push(...splitter.push(text.slice(at, at + size)));
  return [...items, ...splitter.finish()];
}
const texts = (items) => items.map(({ text }) => text);

const ITEMS = ['{"key":"a"}', '{"key":"b,]}\\"","x":[{"y":[1,2]}]}', '{"key":"\\\\"}', '{"key":"ü😀"}'];

test("the items are the same wherever the text is cut", () => {
  const files = {
    lines: `${ITEMS.join("\n")}\n`,
    "lines without an end, blank lines between": `\n${ITEMS.join("\r\n\r\n")}`,
    array: `[${ITEMS.join(",")}]`,
    "array, spread out": ` [\n  ${ITEMS.join(" ,\n  ")}\n]\n`,
    page: `{"limit":20,"next":{"results":[9]},"note":"results","results":[${ITEMS.join(", ")}],"total":3}`,
    "page, spread out": `{\n  "total": 4,\n  "results": [\n${ITEMS.join(",\n")}\n  ]\n}\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    for (const size of [1, 2, 3, 7, 64, text.length]) {
      assert.deepEqual(texts(split(text, size)), ITEMS, `${name} in pieces of ${size}`);
    }
  }
});

test("items have numbers, lines and columns", () => {
  const array = split(`[\n  ${ITEMS[0]},\n\n${ITEMS[1]}]`, 5);
  assert.deepEqual(
    array.map(({ number, line, column }) => [number, line, column]),
    [
      [1, 2, 3],
      [2, 4, 1],
    ],
  );
  const lines = split(`${ITEMS[0]}\n\n broken\n${ITEMS[2]}`, 4);
  assert.deepEqual(
    lines.map(({ number, line, column }) => [number, line, column]),
    [
      [1, 1, 1],
      [2, 3, 2],
      [3, 4, 1],
    ],
  );
});

test("a broken line does not affect other lines", () => {
  assert.deepEqual(texts(split('{"a":1}\n{"a":[\n"\n{"b":2}\n')), ['{"a":1}', '{"a":[', '"', '{"b":2}']);
});

test("a broken first line is a line if the line ends there or the file is named .ndjson", () => {
  assert.deepEqual(texts(split('{"a":}\n{"b":2}')), ['{"a":}', '{"b":2}']);
  assert.deepEqual(texts(split('{"a":\n{"b":2}', 3, "x.NDJSON")), ['{"a":', '{"b":2}']);
});

test("empty places and trailing commas are items without text", () => {
  assert.deepEqual(texts(split("[1,,2]")), ["1", "", "2"]);
  assert.deepEqual(texts(split("[1,]")), ["1", ""]);
  assert.deepEqual(texts(split("[ ]")), []);
  assert.deepEqual(texts(split("[1}, 2]")), ["1}", "2"]);
});

test("one object without results is one item", () => {
  assert.deepEqual(texts(split('{\n  "key": "a",\n  "x": [1]\n}\n', 3)), ['{\n  "key": "a",\n  "x": [1]\n}']);
  assert.deepEqual(texts(split('{"key":"a"}')), ['{"key":"a"}']);
});

test("columns are counted in characters", () => {
  const items = split('[{"key":"😀😀"}, {"key":"b"}]', 5);
  assert.deepEqual(
    items.map(({ line, column }) => [line, column]),
    [
      [1, 2],
      [1, 16],
    ],
  );
});

test("an item that is too large for a body is still an item", () => {
  const long = `{"custom":"${"x".repeat(1_500_000)}"}`;
  for (const [before, between, after] of [
    ["[", ",", "]"],
    ["", "\n", "\n"],
  ]) {
    const text = before + [ITEMS[0], long, ITEMS[1]].join(between) + after;
    for (const size of [65_536, text.length])
      assert.deepEqual(
        texts(split(text, size)).map((one) => one.length),
        [ITEMS[0], long, ITEMS[1]].map((one) => one.length),
      );
  }
});

test("an endless item is an error with its line, after the items before it", () => {
  /** @type {Record<string, [string, number, RegExp]>} */
  const endless = {
    "a missing quote": [
      `[\n${ITEMS[0]},\n{"key":"b},\n${"{}, ".repeat(10_000_000)}`,
      1,
      /item that starts in line 3 does not end/,
    ],
    "one line": [`${ITEMS[0]}\n${"x".repeat(40_000_000)}`, 1, /line that starts in line 2 does not end/],
    "a text before any list": [`{\n "note: ${"x".repeat(40_000_000)}`, 0, /text that starts in line 2 does not end/],
    blanks: [" ".repeat(40_000_000), 0, /Expected a JSON array/],
  };
  for (const [name, [text, count, message]] of Object.entries(endless)) {
    const splitter = new Splitter(model.columns);
    const items = [];
    let at = 0;
    assert.throws(
      () => {
        for (; at < text.length; at += 65_536) items.push(...splitter.push(text.slice(at, at + 65_536)));
        splitter.finish();
      },
      message,
      name,
    );
    assert.equal(items.length, count, name);
    // Blanks may precede an item. Nothing else is read beyond 8 MiB and the piece in which they end.
    assert.ok(name === "blanks" || at <= 8 * 1_048_576 + 2 * 65_536, `${name} is read up to ${at}`);
  }
});

test("a failed item is returned in one line, with its texts unchanged", () => {
  const lines = (text) => failedLines([{ text }]);
  assert.equal(lines('{\n  "key": "a  b\\"\n c",\r\n  "x": 1\n}'), '{ "key": "a  b\\"\\n c", "x": 1 }\n');
  assert.equal(lines('{"key": "open\n'), '{"key": "open\\n\n');
  assert.equal(lines('{"a":  1}'), '{"a":  1}\n');
});

test("the error for an incomplete file names the place", () => {
  assert.throws(
    () => split('[\n{"a":1},\n{"b":', 4),
    /no closing '\]': the file ends in item 2, which starts in line 3\./,
  );
  assert.throws(() => split('[{"a":1}', 4), /the file ends in item 1, which starts in line 1\./);
  assert.throws(() => split('[{"a":1},\n', 4), /the file ends after item 1\./);
  for (const more of ["more", '"more'])
    assert.throws(() => split(`[{"a":1}]\n${more}`, 3), /text after the end of the list \(line 2\)/);
});

test("a long list is read in reasonable time", () => {
  const items = Array.from({ length: 100_000 }, (_, at) => `{"key":"key-${at}","objectTypeProperty":{}}`);
  const text = `[${items.join(",\n")}]`;
  const start = performance.now();
  assert.equal(split(text, 65_536).length, 100_000);
  assert.ok(performance.now() - start < 5000);
});

test("the rows of a CSV file are items by their header, wherever the text is cut", () => {
  const text =
    "key,custom,arrayOfIntExample,arrayOfStringExample,createdBy.firstName\r\n" +
    'a,"say ""hi"", ü😀",1|2|x,red | blue,Ada\r\n' +
    'b,"two\nlines","[3, 4]",,\r\n' +
    "c";
  const expected = [
    {
      objectTypeProperty: { arrayOfIntExample: [1, 2, "x"], arrayOfStringExample: ["red", "blue"] },
      key: "a",
      custom: 'say "hi", ü😀',
      createdBy: { firstName: "Ada" },
    },
    { objectTypeProperty: { arrayOfIntExample: [3, 4] }, key: "b", custom: "two\nlines" },
    { objectTypeProperty: {}, key: "c" },
  ];
  for (const size of [1, 2, 3, 7, 64, text.length])
    assert.deepEqual(
      split(text, size, "a.CSV").map((item) => JSON.parse(item.text)),
      expected,
      `in pieces of ${size}`,
    );
});
