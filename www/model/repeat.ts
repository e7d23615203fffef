// Saving again after a failure, without writing twice.

import type { ResourceError } from "../pkg/browser.js";

/**
 * Returns a function that saves a value. If a call fails and may have written the value, the next call with the same
 * value passes the idempotency key of the first to `save`, so that the service performs only one of them.
 */
export function repeatable<Value, Saved>(save: (value: Value, idempotencyKey: string | undefined) => Promise<Saved>) {
  let unsure: { text: string; idempotencyKey: string | undefined } | undefined;
  return async (value: Value) => {
    const text = JSON.stringify(value);
    const earlier = unsure?.text === text ? unsure : undefined;
    unsure = undefined;
    try {
      return await save(value, earlier?.idempotencyKey);
    } catch (error) {
      const { outcome, idempotencyKey } = error as Partial<ResourceError>;
      if (outcome === "unknown") unsure = { text, idempotencyKey };
      throw error;
    }
  };
}
