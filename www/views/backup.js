// The exact backup of a project: download it to a file, and restore a file into an empty project.

import { checkBackup, downloadBackup, restoreBackup } from "../model/backup.js";
import { Task } from "../model/task.js";
import { addressOf } from "../state/address.js";
import { exportPage, importLines, projectStatus } from "../state/project.js";
import { mayWrite } from "../state/session.js";
import {
  confirmCard,
  downloadedCard,
  failedCard,
  missingScope,
  refusalText,
  restoredCard,
  unreadableText,
} from "../widgets/backup-cards.js";
import { h, mount, toast } from "../widgets/dom.js";
import { addDate, openTarget } from "../widgets/download.js";
import { failure, failureOf } from "../widgets/failure.js";
import { filePicker, guard, preventDrops } from "../widgets/file-picker.js";
import { count, plural } from "../widgets/format.js";
import { skeleton } from "../widgets/placeholders.js";
import { progressBar } from "../widgets/progress.js";
import { taskView } from "../widgets/task-view.js";

/** @import { Contents } from "../model/backup.js" */
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
    else mount(this.#stage, missingScope(this.#project));
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
      mount(this.#stage, result, isForbidden ? missingScope(this.#project) : [failure(error), h("div", {}, retry)]);
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
        return confirmCard({ file, contents, project: this.#project, start: () => this.#restore(file, contents) });
      } catch (error) {
        if (task.isCancelled) return failedCard("The check was cancelled", h("p", {}, "Nothing was sent."));
        return failedCard(`${file.name} cannot be restored`, ...unreadableText(error, this.#project));
      }
    });
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
        return restoredCard(contents, done.skipped + contents.restored, this.#project);
      } catch (error) {
        const share = `${this.#project} has ${count(restored)} of ${plural(lines, "line")}.`;
        if (task.isCancelled)
          return failedCard(
            "The restore was cancelled",
            h("p", {}, `${share} Choose the same file again to continue.`),
          );
        return failedCard("The restore stopped", ...refusalText(error, this.#project), h("p", {}, share));
      }
    });
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
