// The requests about a project as a whole, and exports and imports that need many: for the methods of the client, the
// console, and the command line.

import type { Calls } from "./calls.js";
import type { CallOptions } from "./options.js";
import { ResourceError } from "./errors.js";
import { BATCH } from "../generated/operations.js";
import type { Cleared, Imported, Restored } from "../generated/responses.js";

/** A page of an export. `next` is the position after which the next page begins. */
export interface ExportPage {
  readonly text: string;
  readonly next: string | undefined;
}

/** Returns a page of the export: its lines, and the position after which the next page begins, if there is one. */
export async function exportPage(calls: Calls, after: string | undefined, options?: CallOptions): Promise<ExportPage> {
  let link: string | null = null;
  const onResponse: CallOptions["onResponse"] = (response) => {
    link = response.headers.get("Link");
    options?.onResponse?.(response);
  };
  const text: string = await calls.call("export", { params: { after }, options: { ...options, onResponse } });
  const [, next] = /[?&]after=([^&>]+)>; rel="next"/.exec(link ?? "") ?? [];
  return { text, next: next && decodeURIComponent(next) };
}

/**
 * Imports lines of an export, or the first `taken` of them if the rest would be too much work for one request. Without
 * lines, only checks whether the project accepts an import.
 */
export const importPart = (calls: Calls, lines: string, options?: CallOptions): Promise<Imported> =>
  calls.call("import", { options, body: lines });

/** Deletes a part of a project's data. Repeat it until `isDone` is true. `confirm` is the project. */
export const clearPart = (calls: Calls, confirm: string, options?: CallOptions): Promise<Cleared> =>
  calls.call("clear", { params: { confirm }, options });

/** Restores a project to a time or to a bookmark. Returns the bookmark that undoes it. `confirm` is the project. */
export const restoreTo = (
  calls: Calls,
  confirm: string,
  moment: { time: string } | { bookmark: string },
  options?: CallOptions,
): Promise<Restored> => calls.call("restore", { params: { confirm, ...moment }, options });

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
