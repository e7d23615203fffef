// Pauses, and waits until a condition holds.

import { setTimeout as later } from "node:timers/promises";

export { later };

/**
 * Returns the function's value once it no longer throws. Throws its last error when the time is over.
 * @template Value
 * @param {() => Value | Promise<Value>} run
 */
export async function eventually(run, ms = 30_000) {
  for (const deadline = Date.now() + ms; ; await later(20)) {
    try {
      return await run();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
