// Highlights: marks in a text where a search matches.

import { h, type Child } from "./dom.js";

const SHOWN_CHARS = 240;

/** Returns a pattern for the words as whole words, ignoring case. The last one may be the beginning of a word. */
export function wordPattern(words: readonly string[], isOpen = false) {
  // Escape only what a Unicode pattern allows: `\-` would be an error.
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const any = escaped.join("|") + (isOpen ? "[\\p{L}\\p{N}]*" : "");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "iu");
}

/** Returns the beginning of a text with its words marked: texts and `mark` elements. */
export function highlight(text: string, words: readonly string[], isOpen = false): Child {
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  if (words.length === 0) return cut;
  return cut.split(wordPattern(words, isOpen)).map((part, at) => (at % 2 === 1 ? h("mark", part) : part));
}
