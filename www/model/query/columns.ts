// The columns of the collection's table, derived from the fields. The key's column is always there.

import { fields, fieldsOf, isOwn, queryName } from "../fields.js";
import type { Field, Kind } from "../schema.js";
import { storeChoice, storedChoice } from "../stored.js";

/** A column: a field, its name in sort orders and addresses, its label, and what it contains. */
export type Column = { field: Field; name: string; label: string; help: string; sortable: boolean };

const LABELS: { [name: string]: string | undefined } = {
  version: "Version",
  createdAt: "Created",
  lastModifiedAt: "Changed",
};
const HELP: { [name: string]: string | undefined } = {
  version: "how often the resource was written",
  createdAt: "when it was created",
  createdBy: "who created it",
  lastModifiedAt: "when it was last written",
  lastModifiedBy: "who wrote it last",
};
const KINDS: { [kind in Kind["kind"]]: string } = {
  name: "a name",
  text: "a text",
  number: "a number",
  boolean: "true or false",
  date: "a time",
  texts: "a list of texts",
  numbers: "a list of numbers",
  booleans: "a list of true or false",
  dates: "a list of times",
  objects: "a list of objects",
  group: "an object",
  actions: "a list of actions",
  json: "any JSON",
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
  const help = HELP[field.name] ?? helpOf(field);
  return { field, name, label: LABELS[name] ?? name, help, sortable: !UNSORTED.includes(field.kind) };
});

function helpOf(field: Field) {
  if (field.kind === "objects") return `${KINDS.objects}: ${field.columns.join(", ")}`;
  if (field.kind === "number" && field.whole) return "a whole number";
  if (field.kind !== "numbers") return KINDS[field.kind];
  const numbers = field.whole ? "whole numbers" : "numbers";
  return field.pair ? `two ${numbers}` : `a list of ${field.unique ? "different " : ""}${numbers}`;
}

/** Returns whether there is a column with the name. */
export const isColumn = (name: string) => columns.some((column) => column.name === name);

// By default, in addition to version and times: a team's own fields, or the first list of numbers, of texts, and the
// first text of the samples.
const OWN = 5;
const samples = [fieldsOf("numbers"), fieldsOf("texts"), fieldsOf("text")].flatMap((found) => found.slice(0, 1));
const own = fields.filter(isOwn).slice(0, OWN);
const first = own.length > 0 ? own : samples;

/** The names of the columns that are shown by default. */
export const defaultColumns = columns
  .filter(({ field }) => LABELS[field.name] !== undefined || first.includes(field))
  .map(({ name }) => name);

/** The columns of narrow windows, beside the key's: the version, and two of a team's own fields or the last change. */
export const narrowColumns = [
  "version",
  ...(own.length > 0 ? own.slice(0, 2).map(({ name }) => name) : ["lastModifiedAt"]),
];

const STORED = "columns";

/** Returns the columns that a person chose in this browser. */
export const storedColumns = () => storedChoice(STORED)?.split(",").filter(isColumn);

/** Keeps the chosen columns for the next visit. The default is not kept, so that new fields appear. */
export const storeColumns = (names: readonly string[]) =>
  storeChoice(STORED, names.join() === defaultColumns.join() ? undefined : names.join());
