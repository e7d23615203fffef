// Exports and imports of lines of JSON, page by page and request by request: for the client, and for the backups of the
// console and the command line.

import { ResourceError } from "./errors.js";
import { BATCH } from "./generated/operations.js";
import type { Imported } from "./generated/responses.js";

/** A page of an export. `next` is the position after which the next page begins. */
export interface ExportPage {
  readonly text: string;
  readonly next: string | undefined;
}

/** Yields the texts of the pages of an export. */
export async function* exportPages(page: (after: string | undefined) => Promise<ExportPage>, after?: string) {
  let position = after;
  do {
    const { text, next } = await page(position);
    yield text;
    position = next;
  } while (position !== undefined);
}

/** A line of an import. `bytes` are those of its text and of the line feed. */
export interface Line {
  readonly text: string;
  readonly number: number;
  readonly bytes: number;
}

/** Divides lines, which come in groups, into requests that the service accepts. */
async function* batchesOf<Each extends Line>(groups: AsyncIterable<Each[]>): AsyncGenerator<Each[], void, undefined> {
  let batch: Each[] = [];
  let bytes = 0;
  for await (const lines of groups) {
    for (const line of lines) {
      if (batch.length === BATCH.lines || (batch.length > 0 && bytes + line.bytes > BATCH.bytes)) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(line);
      bytes += line.bytes;
    }
  }
  if (batch.length > 0) yield batch;
}

/**
 * Sends lines, and yields what each request did. A request may take only some of its lines, and can be repeated: lines
 * that the project has are skipped. If `send` rejects, or the service takes no line, throws what `located` returns for
 * the error and the lines of the request, which the service counts from 1.
 */
export async function* importBatches<Each extends Line>(
  groups: AsyncIterable<Each[]>,
  send: (lines: string) => Promise<Imported>,
  located: (error: unknown, lines: readonly Each[]) => unknown,
): AsyncGenerator<Imported, void, undefined> {
  for await (const batch of batchesOf(groups)) {
    for (let rest = batch; rest.length > 0; ) {
      let done: Imported;
      try {
        done = await send(rest.map(({ text }) => text).join("\n"));
        // The next request would be the same.
        if (!(done.taken > 0)) throw ResourceError.of("unexpected", "The service has taken no line of the import.");
      } catch (error) {
        throw located(error, rest);
      }
      rest = rest.slice(done.taken);
      yield done;
    }
  }
}
