// `merge` of the npm package: three versions of a resource.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { merge } from "../../pkg/dist/node.js";
import { Random } from "../support/random.mjs";

const base = {
  id: "a",
  version: 3,
  key: "lamp",
  lastModifiedAt: "2026-01-01T00:00:00.000Z",
  lastModifiedBy: { firstName: "Ada" },
  title: "Lamp",
  price: 40,
  tags: ["oak", "ash"],
  size: { width: 1, height: 2 },
};
const theirs = {
  ...base,
  version: 4,
  lastModifiedAt: "2026-02-01T00:00:00.000Z",
  lastModifiedBy: { firstName: "Bob" },
};
const paths = (changes) => changes.map(({ path, change }) => `${path} ${change}`);

test("what one side changed, and what both changed alike, is merged on the newest version", () => {
  const merged = merge(
    base,
    { ...base, price: 41, size: { width: 9, height: 2 }, note: "n" },
    { ...theirs, title: "Desk lamp", size: { width: 1, height: 7 }, note: "n" },
  );
  assert.deepEqual(merged.conflicts, []);
  assert.deepEqual(paths(merged.changes), [
    "/title theirs",
    "/price mine",
    "/size/width mine",
    "/size/height theirs",
    "/note same",
  ]);
  const expected = { ...theirs, title: "Desk lamp", price: 41, size: { width: 9, height: 7 }, note: "n" };
  assert.deepEqual(merged.value, expected);
});

test("a conflict has its place, its three values, and my value until there is a choice", () => {
  const mine = { ...base, price: 41, tags: ["oak", "elm"] };
  const their = { ...theirs, price: 42, tags: ["oak", "ash", "fir"] };
  const open = merge(base, mine, their);
  assert.deepEqual(open.conflicts[0], { path: "/price", change: "both", base: 40, mine: 41, theirs: 42 });
  assert.deepEqual([open.value.price, open.value.tags], [41, ["oak", "elm"]]);
  assert.deepEqual(paths(open.conflicts), ["/price both", "/tags both"]);
  const chosen = merge(base, mine, their, { "/price": "theirs", "/tags": "both" });
  assert.deepEqual([chosen.conflicts, chosen.value.price, chosen.value.tags], [[], 42, ["oak", "fir", "elm"]]);
  // A choice may also undo what was no conflict.
  assert.equal(merge(base, mine, theirs, { "/price": "theirs" }).value.price, 40);
  const wrong = () => merge(base, mine, their, { "/price": "both" });
  assert.throws(wrong, { kind: "invalid", message: "merge: '/price' is no list. Expected the choice mine or theirs." });
});

test("no value is null or an empty list, and an object that one side removed is one value", () => {
  const empty = { ...base, tags: [], note: null, size: { height: 2, width: 1, depth: null } };
  const { tags, ...without } = base;
  assert.deepEqual(merge({ ...without, note: undefined }, empty, theirs).changes.length, 1, "their tags");
  const { size, ...flat } = base;
  assert.deepEqual(merge(base, flat, theirs).value.size, undefined);
  const removed = merge(base, flat, { ...theirs, size: { width: 5, height: 2 } });
  assert.deepEqual(removed.conflicts, [
    { path: "/size", change: "both", base: size, mine: undefined, theirs: { width: 5, height: 2 } },
  ]);
  // Both added one.
  const both = merge(flat, { ...flat, size: { width: 1 } }, { ...theirs, size: { height: 2 } });
  assert.deepEqual([both.conflicts, both.value.size], [[], { height: 2, width: 1 }]);
});

test("what the service sets is theirs, a key that a form lacks stays, and the writer may name itself", () => {
  const form = { title: "Lamp", price: 41 };
  const { value, changes } = merge({ ...form, key: "lamp", price: 40 }, form, theirs);
  assert.deepEqual([value.id, value.version, value.key], ["a", 4, "lamp"]);
  assert.equal(value.lastModifiedBy.firstName, "Bob");
  assert.deepEqual(paths(changes), ["/price mine", "/tags theirs", "/size theirs"]);
  const own = merge(base, { ...base, lastModifiedBy: { firstName: "Me" }, key: "mine" }, theirs);
  assert.deepEqual([own.value.lastModifiedBy, own.value.key], [{ firstName: "Me" }, "mine"]);
  const odd = JSON.parse('{"__proto__": {"a": 1}, "a/b~c": 1}');
  const { value: same, changes: one } = merge({}, odd, {});
  assert.deepEqual(
    [Object.keys(same), paths(one)],
    [
      ["__proto__", "a/b~c"],
      ["/__proto__ mine", "/a~1b~0c mine"],
    ],
  );
});

test("combined lists have what either side added, and lack what either side removed", () => {
  const combined = (...sides) => {
    const [base, mine, theirs] = sides.map((list) => ({ list }));
    return merge(base, mine, theirs, { "/list": "both" }).value.list;
  };
  assert.deepEqual(combined([1, 2, 3], [1, 3, 4], [1, 2, 3, 5]), [1, 3, 5, 4]);
  assert.deepEqual(combined([], [7, 8], [7]), [7, 8]);
  assert.deepEqual(combined([1, 1], [1], [1, 1, 1]), [1, 1]);
  assert.deepEqual(combined(undefined, ["a"], ["b"]), ["b", "a"]);
  assert.deepEqual(combined([{ a: 1, b: 2 }], [{ b: 2, a: 1 }, { a: 3 }], []), [{ a: 3 }]);
});

test("random merges lose no change of either side", () => {
  const random = new Random(7);
  for (let round = 0; round < 500; round++) {
    const below = (/** @type {number} */ bound) => random.below(bound);
    const change = () => ({ a: below(3), b: [below(2)], c: { d: below(2), e: below(3) } });
    const [base, mine, theirs] = [change(), change(), change()];
    const { value, conflicts } = merge(base, mine, theirs);
    for (const at of [({ a }) => a, ({ b }) => b, ({ c }) => c.d, ({ c }) => c.e]) {
      const [b, m, t] = [base, mine, theirs].map(at);
      assert.ok(isDeepStrictEqual(at(value), isDeepStrictEqual(b, m) ? t : m));
    }
    /** @param {any[]} sides */
    const differ = ([b, m, t]) => !isDeepStrictEqual(b, m) && !isDeepStrictEqual(b, t) && !isDeepStrictEqual(m, t);
    const sides = ["a", "b", "d", "e"].map((name) => [base, mine, theirs].map((one) => one[name] ?? one.c[name]));
    assert.equal(conflicts.length, sides.filter(differ).length);
  }
});
