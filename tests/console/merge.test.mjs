import assert from "node:assert/strict";
import { test } from "node:test";
import { ResourceModel } from "../../build/console/model/fields.js";
import { applyActions, changesBody, countOf, overwriteBody, take } from "../../build/console/model/edit/merge.js";
import { describe } from "../../build/console/model/schema.js";

const { fields: all } = new ResourceModel();
const fields = all.filter(({ kind, name }) => kind !== "date" && name !== "version" && name !== "id");
const resource = (changes = {}, arrays = {}) => ({
  id: "a",
  version: 3,
  key: "k",
  objectTypeProperty: { arrayOfIntExample: [1, 2], arrayOfStringExample: [], ...arrays },
  custom: "c",
  ...changes,
});

test("a removed text is sent empty, and a removed person is omitted", () => {
  const seen = resource({ lastModifiedBy: { firstName: "A" } });
  const { custom, lastModifiedBy, ...value } = /** @type {Record<string, any>} */ (seen);
  assert.deepEqual(overwriteBody(fields, seen, value), { ...value, custom: "" });
  // Null means absent, so the text would remain (D8, D11).
  assert.deepEqual(overwriteBody(fields, seen, { ...value, custom: null }), { ...value, custom: "" });
});

test("the body of a declared resource has what changed, with null for what was removed", () => {
  const text = { type: "string" };
  const size = { type: "object", properties: { width: { type: "number" } } };
  const declared = describe({ properties: { title: text, note: text, size, tags: { type: "array", items: text } } });
  const seen = { id: "a", version: 3, title: "t", note: "n", size: { width: 1 }, tags: ["x"], unknown: 1 };
  const value = { title: "t", size: { width: 2 }, tags: ["x"], colour: "red" };
  assert.deepEqual(changesBody(declared, seen, value), {
    id: "a",
    version: 3,
    colour: "red",
    note: null,
    size: { width: 2 },
  });
});

test("actions set fields, and change lists", () => {
  const seen = { title: "t", tags: ["a", "b"] };
  const actions = [
    { action: "addTags", tags: ["c"] },
    { action: "removeTags", tags: ["a"] },
    { action: "setTitle", title: null },
  ];
  assert.deepEqual(applyActions(seen, actions), { title: null, tags: ["b", "c"] });
  assert.deepEqual(seen.tags, ["a", "b"]);
});

test("the items that a list has beside another are counted, whatever the order of their members", () => {
  const counts = countOf([{ a: 1, b: 2 }, "x"]);
  assert.deepEqual(
    [{ b: 2, a: 1 }, { a: 1, b: 2 }, "x"].map((item) => take(counts, item)),
    [true, false, true],
  );
});
