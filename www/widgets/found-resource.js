// A resource that a search found.

import { fields } from "../model/fields.js";
import { valueAt } from "../model/schema.js";
import { nameCell } from "./cells.js";
import { h } from "./dom.js";
import { time } from "./format.js";
import { highlight, wordPattern } from "./highlights.js";

/** @import { Resource } from "../pkg/browser.js" */

/** The fields whose texts are searched. */
const SEARCHED = fields.filter(({ kind }) => kind === "texts" || kind === "text");

/**
 * The resource, with the texts that contain the words.
 * @param {Resource} resource
 * @param {readonly string[]} words
 * @param {string} project
 */
export function foundResource(resource, words, project) {
  const all = SEARCHED.flatMap(({ name, path }) => {
    const value = valueAt(resource, path);
    return [value ?? []].flat().map((text) => ({ name, text: String(text) }));
  });
  const hits = words.length === 0 ? all : all.filter(({ text }) => wordPattern(words).test(text));
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
        shown.map(({ name, text }) =>
          h("div", {}, h("dt", { class: "muted small" }, name), h("dd", {}, highlight(text, words))),
        ),
      ),
  ];
}
