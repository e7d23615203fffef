// The texts of errors in the console, by their `reason` and its members. The service's messages are only displayed,
// never parsed.

import type { ErrorItem } from "../pkg/browser.js";

/** The members of an issue that its text needs. A later version of the service may have more reasons. */
type Explained = Partial<Omit<ErrorItem, "reason" | "path">> & { reason?: string; message: string };

const TERMS: { [term: string]: string | undefined } = {
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
  boolean: "true or false",
  double: "a number that a double can hold",
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

const SENTENCES: { [reason: string]: ((issue: Explained) => string | false | undefined) | undefined } = {
  type: (issue) => `Expected ${describeExpected(issue)}${describeFound(issue)}.`,
  format: (issue) => issue.expected && `Expected ${describeExpected(issue)}${describeFound(issue)}.`,
  range: (issue) => `Expected an integer from ${issue.minimum} to ${issue.maximum}${describeFound(issue)}.`,
  length: ({ minLength, maxLength }) => minLength !== undefined && `Expected ${minLength} to ${maxLength} bytes.`,
  count: ({ minItems, maxItems }) =>
    minItems === undefined ? `Expected at most ${maxItems}.` : `Expected none, or exactly ${maxItems}.`,
  enum: (issue) =>
    `Expected one of ${joinTerms((issue.allowedValues ?? []).map(term))}` +
    `${describeFound(issue)}.${describeSuggestion(issue)}`,
  required: ({ field }) => field && "This field is required.",
  unknownField: (issue) => issue.field && `There is no field '${issue.field}'.${describeSuggestion(issue)}`,
  duplicate: ({ field }) => field && `The field '${field}' occurs twice.`,
  notUnique: ({ invalidValue }) => `Each number may occur only once. ${JSON.stringify(invalidValue)} occurs again.`,
};

const describeSuggestion = ({ suggestion }: Explained) =>
  suggestion === undefined ? "" : ` Did you mean '${suggestion}'?`;

/** Returns what was expected, for people; `undefined` if the issue has no `expected`. */
export const describeExpected = ({ expected }: { expected?: readonly string[] | undefined }) =>
  expected && joinTerms(expected.map(term));

/** Returns the text of a field's issue without the field's name. Other messages are returned unchanged. */
export const describeIssue = (issue: Explained) => SENTENCES[issue.reason ?? ""]?.(issue) || issue.message;
