// Calls of the platform that may take too long.

import { promiseOf } from "../reason.js";

interface Call {
  until: number;
  fail: (error: unknown) => void;
}

/**
 * Calls that fail after `ms` milliseconds, whatever happens to them later. All have the same time, so one timer is
 * enough: a timer for each of an object's puts would be a noticeable part of a write. A timer belongs to its object,
 * and keeps it in memory, so each object has its own, and none while no call runs.
 */
export class Deadlines {
  #ms: number;
  /** Oldest first. */
  #open = new Set<Call>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Begins a call, and ends it with one of the functions. */
  run<T>(begin: () => Promise<T>, done: (value: T) => void, fail: (error: unknown) => void) {
    const call = { until: Date.now() + this.#ms, fail };
    this.#open.add(call);
    this.#timer ??= setTimeout(() => this.#ring(), this.#ms);
    promiseOf(begin).then(
      (value) => {
        if (this.#end(call)) done(value);
      },
      (error) => {
        if (this.#end(call)) fail(error);
      },
    );
  }

  /** Returns whether the call was not too late. */
  #end(call: Call) {
    const isOpen = this.#open.delete(call);
    if (this.#open.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    return isOpen;
  }

  #ring() {
    const now = Date.now();
    const late = [...this.#open].filter(({ until }) => until <= now);
    for (const call of late) this.#open.delete(call);
    const [next] = this.#open;
    // The clock may have been set back.
    this.#timer = next && setTimeout(() => this.#ring(), Math.min(next.until - now, this.#ms));
    for (const { fail } of late) fail(new Error(`no response within ${this.#ms} ms`));
  }
}
