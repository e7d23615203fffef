// Failures of the platform's calls.

/** Returns the text of a thrown value, for the log. */
export function reason(error: unknown) {
  return error instanceof Error ? error.message : typeof error === "string" ? error : "an exception without a message";
}

/** Begins a call. An exception is a rejection, too. */
export function promiseOf<T>(begin: () => Promise<T>) {
  try {
    return begin();
  } catch (error) {
    return Promise.reject<T>(error);
  }
}
