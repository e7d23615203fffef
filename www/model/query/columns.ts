// The columns of the collection's table, derived from the fields of the resource. The first one, which is always there,
// names each resource.

import type { ResourceModel } from "../fields.js";
import { choicesOf, type Field, type Kind } from "../schema.js";
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
const LAST = ["lastModifiedAt", "createdAt"];
/** How many fields of a declared resource its table shows by default, and in narrow windows. */
const SHOWN = 5;
const SHOWN_IN_NARROW = 2;

/** The columns of a resource. */
export class Columns {
  /** The column that is always there: what names a resource for people. */
  readonly first: Column;
  /** The others, in the order of presentation. */
  readonly all: readonly Column[];
  /** The names of those that are shown by default. */
  readonly defaults: readonly string[];
  #narrow;
  #stored;

  constructor(model: ResourceModel) {
    const known = queriedFields(model).map((field) => columnOf(field, model.queryName(field)));
    const named = (...names: string[]) => names.flatMap((name) => known.find((column) => column.name === name) ?? []);
    const [key] = named("key");
    const first = known.find(({ field }) => field === model.title) ?? key;
    if (first === undefined) throw new Error(`The resource ${model.name} has no key.`);
    this.first = first;
    const others = known.filter(({ name }) => !["id", "version", "key", first.name, ...LAST].includes(name));
    const shown = model.isDeclared ? others.filter(({ name, sortable }) => sortable && !HELP.has(name)) : [];
    this.all = [...named("version"), ...(first === key ? [] : named("key")), ...others, ...named(...LAST)];
    const defaults = [
      "version",
      ...LAST,
      ...namesOf(model.isDeclared ? shown.slice(0, SHOWN) : samplesOf(model, others)),
    ];
    this.defaults = namesOf(this.all).filter((name) => defaults.includes(name));
    this.#narrow = shown.length > 0 ? namesOf(shown.slice(0, SHOWN_IN_NARROW)) : ["version", "lastModifiedAt"];
    this.#stored = model.isDeclared ? `columns of ${model.name}` : "columns";
  }

  /** Returns whether there is a column with the name. */
  has = (name: string) => this.all.some((column) => column.name === name);

  /** Returns whether narrow windows leave a column out. */
  isWide = ({ name }: Column) => name !== this.first.name && !this.#narrow.includes(name);

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

function columnOf(field: Field, name: string): Column {
  const help = HELP.get(name) ?? field.schema.description ?? helpOf(field);
  return { field, name, label: LABELS.get(name) ?? name, help, sortable: !UNSORTED.includes(field.kind) };
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
