// Replies of an object as one text (src/worker/objects.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/module.mjs";

const { pack, unpack } = await load("src/worker/objects.ts");

const head = Uint8Array.from({ length: 256 }, (_, at) => at);

test("a short reply becomes one text, and is the same again", () => {
  for (const body of [undefined, '{"a":"\u0000é€😀"}', "x".repeat(30_000)]) {
    for (const bytes of [head, head.slice(0, 1), head.slice(0, 0)]) {
      const packed = pack([bytes, body]);
      assert.equal(typeof packed, "string");
      assert.deepEqual(unpack(packed), [bytes, body]);
    }
  }
});

test("a reply stays an array if its body is empty, long, or no text", () => {
  for (const body of ["", "x".repeat(40_000), new Uint8Array(1)]) {
    const reply = [head, body];
    assert.equal(pack(reply), reply);
    assert.equal(unpack(reply), reply);
  }
});
