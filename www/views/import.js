// Import from a file: choose or drop it, validate it, then send it. A report lists the failures.

import { h, mount, toast, uniqueId } from "../widgets/dom.js";
import { addressOf } from "../state/address.js";
import { dated, downloadLines } from "../widgets/download.js";
import { failure } from "../widgets/failure.js";
import { check, failedLines, importFile, MODES, reasonLines } from "../model/importer.js";
import { count, plural } from "../widgets/common.js";
import { progressBar } from "../widgets/progress.js";

export { exportButton } from "../widgets/export-dialog.js";

const LISTED = 200;

/** A page that imports resources from a file. */
export function importView(context) {
  return new Import(context).element;
}

class Import {
  #client;
  #project;
  #stage = h("div", { class: "stack" });
  #picker = filePicker((file) => this.#check(file));
  // The controller of the running task, and the text that is shown if the page is left.
  #running;
  #farewell;

  constructor({ client, project, onLeave }) {
    this.#client = client;
    this.#project = project;
    // A file that is dropped outside the zone must not replace this page.
    for (const name of ["dragover", "drop"]) addEventListener(name, refuse);
    onLeave(() => this.#leave());
    const lead = `A JSON array, an export, or NDJSON with one resource in each line. Into ${project}.`;
    this.element = h(
      "div",
      { class: "stack import" },
      h("div", {}, h("h1", {}, "Import"), h("p", { class: "muted" }, lead)),
      this.#picker.element,
      this.#stage,
    );
  }

  #leave() {
    for (const name of ["dragover", "drop"]) removeEventListener(name, refuse);
    if (this.#running === undefined) return;
    this.#running.abort();
    toast(this.#farewell);
  }

  /** Runs a long task. The browser asks before the page is left. */
  async #work(farewell, run) {
    this.#farewell = farewell;
    this.#running = new AbortController();
    this.#picker.disable(true);
    addEventListener("beforeunload", refuse);
    try {
      await run(this.#running);
    } finally {
      removeEventListener("beforeunload", refuse);
      this.#picker.disable(false);
      this.#running = undefined;
    }
  }

  #check(file) {
    return this.#work("Nothing was sent: you left while the file was read.", async (controller) => {
      const bar = progressBar("Reading the file");
      mount(
        this.#stage,
        h(
          "div",
          { class: "card stack" },
          h("p", {}, `Reading ${file.name} …`),
          bar.element,
          cancelButton("Cancel", () => controller.abort()),
        ),
      );
      try {
        const found = await check(file, {
          signal: controller.signal,
          progress: ({ read }) => bar.set(read, file.size, "bytes"),
        });
        mount(
          this.#stage,
          checkedView(file, found, (options) => this.#send(file, found, options)),
        );
      } catch (error) {
        if (!controller.signal.aborted) throw error;
        mount(this.#stage, h("p", { class: "muted", role: "status" }, "Cancelled: nothing was sent."));
      }
    });
  }

  #send(file, found, options) {
    return this.#work(
      "The import was ended, since you left its page. What was sent by then is saved.",
      async (controller) => {
        const view = sendingView(file, found.total, () => controller.abort());
        mount(this.#stage, view.element);
        const result = await importFile(file, {
          client: this.#client,
          ...options,
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
        this.#stage.querySelector("h2").focus();
      },
    );
  }
}

const refuse = (event) => event.preventDefault();

function filePicker(chosen) {
  const id = uniqueId("file");
  const input = h("input", {
    type: "file",
    id,
    accept: ".json,.ndjson,.jsonl,application/json,application/x-ndjson",
    class: "visually-hidden",
  });
  const label = h(
    "label",
    { for: id, class: "dropzone" },
    h("strong", {}, "Choose a file"),
    h("span", { class: "muted" }, "or drop it here. It is read through first: nothing is sent until you say so."),
  );
  const element = h("div", { class: "file-picker" }, input, label);
  const take = (file) => file !== undefined && !input.disabled && chosen(file);
  input.addEventListener("change", () => {
    const [file] = input.files;
    // So that the same file can be chosen again after corrections.
    input.value = "";
    take(file);
  });
  for (const name of ["dragenter", "dragover"]) {
    label.addEventListener(name, (event) => {
      event.preventDefault();
      label.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) label.addEventListener(name, () => label.classList.remove("over"));
  label.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  return { element, disable: (disabled) => (input.disabled = disabled) };
}

const cancelButton = (label, run) =>
  h("div", {}, h("button", { class: "button", type: "button", onclick: run }, label));

/** The contents of the file, and the options of the import. */
function checkedView(file, found, start) {
  const { total, valid, failures, fault, identified } = found;
  const mode = uniqueId("mode");
  const choices = Object.entries(MODES).map(([value, text]) =>
    h(
      "label",
      { class: "choice" },
      h("input", { type: "radio", name: mode, value, checked: value === "update" }),
      h("span", {}, text),
    ),
  );
  const fresh = h("input", { type: "checkbox" });
  const modes = h(
    "fieldset",
    { class: "stack tight" },
    h("legend", { class: "label" }, "Where an item's resource is there already"),
    choices,
  );
  fresh.addEventListener("change", () => (modes.disabled = fresh.checked));
  const value = () => modes.querySelector("input:checked").value;
  const button = h(
    "button",
    {
      class: "button primary",
      type: "button",
      disabled: valid === 0,
      onclick: () => start({ mode: value(), fresh: fresh.checked }),
    },
    valid === 0 ? "Nothing to import" : `Import ${plural(valid, "resource")}`,
  );
  return h(
    "section",
    { class: "card stack", "aria-label": "What the file holds" },
    h("h2", {}, file.name),
    h("p", { role: "status" }, `${plural(total, "item")}: ${count(valid)} right, ${count(failures.length)} not.`),
    fault !== undefined &&
      h("p", { class: "notice danger", role: "alert" }, `${fault} What comes before can be imported.`),
    failures.length > 0 && failureList(failures, "What is not right is left out; the rest can be imported."),
    identified > 0 && modes,
    identified > 0 &&
      h("label", { class: "choice" }, fresh, h("span", {}, "Import all as new resources: leave out ids and keys")),
    h("div", {}, button),
  );
}

/** The running task: progress, cancelling, and waiting if nothing can be sent. */
function sendingView(file, total, abort) {
  const bar = progressBar("Importing");
  const halted = h("div", {});
  const tally = h("p", { class: "numeric" });
  let stopping = false;
  let goOn;
  let last = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const cancel = h("button", { class: "button", type: "button" }, "Cancel");
  cancel.addEventListener("click", () => {
    if (stopping) return abort();
    stopping = true;
    goOn?.(false);
    cancel.textContent = "Do not wait for what is under way";
    tally.textContent = "Ending, once what is under way is answered …";
  });
  const words = ({ created, updated, skipped, failed }) =>
    [
      `${count(created)} created`,
      `${count(updated)} updated`,
      skipped > 0 && `${count(skipped)} left as they are`,
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
    progress(counts, end = false) {
      last = { ...counts };
      if (bar.set(counts.done, total, "items", { last: end }) && !stopping) tally.textContent = words(counts);
    },
    /** Asks whether to continue after a problem is solved. */
    halted(error) {
      if (stopping) return Promise.resolve(false);
      return new Promise((resolve) => {
        const answer = (value) => {
          goOn = undefined;
          halted.replaceChildren();
          resolve(value);
        };
        goOn = answer;
        halted.replaceChildren(
          failure(error),
          h("p", {}, "The import waits. Nothing is lost or sent twice."),
          h("button", { class: "button primary", type: "button", onclick: () => answer(true) }, "Go on"),
        );
      });
    },
  };
}

/** The result. */
function resultView({ project, found, result, stopped, words }) {
  const { failures, fault, done } = result;
  const title = stopped ? "Cancelled" : failures.length > 0 || fault !== undefined ? "Imported, with gaps" : "Imported";
  const rest = found.total - done;
  return h(
    "section",
    { class: "card stack", "aria-label": "Result" },
    h("h2", { tabindex: -1 }, title),
    h("p", { role: "status" }, `${words}.${rest > 0 ? ` ${plural(rest, "item")} not sent.` : ""}`),
    stopped &&
      rest > 0 &&
      h(
        "p",
        { class: "muted" },
        "Choose the file again to import the rest: what is there already can be left as it is.",
      ),
    fault !== undefined && h("p", { class: "notice danger" }, fault),
    failures.length > 0 && failureList(failures, "Put the failed items right in their file, and import that."),
    h(
      "div",
      { class: "toolbar" },
      h("a", { class: "button primary", href: addressOf({ project }) }, "See the resources"),
    ),
  );
}

/** The failures with their reasons, and files of them. */
function failureList(failures, lead) {
  const sorted = [...failures].sort((a, b) => a.number - b.number);
  const row = ({ number, line, id, key, message }) =>
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
    ["Item", "Line", "Key or id", "What is wrong"].map((text) => h("th", { scope: "col" }, text)),
  );
  return h(
    "div",
    { class: "stack" },
    h("p", {}, lead),
    h(
      "div",
      { class: "table-frame failures", tabindex: 0, role: "region", "aria-label": "What failed" },
      h("table", { class: "table" }, h("thead", {}, head), h("tbody", {}, sorted.slice(0, LISTED).map(row))),
    ),
    sorted.length > LISTED &&
      h("p", { class: "muted" }, `And ${count(sorted.length - LISTED)} more, which are in the files.`),
    h(
      "div",
      { class: "toolbar" },
      h(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => downloadLines(`${dated("failed")}.ndjson`, failedLines(sorted)),
        },
        "Download the failed items",
      ),
      h(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => downloadLines(`${dated("reasons")}.ndjson`, reasonLines(sorted)),
        },
        "Download the reasons",
      ),
    ),
  );
}
