// Export of all matching resources, as NDJSON or a JSON array.

import { dialog, h, toast, uniqueId } from "./dom.js";
import { dated, download } from "./download.js";
import { failure } from "./failure.js";
import { LARGEST } from "./pager.js";
import { plural } from "./common.js";
import { progressBar } from "./progress.js";

// Larger exports are written directly to the disk, if the browser supports it.
const IN_MEMORY = 2_000;

const FORMATS = {
  ndjson: {
    label: "NDJSON, one resource in each line",
    type: "application/x-ndjson",
    before: "",
    between: "\n",
    after: "\n",
  },
  json: { label: "JSON, an array", type: "application/json", before: "[\n", between: ",\n", after: "\n]\n" },
};

/** A button that exports the resources that match `where`, or all resources without it. */
export function exportButton({ client, project, where, label = "Export" }) {
  const conditions = [where ?? []].flat().filter((condition) => condition !== "");
  return h(
    "button",
    { class: "button", type: "button", onclick: () => exportDialog({ client, project, where: conditions }) },
    label,
  );
}

async function exportDialog({ client, project, where }) {
  const name = uniqueId("format");
  const choices = Object.entries(FORMATS).map(([value, { label }]) =>
    h(
      "label",
      { class: "choice" },
      h("input", { type: "radio", name, value, checked: value === "ndjson" }),
      h("span", {}, label),
    ),
  );
  const controller = new AbortController();
  const lead = h("p", { role: "status" }, "Counting …");
  const work = h("div", {});
  const formats = h("fieldset", { class: "stack tight" }, h("legend", { class: "label" }, "Format"), choices);
  const content = h(
    "div",
    { class: "stack" },
    lead,
    where.length > 0 && h("p", { class: "muted small" }, "Where ", h("code", {}, where.join(" and "))),
    formats,
    work,
  );
  const counted = client.query({ where, limit: 0 }, { signal: controller.signal }).then(({ total }) => total);
  counted.then(
    (total) => (lead.textContent = `${plural(total, "resource")} of ${project}.`),
    (error) => !controller.signal.aborted && lead.replaceChildren(failure(error)),
  );
  const run = async () => {
    const format = formats.querySelector("input:checked").value;
    formats.disabled = true;
    try {
      await exportAll({ client, project, where, format, total: await counted, signal: controller.signal, work });
      return true;
    } catch (error) {
      // If the person cancels the choice of a file, nothing failed.
      if (error.name === "AbortError") work.replaceChildren();
      else if (!controller.signal.aborted) work.replaceChildren(failure(error));
      formats.disabled = false;
      return false;
    }
  };
  await dialog("Export", content, [{ label: "Cancel" }, { label: "Export", kind: "primary", check: run, value: true }]);
  controller.abort();
}

async function exportAll({ client, project, where, format, total, signal, work }) {
  const { type, before, between, after } = FORMATS[format];
  const name = `${dated(project)}.${format}`;
  const target = await openTarget(name, type, total);
  const bar = progressBar("Exporting");
  work.replaceChildren(bar.element);
  let done = 0;
  try {
    await target.write(before);
    for await (const { results } of client.pages({ where, limit: LARGEST }, { signal })) {
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

/** Returns the target of the file: a chosen file on the disk if it is large, otherwise memory and then a download. */
async function openTarget(name, type, total) {
  if (total > IN_MEMORY && globalThis.showSaveFilePicker !== undefined) {
    const handle = await globalThis.showSaveFilePicker({ suggestedName: name });
    return handle.createWritable();
  }
  const parts = [];
  return {
    write: async (text) => void parts.push(text),
    close: async () => download(name, parts, type),
    abort: async () => {},
  };
}
