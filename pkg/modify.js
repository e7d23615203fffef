// Reads a resource and writes a change that is derived from it.

import { abortError, ResourceError, timeoutError } from "./errors.js";
import { randomKey } from "./input.js";
import { checkTimeout, sleep, withTimeout } from "./waiting.js";

/** @typedef {import("./client.js").Resource} Resource */
/** @typedef {import("./generated/bodies.js").ResourceUpdate} ResourceUpdate */
/** @typedef {import("./client.js").Change} Change */
/** @typedef {import("./client.js").ModifyOptions} ModifyOptions */
/** @typedef {import("./calls.js").Options} Options */

/**
 * What a failed call leaves for its repeat: how many writes it sent, and the last one if it may have been performed.
 * @typedef {{ writes: number, unresolved?: { id: string, body: ResourceUpdate } | undefined }} Left
 */

// The maximum number of failed calls that a client stores. The service rejects a repeat of any other that may have been
// performed: its first write has the same idempotency key and another body.
const STORED = 100;

/** The calls of `modify` of one client. */
export class Modifier {
  #client;
  /** @type {Map<string, Left>} */
  #failed = new Map();

  /** @param {Pick<import("./client.js").ResourceClient, "getById" | "getByKey" | "updateById">} client */
  constructor(client) {
    this.#client = client;
  }

  /**
   * Performs the actions that `change` returns for the current resource. Starts again if another caller wrote first.
   *
   * Each write has its own idempotency key, which is derived from that of the call. A repeat of a call sends its last
   * write again, if that may have been performed, before it reads the resource.
   * @param {number} timeout
   * @param {string | { readonly key: string }} target
   * @param {(current: Resource) => Change | PromiseLike<Change>} change
   * @param {ModifyOptions} options
   */
  async modify(timeout, target, change, { tries = 10, idempotencyKey, ...options }) {
    const key = idempotencyKey ?? randomKey();
    const left = this.#failed.get(key) ?? { writes: 0 };
    this.#failed.delete(key);
    // An earlier program may have had the caller's own key.
    const isNewKey = idempotencyKey == null || left.writes > 0;
    /** @type {{ error: unknown } | undefined} */
    let ofChange;
    /** @param {Resource} current */
    const changed = async (current) => {
      try {
        return await change(current);
      } catch (error) {
        ofChange = { error };
        throw error;
      }
    };
    try {
      return await this.#attempt(timeout, target, changed, tries, options, left, key, isNewKey);
    } catch (error) {
      const isReused = /** @type {Partial<ResourceError>} */ (error)?.code === "IdempotencyKeyReused";
      if (left.writes > 0 && !isReused) this.#store(key, left);
      if (error instanceof ResourceError && ofChange?.error !== error) {
        error.idempotencyKey = key;
        error.outcome = left.unresolved || isReused ? "unknown" : "refused";
      }
      throw error;
    }
  }

  /**
   * @param {number} timeout
   * @param {string | { readonly key: string }} target
   * @param {(current: Resource) => Promise<Change>} change
   * @param {number} tries
   * @param {import("./client.js").CallOptions} options
   * @param {Left} left
   * @param {string} key
   * @param {boolean} isNewKey
   */
  async #attempt(timeout, target, change, tries, options, left, key, isNewKey) {
    const client = this.#client;
    const { signal } = options;
    const whole = checkTimeout(options.timeout ?? timeout);
    const end = performance.now() + whole;
    /** Returns the options of the next call, if there is time for one. */
    const rest = () => {
      if (signal?.aborted) throw abortError(signal);
      const timeout = end - performance.now();
      if (timeout <= 0) throw timeoutError("call", whole);
      return { ...options, timeout };
    };
    for (let lost = 1; ; lost++) {
      let write = left.unresolved;
      const isRepeat = write !== undefined;
      if (write === undefined) {
        const fresh = { ...rest(), fresh: true };
        const current = await (typeof target === "object"
          ? client.getByKey(target?.key, undefined, fresh)
          : client.getById(target, undefined, fresh));
        const actions = await withTimeout(rest().timeout, change(current), [signal]);
        rest();
        if (!actions || actions.length === 0) return current;
        write = { id: current.id, body: { version: current.version, actions } };
      }
      /** @type {Options} */
      const last = { ...rest(), isNewKey: isNewKey && !isRepeat };
      if (!isRepeat) left.writes++;
      try {
        return await client.updateById(write.id, write.body, { ...last, idempotencyKey: `${key}-${left.writes}` });
      } catch (thrown) {
        const error = /** @type {ResourceError} */ (thrown);
        left.unresolved = error.outcome === "unknown" ? write : undefined;
        if (error.status !== 409 || lost >= tries) throw error;
      }
      // A random pause, so that concurrent writers do not conflict again. The next call reports a timeout.
      await sleep(Math.random() * Math.min(20 * 2 ** lost, 2000, end - performance.now()), signal);
    }
  }

  /**
   * Stores what a failed call leaves.
   * @param {string} key
   * @param {Left} left
   */
  #store(key, left) {
    this.#failed.set(key, left);
    for (const oldest of this.#failed.keys()) {
      if (this.#failed.size <= STORED) return;
      this.#failed.delete(oldest);
    }
  }
}
