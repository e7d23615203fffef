// Example predicates for each field, derived from its kind.

import { fields, isOwn, queryName } from "../fields.js";
import type { Field, Kind } from "../schema.js";

/** An example: what it finds, and its predicate. */
type Example = { label: string; text: string };

const INSTANT = '"2026-01-31T00:00:00.000Z"';

/** Examples by kind: what they find, and their predicates, with `$` for the field's name. */
const EXAMPLES: { [kind in Kind["kind"]]?: [label: string, predicate: string] } = {
  name: ["An exact text", '$ = "first"'],
  text: ["A text in any case", '$ matches ignore case "hello"'],
  number: ["A number", "$ > 1"],
  boolean: ["True or false", "$ = true"],
  date: ["A time", `$ >= ${INSTANT}`],
  texts: ["A text in a list", '$ contains any ("red", "green")'],
  booleans: ["True or false in a list", "$ contains any (true)"],
  dates: ["A time in a list", `$ >= ${INSTANT}`],
};

function templateOf(field: Field): [label: string, predicate: string] {
  if (field.kind === "numbers") {
    if (field.pair) return ["Near a place", "$ within circle (13, 52, 100000)"];
    return field.whole
      ? ["A number in a list", "$ contains any (1, 2)"]
      : ["A range of numbers in a list", "$ >= 0.5 and $ < 10"];
  }
  if (field.kind === "objects") {
    const conditions = field.columns.map((column, at) => `${column} ${at === 0 ? "=" : ">"} 1`);
    return ["An object in a list", `$(${conditions.join(" and ")})`];
  }
  const [first] = field.kind === "group" ? field.fields : [];
  if (first !== undefined) return ["A part of a field", `$(${exampleOf({ ...first, path: [first.name] }).text})`];
  return EXAMPLES[field.kind] ?? ["A field with a value", "$ is defined"];
}

/** Returns an example for a field. */
export function exampleOf(field: Field): Example {
  const [label, predicate] = templateOf(field);
  return { label, text: predicate.replaceAll("$", () => queryName(field)) };
}

/**
 * Returns the example that an empty box shows: for the first of a team's own numbers, or for the version. Examples of
 * other kinds are too long for a phone.
 */
export function firstExample() {
  const numbers = fields.filter(({ kind }) => kind === "number");
  const field = numbers.find(isOwn) ?? numbers.find(({ name }) => name === "version");
  return field === undefined ? "" : `For example: ${exampleOf(field).text}`;
}

/** Returns an example of each kind: that of the first field of the kind, without repeated labels. */
export function examplesOf(fields: readonly Field[]): Example[] {
  const found = new Map<string, Example>();
  for (const example of fields.map(exampleOf)) if (!found.has(example.label)) found.set(example.label, example);
  return [...found.values()];
}
