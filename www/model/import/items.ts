// The items of an import: their validation, and the report on items that fail.

import type { ErrorItem, Issue, Resource, ResourceDraft, Validation } from "../../pkg/browser.js";
import type { Columns } from "../../pkg/items/columns.js";
import type { Item } from "../../pkg/items/json.js";
import { csvRows } from "../csv-lines.js";
import type { ResourceModel } from "../fields.js";
import { parseJson, pathOf } from "../json.js";
import { valueAt, type Path } from "../schema.js";
import { describeExpected, sentenceOf } from "../wording.js";

/** A reason why an item was not imported: an issue of its body, an error of the service, or a sentence. */
export type ItemProblem = Issue | ErrorItem | { message: string };

/** The report's entry of an item that was not imported. */
export interface FailedItem {
  text: string;
  number: number;
  line: number;
  id: string | undefined;
  key: string | undefined;
  /** What a person calls it. */
  name: string | undefined;
  message: string;
  errors: ItemProblem[];
}

export const validateItem = ({ text }: Item, model: ResourceModel) =>
  model.validate("draft", text) as Validation<ResourceDraft>;

/** Returns the report's entry of an item that was not imported. */
export function failedItem(
  item: Item,
  problems: readonly ItemProblem[],
  model: ResourceModel,
  body: unknown = parseJson(item.text),
): FailedItem {
  const { text, number, line } = item;
  const { id, key } = (body ?? {}) as { id?: unknown; key?: unknown };
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  const errors = problems.map((problem) => inFile(problem, item));
  return {
    text,
    number,
    line,
    id: textOf(id),
    key: textOf(key),
    name: textOf(model.nameOf((body ?? {}) as Resource)),
    message: errors.map((problem) => sentenceOf(model.fields, { ...problem, path: placeIn(problem) })).join(" "),
    errors,
  };
}

/** Returns the path of a problem in the item's body; an empty one if it is of the whole item. */
function placeIn(problem: ItemProblem): Path {
  const { path = "" } = problem as { path?: string | Path };
  return typeof path === "string" ? pathOf(path) : path;
}

/** Converts an issue's line and column in the item to those in the file. */
function inFile(problem: ItemProblem, { line, column }: Item) {
  if (!("line" in problem) || problem.line === undefined) return problem;
  const itsColumn = problem.column ?? 1;
  const place = { line: line + problem.line - 1, column: problem.line === 1 ? column + itsColumn - 1 : itsColumn };
  const expected = describeExpected(problem);
  const message =
    `Invalid JSON at line ${place.line}, column ${place.column}` +
    (expected === undefined ? "." : `: expected ${expected}.`);
  return { ...problem, ...place, message };
}

/** Puts an item on one line: a line break between its parts becomes a space, one inside a string its escape. */
function inOneLine(text: string) {
  return text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"?|\s+/g, (part) => {
    if (part.startsWith('"')) return part.replace(/\n/g, "\\n").replace(/\r/g, "\\r");
    return part.includes("\n") ? " " : part;
  });
}

/**
 * Returns the failed items as a file that can be imported after they are corrected: each on one line, otherwise
 * unchanged.
 */
export const failedLines = (failures: readonly Pick<FailedItem, "text">[]) =>
  failures.map(({ text }) => `${inOneLine(text)}\n`).join("");

/** Returns the failed items as rows of CSV, with the columns of which one has a value. */
export function failedRows(failures: readonly Pick<FailedItem, "text">[], { named }: Columns) {
  const items = failures.map(({ text }) => parseJson(text));
  const used = [...named].filter(([, column]) => column && items.some((item) => valueAt(item, column.path) != null));
  const { names, row } = csvRows({ named: new Map(used) });
  return names + items.map(row).join("");
}

/** Returns the reasons of the failures, one object per line. */
export const reasonLines = (failures: FailedItem[]) =>
  failures.map(({ text, name, ...reason }) => `${JSON.stringify(reason)}\n`).join("");
