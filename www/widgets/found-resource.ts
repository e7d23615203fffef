// A resource that a search found.

import { fields } from "../model/fields.js";
import { valueAt } from "../model/schema.js";
import type { Resource } from "../pkg/browser.js";
import { nameCell } from "./cells.js";
import { h } from "./dom.js";
import { time } from "./format.js";
import { highlight, wordPattern } from "./highlights.js";

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
