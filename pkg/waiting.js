// Time limits and pauses.

import { abortError, ResourceError, timeoutError } from "./errors.js";

// Longer timers fire at once.
const TIMER_MAX = 2 ** 31 - 1;

/** Checks a timeout and returns it in milliseconds. */
export function checkTimeout(timeout) {
  if (typeof timeout === "number" && !Number.isNaN(timeout)) return Math.max(timeout, 0);
  throw new ResourceError("invalid", "timeout: expected milliseconds.");
}

/** Resolves after that many milliseconds, or when the signal aborts. */
export function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, signal?.aborted ? 0 : Math.min(milliseconds, TIMER_MAX));
    signal?.addEventListener("abort", done);
  });
}

/** Settles as the promise does, or rejects when the time is over or the signal aborts; the controller then aborts. */
export function withTimeout(milliseconds, promise, signal, controller) {
  return new Promise((resolve, reject) => {
    const done = (settle, value) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle(value);
    };
    const stop = (error) => {
      done(reject, error);
      controller?.abort(error);
    };
    const abort = () => stop(abortError(signal));
    const timer = milliseconds < TIMER_MAX ? setTimeout(() => stop(timeoutError(milliseconds)), milliseconds) : undefined;
    signal?.addEventListener("abort", abort);
    promise.then(
      (value) => done(resolve, value),
      (error) => done(reject, error),
    );
  });
}
