// Import from a file: choose or drop it, validate it, then send it. A report lists the failed items.

import type { ResourceModel } from "../model/fields.js";
import { check, importFile, type Checked, type Imported } from "../model/import/importer.js";
import { mappedColumns, type Mapping } from "../model/import/mapping.js";
import { innermost } from "../model/schema.js";
import { MODES, type Counts, type ImportChoices, type Mode } from "../model/import/sender.js";
import type { Columns } from "../pkg/items/columns.js";
import { addressOf } from "../state/address.js";
import { button, h, radios, type Child } from "../widgets/base/dom.js";
import { linkTo } from "../widgets/values/cells.js";
import { columnMapping } from "../widgets/files/column-mapping.js";
import { failureList } from "../widgets/files/failure-list.js";
import { filePicker } from "../widgets/files/file-picker.js";
import { count, plural } from "../widgets/base/format.js";
import { progressBar } from "../widgets/files/progress.js";
import { readingTexts, TaskStage, type TaskTexts } from "../widgets/files/task-view.js";
import type { Task } from "../model/task.js";
import type { ViewContext } from "./context.js";

/** A page that imports resources from a file. */
export class Import {
  element;
  #client;
  #model;
  #project;
  #stage;
  #picker = filePicker({
    accept: ".json,.ndjson,.jsonl,.csv,.tsv,application/json,application/x-ndjson,text/csv",
    text: "or drop it here. The console checks the whole file first, and sends nothing until you confirm.",
    chosen: (file) => this.#check(file),
  });

  constructor({ client, project, model, onLeave }: ViewContext) {
    this.#client = client;
    this.#model = model;
    this.#project = project;
    this.#stage = new TaskStage(onLeave);
    this.element = h(
      "div",
      { class: "stack task-page" },
      h("h1", "Import"),
      h(
        "p",
        `Import creates or updates resources of ${project} from a file: a JSON array, an export, NDJSON ` +
          "with one resource per line, or CSV. They get new versions and times.",
      ),
      h(
        "p",
        { class: "muted" },
        "The first row of a CSV file has the names of fields",
        namesHint(model),
        ". The items of a list are separated by ",
        h("code", "|"),
        ", and an empty cell is an absent field.",
      ),
      h(
        "p",
        { class: "muted" },
        "To copy a project exactly, use ",
        h("a", { href: addressOf({ project, view: "backup" }) }, "Backup"),
        ".",
      ),
      this.#picker.element,
      this.#stage.element,
    );
  }

  /** Runs a task, and shows its result. */
  async #run(texts: TaskTexts, work: (task: Task) => Promise<HTMLElement>) {
    this.#picker.disable(true);
    try {
      this.#stage.show(await this.#stage.run(texts, work));
    } finally {
      this.#picker.disable(false);
    }
  }

  /** Checks a file. `mapping` has the fields of its columns, if a person chose them. */
  #check(file: File, mapping?: Mapping): Promise<void> {
    const columns = mapping && mappedColumns(this.#model.columns, mapping);
    const bar = progressBar("Reading the file");
    return this.#run(readingTexts(`Reading ${file.name}`, bar.element), async (task) => {
      try {
        const found = await check(file, {
          model: this.#model,
          ...(columns && { columns }),
          signal: task.signal,
          progress: ({ read }) => bar.set(read, file.size, "bytes"),
        });
        if (found.columns !== undefined)
          return columnMapping(file, found.columns, this.#model, (chosen) => this.#check(file, chosen));
        const failures = this.#failuresOf(file, found, "Invalid items are skipped. The others can be imported.");
        return checkedView(file, found, failures, (choices) => this.#send(file, found, choices, columns));
      } catch (error) {
        if (!task.isCanceled) throw error;
        return h("p", { class: "muted", role: "status" }, "Canceled. Nothing was sent.");
      }
    });
  }

  #send(file: File, found: Checked, choices: ImportChoices, columns?: Columns) {
    const bar = progressBar("Importing");
    const tally = h("p", { class: "numeric" });
    const texts = {
      title: `Importing ${file.name}`,
      progress: h("div", { class: "stack" }, bar.element, tally),
      resumable: "Nothing is lost or sent twice.",
      waiting: "Waiting for the responses to the items that were sent …",
      left: "The import was canceled because you left its page. The items that were sent before are saved.",
    };
    return this.#run(texts, async (task) => {
      const progress = (counts: Counts) => {
        if (bar.set(counts.done, found.total, "items")) tally.textContent = tallyOf(counts);
      };
      const options = { client: this.#client, model: this.#model, ...choices, task, progress };
      const result = await importFile(file, options, columns);
      const lead = "Download the failed items, correct them, and import that file.";
      const failures = this.#failuresOf(file, result, lead);
      return resultView({ project: this.#project, found, result, failures, isStopped: task.isStopped });
    });
  }

  /** The list of failures. Those of a table are downloaded as one. */
  #failuresOf({ name }: File, { failures }: Pick<Checked, "failures">, lead: string) {
    const columns = /\.[ct]sv$/i.test(name) ? this.#model.columns : undefined;
    return failures.length > 0 && failureList(failures, lead, columns);
  }
}

/** Names fields of a declared resource: the first one, and one inside of an object. */
function namesHint({ isDeclared, content, queryName }: ResourceModel) {
  const all = isDeclared ? innermost(content) : [];
  const examples = all.filter((field) => field === all[0] || field === all.find(({ path }) => path.length > 1));
  return examples.map((field, at) => [at === 0 ? ", such as " : " and ", h("code", queryName(field))]);
}

/** The contents of the file, and the options of the import. */
function checkedView(
  file: File,
  { total, valid, failures, fault, identified }: Checked,
  failed: Child,
  start: (choices: ImportChoices) => unknown,
) {
  const options = importOptions();
  const label = valid === 0 ? "Nothing to import" : `Import ${plural(valid, "resource")}`;
  const send = button(label, () => start(options.choices()), "primary", { disabled: valid === 0 });
  return h(
    "section",
    { class: "card stack", "aria-label": "Contents of the file" },
    h("h2", { tabindex: -1 }, file.name),
    h("p", { role: "status" }, `${plural(total, "item")}: ${count(valid)} valid, ${count(failures.length)} invalid.`),
    fault !== undefined &&
      h("p", { class: "notice danger", role: "alert" }, fault, valid > 0 && " The items before it can be imported."),
    failed,
    identified > 0 && options.elements,
    h("div", send),
  );
}

/** The options of an import: its `elements`, and `choices()`. */
function importOptions() {
  let mode: Mode = "update";
  const modes = radios("If an item's resource already exists", MODES, (chosen) => (mode = chosen));
  const fresh = h("input", { type: "checkbox" });
  fresh.addEventListener("change", () => (modes.disabled = fresh.checked));
  const all = h("span", "Create all as new resources, without the file's IDs and keys");
  return {
    elements: [modes, h("label", { class: "choice" }, fresh, all)],
    choices: (): ImportChoices => ({ mode, fresh: fresh.checked }),
  };
}

/** The results of an import, for people. */
function tallyOf({ created, updated, skipped, failed }: Counts) {
  const others = [skipped > 0 && ` · ${count(skipped)} skipped`, failed > 0 && ` · ${count(failed)} failed`];
  return `${count(created)} created · ${count(updated)} updated${others.filter(Boolean).join("")}`;
}

type Outcome = { project: string; found: Checked; result: Imported; failures: Child; isStopped: boolean };

/** The result. */
function resultView({ project, found, result, failures, isStopped }: Outcome) {
  const { fault, done } = result;
  const isPartial = result.failures.length > 0 || fault !== undefined;
  const rest = found.total - done;
  return h(
    "section",
    { class: "card stack", "aria-label": "Result" },
    h("h2", { tabindex: -1 }, isStopped ? "Canceled" : isPartial ? "Partly imported" : "Imported"),
    h("p", { role: "status" }, `${tallyOf(result)}.${rest > 0 ? ` ${plural(rest, "item")} not sent.` : ""}`),
    isStopped &&
      rest > 0 &&
      h("p", { class: "muted" }, "To import the rest, choose the file again and skip resources that already exist."),
    fault !== undefined && h("p", { class: "notice danger" }, fault),
    failures,
    h("div", { class: "toolbar" }, linkTo("Show the resources", { project }, "primary")),
  );
}
