// Failures of the platform's calls.

/** Returns the text of a thrown value, for the log. */
export function reason(error: unknown) {
  return error instanceof Error ? error.message : typeof error === "string" ? error : "an exception without a message";
}

/** Begins a call. An exception rejects the promise, too. Older versions of Node lack `Promise.try`. */
export const promiseOf = <T>(begin: () => Promise<T>) => new Promise<T>((resolve) => resolve(begin()));
