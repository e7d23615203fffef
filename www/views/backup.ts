// The exact backup of a project: download it to a file, and restore it into an empty project.

import { checkBackup, downloadBackup, importBackup, type Contents } from "../pkg/backup/backup.js";
import type { Task } from "../model/task.js";
import { exportPage, importPart } from "../pkg/client/project-calls.js";
import type { ResourceClient } from "../pkg/browser.js";
import { addressOf } from "../state/address.js";
import { may } from "../state/session.js";
import {
  confirmCard,
  downloadedCard,
  missingScope,
  refusalCard,
  restoredCard,
  restoreErrorText,
  resultCard,
  unreadableText,
} from "../widgets/files/backup-cards.js";
import { button, h } from "../widgets/base/dom.js";
import { addDate, openTarget, type Target } from "../widgets/files/download.js";
import { failure, failureOf } from "../widgets/base/failure.js";
import { filePicker } from "../widgets/files/file-picker.js";
import { count, plural } from "../widgets/base/format.js";
import { skeleton } from "../widgets/base/placeholders.js";
import { progressBar } from "../widgets/files/progress.js";
import { readingTexts, TaskStage, type TaskTexts } from "../widgets/files/task-view.js";
import type { ViewContext } from "./context.js";

const TYPE = "application/x-ndjson";

/** The state of the project. `newestRevision` is 0 if nothing was ever written to it. */
type ProjectState = { resources: number; newestRevision: number };

/** The page. Its `element` is shown at once; the project's state follows. */
export class Backup {
  element;
  #client;
  #project;
  #stage;

  constructor({ client, project, onLeave }: ViewContext) {
    this.#client = client;
    this.#project = project;
    this.#stage = new TaskStage(onLeave);
    this.element = h(
      "div",
      { class: "stack task-page" },
      h("h1", "Backup"),
      h(
        "p",
        "A backup is an exact copy of the project, with all IDs, versions, times, and deleted IDs. You can " +
          "restore it into an empty project.",
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
      this.#stage.element,
    );
    this.#stage.show(may("operate") ? skeleton(8) : missingScope(project));
    if (may("operate")) void this.#load();
  }

  /** Loads the project's state, and shows the possible tasks. `result` is shown above them. */
  async #load(result?: HTMLElement) {
    try {
      const state = await this.#client.status();
      this.#stage.show(result, this.#downloadCard(state), this.#restoreCard(state));
    } catch (error) {
      const retry = button("Try again", () => this.#load(result));
      const isForbidden = failureOf(error).status === 403;
      this.#stage.show(result, isForbidden ? missingScope(this.#project) : [failure(error), h("div", retry)]);
    }
  }

  /** Runs a task, and shows its result with the project's new state. */
  async #run(texts: TaskTexts, work: (task: Task) => Promise<HTMLElement>) {
    const result = await this.#stage.run(texts, work);
    if (this.element.isConnected) await this.#load(result);
  }

  #downloadCard(state: ProjectState) {
    return h(
      "section",
      { class: "card stack", "aria-labelledby": "download-backup" },
      h("h2", { id: "download-backup" }, "Download"),
      h(
        "p",
        `${this.#project} has ${plural(state.resources, "resource")}. Others can write during the download: the ` +
          "file then contains their changes too.",
      ),
      h("p", { class: "muted" }, "The file contains every field of every resource. Protect it like the project."),
      h(
        "div",
        button("Download backup", () => this.#download(state), "primary"),
      ),
    );
  }

  async #download({ resources }: ProjectState) {
    const name = `${addDate(this.#project)}-backup.ndjson`;
    let target: Target;
    try {
      target = await openTarget(name, TYPE, { isLarge: true });
    } catch (error) {
      // The person closed the dialog without choosing a file.
      if (failureOf(error).name === "AbortError") return;
      return this.#load(resultCard("The file cannot be written", failure(error)));
    }
    const bar = progressBar("Downloading the backup");
    const texts = {
      title: "Downloading the backup",
      progress: bar.element,
      resumable: "Continue downloads the next part. Keep this page open.",
      left: "The download was canceled because you left its page. No file was saved.",
    };
    return this.#run(texts, async (task) => {
      try {
        const { signal } = task;
        const done = await downloadBackup({
          page: (after) => task.attempt(() => exportPage(this.#client.calls, after, { signal })),
          write: (text) => target.write(text),
          signal,
          progress: (sofar) => bar.set(sofar.resources, Math.max(resources, sofar.resources), "resources"),
        });
        await target.close();
        return downloadedCard(name, done);
      } catch (error) {
        await target.abort().catch(() => {});
        if (task.isCanceled) return resultCard("The download was canceled", h("p", "No file was saved."));
        return resultCard("The download failed", failure(error), h("p", "No file was saved."));
      }
    });
  }

  #restoreCard(state: ProjectState) {
    const text = "or drop it here. The console checks the whole file first, and sends nothing until you confirm.";
    const chosen = (file: File) => this.#check(file, state);
    const lead =
      state.newestRevision === 0
        ? [`${this.#project} is empty, so you can restore a backup into it.`]
        : [
            `${this.#project} is not empty. If a restore into it was interrupted, choose the same file again, or a ` +
              "newer backup of the same project. Otherwise open an empty project in ",
            h("a", { href: addressOf({}) }, "Projects"),
            ": any unused name is an empty project.",
          ];
    return h(
      "section",
      { class: "card stack", "aria-labelledby": "restore-backup" },
      h("h2", { id: "restore-backup" }, "Restore"),
      h("p", lead),
      h("p", { class: "muted" }, "Do not write to the project meanwhile: any other write ends the restore."),
      filePicker({ accept: ".ndjson,.jsonl,application/x-ndjson", text, chosen }).element,
    );
  }

  /** Reads the file, and asks before anything is sent. */
  #check(file: File, { newestRevision }: ProjectState) {
    const bar = progressBar("Checking the file");
    return this.#run(readingTexts(`Checking ${file.name}`, bar.element), async (task) => {
      try {
        const progress = (read: number) => bar.set(read, file.size, "bytes");
        const contents = await checkBackup(file, { newestRevision, signal: task.signal, progress });
        if (!(await acceptsLines(this.#client))) return refusalCard(file.name, this.#project);
        return confirmCard({ file, contents, project: this.#project, start: () => this.#restore(file, contents) });
      } catch (error) {
        if (task.isCanceled) return resultCard("The check was canceled", h("p", "Nothing was sent."));
        return resultCard(`${file.name} cannot be restored`, ...unreadableText(error, this.#project));
      }
    });
  }

  #restore(file: File, contents: Contents) {
    const bar = progressBar("Restoring", { from: contents.imported });
    const { lines } = contents;
    let { imported } = contents;
    const texts = {
      title: `Restoring ${file.name}`,
      progress: bar.element,
      resumable: "Continue sends the next lines. No line is lost or restored twice.",
      left: "The restore was canceled because you left its page. Choose the same file again to continue.",
    };
    return this.#run(texts, async (task) => {
      try {
        const progress = (done: { imported: number }) => {
          imported = done.imported;
          bar.set(imported, lines, "lines");
        };
        const { signal } = task;
        const send = (text: string) => task.attempt(() => importPart(this.#client.calls, text, { signal }));
        const done = await importBackup(file, { contents, signal, send, progress });
        return restoredCard(contents, done.skipped + contents.imported, this.#project);
      } catch (error) {
        const share = `${this.#project} has ${count(imported)} of ${plural(lines, "line")}.`;
        if (task.isCanceled)
          return resultCard("The restore was canceled", h("p", `${share} Choose the same file again to continue.`));
        return resultCard("The restore stopped", ...restoreErrorText(error, this.#project), h("p", share));
      }
    });
  }
}

/** Returns whether the project accepts a backup: it is empty, or has only restored lines. Sends no line. */
const acceptsLines = ({ calls }: ResourceClient) =>
  importPart(calls, "").then(
    () => true,
    (error) => {
      if (failureOf(error).errors?.[0]?.code === "InvalidOperation") return false;
      throw error;
    },
  );
