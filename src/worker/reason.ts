/** Returns the text of a thrown value, for the log. */
export function reason(error: unknown) {
  return error instanceof Error ? error.message : typeof error === "string" ? error : "an exception without a message";
}
