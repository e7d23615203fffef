// Calls of KV that take too long (src/worker/object/deadlines.ts).

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { load } from "../support/module.mjs";

const MS = 100;
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"] }));
afterEach(() => mock.timers.reset());

/** Lets the time of the clock pass. */
async function pass(/** @type {number} */ ms) {
  mock.timers.tick(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

const { Deadlines } = await load("src/worker/object/deadlines.ts");

/** Returns calls, and a function that begins one and records its end. */
function calls() {
  const deadlines = new Deadlines(MS);
  /** @type {string[]} */
  const ends = [];
  const begin = (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ call) =>
    deadlines.run(
      call,
      (/** @type {unknown} */ value) => ends.push(`${name}: ${value}`),
      (/** @type {Error} */ error) => ends.push(`${name}: ${error.message}`),
    );
  return { begin, ends };
}

test("a call ends once: with its value, its error, or after its time", async () => {
  const { begin, ends } = calls();
  begin("done", async () => "value");
  begin("rejected", async () => Promise.reject(new Error("refused")));
  begin("thrown", () => {
    throw new Error("not begun");
  });
  begin("never", () => new Promise(() => {}));
  begin("late", () => pause(150));
  await pass(50);
  // Its time begins later.
  begin("second", () => pause(75));
  assert.deepEqual(ends.sort(), ["done: value", "rejected: refused", "thrown: not begun"]);
  for (let times = 0; times < 5; times += 1) await pass(25);
  const late = `no response within ${MS} ms`;
  assert.deepEqual(ends.slice(3), [`never: ${late}`, `late: ${late}`, "second: undefined"]);
});

test("each call has its own time, and no timer remains when none is in flight", async () => {
  const { begin, ends } = calls();
  begin("first", () => new Promise(() => {}));
  await pass(50);
  begin("second", () => new Promise(() => {}));
  for (const [ms, count] of [
    [49, 0],
    [1, 1],
    [49, 1],
    [1, 2],
  ]) {
    await pass(ms);
    assert.equal(ends.length, count);
  }
  mock.timers.reset();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  begin("prompt", async () => "value");
  assert.equal(timers(), before + 1);
  await Promise.resolve().then(() => {});
  await null;
  assert.equal(timers(), before);
});
