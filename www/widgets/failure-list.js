// The list of the items that were not imported.

import { failedLines, reasonLines } from "../model/import-items.js";
import { h } from "./dom.js";
import { addDate, downloadLines } from "./download.js";
import { count } from "./format.js";

/** @import { FailedItem } from "../model/import-items.js" */

const LISTED = 200;

/**
 * The failures with their reasons, and files of them.
 * @param {FailedItem[]} failures
 * @param {string} lead
 */
export function failureList(failures, lead) {
  const sorted = [...failures].sort((a, b) => a.number - b.number);
  return h(
    "div",
    { class: "stack" },
    h("p", {}, lead),
    failureTable(sorted.slice(0, LISTED)),
    sorted.length > LISTED &&
      h("p", { class: "muted" }, `And ${count(sorted.length - LISTED)} more. The files have all of them.`),
    h(
      "div",
      { class: "toolbar" },
      saveButton("Download the failed items", "failed", () => failedLines(sorted)),
      saveButton("Download the reasons", "reasons", () => reasonLines(sorted)),
    ),
  );
}

/** @param {FailedItem[]} failures */
function failureTable(failures) {
  const head = h(
    "tr",
    {},
    ["Item", "Line", "Key or ID", "Problem"].map((text) => h("th", { scope: "col" }, text)),
  );
  const row = (/** @type {FailedItem} */ { number, line, id, key, message }) =>
    h(
      "tr",
      {},
      h("td", { class: "numeric" }, count(number)),
      h("td", { class: "numeric" }, count(line)),
      h("td", {}, h("code", {}, key ?? id ?? "–")),
      h("td", { class: "wrap" }, message),
    );
  return h(
    "div",
    { class: "table-frame failures", tabindex: 0, role: "region", "aria-label": "Failed items" },
    h("table", { class: "table" }, h("thead", {}, head), h("tbody", {}, failures.map(row))),
  );
}

/**
 * A button that downloads an NDJSON text.
 * @param {string} label
 * @param {string} name
 * @param {() => string} text
 */
function saveButton(label, name, text) {
  return h(
    "button",
    { class: "button", type: "button", onclick: () => downloadLines(`${addDate(name)}.ndjson`, text()) },
    label,
  );
}
