// The list of the items that were not imported.

import { failedLines, failedRows, reasonLines, type FailedItem } from "../../model/import/items.js";
import type { Columns } from "../../pkg/items/columns.js";
import { button, framedTable, h, tableHead } from "../base/dom.js";
import { addDate, downloadLines } from "./download.js";
import { count } from "../base/format.js";

const LISTED = 200;

/** The failures with their reasons, and files of them. With `columns`, the failed items are rows of CSV. */
export function failureList(failures: FailedItem[], lead: string, columns?: Columns) {
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
      button("Download the failed items", () =>
        columns ? save("failed.csv", failedRows(sorted, columns)) : save("failed.ndjson", failedLines(sorted)),
      ),
      button("Download the reasons", () => save("reasons.ndjson", reasonLines(sorted))),
    ),
  );
}

function failureTable(failures: FailedItem[]) {
  const row = ({ number, line, name, message }: FailedItem) =>
    h(
      "tr",
      h("td", { class: "numeric" }, count(number)),
      h("td", { class: "numeric" }, count(line)),
      h("td", { class: "wrap" }, name ?? "–"),
      h("td", { class: "wrap" }, message),
    );
  const head = tableHead("Item", "Line", "Name", "Problem");
  return framedTable("Failed items", "failures", head, h("tbody", failures.map(row)));
}

function save(file: string, text: string) {
  const [name = "", type] = file.split(".");
  downloadLines(`${addDate(name)}.${type}`, text);
}
