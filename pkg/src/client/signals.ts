// Pauses and signals.

import { wrongOption } from "./errors.js";

/** A signal, or a plain object for which `abort` runs the functions. */
export interface Waiting {
  aborted: boolean;
  reason?: unknown;
  addEventListener?: (type: "abort", run: () => void) => void;
  removeEventListener?: (type: "abort", run: () => void) => void;
}

// Longer timers fire at once.
export const TIMER_MAX = 2 ** 31 - 1;

/** The functions to run when a signal aborts. One listener runs all of them, because Node warns about more than ten. */
const listeners = new WeakMap<object, { runs: Set<() => void>; abort(): void }>();

/** Checks a timeout and returns it in milliseconds. */
export function checkTimeout(timeout: unknown, name = "timeout") {
  if (typeof timeout === "number" && !Number.isNaN(timeout)) return Math.max(timeout, 0);
  throw wrongOption(`${name}: expected milliseconds.`);
}

/** Runs a function when a signal aborts. */
export function listen(signal: Waiting, run: () => void) {
  let all = listeners.get(signal);
  if (all === undefined) {
    const runs = new Set<() => void>();
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

/** Removes the function from the signal. */
export function unlisten(signal: Waiting, run: () => void) {
  const all = listeners.get(signal);
  if (all?.runs.delete(run) && all.runs.size === 0) signal.removeEventListener?.("abort", all.abort);
}

/** Runs the functions that wait for a signal that is a plain object. */
export function abort(signal: object, reason: unknown) {
  Object.assign(signal, { aborted: true, reason });
  listeners.get(signal)?.abort();
}

/** Resolves after `milliseconds`, or when the signal aborts. */
export function sleep(milliseconds: number, signal?: Waiting): Promise<void> {
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
