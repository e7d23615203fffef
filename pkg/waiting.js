// Time: how long a thing may take, and pauses.

import { aborted, late, ResourceError } from "./errors.js";

// Timers that are longer than this run out at once.
const TIMER_MAX = 2 ** 31 - 1;

export function time(timeout) {
  if (typeof timeout === "number" && !Number.isNaN(timeout)) return Math.max(timeout, 0);
  throw new ResourceError("invalid", "timeout: expected milliseconds.");
}

/** Resolved after that many milliseconds, or as soon as the signal says so. */
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

/** What the promise gives, unless the time is over or the signal says so before; the controller then ends its work. */
export function within(milliseconds, promise, signal, controller) {
  return new Promise((resolve, reject) => {
    const done = (settle, value) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      settle(value);
    };
    const stop = (error) => {
      done(reject, error);
      controller?.abort(error);
    };
    const giveUp = () => stop(aborted(signal));
    const timer = milliseconds < TIMER_MAX ? setTimeout(() => stop(late(milliseconds)), milliseconds) : undefined;
    signal?.addEventListener("abort", giveUp);
    promise.then(
      (value) => done(resolve, value),
      (error) => done(reject, error),
    );
  });
}
