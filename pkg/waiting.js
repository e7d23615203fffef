// Time: how long a thing may take, and pauses.

import { aborted, late, ResourceError } from "./errors.js";

// Timers that are longer than this run out at once.
export const TIMER_MAX = 2 ** 31 - 1;

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

/** What the promise gives, unless the time is over or the signal says so before. */
export function within(milliseconds, promise, signal) {
  let timer;
  let stop;
  const end = new Promise((_, reject) => {
    stop = () => reject(aborted(signal));
    if (milliseconds < TIMER_MAX) timer = setTimeout(() => reject(late(milliseconds)), milliseconds);
    signal?.addEventListener("abort", stop);
  });
  return Promise.race([promise, end]).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
}
