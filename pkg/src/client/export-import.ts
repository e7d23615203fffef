// The client's exports and imports: iterables of lines.

import type { Calls } from "./calls.js";
import type { CallOptions, ImportOptions, ImportResult } from "./options.js";
import { byteLength } from "../core/instance.js";
import { ResourceError } from "./errors.js";
import { toText } from "./input.js";
import { exportPage, exportPages, importBatches, importPart, type Line } from "./project-calls.js";

/** Yields the lines of an export. */
export async function* exportLines(calls: Calls, after: string | undefined, options?: CallOptions) {
  const page = (after: string | undefined) => exportPage(calls, after, options);
  for await (const text of exportPages(page, after)) for (const line of text.split("\n")) if (line !== "") yield line;
}

/** Divides texts into lines. Their numbers do not count empty lines. */
async function* numbered(texts: Iterable<string> | AsyncIterable<string>) {
  let number = 0;
  for await (const text of texts) {
    const lines = toText("lines", text).split("\n");
    yield lines
      .filter((line) => line.trim() !== "")
      .map((text) => ({ text, number: (number += 1), bytes: byteLength(text) + 1 }));
  }
}

/** Sends lines in requests that the service accepts. */
export async function importLines(
  calls: Calls,
  lines: Iterable<string> | AsyncIterable<string>,
  { onProgress, ...options }: ImportOptions,
): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, skipped: 0, isComplete: false, newestRevision: 0 };
  const send = (lines: string) => importPart(calls, lines, options);
  for await (const { imported, skipped, isComplete, newestRevision } of importBatches(numbered(lines), send, located)) {
    result.imported += imported;
    result.skipped += skipped;
    result.isComplete = isComplete;
    result.newestRevision = newestRevision;
    onProgress?.({ ...result });
  }
  return result;
}

/** Returns the error with the numbers of the lines in the import. */
function located(thrown: unknown, lines: readonly Line[]) {
  if (!(thrown instanceof ResourceError)) return thrown;
  const errors = thrown.errors.map((error) => {
    const line = error.line === undefined ? undefined : lines[error.line - 1]?.number;
    return line === undefined ? error : { ...error, line };
  });
  return Object.assign(thrown, { errors });
}
