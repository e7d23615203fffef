// The exact backup of a project: a file with one line for the state of each ID, in the order of revisions, as the
// service exports it. A line is a resource with its version and times, or the last version of a deleted ID. The console
// and the command line use this module.

import { limits } from "./generated/limits.js";
import type { Imported } from "./generated/responses.js";
import { type ExportPage, exportPages, importBatches, type Line } from "./transfer.js";

// How long the check works before it lets the page run.
const WORK_MS = 40;
const NEWLINE = 10;
/** The beginning of the last line of a complete backup. */
const END = '{"end":';

/** A file, or a part of one. `Blob` is such a source. */
export interface Source {
  slice(start: number): { stream(): ReadableStream<Uint8Array> };
}

/** What runs the requests of a backup: repeats those that fail for a moment, until it is canceled. */
export interface Runner {
  readonly signal: AbortSignal;
  readonly isCanceled: boolean;
  attempt<Result>(request: () => Promise<Result>): Promise<Result>;
}

/** A line of a file. `next` is the offset in bytes of the line after it. */
interface FileLine extends Line {
  readonly next: number;
}

/** A file that is not a backup, or a damaged one. `line` is the line, from 1. */
export class BackupError extends Error {
  line;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Yields the lines of a file in groups, without empty lines. Starts at an offset in bytes, with the number of its line.
 * Keeps at most a piece of the file and one line in memory.
 */
async function* linesOf(
  file: Source,
  { offset = 0, number = 1, signal }: { offset?: number; number?: number; signal: AbortSignal },
): AsyncGenerator<FileLine[], void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = file.slice(offset).stream().getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  let rest: Uint8Array<ArrayBufferLike> = new Uint8Array();
  let from = offset;
  let since = performance.now();
  try {
    for (let done = false; !done; ) {
      const piece = await reader.read();
      signal.throwIfAborted();
      done = piece.done;
      const bytes = joinBytes(rest, piece.value);
      const lines = [];
      let start = 0;
      for (;;) {
        const end = bytes.indexOf(NEWLINE, start);
        if (end < 0 && !(done && start < bytes.length)) break;
        const to = end < 0 ? bytes.length : end;
        const text = decode(decoder, bytes.subarray(start, to), number);
        if (text !== "") lines.push({ text, number, bytes: to - start + 1, next: from + to + 1 });
        number += 1;
        start = to + 1;
      }
      rest = bytes.slice(start);
      from += Math.min(start, bytes.length);
      if (rest.length > limits.bodyBytes) throw new BackupError(number, "The line is longer than any resource.");
      if (lines.length > 0) yield lines;
      if (performance.now() - since > WORK_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

function joinBytes(rest: Uint8Array<ArrayBufferLike>, piece: Uint8Array<ArrayBufferLike> = new Uint8Array()) {
  if (rest.length === 0) return piece;
  const all = new Uint8Array(rest.length + piece.length);
  all.set(rest);
  all.set(piece, rest.length);
  return all;
}

function decode(decoder: TextDecoder, bytes: Uint8Array<ArrayBufferLike>, number: number) {
  try {
    return decoder.decode(bytes).trim();
  } catch {
    throw new BackupError(number, "The line is not UTF-8 text.");
  }
}

/** The state of an ID at a revision, as a line describes it. */
type State = { id: string; version: number; revision: number; isDeleted: boolean };

/** Returns the value of a JSON text, or `undefined`. */
function parseJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the members of a line that the check of a file needs. The service validates the whole line. */
function stateOf({ text, number }: Line): State {
  const value = parseJson(text);
  if (value === undefined) throw new BackupError(number, "The line is not JSON.");
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
  file: Source,
  { newestRevision, task, progress }: { newestRevision: number; task: Runner; progress: (read: number) => void },
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
  for await (const lines of linesOf(file, { signal: task.signal })) {
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

interface ImportOptions {
  contents: Contents;
  task: Runner;
  send: (lines: string, signal: AbortSignal) => Promise<Imported>;
  progress: (done: ImportedLines) => void;
}

/**
 * Imports the lines of a file that the project lacks. A request can be repeated, so an interrupted import continues
 * with the request that had no response.
 */
export async function importBackup(file: Source, options: ImportOptions): Promise<ImportedLines> {
  const { contents, task, send, progress } = options;
  const done = { imported: contents.imported, skipped: 0 };
  const lines = linesOf(file, { ...contents.next, signal: task.signal });
  const located = (error: unknown, sent: readonly Line[]) => {
    if (task.isCanceled || !(error instanceof Error)) return error;
    const { errors = [] } = error as { errors?: readonly { line?: number }[] };
    const line = errors[0]?.line;
    return new BackupImportError(error, line === undefined ? undefined : sent[line - 1]);
  };
  const attempt = (text: string) => task.attempt(() => send(text, task.signal));
  for await (const { imported, skipped } of importBatches(lines, attempt, located)) {
    done.imported += imported + skipped;
    done.skipped += skipped;
    progress(done);
  }
  return done;
}

/** The progress of a download. */
export type Downloaded = { resources: number; deleted: number; bytes: number };

interface DownloadOptions {
  page: (after: string | undefined, signal: AbortSignal) => Promise<ExportPage>;
  write: (text: string) => Promise<void>;
  task: Runner;
  progress: (downloaded: Downloaded) => void;
}

/** Downloads the backup of a project page by page. A page is written once it is complete. */
export async function downloadBackup({ page, write, task, progress }: DownloadOptions): Promise<Downloaded> {
  const done = { resources: 0, deleted: 0, bytes: 0 };
  const attempt = (after: string | undefined) => task.attempt(() => page(after, task.signal));
  for await (const text of exportPages(attempt)) {
    await write(text);
    for (const line of text.split("\n")) {
      if (line === "" || line.startsWith(END)) continue;
      done[line.startsWith('{"deletedAt":') ? "deleted" : "resources"] += 1;
    }
    done.bytes += new TextEncoder().encode(text).length;
    progress(done);
  }
  task.signal.throwIfAborted();
  return done;
}
