// The requests about a project as a whole: for the methods of the client, the console, and the command line.

import type { Calls } from "./calls.js";
import type { CallOptions } from "./client.js";
import type { Cleared, Imported, Restored } from "./generated/responses.js";
import type { ExportPage } from "./transfer.js";

/** Returns a page of the export: its lines, and the position after which the next page begins, if there is one. */
export async function exportPage(calls: Calls, after: string | undefined, options?: CallOptions): Promise<ExportPage> {
  let link: string | null = null;
  const onResponse: CallOptions["onResponse"] = (response) => {
    link = response.headers.get("Link");
    options?.onResponse?.(response);
  };
  const text: string = await calls.call("export", [], { after }, { ...options, onResponse });
  const [, next] = /[?&]after=([^&>]+)>; rel="next"/.exec(link ?? "") ?? [];
  return { text, next: next && decodeURIComponent(next) };
}

/**
 * Imports lines of an export, or the first `taken` of them if the rest would be too much work for one request. Without
 * lines, only checks whether the project accepts an import.
 */
export const importPart = (calls: Calls, lines: string, options?: CallOptions): Promise<Imported> =>
  calls.call("import", [], undefined, options, lines);

/** Deletes a part of a project's data. Repeat it until `isDone` is true. `confirm` is the project. */
export const clearPart = (calls: Calls, confirm: string, options?: CallOptions): Promise<Cleared> =>
  calls.call("clear", [], { confirm }, options);

/** Restores a project to a time or to a bookmark. Returns the bookmark that undoes it. `confirm` is the project. */
export const restoreTo = (
  calls: Calls,
  confirm: string,
  moment: { time: string } | { bookmark: string },
  options?: CallOptions,
): Promise<Restored> => calls.call("restore", [], { confirm, ...moment }, options);
