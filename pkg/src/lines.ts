// Exports and imports: lines of JSON, page by page.

import type { Calls } from "./calls.js";
import type { CallOptions, ImportOptions, ImportResult } from "./client.js";
import { byteLength } from "./core.js";
import { ResourceError } from "./errors.js";
import { toText } from "./input.js";
import { nextPosition } from "./link.js";
import { BATCH } from "./generated/operations.js";
import type { Imported } from "./generated/responses.js";

/** Yields the lines of an export. Each page names the position of the next one. */
export async function* exportLines(calls: Calls, after: string | undefined, options?: CallOptions) {
  let position = after;
  do {
    let link: string | null = null;
    const onResponse: CallOptions["onResponse"] = (response) => {
      link = response.headers.get("Link");
      options?.onResponse?.(response);
    };
    const page: string = await calls.call("export", [], { after: position }, { ...options, onResponse });
    for (const line of page.split("\n")) if (line !== "") yield line;
    position = nextPosition(link);
  } while (position !== undefined);
}

/** Sends lines in requests that the service accepts. A request may take only some of its lines. */
export async function importLines(
  calls: Calls,
  lines: Iterable<string> | AsyncIterable<string>,
  { onProgress, ...options }: ImportOptions,
): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, skipped: 0, isComplete: false, newestRevision: 0 };
  // The lines to send, and their numbers, which do not count empty lines.
  let batch: [line: string, number: number][] = [];
  let bytes = 0;
  let number = 0;
  async function send() {
    while (batch.length > 0) {
      let done: Imported;
      try {
        done = await calls.call("import", [], undefined, options, batch.map(([line]) => line).join("\n"));
      } catch (thrown) {
        throw numbered(thrown, batch);
      }
      if (!(done.taken > 0)) throw ResourceError.of("unexpected", "The service has taken no line of the import.");
      result.imported += done.imported;
      result.skipped += done.skipped;
      result.isComplete = done.isComplete;
      result.newestRevision = done.newestRevision;
      batch = batch.slice(done.taken);
      onProgress?.({ ...result });
    }
    bytes = 0;
  }
  for await (const piece of lines) {
    for (const line of toText("lines", piece).split("\n")) {
      const size = byteLength(line) + 1;
      if (batch.length === BATCH.lines || (batch.length > 0 && bytes + size > BATCH.bytes)) await send();
      if (line.trim() === "") continue;
      batch.push([line, (number += 1)]);
      bytes += size;
    }
  }
  await send();
  return result;
}

/** The service counts the lines of a request. Returns the error with the numbers of the lines in the import. */
function numbered(thrown: unknown, batch: readonly [line: string, number: number][]) {
  if (!(thrown instanceof ResourceError)) return thrown;
  const errors = thrown.errors.map((error) => {
    const line = error.line === undefined ? undefined : batch[error.line - 1]?.[1];
    return line === undefined ? error : { ...error, line };
  });
  return Object.assign(thrown, { errors });
}
