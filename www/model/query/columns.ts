// The columns of the collection's table, derived from the fields of the resource. The first one, which is always there,
// names each resource.

import type { ResourceModel } from "../fields.js";
import { choicesOf, type Field, type Kind } from "../schema.js";
import { placeOf } from "../wording.js";
import { storeChoice, storedChoice } from "../stored.js";
import { queriedFields } from "./queried-fields.js";

/** A column: a field, its name in sort orders and addresses, its label, and what it contains. */
export type Column = { field: Field; name: string; label: string; help: string; sortable: boolean };

const LABELS: ReadonlyMap<string, string> = new Map([
  ["version", "Version"],
  ["key", "Key"],
  ["createdAt", "Created"],
  ["lastModifiedAt", "Changed"],
]);
const HELP: ReadonlyMap<string, string> = new Map([
  ["version", "how often the resource was written"],
  ["key", "a name that no other resource has"],
  ["createdAt", "when it was created"],
  ["createdBy", "who created it"],
  ["lastModifiedAt", "when it was last written"],
  ["lastModifiedBy", "who wrote it last"],
]);
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
/** What the service sets is after the fields of a person. The first ones are shown by default. */
const LAST = ["lastModifiedAt", "key", "version", "createdAt", "createdBy", "lastModifiedBy", "id"];
const LAST_SHOWN = 3;
/** How many fields of a declared resource its table shows by default, in a window of medium width, and on a phone. */
const SHOWN = 6;
const SHOWN_IN_MEDIUM = 4;
const SHOWN_ON_PHONE = 2;

/** The narrowest windows that show a column. */
export type Width = "phone" | "medium" | "wide";

/** The columns of a resource. */
export class Columns {
  /** The column that is always there: what names a resource for people. */
  readonly first: Column;
  /** The others, in the order of presentation. */
  readonly all: readonly Column[];
  /** The names of those that are shown by default. */
  readonly defaults: readonly string[];
  /** The columns of narrow windows, those of phones first. */
  #narrow: readonly string[];
  #stored;

  constructor(model: ResourceModel) {
    const known = queriedFields(model).map((field) => columnOf(model, field));
    const last = LAST.flatMap((name) => known.find((column) => column.name === name) ?? []);
    const key = last.find(({ name }) => name === "key");
    const first = known.find(({ field }) => field === model.title) ?? key;
    if (first === undefined) throw new Error(`The resource ${model.name} has no key.`);
    this.first = first;
    const others = known.filter((column) => column !== first && !last.includes(column));
    const sortable = model.isDeclared ? others.filter((column) => column.sortable) : samplesOf(model, others);
    const shown = sortable.slice(0, SHOWN);
    this.all = [...others, ...last.filter((column) => column !== first)];
    this.defaults = [...namesOf(shown), ...LAST.slice(0, LAST_SHOWN).filter(this.has)];
    const compact = ({ field }: Column) => field.kind === "number" || choicesOf(field.schema) !== undefined;
    // Every resource has a required field.
    const rank = (column: Column) => (compact(column) ? (column.field.required ? 0 : 1) : 2);
    const narrow = [...shown].sort((one, other) => rank(one) - rank(other));
    this.#narrow = model.isDeclared ? namesOf(narrow.slice(0, SHOWN_IN_MEDIUM)) : ["lastModifiedAt", "version"];
    this.#stored = model.isDeclared ? `columns of ${model.name}` : "columns";
  }

  /** Returns whether there is a column with the name. */
  has = (name: string) => this.all.some((column) => column.name === name);

  /** Returns the columns with the names, in their order. */
  named = (names: readonly string[]) => names.flatMap((name) => this.all.find((column) => column.name === name) ?? []);

  /** Returns which windows show a column. */
  widthOf({ name }: Column): Width {
    const at = this.#narrow.indexOf(name);
    if (name === this.first.name || (at >= 0 && at < SHOWN_ON_PHONE)) return "phone";
    return at >= 0 ? "medium" : "wide";
  }

  /** Returns the columns that a person chose in this browser. */
  stored() {
    return storedChoice(this.#stored)?.split(",").filter(this.has);
  }

  /** Keeps the chosen columns for the next visit. The default is not kept, so that new fields appear. */
  store(names: readonly string[]) {
    storeChoice(this.#stored, names.join() === this.defaults.join() ? undefined : names.join());
  }
}

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name);

/** Returns the first list of numbers, the first one of texts, and the first text of the interface's resource. */
const samplesOf = (model: ResourceModel, columns: readonly Column[]) =>
  (["numbers", "texts", "text"] as const).flatMap(
    (kind) => columns.find(({ field }) => field === model.fieldsOf(kind)[0]) ?? [],
  );

function columnOf(model: ResourceModel, field: Field): Column {
  const name = model.queryName(field);
  const help = HELP.get(name) ?? field.schema.description ?? helpOf(field);
  return {
    field,
    name,
    label: LABELS.get(name) ?? placeOf(model.fields, field.path)?.label ?? name,
    help,
    sortable: !UNSORTED.includes(field.kind),
  };
}

function helpOf(field: Field) {
  const choices = choicesOf(field.schema);
  if (choices !== undefined) return `one of ${choices.join(", ")}`;
  const ofItems = field.schema.items && choicesOf(field.schema.items);
  if (ofItems !== undefined) return `a list of ${ofItems.join(", ")}`;
  if (field.kind === "text" && field.schema.format) return `a text of the format ${field.schema.format}`;
  if (field.kind === "objects") return `${KINDS.objects}: ${field.columns.join(", ")}`;
  if (field.kind === "number" && field.whole) return "a whole number";
  if (field.kind !== "numbers") return KINDS[field.kind];
  const numbers = field.whole ? "whole numbers" : "numbers";
  return field.pair ? `two ${numbers}` : `a list of ${field.unique ? "different " : ""}${numbers}`;
}
