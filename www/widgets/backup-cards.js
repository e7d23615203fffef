// What the backup page shows about a file: what it contains, what became of it, and what is wrong with it.

import { BackupError, RestoreError } from "../model/backup.js";
import { describeIssue } from "../model/wording.js";
import { addressOf } from "../state/address.js";
import { h } from "./dom.js";
import { failure, failureOf } from "./failure.js";
import { count, plural, size } from "./format.js";

/** @import { Contents, Downloaded } from "../model/backup.js" */
/** @import { Child } from "./dom.js" */

/**
 * What a person without permission sees.
 * @param {string} project
 */
export function missingScope(project) {
  return h(
    "p",
    { class: "notice", role: "alert" },
    "Your token is not allowed to back up or restore this project. Sign in with a client that has the scope ",
    h("code", {}, `manage_test:${project}`),
    ".",
  );
}

/**
 * Says why a file is not a backup, and what to do.
 * @param {unknown} error
 * @param {string} project
 * @returns {Child[]}
 */
export function unreadableText(error, project) {
  if (!(error instanceof BackupError)) return [failure(error), h("p", {}, "Nothing was sent.")];
  return [
    h("p", { class: "notice danger", role: "alert" }, `Line ${count(error.line)}: ${error.message}`),
    h(
      "p",
      {},
      "Nothing was sent. Choose a file that “Download backup” saved and that was not changed since. " +
        "Resources from other files can be added in ",
      h("a", { href: addressOf({ project, view: "import" }) }, "Import"),
      ".",
    ),
  ];
}

/**
 * Shows what the file contains. Its button calls `start()`.
 * @param {{ file: File, contents: Contents, project: string, start: () => unknown }} options
 */
export function confirmCard({ file, contents, project, start }) {
  const { resources, deleted, lines, restored } = contents;
  const missing = lines - restored;
  const button = h(
    "button",
    { class: "button primary", type: "button", onclick: start },
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
    restored > 0 && h("p", {}, `${project} already has the first ${plural(restored, "line")}.`),
    missing === 0
      ? h("p", {}, lines === 0 ? "There is nothing to restore." : "Everything is restored already.")
      : h("div", {}, button),
  );
}

/**
 * @param {Contents} contents
 * @param {number} known the lines that were restored before
 * @param {string} project
 */
export function restoredCard({ resources, deleted }, known, project) {
  return h(
    "section",
    { class: "card stack", "aria-label": "Result" },
    h("h2", { tabindex: -1 }, "Restored"),
    h(
      "p",
      { role: "status" },
      `${project} has all lines of the file: ${plural(resources, "resource")}, ` + `${plural(deleted, "deleted ID")}.`,
    ),
    known > 0 && h("p", { class: "muted" }, `${plural(known, "line")} were restored before.`),
    h("div", {}, h("a", { class: "button primary", href: addressOf({ project: project }) }, "Show the resources")),
  );
}

/**
 * Says why the service refused lines, and what to do.
 * @param {unknown} error
 * @param {string} project
 * @returns {Child[]}
 */
export function refusalText(error, project) {
  if (!(error instanceof RestoreError)) return [failure(error)];
  const { status, errors = [] } = failureOf(error.cause);
  if (status === 403) return [missingScope(project)];
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

/**
 * @param {string} name
 * @param {Downloaded} done
 */
export function downloadedCard(name, { resources, deleted, bytes }) {
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
export function failedCard(title, ...content) {
  return h("section", { class: "card stack", "aria-label": "Result" }, h("h2", { tabindex: -1 }, title), content);
}
