// The exact backup of a project: a file with one line for the state of each ID, in the order of revisions, as the
// service exports it. A line is a resource with its version and times, or the last version of a deleted ID. The console
// and the command line use this module.

import type { Imported } from "../generated/responses.js";
import { BackupError, type FileSource, linesOf } from "./file-lines.js";
import { type ExportPage, exportPages, importBatches, type Line } from "../client/project-calls.js";

/** The beginning of the last line of a complete backup. */
export const END = '{"end":';

/** The state of an ID at a revision, as a line describes it. */
type State = { id: string; version: number; revision: number; isDeleted: boolean };

/** Reads the members of a line that the check of a file needs. The service validates the whole line. */
export function stateOf({ text, number }: Line): State {
  let value: any;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError(number, "The line is not JSON.");
  }
  const { id, version, lastModifiedAt, deletedAt } = value ?? {};
  const revision = Date.parse(deletedAt ?? lastModifiedAt ?? "");
  if (typeof id !== "string" || typeof version !== "number" || Number.isNaN(revision))
    throw new BackupError(number, "The line lacks an ID, a version, or a time.");
  return { id, version, revision, isDeleted: deletedAt !== undefined };
}

/**
 * The contents of a file. `lines` counts the states. `isComplete` is whether the file ends as a complete backup does.
 * `imported` counts the lines that the project already has from an earlier import of this file,
 * and `next` is the place after them.
 */
export interface Contents {
  resources: number;
  deleted: number;
  lines: number;
  isComplete: boolean;
  imported: number;
  next: { offset: number; number: number };
  newest: number;
}

/**
 * Reads a whole file and checks that it is a backup: each line is later than the one before it. Sends nothing.
 * `newestRevision` is the project's. If a line has this revision, an earlier import of the file ended there.
 */
export async function checkBackup(
  file: FileSource,
  {
    newestRevision,
    signal,
    progress,
  }: { newestRevision: number; signal: AbortSignal; progress: (read: number) => void },
): Promise<Contents> {
  const found: Contents = {
    resources: 0,
    deleted: 0,
    lines: 0,
    isComplete: false,
    imported: 0,
    next: { offset: 0, number: 1 },
    newest: 0,
  };
  // An ID that changed during the export has several lines, so this counts lines, not resources.
  for await (const lines of linesOf(file, { signal })) {
    for (const line of lines) {
      found.isComplete = line.text.startsWith(END);
      if (found.isComplete) continue;
      const { revision, isDeleted } = stateOf(line);
      if (revision <= found.newest)
        throw new BackupError(line.number, "The line is not later than the line before it.");
      found.newest = revision;
      found.lines += 1;
      found[isDeleted ? "deleted" : "resources"] += 1;
      if (revision === newestRevision) {
        found.imported = found.lines;
        found.next = { offset: line.next, number: line.number + 1 };
      }
    }
    progress((lines.at(-1)?.next ?? 1) - 1);
  }
  return found;
}

/** The progress of an import: the number of lines that the project now has, and of those that it had before. */
type ImportedLines = { imported: number; skipped: number };

/** The error of an import request, with the line of the file that caused it, if a line did. */
export class BackupImportError extends Error {
  line;
  text;

  constructor(cause: Error, line: Line | undefined) {
    super(cause.message, { cause });
    this.line = line?.number;
    this.text = line?.text;
  }
}

interface BackupImportOptions {
  contents: Contents;
  signal: AbortSignal;
  send: (lines: string) => Promise<Imported>;
  progress: (done: ImportedLines) => void;
}

/**
 * Imports the lines of a file that the project lacks. A request can be repeated, so an interrupted import continues
 * with the request that had no response.
 */
export async function importBackup(file: FileSource, options: BackupImportOptions): Promise<ImportedLines> {
  const { contents, signal, send, progress } = options;
  const done = { imported: contents.imported, skipped: 0 };
  const lines = linesOf(file, { ...contents.next, signal });
  const located = (error: unknown, sent: readonly Line[]) => {
    if (signal.aborted || !(error instanceof Error)) return error;
    const { errors = [] } = error as { errors?: readonly { line?: number }[] };
    const line = errors[0]?.line;
    return new BackupImportError(error, line === undefined ? undefined : sent[line - 1]);
  };
  for await (const { imported, skipped } of importBatches(lines, send, located)) {
    done.imported += imported + skipped;
    done.skipped += skipped;
    progress(done);
  }
  return done;
}

/** The progress of a download. */
export type Downloaded = { resources: number; deleted: number; bytes: number };

interface DownloadOptions {
  page: (after: string | undefined) => Promise<ExportPage>;
  write: (text: string) => Promise<void>;
  signal: AbortSignal;
  progress: (downloaded: Downloaded) => void;
}

/** Downloads the backup of a project page by page. A page is written once it is complete. */
export async function downloadBackup({ page, write, signal, progress }: DownloadOptions): Promise<Downloaded> {
  const done = { resources: 0, deleted: 0, bytes: 0 };
  for await (const text of exportPages(page)) {
    await write(text);
    for (const line of text.split("\n")) {
      if (line === "" || line.startsWith(END)) continue;
      done[line.startsWith('{"deletedAt":') ? "deleted" : "resources"] += 1;
    }
    done.bytes += new TextEncoder().encode(text).length;
    progress(done);
  }
  signal.throwIfAborted();
  return done;
}
