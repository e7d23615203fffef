// Reads a resource and writes a change that is derived from it.

import { CallTime } from "./call-time.js";
import type { Calls, Options } from "./calls.js";
import { abortError, ResourceError, timeoutError, wrongOption } from "./errors.js";
import type { ResourceDraft, ResourceOverwrite, ResourceUpdate } from "../generated/bodies.js";
import type { Resource } from "../generated/responses.js";
import { checkRemovals, describe, randomKey } from "./input.js";
import type { CallOptions, Modification, ModifyOptions } from "./options.js";
import { checkTimeout, sleep } from "./signals.js";

/**
 * What a failed call leaves for its repeat: how many writes it sent, and the last one if it may have been performed.
 */
type Left = { writes: number; unresolved?: Write | undefined };
type Write =
  | { name: "updateById"; id: string; body: ResourceUpdate }
  | { name: "overwrite" | "createOrUpdate"; body: ResourceOverwrite | ResourceDraft };

/** What the caller passes: it returns what to write. */
export type Change = (current: Resource) => Modification | PromiseLike<Modification>;

/** A call of `modify`. `key` is its idempotency key, which no earlier program has used if `isNewKey`. */
interface ModifyCall {
  target: string | { readonly key: string };
  change: (current: Resource) => Promise<Modification>;
  tries: number;
  options: CallOptions;
  left: Left;
  key: string;
  isNewKey: boolean;
}

// The maximum number of failed calls that a client stores. The service rejects a repeat of any other that may have been
// performed: its first write has the same idempotency key and another body.
const STORED = 100;

/** The calls of `modify` of one client. */
export class Modifier {
  #calls;
  #failed = new Map<string, Left>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Writes what `change` returns for the current resource: actions, or fields. Starts again if another caller wrote
   * first.
   *
   * Each write has its own idempotency key, which is derived from that of the call. A repeat of a call sends its last
   * write again, if that may have been performed, before it reads the resource.
   */
  async modify(
    target: string | { readonly key: string },
    change: Change,
    { tries = 10, idempotencyKey, ...options }: ModifyOptions,
  ): Promise<Resource> {
    const key = idempotencyKey ?? randomKey();
    const left = this.#failed.get(key) ?? { writes: 0 };
    this.#failed.delete(key);
    // An earlier program may have had the caller's own key.
    const isNewKey = idempotencyKey == null || left.writes > 0;
    let ofChange: { error: unknown } | undefined;
    const changed = async (current: Resource) => {
      try {
        return await change(current);
      } catch (error) {
        ofChange = { error };
        throw error;
      }
    };
    try {
      return await this.#attempt({ target, change: changed, tries, options, left, key, isNewKey });
    } catch (error) {
      const isReused = (error as Partial<ResourceError>)?.code === "IdempotencyKeyReused";
      if (left.writes > 0 && !isReused) this.#store(key, left);
      if (error instanceof ResourceError && ofChange?.error !== error) {
        const outcome = left.unresolved || isReused ? "unknown" : "refused";
        Object.assign(error, { idempotencyKey: key, outcome });
      }
      throw error;
    }
  }

  async #attempt({ target, change, tries, options, left, key, isNewKey }: ModifyCall) {
    const calls = this.#calls;
    const { signal } = options;
    const whole = checkTimeout(options.timeout ?? calls.timeout);
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
        const options = { ...rest(), fresh: true };
        const current: Resource = await (typeof target === "object"
          ? calls.call("getByKey", { variables: [target?.key], options })
          : calls.call("getById", { variables: [target], options }));
        const time = new CallTime(rest().timeout);
        const changed = await time.run(() => change(current), [signal, calls.closing]);
        write = writeOf(current, changed, calls.declared !== undefined);
        rest();
        if (write === undefined) return current;
      }
      const last: Options = { ...rest(), isNewKey: isNewKey && !isRepeat };
      if (!isRepeat) left.writes++;
      try {
        const options = { ...last, idempotencyKey: `${key}-${left.writes}` };
        const variables = "id" in write ? [write.id] : [];
        return await calls.call(write.name, { variables, options, body: write.body });
      } catch (thrown) {
        const error = thrown as ResourceError;
        left.unresolved = error.outcome === "unknown" ? write : undefined;
        if (error.status !== 409 || lost >= tries) throw error;
      }
      // A random pause, so that concurrent writers do not conflict again. The next call reports a timeout.
      await sleep(Math.random() * Math.min(20 * 2 ** lost, 2000, end - performance.now()), signal);
    }
  }

  /** Stores what a failed call leaves. */
  #store(key: string, left: Left) {
    this.#failed.set(key, left);
    for (const oldest of this.#failed.keys()) {
      if (this.#failed.size <= STORED) return;
      this.#failed.delete(oldest);
    }
  }
}

/** Returns the call that writes a change to the current state; `undefined` if there is nothing to write. */
function writeOf(current: Resource, change: Modification, isDeclared: boolean): Write | undefined {
  const { id, version } = current;
  if (change == null || (typeof change === "object" && Object.keys(change).length === 0)) return undefined;
  if (Array.isArray(change)) return { name: "updateById", id, body: { version, actions: change } };
  if (typeof change !== "object")
    throw wrongOption(`The function of modify returned ${describe(change)}. Expected actions, or an object of fields.`);
  const fields = change as Partial<ResourceOverwrite>;
  if ((fields.id ?? id) !== id || (fields.version ?? version) !== version)
    throw wrongOption("The function of modify returned another id or version. Both stay those of the resource.");
  checkRemovals(fields, current, isDeclared);
  // Of a declared resource, a body with a version changes the fields that it has (D38).
  if (isDeclared) return { name: "createOrUpdate", body: { ...fields, id, version } as ResourceDraft };
  // Overwriting replaces all arrays. Those of the current state are exact, because the version is.
  const objectTypeProperty = { ...current.objectTypeProperty, ...fields.objectTypeProperty };
  return { name: "overwrite", body: { ...fields, id, version, objectTypeProperty } };
}
