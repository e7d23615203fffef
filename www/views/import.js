// Import from a file: choose or drop it, validate it, then send it. A report lists the failures.

import { check, failedLines, importFile, MODES, reasonLines } from "../model/importer.js";
import { addressOf } from "../state/address.js";
import { h, mount, toast, uniqueId } from "../widgets/dom.js";
import { addDate, downloadLines } from "../widgets/download.js";
import { failure } from "../widgets/failure.js";
import { filePicker, guard, preventDrops } from "../widgets/file-picker.js";
import { count, plural } from "../widgets/format.js";
import { progressBar } from "../widgets/progress.js";

/** @import { ResourceClient } from "../pkg/browser.js" */
/** @import { Checked, Counts, FailedItem, Imported, ImportChoices, Mode } from "../model/importer.js" */
/** @import { ViewContext } from "./index.js" */

const LISTED = 200;

/**
 * A page that imports resources from a file.
 * @param {ViewContext} context
 */
export function importView(context) {
  return new Import(context).element;
}

class Import {
  #client;
  #project;
  #stage = h("div", { class: "stack" });
  #picker = filePicker({
    accept: ".json,.ndjson,.jsonl,application/json,application/x-ndjson",
    text: "or drop it here. The console checks the whole file first, and sends nothing until you confirm.",
    chosen: (file) => this.#check(file),
  });
  /**
   * The controller of the running task, and the text that is shown if the page is left.
   * @type {{ controller: AbortController, left: string } | undefined}
   */
  #running;

  /** @param {ViewContext} context */
  constructor({ client, project, onLeave }) {
    this.#client = client;
    this.#project = project;
    preventDrops(onLeave);
    onLeave(() => this.#leave());
    this.element = h(
      "div",
      { class: "stack task-page" },
      h("h1", {}, "Import"),
      h(
        "p",
        {},
        `Import creates or updates resources of ${project} from a file: a JSON array, an export, or NDJSON ` +
          "with one resource per line. They get new versions and times.",
      ),
      h(
        "p",
        { class: "muted" },
        "To restore a project exactly, use ",
        h("a", { href: addressOf({ project, view: "backup" }) }, "Backup"),
        ".",
      ),
      this.#picker.element,
      this.#stage,
    );
  }

  #leave() {
    if (this.#running === undefined) return;
    this.#running.controller.abort();
    toast(this.#running.left);
  }

  /**
   * Runs a long task. `left` is shown if the page is left meanwhile.
   * @param {string} left
   * @param {(controller: AbortController) => Promise<void>} run
   */
  async #run(left, run) {
    const controller = new AbortController();
    this.#running = { controller, left };
    this.#picker.disable(true);
    try {
      await guard(() => run(controller));
    } finally {
      this.#picker.disable(false);
      this.#running = undefined;
    }
  }

  /** @param {File} file */
  #check(file) {
    return this.#run("You left the page while the file was checked. Nothing was sent.", async (controller) => {
      const bar = progressBar("Reading the file");
      mount(
        this.#stage,
        h(
          "div",
          { class: "card stack" },
          h("p", {}, `Reading ${file.name} …`),
          bar.element,
          h("div", {}, h("button", { class: "button", type: "button", onclick: () => controller.abort() }, "Cancel")),
        ),
      );
      try {
        const found = await check(file, {
          signal: controller.signal,
          progress: ({ read }) => bar.set(read, file.size, "bytes"),
        });
        mount(
          this.#stage,
          checkedView(file, found, (choices) => this.#send(file, found, choices)),
        );
      } catch (error) {
        if (!controller.signal.aborted) throw error;
        mount(this.#stage, h("p", { class: "muted", role: "status" }, "Cancelled. Nothing was sent."));
      }
    });
  }

  /**
   * @param {File} file
   * @param {Checked} found
   * @param {ImportChoices} choices
   */
  #send(file, found, choices) {
    const left = "The import was cancelled because you left its page. What was sent before is saved.";
    return this.#run(left, async (controller) => {
      const view = sendingView(file, found.total, () => controller.abort());
      mount(this.#stage, view.element);
      const result = await importFile(file, {
        client: this.#client,
        ...choices,
        signal: controller.signal,
        stopped: view.stopped,
        progress: view.progress,
        halted: view.halted,
      });
      view.progress(result, true);
      mount(
        this.#stage,
        resultView({ project: this.#project, found, result, stopped: view.stopped(), words: view.words() }),
      );
      this.#stage.querySelector("h2")?.focus();
    });
  }
}

/**
 * The contents of the file, and the options of the import.
 * @param {File} file
 * @param {Checked} found
 * @param {(choices: ImportChoices) => unknown} start
 */
function checkedView(file, { total, valid, failures, fault, identified }, start) {
  const name = uniqueId("mode");
  /** @type {Mode} */
  let mode = "update";
  const choices = /** @type {[Mode, string][]} */ (Object.entries(MODES)).map(([value, text]) =>
    h(
      "label",
      { class: "choice" },
      h("input", { type: "radio", name, value, checked: value === mode, onchange: () => (mode = value) }),
      h("span", {}, text),
    ),
  );
  const fresh = h("input", { type: "checkbox" });
  const modes = h(
    "fieldset",
    { class: "stack tight" },
    h("legend", { class: "label" }, "If an item's resource already exists"),
    choices,
  );
  fresh.addEventListener("change", () => (modes.disabled = fresh.checked));
  const button = h(
    "button",
    {
      class: "button primary",
      type: "button",
      disabled: valid === 0,
      onclick: () => start({ mode, fresh: fresh.checked }),
    },
    valid === 0 ? "Nothing to import" : `Import ${plural(valid, "resource")}`,
  );
  return h(
    "section",
    { class: "card stack", "aria-label": "Contents of the file" },
    h("h2", {}, file.name),
    h("p", { role: "status" }, `${plural(total, "item")}: ${count(valid)} valid, ${count(failures.length)} invalid.`),
    fault !== undefined &&
      h("p", { class: "notice danger", role: "alert" }, `${fault} The items before it can be imported.`),
    failures.length > 0 && failureList(failures, "Invalid items are skipped. The others can be imported."),
    identified > 0 && modes,
    identified > 0 &&
      h(
        "label",
        { class: "choice" },
        fresh,
        h("span", {}, "Create all as new resources, without the file's IDs and keys"),
      ),
    h("div", {}, button),
  );
}

/**
 * The running task: progress, cancelling, and waiting if nothing can be sent.
 * @param {File} file
 * @param {number} total
 * @param {() => void} abort
 */
function sendingView(file, total, abort) {
  const bar = progressBar("Importing");
  const halted = h("div", {});
  const tally = h("p", { class: "numeric" });
  let stopping = false;
  /** @type {((goOn: boolean) => void) | undefined} */
  let decide;
  /** @type {Counts} */
  let last = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const cancel = h("button", { class: "button", type: "button" }, "Cancel");
  cancel.addEventListener("click", () => {
    if (stopping) return abort();
    stopping = true;
    decide?.(false);
    cancel.textContent = "Cancel without waiting";
    tally.textContent = "Waiting for the responses of the items that were sent …";
  });
  const words = (/** @type {Counts} */ { created, updated, skipped, failed }) =>
    [
      `${count(created)} created`,
      `${count(updated)} updated`,
      skipped > 0 && `${count(skipped)} skipped`,
      failed > 0 && `${count(failed)} failed`,
    ]
      .filter(Boolean)
      .join(" · ");
  return {
    element: h(
      "section",
      { class: "card stack", "aria-label": "Importing" },
      h("h2", {}, `Importing ${file.name}`),
      bar.element,
      tally,
      halted,
      h("div", {}, cancel),
    ),
    stopped: () => stopping,
    words: () => words(last),
    progress(/** @type {Counts} */ counts, end = false) {
      last = { ...counts };
      if (bar.set(counts.done, total, "items", { last: end }) && !stopping) tally.textContent = words(counts);
    },
    /**
     * Asks whether to continue after a problem is solved.
     * @param {unknown} error
     * @returns {Promise<boolean>}
     */
    halted(error) {
      if (stopping) return Promise.resolve(false);
      return new Promise((resolve) => {
        decide = (goOn) => {
          decide = undefined;
          halted.replaceChildren();
          resolve(goOn);
        };
        halted.replaceChildren(
          failure(error),
          h("p", {}, "The import is paused. Nothing is lost or sent twice."),
          h("button", { class: "button primary", type: "button", onclick: () => decide?.(true) }, "Continue"),
        );
      });
    },
  };
}

/**
 * The result.
 * @param {{ project: string, found: Checked, result: Imported, stopped: boolean, words: string }} options
 */
function resultView({ project, found, result, stopped, words }) {
  const { failures, fault, done } = result;
  const isPartial = failures.length > 0 || fault !== undefined;
  const rest = found.total - done;
  return h(
    "section",
    { class: "card stack", "aria-label": "Result" },
    h("h2", { tabindex: -1 }, stopped ? "Cancelled" : isPartial ? "Partly imported" : "Imported"),
    h("p", { role: "status" }, `${words}.${rest > 0 ? ` ${plural(rest, "item")} not sent.` : ""}`),
    stopped &&
      rest > 0 &&
      h("p", { class: "muted" }, "To import the rest, choose the file again and skip resources that already exist."),
    fault !== undefined && h("p", { class: "notice danger" }, fault),
    failures.length > 0 && failureList(failures, "Download the failed items, correct them, and import that file."),
    h(
      "div",
      { class: "toolbar" },
      h("a", { class: "button primary", href: addressOf({ project }) }, "Show the resources"),
    ),
  );
}

/**
 * The failures with their reasons, and files of them.
 * @param {FailedItem[]} failures
 * @param {string} lead
 */
function failureList(failures, lead) {
  const sorted = [...failures].sort((a, b) => a.number - b.number);
  const row = (/** @type {FailedItem} */ { number, line, id, key, message }) =>
    h(
      "tr",
      {},
      h("td", { class: "numeric" }, count(number)),
      h("td", { class: "numeric" }, count(line)),
      h("td", {}, h("code", {}, key ?? id ?? "–")),
      h("td", { class: "wrap" }, message),
    );
  const head = h(
    "tr",
    {},
    ["Item", "Line", "Key or ID", "Problem"].map((text) => h("th", { scope: "col" }, text)),
  );
  const save = (/** @type {string} */ label, /** @type {string} */ name, /** @type {() => string} */ text) =>
    h(
      "button",
      { class: "button", type: "button", onclick: () => downloadLines(`${addDate(name)}.ndjson`, text()) },
      label,
    );
  return h(
    "div",
    { class: "stack" },
    h("p", {}, lead),
    h(
      "div",
      { class: "table-frame failures", tabindex: 0, role: "region", "aria-label": "Failed items" },
      h("table", { class: "table" }, h("thead", {}, head), h("tbody", {}, sorted.slice(0, LISTED).map(row))),
    ),
    sorted.length > LISTED &&
      h("p", { class: "muted" }, `And ${count(sorted.length - LISTED)} more. The files have all of them.`),
    h(
      "div",
      { class: "toolbar" },
      save("Download the failed items", "failed", () => failedLines(sorted)),
      save("Download the reasons", "reasons", () => reasonLines(sorted)),
    ),
  );
}
