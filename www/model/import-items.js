// The items of an import: their validation, and the report on items that fail.

import { validate } from "../pkg/browser.js";
import { parseJson } from "./json.js";
import { describeExpected } from "./wording.js";

/** @import { ErrorItem, Issue, ResourceDraft } from "../pkg/browser.js" */
/** @import { Item } from "./ndjson.js" */

/**
 * A reason why an item was not imported: an issue of its body, an error of the service, or a sentence.
 * @typedef {Issue | ErrorItem | { message: string }} Problem
 */

/**
 * The report's entry of an item that was not imported.
 * @typedef {{
 *   text: string,
 *   number: number,
 *   line: number,
 *   id: string | undefined,
 *   key: string | undefined,
 *   message: string,
 *   errors: Problem[],
 * }} FailedItem
 */

/**
 * Validates an item.
 * @param {Item} item
 * @returns {{ body: ResourceDraft, issues?: undefined } | { body?: undefined, issues: readonly Issue[] }}
 */
export function validateItem(item) {
  const result = validate("resourceDraft", item.text);
  return result.valid ? { body: result.value } : { issues: result.issues };
}

/**
 * Returns the report's entry of an item that was not imported.
 * @param {Item} item
 * @param {readonly Problem[]} problems
 * @param {unknown} [body]
 * @returns {FailedItem}
 */
export function failedItem(item, problems, body = parseJson(item.text)) {
  const { text, number, line } = item;
  const { id, key } = /** @type {{ id?: unknown, key?: unknown }} */ (body ?? {});
  const name = (/** @type {unknown} */ value) => (typeof value === "string" ? value : undefined);
  const errors = problems.map((problem) => inFile(problem, item));
  return {
    text,
    number,
    line,
    id: name(id),
    key: name(key),
    message: errors.map(({ message }) => message).join(" "),
    errors,
  };
}

/**
 * Converts an issue's line and column in the item to those in the file.
 * @param {Problem} problem
 * @param {Item} item
 */
function inFile(problem, { line, column }) {
  if (!("line" in problem) || problem.line === undefined) return problem;
  const itsColumn = problem.column ?? 1;
  const place = { line: line + problem.line - 1, column: problem.line === 1 ? column + itsColumn - 1 : itsColumn };
  const expected = describeExpected(problem);
  const message =
    `Invalid JSON at line ${place.line}, column ${place.column}` +
    (expected === undefined ? "." : `: expected ${expected}.`);
  return { ...problem, ...place, message };
}

/**
 * Puts an item on one line: a line break between its parts becomes a space, one inside a string its escape.
 * @param {string} text
 */
function inOneLine(text) {
  return text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"?|\s+/g, (part) => {
    if (part.startsWith('"')) return part.replace(/\n/g, "\\n").replace(/\r/g, "\\r");
    return part.includes("\n") ? " " : part;
  });
}

/**
 * Returns the failed items as a file that can be imported after they are corrected: each on one line, otherwise
 * unchanged.
 * @param {readonly Pick<FailedItem, "text">[]} failures
 */
export const failedLines = (failures) => failures.map(({ text }) => `${inOneLine(text)}\n`).join("");

/**
 * Returns the reasons of the failures, one object per line.
 * @param {FailedItem[]} failures
 */
export const reasonLines = (failures) => failures.map(({ text, ...reason }) => `${JSON.stringify(reason)}\n`).join("");
