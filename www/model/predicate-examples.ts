// Example predicates for each field, derived from its kind.

import { fields, isOwn, queryName } from "./fields.js";
import type { Field } from "./schema.js";

/** An example: what it finds, and its predicate. */
type Example = { label: string; text: string };

const INSTANT = "2026-01-31T00:00:00.000Z";

/**
 * Returns the example that an empty box shows: for the first of a team's own numbers, or for the version. Examples of
 * other kinds are too long for a phone.
 */
export function firstExample() {
  const numbers = fields.filter(({ kind }) => kind === "number");
  const field = numbers.find(isOwn) ?? numbers.find(({ name }) => name === "version");
  return field === undefined ? "" : `For example: ${exampleOf(field).text}`;
}

/** Returns an example for a field. */
export function exampleOf(field: Field): Example {
  const name = queryName(field);
  switch (field.kind) {
    case "name":
      return { label: "An exact text", text: `${name} = "first"` };
    case "text":
      return { label: "A text in any case", text: `${name} matches ignore case "hello"` };
    case "number":
      return { label: "A number", text: `${name} > 1` };
    case "boolean":
      return { label: "True or false", text: `${name} = true` };
    case "date":
      return { label: "A time", text: `${name} >= "${INSTANT}"` };
    case "texts":
      return { label: "A text in a list", text: `${name} contains any ("red", "green")` };
    case "booleans":
      return { label: "True or false in a list", text: `${name} contains any (true)` };
    case "dates":
      return { label: "A time in a list", text: `${name} >= "${INSTANT}"` };
    case "numbers":
      if (field.pair) return { label: "Near a place", text: `${name} within circle (13, 52, 100000)` };
      return field.whole
        ? { label: "A number in a list", text: `${name} contains any (1, 2)` }
        : { label: "A range of numbers in a list", text: `${name} >= 0.5 and ${name} < 10` };
    case "objects":
      return {
        label: "An object in a list",
        text: `${name}(${field.columns.map((column, at) => `${column} ${at === 0 ? "=" : ">"} 1`).join(" and ")})`,
      };
    case "group": {
      const [first] = field.fields;
      return first === undefined
        ? { label: "A field with a value", text: `${name} is defined` }
        : { label: "A part of a field", text: `${name}(${exampleOf({ ...first, path: [first.name] }).text})` };
    }
    default:
      return { label: "A field with a value", text: `${name} is defined` };
  }
}

/** Returns an example of each kind: that of the first field of the kind, without repeated labels. */
export function examplesOf(fields: readonly Field[]): Example[] {
  const found = new Map<string, Example>();
  for (const example of fields.map(exampleOf)) if (!found.has(example.label)) found.set(example.label, example);
  return [...found.values()];
}
