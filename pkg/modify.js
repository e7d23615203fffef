// Reads a resource and writes a change that is derived from it.

import { abortError, timeoutError } from "./errors.js";
import { checkTimeout, sleep, withTimeout } from "./waiting.js";

/** @typedef {import("./client.js").Resource} Resource */
/** @typedef {import("./client.js").Change} Change */
/** @typedef {import("./client.js").ModifyOptions} ModifyOptions */

/**
 * Performs the actions that `change` returns for the current resource. Starts again if another caller wrote first.
 * @param {Pick<import("./client.js").ResourceClient, "getById" | "getByKey" | "updateById">} client
 * @param {number} timeout
 * @param {string | { readonly key: string }} target
 * @param {(current: Resource) => Change | PromiseLike<Change>} change
 * @param {ModifyOptions} options
 */
export async function modify(client, timeout, target, change, { tries = 10, ...options }) {
  const { signal } = options;
  const whole = checkTimeout(options.timeout ?? timeout);
  const end = performance.now() + whole;
  /** Returns the options of the next call, if there is time for one. */
  const left = () => {
    if (signal?.aborted) throw abortError(signal);
    const timeout = end - performance.now();
    if (timeout <= 0) throw timeoutError(whole);
    // Each attempt is a separate write.
    return { ...options, timeout, idempotencyKey: undefined };
  };
  for (let lost = 1; ; lost++) {
    const fresh = { ...left(), fresh: true };
    const current = await (typeof target === "object"
      ? client.getByKey(target?.key, undefined, fresh)
      : client.getById(target, undefined, fresh));
    const { timeout } = left();
    const actions = await withTimeout(timeout, Promise.resolve(current).then(change), [signal]);
    const last = left();
    if (!actions || actions.length === 0) return current;
    try {
      return await client.updateById(current.id, { version: current.version, actions }, last);
    } catch (thrown) {
      const error = /** @type {import("./client.js").ResourceError} */ (thrown);
      if (error.status !== 409 || lost >= tries) throw error;
    }
    // A random pause, so that concurrent writers do not conflict again. The next call reports a timeout.
    await sleep(Math.random() * Math.min(20 * 2 ** lost, 2000, end - performance.now()), signal);
  }
}
