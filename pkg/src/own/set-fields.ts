// The fields of your own in this program, which the WebAssembly validates.

import { put, whenStarted } from "../core/instance.js";
import { type FieldRow, type FieldTable, linesOf } from "./table.js";
import { set_fields } from "../wasm/resource_edge.js";

/** The lines of the table that this program uses. */
let used: string | undefined;
let rows: readonly FieldRow[] = [];

/**
 * Adds the fields of your own to those that every service has: pass the content of the `fields.json` that your service
 * uses. Validation and the client's calls accept them from then on, everywhere in the program. A program has one table.
 * Throws a `TypeError` if the table is wrong. If the WebAssembly is loaded later, `init()` rejects with it instead.
 */
export function setFields(table: FieldTable): void {
  const lines = linesOf(table);
  if (used !== undefined && used !== lines)
    throw new TypeError("This program already uses other own fields. A program has one table of own fields.");
  const isFirst = used === undefined;
  used = lines;
  if (!isFirst) return;
  whenStarted(() => {
    const wrong = set_fields(put(lines));
    if (wrong !== undefined) {
      used = undefined;
      throw new TypeError(wrong);
    }
    rows = table.fields.map(({ name, type }) => ({ name, type }));
  });
}

/** Returns the fields of your own that this program has set; none before. */
export function getFields(): readonly FieldRow[] {
  return rows;
}
