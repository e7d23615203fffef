// The turns of an object's event loop (src/worker/object/turns.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/module.mjs";

const { Turns } = await load("src/worker/object/turns.ts");

test("what waits for a turn is done together with the next ones, in order", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const turns = new Turns();
  /** @type {number[]} */
  const done = [];
  for (let at = 0; at < 40; at += 1) {
    const turn = turns.count(1);
    if (turn === undefined) done.push(at);
    else turn.then(() => done.push(at));
  }
  for (const expected of [16, 32, 40, 40]) {
    assert.deepEqual(done, [...Array(expected).keys()]);
    t.mock.timers.tick(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(turns.count(100), undefined, "a turn that is not over, for something that takes longer than a turn");
  assert.notEqual(turns.count(1), undefined, "a turn that is over");
});
