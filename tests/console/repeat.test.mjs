// Saving again after a failure in the console.

import assert from "node:assert/strict";
import { test } from "node:test";

import { repeatable } from "../../build/console/model/repeat.js";

/** Returns a function that saves, with these outcomes in turn, and the keys that it got. */
function saving(...outcomes) {
  const keys = [];
  let made = 0;
  const save = repeatable(async (_, idempotencyKey) => {
    keys.push(idempotencyKey);
    made += 1;
    const outcome = outcomes.shift();
    if (outcome !== undefined)
      throw Object.assign(new Error("failed"), { outcome, idempotencyKey: idempotencyKey ?? `key-${made}` });
  });
  return { keys, save: (value) => save(value).catch(() => {}) };
}

test("a value that was refused, or another value, has no earlier key", async () => {
  const { keys, save } = saving("refused", "unknown", "unknown");
  await save({ custom: "a" });
  await save({ custom: "a" });
  await save({ custom: "b" });
  assert.deepEqual(keys, [undefined, undefined, undefined]);
});
