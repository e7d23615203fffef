// Export of all resources that a list shows, as CSV, NDJSON, or a JSON array.

import { csvRows } from "../../model/csv-lines.js";
import type { ResourceModel } from "../../model/fields.js";
import { limits, type Resource, type ResourceClient, type SearchParams } from "../../pkg/browser.js";
import type { Columns } from "../../pkg/items/columns.js";
import { addressOf } from "../../state/address.js";
import { dialog } from "../base/dialog.js";
import { button, h, radios, toast } from "../base/dom.js";
import { addDate, openTarget } from "./download.js";
import { failure, failureOf } from "../base/failure.js";
import { plural } from "../base/format.js";
import { progressBar } from "./progress.js";

/** How a list reads its resources: by conditions, or by a search. */
export type ListRequest = { where: string[] } | { search: SearchParams };

/** The resources to export: those of a project that a list shows, with the names of its columns. */
type Exported = {
  client: ResourceClient;
  model: ResourceModel;
  project: string;
  request: ListRequest;
  shown: readonly string[];
};

// Larger exports are written directly to the disk, if the browser supports it.
const IN_MEMORY = 2_000;

/** How a file begins, what is between resources, and how it ends. */
const FORMATS = {
  // A spreadsheet program reads UTF-8 if the file begins with this character.
  csv: { type: "text/csv", before: "\ufeff", between: "", after: "" },
  ndjson: { type: "application/x-ndjson", before: "", between: "\n", after: "\n" },
  json: { type: "application/json", before: "[\n", between: ",\n", after: "\n]\n" },
};
const FORMAT_LABELS = {
  csv: "CSV, for spreadsheets",
  ndjson: "NDJSON, one resource per line",
  json: "JSON array",
};

type Format = keyof typeof FORMATS;

/** A button that exports the resources that a list shows. */
export const exportButton = (
  options: Omit<Exported, "request" | "shown">,
  list: () => Pick<Exported, "request" | "shown">,
) => button("Export", () => exportDialog({ ...options, ...list() }));

async function exportDialog(selection: Exported) {
  const controller = new AbortController();
  const { signal } = controller;
  let format: Format = "csv";
  const isShort = h("input", { type: "checkbox" });
  const short = h("label", { class: "check" }, isShort, "Only the columns of the list");
  const formats = radios("Format", FORMAT_LABELS, (chosen) => {
    format = chosen;
    short.hidden = chosen !== "csv";
  });
  const work = h("div");
  const count = () => countOf(selection, signal);
  const counted = count();
  /** Exports, and returns whether it succeeded. */
  const run = async () => {
    formats.disabled = true;
    try {
      const columns = isShort.checked ? columnsOf(selection) : selection.model.columns;
      await exportAll({ ...selection, format, columns, total: await counted.catch(count), signal, work });
      return true;
    } catch (error) {
      // If the person cancels the choice of a file, nothing failed.
      if (failureOf(error).name === "AbortError") work.replaceChildren();
      else if (!signal.aborted) work.replaceChildren(failure(error));
      formats.disabled = false;
      return false;
    }
  };
  await dialog("Export", h("div", { class: "stack" }, introduction(selection, counted, signal), formats, short, work), [
    { label: "Cancel" },
    { label: "Export", kind: "primary", check: run, value: true },
  ]);
  controller.abort();
}

/** Returns the columns that the list shows, in its order. */
const columnsOf = ({ model, shown }: Exported): Pick<Columns, "named"> => ({
  named: new Map(shown.map((name) => [name, model.columns.named.get(name)])),
});

/** The number of resources, and what an export is not. */
function introduction({ project, request }: Exported, counted: Promise<number>, signal: AbortSignal) {
  const lead = h("p", { role: "status" }, "Counting …");
  const isSearch = "search" in request;
  counted.then(
    (total) => lead.replaceChildren(`${plural(total, "resource")} of ${project}.`, isSearch ? limitOf(total) : ""),
    (error) => !signal.aborted && lead.replaceChildren(failure(error)),
  );
  const isPart = isSearch || request.where.length > 0;
  return [
    lead,
    isPart && h("p", { class: "muted small" }, "The file has what the list shows, with all of its pages."),
    h(
      "p",
      { class: "muted small" },
      "To copy a project exactly, with its versions and times, use ",
      h("a", { href: addressOf({ project, view: "backup" }) }, "Backup"),
      " instead.",
    ),
  ];
}

/** A search has no pages beyond an offset. */
const MOST_FOUND = limits.offsetMax + limits.pageMax;
const limitOf = (total: number) =>
  total > MOST_FOUND ? ` A search exports the first ${plural(MOST_FOUND, "match", "matches")}.` : "";

async function countOf({ client, request }: Exported, signal: AbortSignal) {
  const isSearch = "search" in request;
  const page = isSearch ? client.search({ ...request.search, limit: 0 }, { signal }) : undefined;
  const { total = 0 } = await (page ?? client.query({ ...(request as { where: string[] }), limit: 0 }, { signal }));
  return total;
}

/** Yields the resources in pages. */
async function* pagesOf({ client, request }: Exported, signal: AbortSignal): AsyncGenerator<readonly Resource[]> {
  const limit = limits.pageMax;
  if ("where" in request) {
    for await (const { results } of client.pages({ where: request.where, limit }, { signal })) yield results;
    return;
  }
  for (let offset = 0; offset <= limits.offsetMax; offset += limit) {
    const { results } = await client.search({ ...request.search, limit, offset }, { signal });
    yield results;
    if (results.length < limit) return;
  }
}

type Running = {
  format: Format;
  columns: Pick<Columns, "named">;
  total: number;
  signal: AbortSignal;
  work: HTMLElement;
};

async function exportAll({ format, columns, total, signal, work, ...selection }: Exported & Running) {
  const { project } = selection;
  const { type, before, between, after } = FORMATS[format];
  const csv = format === "csv" ? csvRows(columns) : undefined;
  const name = `${addDate(project)}.${format}`;
  const target = await openTarget(name, type, { isLarge: total > IN_MEMORY });
  const bar = progressBar("Exporting");
  work.replaceChildren(bar.element);
  let done = 0;
  try {
    await target.write(before + (csv?.names ?? ""));
    for await (const results of pagesOf(selection, signal)) {
      const lines = results.map((resource) => csv?.row(resource) ?? JSON.stringify(resource));
      await target.write((done === 0 ? "" : between) + lines.join(between));
      done += results.length;
      bar.set(done, Math.max(total, done), "resources");
    }
    await target.write(done === 0 && format === "ndjson" ? "" : after);
    signal.throwIfAborted();
    await target.close();
  } catch (error) {
    await target.abort();
    throw error;
  }
  toast(`Exported ${plural(done, "resource")} to ${name}.`, "success");
}
