// The parts of the backup page about a file: its contents, its restore, and its errors.

import { describeIssue } from "../../model/wording.js";
import { BackupImportError, type Contents, type Downloaded } from "../../pkg/backup/backup.js";
import { BackupError } from "../../pkg/backup/file-lines.js";
import { addressOf } from "../../state/address.js";
import { linkTo } from "../values/cells.js";
import { button, h, type Child } from "../base/dom.js";
import { failure, failureOf } from "../base/failure.js";
import { count, plural, size } from "../base/format.js";

/** The notice for a person without permission. */
export function missingScope(project: string) {
  return h(
    "p",
    { class: "notice", role: "alert" },
    "Your token is not allowed to back up this project or to restore it. Sign in with a client that has the scope ",
    h("code", `manage_test:${project}`),
    ".",
  );
}

/** Returns why a file is not a backup, and what to do. */
export function unreadableText(error: unknown, project: string): Child[] {
  if (!(error instanceof BackupError)) return [failure(error), h("p", "Nothing was sent.")];
  return [
    h("p", { class: "notice danger", role: "alert" }, `Line ${count(error.line)}: ${error.message}`),
    h(
      "p",
      "Nothing was sent. Choose an unchanged file that “Download backup” saved. To add resources from other " +
        "files, use ",
      h("a", { href: addressOf({ project, view: "import" }) }, "Import"),
      ".",
    ),
  ];
}

type Chosen = { file: File; contents: Contents; project: string; start: () => unknown };

/** Shows the contents of the file. Its button calls `start()`. */
export function confirmCard({ file, contents, project, start }: Chosen) {
  const { resources, deleted, lines, isComplete, imported } = contents;
  const missing = lines - imported;
  const label = imported === 0 ? `Restore ${plural(lines, "line")}` : `Continue with ${plural(missing, "line")}`;
  return h(
    "section",
    { class: "card stack", "aria-label": "Contents of the file" },
    h("h2", { tabindex: -1 }, file.name),
    h(
      "p",
      { role: "status" },
      `${plural(lines, "line")}: ${plural(resources, "resource")}, ${plural(deleted, "deleted ID")}.`,
    ),
    !isComplete &&
      h(
        "p",
        { class: "notice" },
        "The file does not end as a complete backup does: its last lines may be missing. You can restore it, but " +
          "nothing shows that it is complete.",
      ),
    imported > 0 && h("p", `${project} already has the first ${plural(imported, "line")}.`),
    missing === 0
      ? h("p", lines === 0 ? "There is nothing to restore." : "The project already has all lines of the file.")
      : h("div", button(label, start, "primary")),
  );
}

/** `known` is the number of lines that were restored before. */
export function restoredCard({ resources, deleted, isComplete }: Contents, known: number, project: string) {
  return resultCard(
    "Restored",
    h(
      "p",
      { role: "status" },
      `${project} has all lines of the file: ${plural(resources, "resource")}, ${plural(deleted, "deleted ID")}.`,
    ),
    isComplete && h("p", "The service has checked that no line of the backup is missing."),
    known > 0 &&
      h("p", { class: "muted" }, `${plural(known, "line")} ${known === 1 ? "was" : "were"} restored before.`),
    h("div", linkTo("Show the resources", { project }, "primary")),
  );
}

/** Says that a project with other data accepts no backup. */
export const refusalCard = (file: string, project: string) =>
  resultCard(
    `${file} cannot be restored here`,
    h(
      "p",
      { class: "notice" },
      `${project} has resources that no backup restored. Open an empty project in `,
      h("a", { href: addressOf({}) }, "Projects"),
      ": any unused name is an empty project.",
    ),
    h("p", "Nothing was sent."),
  );

/** Returns why the service rejected lines, and what to do. */
export function restoreErrorText(error: unknown, project: string): Child[] {
  if (!(error instanceof BackupImportError)) return [failure(error)];
  const { status, errors = [] } = failureOf(error.cause);
  if (status === 403) return [missingScope(project)];
  if (errors[0]?.code === "InvalidOperation")
    return [
      failure(error.cause),
      h("p", "Another write changed the project during the restore. Restore the file into another, empty project."),
    ];
  const [issue] = errors;
  if (error.line === undefined || issue === undefined) return [failure(error.cause)];
  return [
    h(
      "p",
      { class: "notice danger", role: "alert" },
      h("strong", `Line ${count(error.line)} was rejected`),
      ` (line ${count(issue.line ?? 1)} of its request). `,
      issue.path && `${issue.path}: `,
      describeIssue(issue),
    ),
    h("pre", { tabindex: 0, class: "rejected-line", "aria-label": `Line ${count(error.line)}` }, error.text ?? ""),
    h(
      "p",
      "No line of this request was restored. The file was probably changed after it was downloaded. Correct " +
        "the line, or download the backup again. Then choose the file again to continue.",
    ),
  ];
}

export function downloadedCard(name: string, { resources, deleted, bytes }: Downloaded) {
  return resultCard(
    "Backup saved",
    h(
      "p",
      { role: "status" },
      `${name}: ${plural(resources, "resource")}, ${plural(deleted, "deleted ID")}, ${size(bytes)}.`,
    ),
  );
}

/** The result of a task, or why it failed. */
export function resultCard(title: string, ...content: Child[]) {
  return h("section", { class: "card stack", "aria-label": "Result" }, h("h2", { tabindex: -1 }, title), content);
}
