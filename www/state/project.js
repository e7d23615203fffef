// The requests of a project in addition to the client's operations: its status, its export, its import.

import { sendToProject } from "./session.js";

/** @import { FetchResponse } from "../pkg/browser.js" */

const LINES = "application/x-ndjson";

/**
 * The status of a project, for its operator.
 * @typedef {{
 *   resources: number,
 *   databaseBytes: number,
 *   databasePercent: number,
 *   databaseState: "ok" | "nearlyFull" | "full",
 *   newestRevision: number,
 *   replicatedRevision: number,
 *   backlog: number,
 *   backlogAgeMs?: number,
 *   tablesVersion: number,
 *   indexVersion: number,
 *   isIndexed: boolean,
 *   messageFormat: number,
 *   lastSweepAt?: string,
 *   nextSweepAt?: string,
 * }} ProjectStatus
 */

/**
 * Returns the status of the shown project.
 * @param {AbortSignal} [signal]
 * @returns {Promise<ProjectStatus>}
 */
export async function projectStatus(signal) {
  return json(await sendToProject("status", { signal }));
}

/**
 * Returns a page of the export: its lines, and the position after which the next page begins, if there is one.
 * @param {string | undefined} after
 * @param {AbortSignal} signal
 */
export async function exportPage(after, signal) {
  const response = await sendToProject(after === undefined ? "export" : `export?after=${after}`, { signal });
  const [, next] = /[?&]after=([^&>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "") ?? [];
  return { text: await response.text(), next };
}

/**
 * The result of an import.
 * @typedef {{
 *   imported: number,
 *   skipped: number,
 *   taken: number,
 *   isDone: boolean,
 *   isComplete: boolean,
 *   newestRevision: number,
 * }} ImportResult
 */

/**
 * Imports lines of an export, or the first `taken` of them if the rest would be too much work for one request. Without
 * lines, only checks whether the project accepts an import.
 * @param {string} lines
 * @param {AbortSignal} [signal]
 * @returns {Promise<ImportResult>}
 */
export async function importLines(lines, signal) {
  return json(
    await sendToProject("import", { method: "POST", headers: { "Content-Type": LINES }, body: lines, signal }),
  );
}

/** @param {FetchResponse} response */
const json = async (response) => JSON.parse(await response.text());
