// Every way in which spreadsheets and programs write CSV: read as they mean it, or an error with its place.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ResourceModel } from "../../build/console/model/fields.js";
import { check } from "../../build/console/model/import/importer.js";
import { Splitter } from "../../pkg/dist/items/items.js";
import { init } from "../../build/console/pkg/browser.js";

await init(readFileSync(new URL("../../build/console/pkg/wasm/resource_edge_bg.wasm", import.meta.url)));

const model = new ResourceModel();

/** Returns the items of a text that arrives in pieces of a size, without what all have. */
function split(text, size = text.length || 1, name = "a.csv") {
  const splitter = new Splitter(model.columns, name);
  const items = [];
  for (let at = 0; at < text.length; at += size) items.push(...splitter.push(text.slice(at, at + size)));
  items.push(...splitter.finish());
  return items.map(({ text: json, number, line }) => {
    const { objectTypeProperty, ...item } = JSON.parse(json);
    const value = Object.keys(objectTypeProperty).length > 0 ? { objectTypeProperty, ...item } : item;
    return { value, number, line };
  });
}
const sizes = (text) => [1, 2, 3, 7, 64, text.length || 1];

const A = { key: "a", custom: "x" };
const B = { key: "b", custom: "y" };
const list = (name, items) => ({ objectTypeProperty: { [name]: items }, key: "a" });

/** @type {[string, string, object[]][]} */
const READ = [
  ["LF", "key,custom\na,x\nb,y\n", [A, B]],
  ["CRLF", "key,custom\r\na,x\r\nb,y\r\n", [A, B]],
  ["CR", "key,custom\ra,x\rb,y\r", [A, B]],
  ["line ends of several kinds", "key,custom\r\na,x\rb,y\n", [A, B]],
  ["no end of the last line", "key,custom\na,x\nb,y", [A, B]],
  ["empty lines", "\n\r\nkey,custom\n\na,x\n\n\nb,y\n\n", [A, B]],
  ["rows of separators, as spreadsheets write empty rows", 'key,custom\n,\na,x\n"",""\nb,y\n,,\n', [A, B]],
  ["semicolons", "key;custom\na;x\nb;y\n", [A, B]],
  ["tabs", "key\tcustom\na\tx\nb\ty\n", [A, B]],
  ["pipes", "key|custom\na|x\nb|y\n", [A, B]],
  [
    "semicolons, and commas inside quotes",
    'key;"custom";tenthProperty\na;"x, y, z, 1, 2";\n',
    [{ ...A, custom: "x, y, z, 1, 2" }],
  ],
  ["semicolons, and commas in cells", "key;custom\na;1,5\n", [{ ...A, custom: "1,5" }]],
  ["a line that says the separator", "sep=;\nkey;custom\na;x\nb;y\n", [A, B]],
  ["a line that says a separator that none would guess", "SEP=#\r\nkey#custom\r\na#x\r\nb#y\r\n", [A, B]],
  ["a line that says a caret", "sep=^\nkey^custom\na^x\nb^y\n", [A, B]],
  ["a line that says commas, which a name has too", 'sep=,\nkey,"custom"\na,x\n', [A]],
  ["a separator at the end of each row", "key,custom,\na,x,\nb,y,\n", [A, B]],
  ["a separator at the end of the rows only", "key,custom\na,x,\nb,y,,\n", [A, B]],
  ["an empty column in the middle", "key,,custom\na,,x\nb,,y\n", [A, B]],
  ["another separator in a row, which is a part of its cell", "key,custom\na;x\n", [{ key: "a;x" }]],
  ["short rows", "key,custom\na,x\nb\n", [A, { key: "b" }]],
  ["only names", "key,custom\n", []],
  ["nothing", "", []],
  ["only line ends", "\n\r\n\n", []],
  ["quotes around everything", '"key","custom"\n"a","x"\n"b","y"\n', [A, B]],
  ["doubled quotes", 'key,custom\na,"say ""x"""\n', [{ ...A, custom: 'say "x"' }]],
  ["a quoted quote", 'key,custom\na,""""\n', [{ ...A, custom: '"' }]],
  ["quotes inside of a cell without quotes", 'key,custom\na,5" pipe\n', [{ ...A, custom: '5" pipe' }]],
  ["line breaks in quotes", 'key,custom\na,"x\ny\r\nz\r"\n', [{ ...A, custom: "x\ny\r\nz\r" }]],
  ["separators in quotes", 'key,custom\na,",;|\t"\n', [{ ...A, custom: ",;|\t" }]],
  ["names in quotes with a line break after them", '\n"key","custom"\n"a","x"\n', [A]],
  ["names with spaces around them", " key , custom\t\na,x\n", [A]],
  ["cells with spaces around them", "key,custom\na, x \n", [{ ...A, custom: " x " }]],
  ["a quoted empty cell, which is as absent as an empty one", 'key,custom\na,""\n', [{ key: "a" }]],
  ["numbers", "key,arrayOfFloatExample\na,1.5|-2e3| 3 \n", [list("arrayOfFloatExample", [1.5, -2000, 3])]],
  // The validator rejects these: no number is read as another one.
  [
    "decimal commas, unless they can separate thousands",
    "key;arrayOfFloatExample\na;1,5|-0,125|1.299,50|1,299.50|1,299|1,2,3\n",
    [list("arrayOfFloatExample", [1.5, -0.125, 1299.5, 1299.5, "1,299", "1,2,3"])],
  ],
  [
    "numbers that JSON does not have",
    "key,arrayOfIntExample\na,0x10|Infinity|1e999\n",
    [list("arrayOfIntExample", ["0x10", "Infinity", "1e999"])],
  ],
  ["a list with one separator more", "key,arrayOfStringExample\na,x|\n", [list("arrayOfStringExample", ["x", ""])]],
  [
    "members of a group",
    "key,createdBy.firstName,createdBy.lastName\na,Ada,\n",
    [{ key: "a", createdBy: { firstName: "Ada" } }],
  ],
];

test("what spreadsheets write is read as they mean it, wherever the text is cut", () => {
  for (const [name, text, expected] of READ)
    for (const size of sizes(text))
      assert.deepEqual(
        split(text, size).map(({ value }) => value),
        expected,
        `${name} in pieces of ${size}`,
      );
});

/** @type {[string, string, RegExp, number][]} */
const REFUSED = [
  ["a name twice", "key,custom,custom\na,x,y\n", /^Line 1, column 2: column 3 has the values of 'custom' too\./, 0],
  [
    "a name twice, with spaces",
    'key,custom,"custom "\na,x,y\n',
    /column 2: column 3 has the values of 'custom' too/,
    0,
  ],
  [
    "a group and its member",
    "key,createdBy.firstName,createdBy\na,x,y\n",
    /column 2: column 3 has the values of 'createdBy\.firstName' too/,
    0,
  ],
  [
    "unknown names, once",
    "key,sku,x\na,1,2\nb,3,4\n",
    /^Line 1: no field has the name 'sku' \(column 2\), 'x' \(column 3\)\. .*Rename each/,
    0,
  ],
  ["a name in another case", "Key\na\n", /no field has the name 'Key' \(column 1\)/, 0],
  ["no names", "a,red\nb,blue\n", /no field has the name 'a' \(column 1\), 'red' \(column 2\)/, 0],
  ["a value without a name", "key,\na,\nb,y\n", /^Line 3, column 2: 'y' has no name above it\./, 1],
  ["a row with more cells than names", "key\na\nb,y\n", /^Line 3, column 2: 'y' has no name above it\./, 1],
  ["a text after quotes", 'key,custom\na,"x"y\n', /^Line 2, column 2: a quote begins or ends inside the cell\./, 0],
  ["a space after quotes", 'key,custom\n"a" ,x\n', /^Line 2, column 1: a quote begins or ends inside/, 0],
  ["a space before quotes", 'key,custom\na,x\nb, "y, z"\n', /^Line 3, column 2: a quote begins or ends inside/, 1],
  [
    "quotes that are not doubled",
    'key,custom\na,"say "x", y"\n',
    /^Line 2, column 2: a quote begins or ends inside/,
    0,
  ],
  [
    "a quote that is not closed",
    'key,custom\na,x\nb,"y\n',
    /row that starts in line 3 has a quote that is not closed/,
    1,
  ],
  [
    "names with a quote that is not closed",
    'key,"custom\na,x\n',
    /row that starts in line 1 has a quote that is not closed/,
    0,
  ],
];

test("what would lose a value is an error with its place, after the items before it", () => {
  for (const [name, text, message, count] of REFUSED)
    for (const size of sizes(text)) {
      const splitter = new Splitter(model.columns, "a.csv");
      const items = [];
      assert.throws(
        () => {
          for (let at = 0; at < text.length; at += size) items.push(...splitter.push(text.slice(at, at + size)));
          items.push(...splitter.finish());
        },
        { message },
        `${name} in pieces of ${size}`,
      );
      assert.equal(items.length, count, name);
    }
});

test("a cell without an end is an error before it fills the memory", () => {
  const long = `key\na\n"b${"x".repeat(3_000_000)}`;
  assert.throws(() => split(long, 65_536), /row that starts in line 3 has a cell that is longer than a resource/);
});

test("rows have their numbers and lines", () => {
  const text = 'sep=,\r\nkey,custom\r\na,"x\r\ny"\r\rb,z\n';
  for (const size of sizes(text))
    assert.deepEqual(
      split(text, size).map(({ number, line }) => [number, line]),
      [
        [1, 3],
        [2, 6],
      ],
      `in pieces of ${size}`,
    );
});

test("a file is read in the encodings that spreadsheets write, and refused in others", async () => {
  const text = "key\tcustom\r\nä\tüö€😀\r\n";
  const le = Buffer.from(`\ufeff${text}`, "utf16le");
  const files = {
    "UTF-8": Buffer.from(text),
    "UTF-8 with a byte order mark": Buffer.from(`\ufeff${text}`),
    "UTF-16": le,
    "UTF-16, the high byte first": Buffer.from(le).swap16(),
  };
  const read = (bytes) =>
    check(new File([bytes], "a.csv"), { model, signal: new AbortController().signal, progress: () => {} });
  for (const [name, bytes] of Object.entries(files)) {
    const { total, valid, identified, fault } = await read(bytes);
    assert.deepEqual(
      { total, valid, identified, fault },
      { total: 1, valid: 1, identified: 1, fault: undefined },
      name,
    );
  }
  assert.match((await read(Buffer.from("key\n\xe4\n", "latin1"))).fault ?? "", /not UTF-8 text .* Save it as UTF-8/);
  assert.match((await read(Buffer.from("key\nx\n", "utf16le"))).fault ?? "", /no field has the name/);
  assert.match((await read(le.subarray(0, le.length - 1))).fault ?? "", /not UTF-16LE text/);
});
