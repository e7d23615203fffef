// The texts of errors in the console, by their `reason` and its members. The service's messages are only displayed,
// never parsed.

import type { ErrorItem } from "../pkg/browser.js";
import { choicesOf, isList, type Field, type Schema } from "./schema.js";

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
  multipleOf: (issue) => `Expected a multiple of ${issue.multipleOf}${describeFound(issue)}.`,
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
function numbersOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Bounds, whole: boolean): string {
  const noun = whole ? "an integer" : "a number";
  // Integers have the bounds of all integers if their schema has none.
  if (whole && minimum !== -LARGEST && maximum === LARGEST) return numbersOf({ minimum, exclusiveMinimum }, true);
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  const bounds = [
    minimum !== undefined && `of at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `of at most ${maximum}`,
    exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`,
  ].filter(Boolean);
  return [noun, bounds.join(" and ")].join(" ").trim();
}

/** Returns what a person needs to know of a field before filling it in: its description, and its rules. */
export function hintOf(field: Field) {
  const { description, items = {}, minItems, maxItems, uniqueItems, examples = [], ...own } = field.schema;
  const isScalarList = isList(field) && field.kind !== "objects";
  const rules = [
    ...(isScalarList ? rulesOf(items, field).map((rule) => `Each: ${rule}`) : rulesOf(own, field)),
    (minItems ?? maxItems) !== undefined && `${extentOf(minItems, maxItems)} items`,
    uniqueItems && "each item once",
    own["x-unique"] && "no other resource has the same value",
    examples[0] !== undefined && `for example ${JSON.stringify(examples[0])}`,
  ].filter((rule) => typeof rule === "string");
  const sentence = rules.join(", ");
  const written = sentence && `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  return [description, written].filter(Boolean).join(" ") || undefined;
}

/** Returns the rules of a single value. What a control shows, such as choices and dates, is none of them. */
function rulesOf(schema: Schema, field: Field): string[] {
  const { minLength, maxLength, pattern, multipleOf, format = "" } = schema;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const isNumber = field.kind === "number" || field.kind === "numbers";
  const choices = isList(field) ? choicesOf(schema) : undefined;
  return [
    isNumber && numbersOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }, field.whole),
    multipleOf !== undefined && `a multiple of ${multipleOf}`,
    choices && `one of ${joinTerms(choices.map((choice) => JSON.stringify(choice)))}`,
    (minLength ?? maxLength) !== undefined && `${extentOf(minLength, maxLength)} characters`,
    Object.hasOwn(TERMS, format) && !["date-time", "date"].includes(format) && TERMS[format],
    pattern !== undefined && `matches ${pattern}`,
  ].filter((rule) => typeof rule === "string");
}
