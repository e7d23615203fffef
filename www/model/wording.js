// The texts of errors in the console, by their `reason` and its members. The service's messages are only displayed,
// never parsed.

const TERMS = {
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
  "<variable>": "a variable (:name)",
  "<value>": "a value",
  "<name>": "a name in double quotes",
};

/** A list for people: `a, b or c`. */
const listed = (terms) => terms.join(", ").replace(/, ([^,]*)$/, " or $1");

/** A term of `expected`: a literal text, or the kind of a part in angle brackets. */
function term(text) {
  if (Object.hasOwn(TERMS, text)) return TERMS[text];
  return /^<.+>$/.test(text) ? text.slice(1, -1) : `'${text}'`;
}

const found = ({ invalidValue }) => (invalidValue === undefined ? "" : `, found ${JSON.stringify(invalidValue)}`);

const SENTENCES = {
  type: (issue) => `Expected ${expectedOf(issue)}${found(issue)}.`,
  format: (issue) => issue.expected && `Expected ${expectedOf(issue)}${found(issue)}.`,
  range: (issue) => `Expected an integer from ${issue.minimum} to ${issue.maximum}${found(issue)}.`,
  length: ({ minLength, maxLength }) => minLength !== undefined && `Expected ${minLength} to ${maxLength} bytes.`,
  count: ({ minItems, maxItems }) =>
    minItems === undefined ? `Expected ${maxItems} at most.` : `Expected none, or exactly ${maxItems}.`,
  enum: (issue) => `Expected one of ${listed(issue.allowedValues.map(term))}${found(issue)}.${meant(issue)}`,
  required: ({ field }) => field && "It is required.",
  unknownField: (issue) => issue.field && `There is no field '${issue.field}'.${meant(issue)}`,
  duplicate: ({ field }) => field && `The field '${field}' occurs twice.`,
  notUnique: ({ invalidValue }) => `Each number may occur only once; ${JSON.stringify(invalidValue)} occurs again.`,
};

const meant = ({ suggestion }) => (suggestion === undefined ? "" : ` Did you mean '${suggestion}'?`);

/**
 * What was expected, for people; `undefined` if the issue does not say.
 * @param {{ expected?: string[] }} issue
 */
export const expectedOf = ({ expected }) => expected && listed(expected.map(term));

/** The text of a field's issue without the field's name. Other messages are shown unchanged. */
export const brief = (issue) => SENTENCES[issue.reason]?.(issue) || issue.message;
