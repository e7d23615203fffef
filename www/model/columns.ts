// The columns of the collection's table, derived from the fields. The key's column is always there.

import { fields, fieldsOf, ownNames, queryName } from "./fields.js";
import type { Field, Kind } from "./schema.js";

/** A column: a field, its name in sort orders and addresses, and its label. */
export type Column = { field: Field; name: string; label: string; sortable: boolean };

const LABELS: { [name: string]: string | undefined } = {
  version: "Version",
  createdAt: "Created",
  lastModifiedAt: "Changed",
};
const UNSORTED: Kind["kind"][] = ["objects", "group", "json", "actions"];
const FIRST = ["version"];
const LAST = ["lastModifiedAt", "createdAt"];
// The first column of the table shows them.
const IDENTITY = ["id", "key"];

const findFields = (names: readonly string[]) =>
  names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
const others = fields.filter(({ name }) => ![...FIRST, ...LAST, ...IDENTITY].includes(name));

/** Every column, in the order of presentation. */
export const columns: readonly Column[] = [...findFields(FIRST), ...others, ...findFields(LAST)].map((field) => {
  const name = queryName(field);
  return { field, name, label: LABELS[name] ?? name, sortable: !UNSORTED.includes(field.kind) };
});

/** Returns whether there is a column with the name. */
export const isColumn = (name: string) => columns.some((column) => column.name === name);

// By default, in addition to version and times: a team's own fields, or the first list of numbers, of texts, and the
// first text of the samples.
const OWN = 5;
const samples = [fieldsOf("numbers"), fieldsOf("texts"), fieldsOf("text")].flatMap((found) => found.slice(0, 1));
const own = fields.filter(({ name }) => ownNames.includes(name)).slice(0, OWN);
const first = own.length > 0 ? own : samples;

/** The names of the columns that are shown by default. */
export const defaultColumns = columns
  .filter(({ field }) => LABELS[field.name] !== undefined || first.includes(field))
  .map(({ name }) => name);

const STORED = "columns";

/** Returns the columns that a person chose in this browser. */
export function storedColumns() {
  try {
    return localStorage.getItem(STORED)?.split(",").filter(isColumn);
  } catch {
    // Storage is switched off.
    return undefined;
  }
}

/** Keeps the chosen columns for the next visit. The default is not kept, so that new fields appear. */
export function storeColumns(names: readonly string[]) {
  try {
    if (names.join() === defaultColumns.join()) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, names.join());
  } catch {
    // They last until the page is left.
  }
}
