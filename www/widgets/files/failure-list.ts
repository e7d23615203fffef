// The list of the items that were not imported.

import { failedLines, reasonLines, type FailedItem } from "../../model/import/items.js";
import { button, framedTable, h, tableHead } from "../base/dom.js";
import { addDate, downloadLines } from "./download.js";
import { count } from "../base/format.js";

const LISTED = 200;

/** The failures with their reasons, and files of them. */
export function failureList(failures: FailedItem[], lead: string) {
  const sorted = [...failures].sort((a, b) => a.number - b.number);
  return h(
    "div",
    { class: "stack" },
    h("p", lead),
    failureTable(sorted.slice(0, LISTED)),
    sorted.length > LISTED &&
      h("p", { class: "muted" }, `And ${count(sorted.length - LISTED)} more. The files have all of them.`),
    h(
      "div",
      { class: "toolbar" },
      button("Download the failed items", () => save("failed", failedLines(sorted))),
      button("Download the reasons", () => save("reasons", reasonLines(sorted))),
    ),
  );
}

function failureTable(failures: FailedItem[]) {
  const row = ({ number, line, id, key, message }: FailedItem) =>
    h(
      "tr",
      h("td", { class: "numeric" }, count(number)),
      h("td", { class: "numeric" }, count(line)),
      h("td", h("code", key ?? id ?? "–")),
      h("td", { class: "wrap" }, message),
    );
  const head = tableHead("Item", "Line", "Key or ID", "Problem");
  return framedTable("Failed items", "failures", head, h("tbody", failures.map(row)));
}

const save = (name: string, text: string) => downloadLines(`${addDate(name)}.ndjson`, text);
