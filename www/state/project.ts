// The requests of a project in addition to the client's operations: its status, its export, its import.

import type { FetchResponse } from "../pkg/browser.js";
import { sendToProject } from "./session.js";

const LINES = "application/x-ndjson";

/** The status of a project, for its operator. */
export interface ProjectStatus {
  resources: number;
  databaseBytes: number;
  databasePercent: number;
  databaseState: "ok" | "nearlyFull" | "full";
  newestRevision: number;
  replicatedRevision: number;
  backlog: number;
  backlogAgeMs?: number;
  tablesVersion: number;
  indexVersion: number;
  isIndexed: boolean;
  messageFormat: number;
  lastSweepAt?: string;
  nextSweepAt?: string;
}

/** Returns the status of the shown project. */
export async function projectStatus(signal?: AbortSignal): Promise<ProjectStatus> {
  return json(await sendToProject("status", { signal }));
}

/** Returns a page of the export: its lines, and the position after which the next page begins, if there is one. */
export async function exportPage(after: string | undefined, signal: AbortSignal) {
  const response = await sendToProject(after === undefined ? "export" : `export?after=${after}`, { signal });
  const [, next] = /[?&]after=([^&>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "") ?? [];
  return { text: await response.text(), next };
}

/** The result of an import. */
interface ImportResult {
  imported: number;
  skipped: number;
  taken: number;
  isDone: boolean;
  isComplete: boolean;
  newestRevision: number;
}

/**
 * Imports lines of an export, or the first `taken` of them if the rest would be too much work for one request. Without
 * lines, only checks whether the project accepts an import.
 */
export async function importLines(lines: string, signal?: AbortSignal): Promise<ImportResult> {
  return json(
    await sendToProject("import", { method: "POST", headers: { "Content-Type": LINES }, body: lines, signal }),
  );
}

const json = async (response: FetchResponse) => JSON.parse(await response.text());
