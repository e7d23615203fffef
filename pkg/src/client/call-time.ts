// The time of a call and of its attempts.

import { abortError, timeoutError } from "./errors.js";
import { listen, TIMER_MAX, unlisten, type Waiting } from "./signals.js";

/**
 * The time of a call, or of a part of one. One timer serves the call and its attempts, because timers cost more than
 * they seem to.
 */
export class CallTime {
  deadline;
  #timeout;
  #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #end: (error: unknown) => void = () => {};
  #late = () => {};

  constructor(timeout: number) {
    this.#timeout = timeout;
    /** When the call ends, by `performance.now`. */
    this.deadline = performance.now() + timeout;
  }

  /** Aborts when the call or its current attempt ends. */
  get signal() {
    return this.#controller.signal;
  }

  /** Settles as the promise of `start` does. Rejects if the time is over or a signal aborts first. */
  run<Value>(start: () => PromiseLike<Value>, signals: readonly (Waiting | undefined)[]): Promise<Value> {
    return new Promise((resolve, reject) => {
      const done = <Result>(settle: (result: Result) => void, result: Result) => {
        this.#isOver = true;
        clearTimeout(this.#timer);
        for (const signal of signals) if (signal) unlisten(signal, abort);
        settle(result);
      };
      const abort = () => this.#end(abortError(signals.find((signal) => signal?.aborted) ?? {}));
      this.#end = (error) => {
        done(reject, error);
        this.#controller.abort(error);
      };
      for (const signal of signals) if (signal) listen(signal, abort);
      try {
        start().then(
          (value) => done(resolve, value),
          (error) => done(reject, error),
        );
      } catch (error) {
        return done(reject, error);
      }
      if (this.#timer === undefined) this.#arm(Infinity);
    });
  }

  /** Settles as the promise of an attempt does, or resolves to `undefined` if the attempt exceeds its limit. */
  within<Value>(limit: number, attempt: PromiseLike<Value>): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#late = () => resolve(undefined);
      this.#arm(limit);
      attempt.then(resolve, reject);
    });
  }

  /** Ends the current attempt. The next one has a new signal, unless the call is over. */
  endAttempt(reason: unknown) {
    const controller = this.#controller;
    if (!this.#isOver) this.#controller = new AbortController();
    controller.abort(reason);
  }

  /** Sets the timer to the end of the attempt or of the call. */
  #arm(limit: number, rest = this.deadline - performance.now()) {
    clearTimeout(this.#timer);
    const ring = () => {
      // A timer of a busy program may ring late. A timer of a test may ring early.
      const isOver = rest <= limit || performance.now() >= this.deadline;
      if (isOver) return this.#end(timeoutError("call", this.#timeout));
      this.#arm(Infinity, rest - limit);
      this.#late();
    };
    const pause = Math.min(limit, rest);
    this.#timer = pause < TIMER_MAX ? setTimeout(ring, pause) : undefined;
  }
}
