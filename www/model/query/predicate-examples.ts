// Example predicates for each field, derived from its kind.

import type { ResourceModel } from "../fields.js";
import { choicesOf, innermost, type Field, type Kind, type NumbersKind, type ObjectsKind } from "../schema.js";
import { queriedFields } from "./queried-fields.js";

/** An example: what it finds, and its predicate. */
type Example = { label: string; text: string };

const INSTANT = '"2026-01-31T00:00:00.000Z"';

/** Examples by kind: what they find, and their predicates without the field's name. */
const EXAMPLES: { [kind in Kind["kind"]]?: [label: string, test: string] } = {
  name: ["An exact text", '= "first"'],
  text: ["A text in any case", 'matches ignore case "hello"'],
  number: ["A number", "> 1"],
  boolean: ["True or false", "= true"],
  date: ["A time", `>= ${INSTANT}`],
  texts: ["A text in a list", 'contains any ("red", "green")'],
  booleans: ["True or false in a list", "contains any (true)"],
  dates: ["A time in a list", `>= ${INSTANT}`],
};

/** Returns an example for a field of that name. */
export function exampleOf(field: Field, name: string): Example {
  const { kind, schema } = field;
  const choices = choicesOf(schema.items ?? schema)
    ?.slice(0, 2)
    .map((one) => JSON.stringify(one));
  if (choices?.[0] !== undefined)
    return schema.items === undefined
      ? { label: "One of several values", text: `${name} = ${choices[0]}` }
      : { label: "Some of several values", text: `${name} contains any (${choices.join(", ")})` };
  if (kind === "numbers") return numbersExample(field, name);
  if (kind === "text" && schema.format === "date") return { label: "A day", text: `${name} >= "2026-01-31"` };
  if (kind === "objects" && field.fields.length > 0)
    return { label: "An object in a list", text: `${name}(${itemTest(field)})` };
  const [first] = kind === "group" ? field.fields : [];
  if (first !== undefined) return { label: "A part of a field", text: `${name}(${exampleOf(first, first.name).text})` };
  const [label, test] = EXAMPLES[kind] ?? ["A field with a value", "is defined"];
  return { label, text: `${name} ${test}` };
}

function numbersExample({ pair, whole }: NumbersKind, name: string): Example {
  if (pair) return { label: "Near a place", text: `${name} within circle (13, 52, 100000)` };
  return whole
    ? { label: "A number in a list", text: `${name} contains any (1, 2)` }
    : { label: "A range of numbers in a list", text: `${name} >= 0.5 and ${name} < 10` };
}

/** Returns conditions that one object of a list satisfies together. */
function itemTest({ fields, isTable, path }: Field & ObjectsKind) {
  if (isTable) return fields.map(({ name }, at) => `${name} ${at === 0 ? "=" : ">"} 1`).join(" and ");
  const tests = innermost(fields).map((field) => {
    const name = field.path.slice(path.length).join(".");
    const isFree = field.kind === "text" && choicesOf(field.schema) === undefined;
    return isFree ? `${name} = "red"` : exampleOf(field, name).text;
  });
  return tests.slice(0, 2).join(" and ");
}
/**
 * Returns the example that an empty box shows: for the first declared number, or for the version. Examples of other
 * kinds are too long for a phone.
 */
export function firstExample(model: ResourceModel) {
  const numbers = queriedFields(model).filter(({ kind }) => kind === "number");
  const field = numbers.find(({ name }) => name !== "version") ?? numbers[0];
  return field === undefined ? "" : `For example: ${exampleOf(field, model.queryName(field)).text}`;
}

/** Returns an example of each field with the field's name. */
export const fieldExamples = (model: ResourceModel) =>
  queriedFields(model).map((field) => ({ name: model.queryName(field), ...exampleOf(field, model.queryName(field)) }));

/** Returns the first example of each kind. */
export const kindExamples = (examples: readonly Example[]) =>
  examples.filter(({ label }, at) => examples.findIndex((other) => other.label === label) === at);
