// Export of all matching resources, as NDJSON or a JSON array.

import { limits, type ResourceClient } from "../../pkg/browser.js";
import { addressOf } from "../../state/address.js";
import { dialog } from "../base/dialog.js";
import { button, h, radios, toast } from "../base/dom.js";
import { addDate, openTarget } from "./download.js";
import { failure, failureOf } from "../base/failure.js";
import { plural } from "../base/format.js";
import { progressBar } from "./progress.js";

/** The resources to export: those of a project that match all conditions. */
type ExportedQuery = { client: ResourceClient; project: string; where: string[] };

// Larger exports are written directly to the disk, if the browser supports it.
const IN_MEMORY = 2_000;

const FORMATS = {
  ndjson: { type: "application/x-ndjson", before: "", between: "\n", after: "\n" },
  json: { type: "application/json", before: "[\n", between: ",\n", after: "\n]\n" },
};
const FORMAT_LABELS = { ndjson: "NDJSON, one resource per line", json: "JSON array" };

type Format = keyof typeof FORMATS;

/** A button that exports the resources that match `where`, or all resources without it. */
export function exportButton(client: ResourceClient, project: string, where = "") {
  const conditions = [where].filter((condition) => condition !== "");
  return button("Export", () => exportDialog({ client, project, where: conditions }));
}

async function exportDialog(selection: ExportedQuery) {
  const { client, where } = selection;
  const controller = new AbortController();
  const { signal } = controller;
  let format: Format = "ndjson";
  const formats = radios("Format", FORMAT_LABELS, (chosen) => (format = chosen));
  const work = h("div");
  const count = () => client.query({ where, limit: 0 }, { signal }).then(({ total = 0 }) => total);
  const counted = count();
  /** Exports, and returns whether it succeeded. */
  const run = async () => {
    formats.disabled = true;
    try {
      await exportAll({ ...selection, format, total: await counted.catch(count), signal, work });
      return true;
    } catch (error) {
      // If the person cancels the choice of a file, nothing failed.
      if (failureOf(error).name === "AbortError") work.replaceChildren();
      else if (!signal.aborted) work.replaceChildren(failure(error));
      formats.disabled = false;
      return false;
    }
  };
  await dialog("Export", h("div", { class: "stack" }, introduction(selection, counted, signal), formats, work), [
    { label: "Cancel" },
    { label: "Export", kind: "primary", check: run, value: true },
  ]);
  controller.abort();
}

/** The number of resources, and what an export is not. */
function introduction({ project, where }: ExportedQuery, counted: Promise<number>, signal: AbortSignal) {
  const lead = h("p", { role: "status" }, "Counting …");
  counted.then(
    (total) => (lead.textContent = `${plural(total, "resource")} of ${project}.`),
    (error) => !signal.aborted && lead.replaceChildren(failure(error)),
  );
  return [
    lead,
    h(
      "p",
      { class: "muted small" },
      "To copy a project exactly, with its versions and times, use ",
      h("a", { href: addressOf({ project, view: "backup" }) }, "Backup"),
      " instead.",
    ),
    where.length > 0 && h("p", { class: "muted small" }, "Only resources that match ", h("code", where.join(" and "))),
  ];
}

async function exportAll({
  client,
  project,
  where,
  format,
  total,
  signal,
  work,
}: ExportedQuery & { format: Format; total: number; signal: AbortSignal; work: HTMLElement }) {
  const { type, before, between, after } = FORMATS[format];
  const name = `${addDate(project)}.${format}`;
  const target = await openTarget(name, type, { isLarge: total > IN_MEMORY });
  const bar = progressBar("Exporting");
  work.replaceChildren(bar.element);
  let done = 0;
  try {
    await target.write(before);
    for await (const { results } of client.pages({ where, limit: limits.pageMax }, { signal })) {
      await target.write(
        (done === 0 ? "" : between) + results.map((resource) => JSON.stringify(resource)).join(between),
      );
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
