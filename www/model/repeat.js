// Saving again after a failure, without writing twice.

/** @import { ResourceError } from "../pkg/browser.js" */

/**
 * Returns a function that saves a value. If a call fails and may have written the value, the next call with the same
 * value passes the idempotency key of the first to `save`, so that the service performs only one of them.
 * @template Value, Saved
 * @param {(value: Value, idempotencyKey: string | undefined) => Promise<Saved>} save
 */
export function repeatable(save) {
  /** @type {{ text: string, idempotencyKey: string | undefined } | undefined} */
  let unsure;
  return async (/** @type {Value} */ value) => {
    const text = JSON.stringify(value);
    const earlier = unsure?.text === text ? unsure : undefined;
    unsure = undefined;
    try {
      return await save(value, earlier?.idempotencyKey);
    } catch (error) {
      const { outcome, idempotencyKey } = /** @type {Partial<ResourceError>} */ (error);
      if (outcome === "unknown") unsure = { text, idempotencyKey };
      throw error;
    }
  };
}
