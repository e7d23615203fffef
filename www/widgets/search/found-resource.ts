// A resource that a search found, with marks where its texts match.

import { fields } from "../../model/fields.js";
import { valueAt } from "../../model/schema.js";
import type { Resource } from "../../pkg/browser.js";
import { nameCell } from "../values/cells.js";
import { h, type Child } from "../base/dom.js";
import { time } from "../base/format.js";

const SHOWN_CHARS = 240;

/** The fields whose texts are searched. */
const SEARCHED = fields.filter(({ kind }) => kind === "texts" || kind === "text");

/** The resource, with the texts that contain the words. */
export function foundResource(resource: Resource, words: readonly string[], project: string, isOpen = false) {
  const all = SEARCHED.flatMap(({ name, path }) => {
    const value = valueAt(resource, path);
    return [value ?? []].flat().map((text) => ({ name, text: String(text) }));
  });
  const hits = words.length === 0 ? all : all.filter(({ text }) => wordPattern(words, isOpen).test(text));
  const shown = (hits.length > 0 ? hits : all).slice(0, 4);
  return [
    h(
      "div",
      { class: "row" },
      nameCell(resource, project),
      h("span", { class: "muted small" }, `version ${resource.version} · `, time(resource.lastModifiedAt)),
    ),
    shown.length > 0 &&
      h(
        "dl",
        { class: "snippets" },
        shown.map(({ name, text }) => h("div", h("dt", name), h("dd", highlight(text, words, isOpen)))),
      ),
  ];
}

/** Returns a pattern for the words as whole words, ignoring case. The last one may be the beginning of a word. */
export function wordPattern(words: readonly string[], isOpen = false) {
  // Escape only what a Unicode pattern allows: `\-` would be an error.
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const any = escaped.join("|") + (isOpen ? "[\\p{L}\\p{N}]*" : "");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "iu");
}

/** Returns the beginning of a text with its words marked: texts and `mark` elements. */
function highlight(text: string, words: readonly string[], isOpen = false): Child {
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  if (words.length === 0) return cut;
  return cut.split(wordPattern(words, isOpen)).map((part, at) => (at % 2 === 1 ? h("mark", part) : part));
}
