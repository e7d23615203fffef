// The columns of the collection's table, derived from the fields. The key's column is always there.

import { fields, fieldsOf, queryName } from "./fields.js";

/** @import { Field, Kind } from "./schema.js" */

/**
 * A column: a field, its name in sort orders and addresses, and its label.
 * @typedef {{ field: Field, name: string, label: string, sortable: boolean }} Column
 */

/** @type {{ [name: string]: string | undefined }} */
const LABELS = { version: "Version", createdAt: "Created", lastModifiedAt: "Changed" };
/** @type {Kind["kind"][]} */
const UNSORTED = ["objects", "group", "json", "actions"];
const FIRST = ["version"];
const LAST = ["lastModifiedAt", "createdAt"];
// The first column of the table shows them.
const IDENTITY = ["id", "key"];

/** @param {readonly string[]} names */
const findFields = (names) => names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
const others = fields.filter(({ name }) => ![...FIRST, ...LAST, ...IDENTITY].includes(name));

/**
 * Every column, in the order of presentation.
 * @type {readonly Column[]}
 */
export const columns = [...findFields(FIRST), ...others, ...findFields(LAST)].map((field) => {
  const name = queryName(field);
  return { field, name, label: LABELS[name] ?? name, sortable: !UNSORTED.includes(field.kind) };
});

/**
 * Returns whether there is a column with the name.
 * @param {string} name
 */
export const isColumn = (name) => columns.some((column) => column.name === name);

// By default: the first list of numbers, of texts, and the first text, in addition to version and times.
const first = [fieldsOf("numbers"), fieldsOf("texts"), fieldsOf("text")].flatMap((found) => found.slice(0, 1));

/** The names of the columns that are shown by default. */
export const defaultColumns = columns
  .filter(({ field }) => LABELS[field.name] !== undefined || first.includes(field))
  .map(({ name }) => name);
