// The texts of errors in the console, by their `reason` and its members. The service's messages are only displayed,
// never parsed.

import type { ErrorItem } from "../pkg/browser.js";
import { wordsOf } from "../pkg/items/words.js";
import { choicesOf, decimalsOf, isList, type Field, type Path, type Schema } from "./schema.js";

/** The members of an issue that its text needs. A later version of the service may have more reasons. */
type Explained = Partial<Omit<ErrorItem, "reason" | "path">> & { reason?: string; message: string };

/** Whether a field has only integers, and whether it has none or exactly two. */
type About = { whole?: boolean; pair?: boolean };

const TERMS: { [term: string]: string | undefined } = {
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
  boolean: "true or false",
  double: "a number that a double can hold",
  date: 'a date such as "2024-01-31"',
  time: 'a time with its offset such as "23:59:59Z"',
  email: "an e-mail address",
  uri: 'a whole address such as "https://example.com/"',
  uuid: "a UUID",
  hostname: "the name of a host",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  "date-time": 'a real date and time such as "2024-01-31T23:59:59.999Z"',
  "<date-time>": 'a date and time such as "2024-01-31T23:59:59.999Z"',
  "<end>": "the end",
  "<field>": "a field name",
  "<string>": "a string in double quotes",
  "<number>": "a number",
  "<boolean>": "true or false",
  "<variable>": "a variable (:name)",
  "<value>": "a value",
  "<name>": "a name in double quotes",
};

/** Returns a list for people: `a, b or c`. */
const joinTerms = (terms: readonly string[]) => terms.join(", ").replace(/, ([^,]*)$/, " or $1");

/** Returns a term of `expected`: a literal text, or the kind of a part in angle brackets. */
function term(text: string) {
  const known = Object.hasOwn(TERMS, text) ? TERMS[text] : undefined;
  return known ?? (/^<.+>$/.test(text) ? text.slice(1, -1) : `'${text}'`);
}

const describeFound = ({ invalidValue }: Explained) =>
  invalidValue === undefined ? "" : `, found ${JSON.stringify(invalidValue)}`;

const SENTENCES: { [reason: string]: ((issue: Explained, field: About) => string | false | undefined) | undefined } = {
  type: (issue) => `Expected ${describeExpected(issue)}${describeFound(issue)}.`,
  format: (issue) => issue.expected && `Expected ${describeExpected(issue)}${describeFound(issue)}.`,
  range: (issue, { whole = true }) => `Expected ${numbersOf(issue, whole)}${describeFound(issue)}.`,
  multipleOf: (issue) => `Expected ${stepOf(issue.multipleOf)}${describeFound(issue)}.`,
  length: ({ minLength, maxLength, field = "" }) =>
    `Expected ${extentOf(minLength, maxLength)} ${NAMES.includes(field) ? "bytes" : "characters"}.`,
  pattern: (issue) => issue.pattern && `Expected a text that matches ${issue.pattern}${describeFound(issue)}.`,
  count: ({ minItems, maxItems }, { pair = false }) =>
    pair ? `Expected none, or exactly ${maxItems}.` : `Expected ${extentOf(minItems, maxItems)}.`,
  enum: (issue) =>
    `Expected one of ${joinTerms((issue.allowedValues ?? []).map((value) => `'${value}'`))}` +
    `${describeFound(issue)}.${describeSuggestion(issue)}`,
  required: ({ field }) => field && "This field is required.",
  unknownField: (issue) => issue.field && `There is no field '${issue.field}'.${describeSuggestion(issue)}`,
  duplicate: ({ field }) => field && `The field '${field}' occurs twice.`,
  notUnique: ({ invalidValue }) => {
    const noun = typeof invalidValue === "number" ? "number" : "item";
    return `Each ${noun} may occur only once. ${JSON.stringify(invalidValue)} occurs again.`;
  },
};

const describeSuggestion = ({ suggestion }: Explained) =>
  suggestion === undefined ? "" : ` Did you mean '${suggestion}'?`;

/** Returns what was expected, for people; `undefined` if the issue has no `expected`. */
export const describeExpected = ({ expected }: { expected?: readonly string[] | undefined }) =>
  expected && joinTerms(expected.map(term));

/**
 * Returns the text of a field's issue without the field's name. `field` may say more about the field's numbers. Other
 * messages are returned unchanged.
 */
export const describeIssue = (issue: Explained, field: About = {}) =>
  SENTENCES[issue.reason ?? ""]?.(issue, field) || issue.message;

/** Returns the rule of a step, for people. */
function stepOf(multipleOf: number | undefined) {
  const decimals = decimalsOf(multipleOf);
  return decimals === 0 ? `a multiple of ${multipleOf}` : `at most ${decimals} decimal${decimals === 1 ? "" : "s"}`;
}

/** Texts whose length is limited in bytes. */
const NAMES = ["id", "key"];

/** Returns an extent for people: `1 to 8`, `at least 1`, `at most 8`. */
function extentOf(least: number | undefined, most: number | undefined) {
  if (least === undefined) return `at most ${most}`;
  if (most === undefined) return `at least ${least}`;
  return least === most ? `exactly ${least}` : `${least} to ${most}`;
}

type Bounds = Pick<Schema, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum">;
const { MAX_SAFE_INTEGER: LARGEST } = Number;

/** Returns which numbers are within bounds, for people: `a number above 0 and of at most 5`. */
function numbersOf(bounds: Bounds, whole: boolean): string {
  const { minimum, maximum, exclusiveMinimum } = bounds;
  // Integers have the bounds of all integers if their schema has none.
  if (whole && minimum !== -LARGEST && maximum === LARGEST) return numbersOf({ minimum, exclusiveMinimum }, true);
  return `${whole ? "an integer" : "a number"} ${boundsOf(bounds).replaceAll("at ", "of at ")}`.trim();
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Bounds) {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`,
  ];
  return bounds.filter(Boolean).join(" and ");
}

/** Returns the name of a field for people: its title, or its name in words. */
export const labelOf = ({ name, schema: { title } }: Pick<Field, "name" | "schema">) => title ?? wordsOf(name);

/** Returns the innermost field at a path of a body, with the names of its place: "Variants 2, Color". */
export function placeOf(fields: readonly Field[], path: Path) {
  let field = fields.find((one) => one.path.every((name, depth) => path[depth] === name));
  if (field === undefined) return undefined;
  let label = labelOf(field);
  for (const part of path.slice(field.path.length)) {
    const inner: Field | undefined = "fields" in field ? field.fields.find(({ name }) => name === part) : undefined;
    label += typeof part === "number" ? ` ${part + 1}` : `, ${inner ? labelOf(inner) : part}`;
    field = inner ?? field;
  }
  return { field, label };
}

/** Returns the sentence of an issue with its place: "Size, Width: This field is required." */
export function sentenceOf(fields: readonly Field[], issue: Explained & { path: Path }) {
  const place = placeOf(fields, issue.path);
  return place ? `${place.label}: ${describeIssue(issue, aboutOf(place.field))}` : describeIssue(issue);
}

/** Returns what is known of a field's numbers. */
export const aboutOf = (field: Field | undefined): About =>
  field?.kind === "number" || field?.kind === "numbers" ? field : {};

/** Returns what a person needs to know of a field before filling it in: its description, and its rules. */
export function hintOf(field: Field) {
  const { description, items = {}, minItems, maxItems, uniqueItems, examples = [], pattern, ...own } = field.schema;
  const isScalarList = isList(field) && field.kind !== "objects";
  const [example] = examples;
  const rules = [
    ...(isScalarList ? rulesOf(items, field).map((rule) => `each ${rule}`) : rulesOf(own, field)),
    (minItems ?? maxItems) !== undefined && `${extentOf(minItems, maxItems)} items`,
    uniqueItems && "no item twice",
    own["x-unique"] && "unique",
    example !== undefined && `for example ${typeof example === "string" ? example : JSON.stringify(example)}`,
    // People read an example or a sentence more easily.
    pattern !== undefined && (example ?? description) === undefined && `matches ${pattern}`,
  ].filter((rule) => typeof rule === "string");
  const sentence = rules.join(", ");
  const written = sentence && `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  return [description, written].filter(Boolean).join(" ") || undefined;
}

/** Returns the rules of a single value. What a control shows, such as choices and dates, is none of them. */
function rulesOf(schema: Schema, field: Field): string[] {
  const { minLength = 0, maxLength, multipleOf, format = "" } = schema;
  const choices = isList(field) ? choicesOf(schema) : undefined;
  const least = minLength > 1 ? minLength : undefined;
  return [
    field.kind === "number" && field.whole && "whole number",
    "whole" in field && boundsOf(schema),
    multipleOf !== undefined && stepOf(multipleOf),
    choices && `one of ${joinTerms(choices.map(String))}`,
    // That a text is not empty, its mark says.
    (least ?? maxLength) !== undefined && `${extentOf(least, maxLength)} characters`,
    Object.hasOwn(TERMS, format) && !["date-time", "date"].includes(format) && TERMS[format],
  ].filter((rule): rule is string => typeof rule === "string" && rule !== "");
}
