// The words of a search, as they occur in texts.

/** Returns whether the last word may be the beginning of a longer one. A space ends it. */
export const isOpen = (text: string) => /\S$/.test(text);

/** Returns a pattern for the words as whole words, ignoring case. The last one may be the beginning of a word. */
export function wordPattern(words: readonly string[], isOpen = false) {
  // Escape only what a Unicode pattern allows: `\-` would be an error.
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const any = escaped.join("|") + (isOpen ? "[\\p{L}\\p{N}]*" : "");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "giu");
}
