// Marks in a text where the words that were searched for occur.

import { h } from "./dom.js";

const SHOWN_CHARS = 240;

/** The words as whole words, whatever their case. */
export function wordPattern(words) {
  // No more than a Unicode pattern lets be escaped: `\-` alone would be an error.
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "iu");
}

/** A text's beginning with its words marked: texts and `mark` elements. */
export function marked(text, words) {
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  if (words.length === 0) return cut;
  return cut.split(wordPattern(words)).map((part, at) => (at % 2 === 1 ? h("mark", {}, part) : part));
}
