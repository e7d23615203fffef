import assert from "node:assert/strict";
import { test } from "node:test";
import { ResourceModel } from "../../build/site/model/fields.js";
import {
  applyActions,
  changesBody,
  combine,
  compare,
  findUndecided,
  mergeRows,
  overwriteBody,
  resultOf,
} from "../../build/site/model/merge.js";
import { describe, same } from "../../build/site/model/schema.js";

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
const row = (rows, name) => rows.find(({ field }) => field.name === name);

test("changes of one side and equal changes of both sides are merged", () => {
  const base = resource();
  const mine = resource({ custom: "mine", someProperty: "both" }, { arrayOfStringExample: ["x"] });
  const theirs = resource({ key: "theirs", someProperty: "both", version: 4 }, { arrayOfIntExample: [1] });
  const rows = compare(fields, base, mine, theirs);
  assert.deepEqual(findUndecided(rows), []);
  assert.equal(row(rows, "custom").change, "mine");
  assert.equal(row(rows, "key").change, "theirs");
  assert.equal(row(rows, "someProperty").change, "same");
  assert.equal(row(rows, "ninthProperty").change, "none");
  assert.deepEqual(mergeRows(rows), {
    key: "theirs",
    objectTypeProperty: { arrayOfIntExample: [1], arrayOfStringExample: ["x"] },
    someProperty: "both",
    custom: "mine",
  });
});

test("an absent array equals an empty one, and null means absent", () => {
  const rows = compare(
    fields,
    resource(),
    { ...resource(), objectTypeProperty: { arrayOfIntExample: [1, 2] }, ninthProperty: null },
    resource(),
  );
  assert.deepEqual(
    rows.filter(({ change }) => change !== "none"),
    [],
  );
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

test("combined arrays have what either side added, and lack what either side removed", () => {
  assert.deepEqual(combine([1, 2, 3], [1, 3, 4], [1, 2, 3, 5]), [1, 3, 5, 4]);
  assert.deepEqual(combine([], [7], [7]), [7]);
  assert.deepEqual(combine([1, 1], [1], [1]), [1]);
  assert.deepEqual(combine([1, 1], [1], [1, 1, 1]), [1, 1]);
  assert.deepEqual(combine(undefined, ["a"], undefined), ["a"]);
  assert.deepEqual(combine([{ a: 1, b: 2 }], [{ b: 2, a: 1 }, { a: 3 }], []), [{ a: 3 }]);
  const rows = compare(
    fields,
    resource(),
    resource({}, { arrayOfIntExample: [1, 2, 3] }),
    resource({}, { arrayOfIntExample: [2] }),
  );
  row(rows, "arrayOfIntExample").choice = "both";
  assert.deepEqual(resultOf(row(rows, "arrayOfIntExample")), [2, 3]);
});

test("a change that conflicts with no other change is in the result of random merges", () => {
  let seed = 7;
  const dice = (sides) => (seed = (seed * 48271) % 2147483647) % sides;
  for (let round = 0; round < 500; round++) {
    const base = resource({ custom: "0" });
    const change = () => {
      const next = structuredClone(base);
      if (dice(2)) next.custom = String(dice(3));
      if (dice(2)) next.objectTypeProperty.arrayOfIntExample = [dice(3)];
      if (dice(2)) next.key = `k${dice(2)}`;
      return next;
    };
    const [mine, theirs] = [change(), change()];
    const rows = compare(fields, base, mine, theirs);
    for (const one of rows) {
      const { base: b, mine: m, theirs: t } = one;
      if (same(m, t)) assert.ok(same(resultOf(one), m));
      else if (same(b, t)) assert.ok(same(resultOf(one), m));
      else if (same(b, m)) assert.ok(same(resultOf(one), t));
      else assert.equal(one.choice, undefined);
    }
  }
});
