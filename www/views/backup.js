// The exact backup of a project: download it to a file, and restore a file into an empty project.

import { BackupError, checkBackup, downloadBackup, RestoreError, restoreBackup } from "../model/backup.js";
import { Task } from "../model/task.js";
import { describeIssue } from "../model/wording.js";
import { addressOf } from "../state/address.js";
import { exportPage, importLines, projectStatus } from "../state/project.js";
import { mayWrite } from "../state/session.js";
import { h, mount, toast } from "../widgets/dom.js";
import { addDate, openTarget } from "../widgets/download.js";
import { failure, failureOf } from "../widgets/failure.js";
import { filePicker, guard, preventDrops } from "../widgets/file-picker.js";
import { count, plural, size } from "../widgets/format.js";
import { skeleton } from "../widgets/placeholders.js";
import { progressBar } from "../widgets/progress.js";
import { taskView } from "../widgets/task-view.js";

/** @import { Contents, Downloaded } from "../model/backup.js" */
/** @import { Child } from "../widgets/dom.js" */
/** @import { ViewContext } from "./index.js" */

const TYPE = "application/x-ndjson";

/**
 * The page. Its `element` is shown at once; the project's state follows.
 * @param {ViewContext} context
 */
export function backupView(context) {
  return new Backup(context).element;
}

/**
 * What the project can do: its number of resources, and whether it accepts a restore. `newestRevision` is 0 if nothing
 * was ever written to it.
 * @typedef {{ resources: number, newestRevision: number, acceptsRestore: boolean }} ProjectState
 */

class Backup {
  #project;
  #stage = h("div", { class: "stack" }, skeleton(8));
  /** @type {Task | undefined} */
  #task;
  #left = false;

  /** @param {ViewContext} context */
  constructor({ project, onLeave }) {
    this.#project = project;
    preventDrops(onLeave);
    onLeave(() => {
      this.#left = true;
      this.#task?.cancel();
    });
    this.element = h(
      "div",
      { class: "stack task-page" },
      h("h1", {}, "Backup"),
      h(
        "p",
        {},
        "A backup is an exact copy of the project, with all IDs, versions, times, and deleted IDs; it can only " +
          "be restored into an empty project.",
      ),
      h(
        "p",
        { class: "muted" },
        "To copy resources into a project that has data, use Export in ",
        h("a", { href: addressOf({ project }) }, "Resources"),
        " and then ",
        h("a", { href: addressOf({ project, view: "import" }) }, "Import"),
        ": the copies get new versions and times.",
      ),
      this.#stage,
    );
    if (mayWrite()) void this.#load();
    else mount(this.#stage, this.#missingScope());
  }

  #missingScope() {
    return h(
      "p",
      { class: "notice", role: "alert" },
      "Your token is not allowed to back up or restore this project. Sign in with a client that has the scope ",
      h("code", {}, `manage_test:${this.#project}`),
      ".",
    );
  }

  /**
   * Loads the project's state, and shows what can be done. `result` is shown above it.
   * @param {HTMLElement} [result]
   */
  async #load(result) {
    try {
      const state = await stateOf();
      mount(this.#stage, result, this.#downloadCard(state), this.#restoreCard(state));
    } catch (error) {
      const retry = h("button", { class: "button", type: "button", onclick: () => this.#load(result) }, "Try again");
      const isForbidden = failureOf(error).status === 403;
      mount(this.#stage, result, isForbidden ? this.#missingScope() : [failure(error), h("div", {}, retry)]);
    }
    result?.querySelector("h2")?.focus();
  }

  /**
   * Runs a task, and shows its result with the project's new state.
   * @param {{ title: string, bar: HTMLElement, resumable: string, left: string }} texts
   * @param {(task: Task) => Promise<HTMLElement>} run
   */
  #run({ title, bar, resumable, left }, run) {
    const task = (this.#task = new Task());
    mount(this.#stage, taskView(task, { title, progress: bar, resumable }));
    this.#stage.querySelector("h2")?.focus();
    return guard(async () => {
      const result = await run(task);
      this.#task = undefined;
      if (this.#left) toast(left);
      else await this.#load(result);
    });
  }

  /** @param {ProjectState} state */
  #downloadCard(state) {
    const button = h(
      "button",
      { class: "button primary", type: "button", onclick: () => this.#download(state) },
      "Download backup",
    );
    return h(
      "section",
      { class: "card stack", "aria-labelledby": "download-backup" },
      h("h2", { id: "download-backup" }, "Download"),
      h(
        "p",
        {},
        `${this.#project} has ${plural(state.resources, "resource")}. Others can write meanwhile: the file ` +
          "then has their newest state.",
      ),
      h("p", { class: "muted" }, "The file contains every field of every resource. Keep it as safe as the project."),
      h("div", {}, button),
    );
  }

  /** @param {ProjectState} state */
  async #download({ resources }) {
    const name = `${addDate(this.#project)}-backup.ndjson`;
    let target;
    try {
      target = await openTarget(name, TYPE, { isLarge: true });
    } catch (error) {
      // A person who closes the dialog has chosen no file.
      if (failureOf(error).name === "AbortError") return;
      return this.#load(failedCard("The file cannot be written", failure(error)));
    }
    const bar = progressBar("Downloading the backup");
    const texts = {
      title: "Downloading the backup",
      bar: bar.element,
      resumable: "Continue starts with the page that is missing. Keep this page open.",
      left: "The download was cancelled because you left its page. No file was saved.",
    };
    return this.#run(texts, async (task) => {
      try {
        const done = await downloadBackup({
          page: exportPage,
          write: (text) => target.write(text),
          task,
          progress: (sofar) => bar.set(sofar.resources, Math.max(resources, sofar.resources), "resources"),
        });
        await target.close();
        return downloadedCard(name, done);
      } catch (error) {
        await target.abort().catch(() => {});
        if (task.isCancelled) return failedCard("The download was cancelled", h("p", {}, "No file was saved."));
        return failedCard("The download failed", failure(error), h("p", {}, "No file was saved."));
      }
    });
  }

  /** @param {ProjectState} state */
  #restoreCard(state) {
    const { acceptsRestore, newestRevision } = state;
    const chosen = (/** @type {File} */ file) => this.#check(file, state);
    const text = "or drop it here. The console checks the whole file first, and sends nothing until you confirm.";
    const picker = () => filePicker({ accept: ".ndjson,.jsonl,application/x-ndjson", text, chosen }).element;
    const refusal = () =>
      h(
        "p",
        { class: "notice" },
        `Nothing can be restored into ${this.#project}, because resources were written to it. Open an empty ` +
          "project in ",
        h("a", { href: addressOf({}) }, "Projects"),
        ": any unused name is one.",
      );
    const lead =
      newestRevision === 0
        ? `${this.#project} is empty, so a backup can be restored into it.`
        : `Only restores have written to ${this.#project}, so a restore can continue. Choose the same file ` +
          "again, or a newer backup of the same project.";
    return h(
      "section",
      { class: "card stack", "aria-labelledby": "restore-backup" },
      h("h2", { id: "restore-backup" }, "Restore"),
      acceptsRestore
        ? [
            h("p", {}, lead),
            h("p", { class: "muted" }, "Keep other writers away: their first write ends the restore."),
            picker(),
          ]
        : refusal(),
    );
  }

  /**
   * Reads the file, and asks before anything is sent.
   * @param {File} file
   * @param {ProjectState} state
   */
  #check(file, { newestRevision }) {
    const bar = progressBar("Checking the file");
    const texts = {
      title: `Checking ${file.name}`,
      bar: bar.element,
      resumable: "Nothing was sent yet.",
      left: "You left the page while the file was checked. Nothing was sent.",
    };
    return this.#run(texts, async (task) => {
      try {
        const progress = (/** @type {number} */ read) => bar.set(read, file.size, "bytes");
        const contents = await checkBackup(file, { newestRevision, task, progress });
        return this.#confirmCard(file, contents);
      } catch (error) {
        if (task.isCancelled) return failedCard("The check was cancelled", h("p", {}, "Nothing was sent."));
        return failedCard(`${file.name} cannot be restored`, ...this.#unreadable(error));
      }
    });
  }

  /**
   * Says why a file is not a backup, and what to do.
   * @param {unknown} error
   * @returns {Child[]}
   */
  #unreadable(error) {
    if (!(error instanceof BackupError)) return [failure(error), h("p", {}, "Nothing was sent.")];
    return [
      h("p", { class: "notice danger", role: "alert" }, `Line ${count(error.line)}: ${error.message}`),
      h(
        "p",
        {},
        "Nothing was sent. Choose a file that “Download backup” saved and that was not changed since. " +
          "Resources from other files can be added in ",
        h("a", { href: addressOf({ project: this.#project, view: "import" }) }, "Import"),
        ".",
      ),
    ];
  }

  /**
   * Shows what the file contains. Its button starts the restore.
   * @param {File} file
   * @param {Contents} contents
   */
  #confirmCard(file, contents) {
    const { resources, deleted, lines, restored } = contents;
    const missing = lines - restored;
    const start = h(
      "button",
      { class: "button primary", type: "button", onclick: () => this.#restore(file, contents) },
      restored === 0 ? `Restore ${plural(lines, "line")}` : `Continue with ${plural(missing, "line")}`,
    );
    return h(
      "section",
      { class: "card stack", "aria-label": "Contents of the file" },
      h("h2", { tabindex: -1 }, file.name),
      h(
        "p",
        { role: "status" },
        `${plural(lines, "line")}: ${plural(resources, "resource")}, ${plural(deleted, "deleted ID")}.`,
      ),
      restored > 0 && h("p", {}, `${this.#project} already has the first ${plural(restored, "line")}.`),
      missing === 0
        ? h("p", {}, lines === 0 ? "There is nothing to restore." : "Everything is restored already.")
        : h("div", {}, start),
    );
  }

  /**
   * @param {File} file
   * @param {Contents} contents
   */
  #restore(file, contents) {
    const bar = progressBar("Restoring", { from: contents.restored });
    const { lines } = contents;
    let restored = contents.restored;
    const texts = {
      title: `Restoring ${file.name}`,
      bar: bar.element,
      resumable: "Continue sends the next lines. Nothing is lost or restored twice.",
      left: "The restore was cancelled because you left its page. Choose the same file again to continue.",
    };
    return this.#run(texts, async (task) => {
      try {
        const progress = (/** @type {{ restored: number }} */ done) => {
          restored = done.restored;
          bar.set(restored, lines, "lines");
        };
        const done = await restoreBackup(file, { contents, task, send: importLines, progress });
        return this.#restoredCard(contents, done.skipped + contents.restored);
      } catch (error) {
        const share = `${this.#project} has ${count(restored)} of ${plural(lines, "line")}.`;
        if (task.isCancelled)
          return failedCard(
            "The restore was cancelled",
            h("p", {}, `${share} Choose the same file again to continue.`),
          );
        return failedCard("The restore stopped", ...this.#refusal(error), h("p", {}, share));
      }
    });
  }

  /**
   * @param {Contents} contents
   * @param {number} known
   */
  #restoredCard({ resources, deleted }, known) {
    return h(
      "section",
      { class: "card stack", "aria-label": "Result" },
      h("h2", { tabindex: -1 }, "Restored"),
      h(
        "p",
        { role: "status" },
        `${this.#project} has all lines of the file: ${plural(resources, "resource")}, ` +
          `${plural(deleted, "deleted ID")}.`,
      ),
      known > 0 && h("p", { class: "muted" }, `${plural(known, "line")} were restored before.`),
      h(
        "div",
        {},
        h("a", { class: "button primary", href: addressOf({ project: this.#project }) }, "Show the resources"),
      ),
    );
  }

  /**
   * Says why the service refused lines, and what to do.
   * @param {unknown} error
   * @returns {Child[]}
   */
  #refusal(error) {
    if (!(error instanceof RestoreError)) return [failure(error)];
    const { status, errors = [] } = failureOf(error.cause);
    if (status === 403) return [this.#missingScope()];
    if (errors[0]?.code === "InvalidOperation")
      return [
        failure(error.cause),
        h("p", {}, "Something wrote to the project during the restore. Restore the file into another, empty project."),
      ];
    const [issue] = errors;
    if (error.line === undefined || issue === undefined) return [failure(error.cause)];
    return [
      h(
        "p",
        { class: "notice danger", role: "alert" },
        h("strong", {}, `Line ${count(error.line)} was refused`),
        ` (line ${count(issue.line ?? 1)} of its request). `,
        issue.path && `${issue.path}: `,
        describeIssue(issue),
      ),
      h("pre", { tabindex: 0, class: "refused-line", "aria-label": `Line ${count(error.line)}` }, error.text ?? ""),
      h(
        "p",
        {},
        "No line of this request was restored. The file was probably changed after it was downloaded. Correct " +
          "the line, or download the backup again. Then choose the file again to continue.",
      ),
    ];
  }
}

/**
 * Returns the project's state. An import without lines says whether the project accepts lines.
 * @returns {Promise<ProjectState>}
 */
async function stateOf() {
  const [{ resources, newestRevision }, acceptsRestore] = await Promise.all([
    projectStatus(),
    importLines("").then(
      () => true,
      (error) => {
        if (failureOf(error).errors?.[0]?.code === "InvalidOperation") return false;
        throw error;
      },
    ),
  ]);
  return { resources, newestRevision, acceptsRestore };
}

/**
 * @param {string} name
 * @param {Downloaded} done
 */
function downloadedCard(name, { resources, deleted, bytes }) {
  return h(
    "section",
    { class: "card stack", "aria-label": "Result" },
    h("h2", { tabindex: -1 }, "Backup saved"),
    h(
      "p",
      { role: "status" },
      `${name}: ${plural(resources, "resource")}, ${plural(deleted, "deleted ID")}, ${size(bytes)}.`,
    ),
  );
}

/**
 * @param {string} title
 * @param {Child[]} content
 */
function failedCard(title, ...content) {
  return h("section", { class: "card stack", "aria-label": "Result" }, h("h2", { tabindex: -1 }, title), content);
}
