// The requests of a project beside the operations: its status, its export, its import, its deletion, and its restore.
// The console and the command line send them in their own ways.

import type { Imported, Status } from "./generated/responses.js";
import { nextPosition } from "./link.js";
import type { ExportPage } from "./transfer.js";

/** A response, as far as it is used here. */
interface ProjectResponse {
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** A request of a project. */
export interface ProjectRequest {
  readonly method?: string;
  readonly headers?: { [name: string]: string };
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request to a path of the project. Rejects if the response is not a result. */
export type SendToProject = (path: string, request?: ProjectRequest) => Promise<ProjectResponse>;

/** The result of a request to delete a project's data. */
export interface ClearResult {
  deleted: number;
  remaining: number;
  isDone: boolean;
  newestRevision: number;
}

/** Returns the status of a project. */
export async function projectStatus(send: SendToProject, signal?: AbortSignal): Promise<Status> {
  return json(await send("status", { signal }));
}

/** Returns a page of the export: its lines, and the position after which the next page begins, if there is one. */
export async function exportPage(
  send: SendToProject,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<ExportPage> {
  const path = after === undefined ? "export" : `export?after=${encodeURIComponent(after)}`;
  const response = await send(path, { signal });
  return { text: await response.text(), next: nextPosition(response.headers.get("Link")) };
}

/**
 * Imports lines of an export, or the first `taken` of them if the rest would be too much work for one request. Without
 * lines, only checks whether the project accepts an import.
 */
export async function importLines(send: SendToProject, lines: string, signal?: AbortSignal): Promise<Imported> {
  const headers = { "Content-Type": "application/x-ndjson" };
  return json(await send("import", { method: "POST", headers, body: lines, signal }));
}

/** Deletes a part of a project's data. Repeat it until `isDone` is true. */
export async function clearPart(send: SendToProject, project: string, signal?: AbortSignal): Promise<ClearResult> {
  return json(await send(`data?confirm=${encodeURIComponent(project)}`, { method: "DELETE", signal }));
}

/** Restores a project to a time or to a bookmark. Returns the bookmark that undoes it. */
export async function restoreTo(
  send: SendToProject,
  project: string,
  moment: { time: string } | { bookmark: string },
  signal?: AbortSignal,
): Promise<{ undo: string }> {
  const query = new URLSearchParams({ confirm: project, ...moment });
  return json(await send(`restore?${query}`, { method: "POST", signal }));
}

const json = async (response: ProjectResponse) => JSON.parse(await response.text());
