// Highlights: marks in a text where a search matches.

import { h, type Child } from "./dom.js";

const SHOWN_CHARS = 240;

/** Returns a pattern for the words as whole words, ignoring case. */
export function wordPattern(words: readonly string[]) {
  // Escape only what a Unicode pattern allows: `\-` would be an error.
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "iu");
}

/** Returns the beginning of a text with its words marked: texts and `mark` elements. */
export function highlight(text: string, words: readonly string[]): Child {
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  if (words.length === 0) return cut;
  return cut.split(wordPattern(words)).map((part, at) => (at % 2 === 1 ? h("mark", {}, part) : part));
}
