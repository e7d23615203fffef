// Time limits, pauses, and signals.

import { abortError, timeoutError, wrongOption } from "./errors.js";

/**
 * A signal, or a plain object for which `abort` runs the functions.
 * @typedef {object} Waiting
 * @property {boolean} aborted
 * @property {unknown} [reason]
 * @property {(type: "abort", run: () => void) => void} [addEventListener]
 * @property {(type: "abort", run: () => void) => void} [removeEventListener]
 */

// Longer timers fire at once.
export const TIMER_MAX = 2 ** 31 - 1;

/**
 * The functions to run when a signal aborts. One listener runs all of them, because Node warns about more than ten.
 * @type {WeakMap<object, { runs: Set<() => void>, abort(): void }>}
 */
const listeners = new WeakMap();

/**
 * Checks a timeout and returns it in milliseconds.
 * @param {unknown} timeout
 * @param {string} [name]
 */
export function checkTimeout(timeout, name = "timeout") {
  if (typeof timeout === "number" && !Number.isNaN(timeout)) return Math.max(timeout, 0);
  throw wrongOption(`${name}: expected milliseconds.`);
}

/**
 * Runs a function when a signal aborts.
 * @param {Waiting} signal
 * @param {() => void} run
 */
export function listen(signal, run) {
  let all = listeners.get(signal);
  if (all === undefined) {
    /** @type {Set<() => void>} */
    const runs = new Set();
    all = {
      runs,
      abort() {
        for (const run of [...runs]) run();
      },
    };
    listeners.set(signal, all);
  }
  if (all.runs.size === 0) signal.addEventListener?.("abort", all.abort);
  all.runs.add(run);
}

/**
 * Removes the function from the signal.
 * @param {Waiting} signal
 * @param {() => void} run
 */
export function unlisten(signal, run) {
  const all = listeners.get(signal);
  if (all?.runs.delete(run) && all.runs.size === 0) signal.removeEventListener?.("abort", all.abort);
}

/**
 * Runs the functions that wait for a signal that is a plain object.
 * @param {object} signal
 * @param {unknown} reason
 */
export function abort(signal, reason) {
  Object.assign(signal, { aborted: true, reason });
  listeners.get(signal)?.abort();
}

/**
 * Resolves after `milliseconds`, or when the signal aborts.
 * @param {number} milliseconds
 * @param {Waiting} [signal]
 * @returns {Promise<void>}
 */
export function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      if (signal) unlisten(signal, done);
      resolve();
    };
    const timer = setTimeout(done, signal?.aborted ? 0 : Math.min(milliseconds, TIMER_MAX));
    if (signal) listen(signal, done);
  });
}

/**
 * Settles as the promise does. If the time is over or a signal aborts first, rejects and aborts the controller.
 * @template Value
 * @param {number} milliseconds
 * @param {PromiseLike<Value>} promise
 * @param {readonly (Waiting | undefined)[]} [signals]
 * @param {AbortController} [controller]
 * @returns {Promise<Value>}
 */
export function withTimeout(milliseconds, promise, signals = [], controller) {
  return new Promise((resolve, reject) => {
    /**
     * @template Result
     * @param {(result: Result) => void} settle
     * @param {Result} result
     */
    const done = (settle, result) => {
      clearTimeout(timer);
      for (const signal of signals) if (signal) unlisten(signal, abort);
      settle(result);
    };
    /** @param {Error} error */
    const stop = (error) => {
      done(reject, error);
      controller?.abort(error);
    };
    const abort = () => stop(abortError(signals.find((signal) => signal?.aborted) ?? {}));
    const timer =
      milliseconds < TIMER_MAX ? setTimeout(() => stop(timeoutError("call", milliseconds)), milliseconds) : undefined;
    for (const signal of signals) if (signal) listen(signal, abort);
    promise.then(
      (value) => done(resolve, value),
      (error) => done(reject, error),
    );
  });
}
