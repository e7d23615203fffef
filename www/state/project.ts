// The requests of the shown project in addition to the client's operations: its status, its export, its import.

import * as calls from "../pkg/project-calls.js";
import { sendToProject } from "./session.js";

export type { Status as ProjectStatus } from "../pkg/browser.js";

/** Returns the status of the shown project. */
export const projectStatus = (signal?: AbortSignal) => calls.projectStatus(sendToProject, signal);

/** Returns a page of the export. */
export const exportPage = (after: string | undefined, signal: AbortSignal) =>
  calls.exportPage(sendToProject, after, signal);

/** Imports lines of an export, or checks without lines whether the project accepts an import. */
export const importLines = (lines: string, signal?: AbortSignal) => calls.importLines(sendToProject, lines, signal);
