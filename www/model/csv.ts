// Items of a CSV file (RFC 4180), which arrives in pieces: the first row has the names of fields, each further row is
// an item. Ours instead of a library: those that read in pieces do not tell the lines of rows, at which faults are
// shown.

import { limits } from "../pkg/browser.js";
import { fields, queryName } from "./fields.js";
import { parseJson } from "./json.js";
import { parseNumber } from "./lists.js";
import type { Item, Reader } from "./ndjson.js";
import { isList, withValue, type Field } from "./schema.js";

/** Separates the items of a list in a cell. A cell that begins with a bracket is a JSON array. */
const ITEMS = "|";

/** Fields by their names in a header. Those of a group, such as a person, are `createdBy.firstName`. */
const named = new Map<string, Field>();
for (const field of fields) {
  named.set(queryName(field), field);
  if (field.kind === "group") for (const inner of field.fields) named.set(inner.path.join("."), inner);
}

/** Returns the character that separates cells: the most frequent one of the first line. */
export function separatorOf(line: string) {
  const count = (separator: string) => line.split(separator).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

export class CsvReader implements Reader {
  /** A cell and what ends it. Quotes around its text are not part of it, and two inside are one. */
  #cell;
  #rest = "";
  #header: readonly string[] | undefined;
  #cells: string[] = [];
  #line = 1;
  #start = 1;
  #number = 0;

  constructor(separator: string) {
    this.#cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"(?!")|(?!"))([^${separator}\n]*)([${separator}\n])`, "gy");
  }

  push(text: string, found: Item[]) {
    this.#rest += text;
    let end = 0;
    for (const [whole, quoted = "", rest = "", after] of this.#rest.matchAll(this.#cell)) {
      end += whole.length;
      this.#line += whole.split("\n").length - 1;
      this.#cells.push(quoted.replaceAll('""', '"') + (after === "\n" ? rest.replace(/\r$/, "") : rest));
      if (after === "\n") this.#endRow(found);
    }
    this.#rest = this.#rest.slice(end);
    // Otherwise a quote that is not closed would take the rest of a large file into memory.
    if (this.#rest.length > limits.bodyBytes)
      throw new SyntaxError(
        `The row that starts in line ${this.#start} has a cell that is longer than a resource. Check its quotes.`,
      );
  }

  finish() {
    const found: Item[] = [];
    if (this.#cells.length > 0 || this.#rest !== "") this.push("\n", found);
    if (this.#rest !== "")
      throw new SyntaxError(`The row that starts in line ${this.#start} has a quote that is not closed.`);
    return found;
  }

  #endRow(found: Item[]) {
    const cells = this.#cells;
    const line = this.#start;
    this.#cells = [];
    this.#start = this.#line;
    if (cells.every((cell) => cell === "")) return;
    if (this.#header === undefined) {
      this.#header = cells.map((cell) => cell.trim());
      return;
    }
    if (cells.length > this.#header.length)
      throw new SyntaxError(
        `The row in line ${line} has ${cells.length} cells, but there are ${this.#header.length} names.`,
      );
    found.push({ text: itemText(this.#header, cells), number: (this.#number += 1), line, column: 1 });
  }
}

/** Returns the JSON text of a row. An empty cell is an absent field. An unknown name stays, and gets an error. */
function itemText(header: readonly string[], cells: readonly string[]) {
  let item: { [name: string]: unknown } = { objectTypeProperty: {} };
  for (const [at, cell] of cells.entries()) {
    const name = header[at] ?? "";
    const field = named.get(name);
    if (cell !== "") item = withValue(item, field?.path ?? [name], field === undefined ? cell : cellValue(field, cell));
  }
  return JSON.stringify(item);
}

/** Returns a cell as a value of a field. What does not have its form stays a text, and gets an error. */
function cellValue(field: Field, cell: string): unknown {
  if (isList(field) && !cell.trimStart().startsWith("["))
    return cell.split(ITEMS).map((one) => single(field.kind, one.trim()));
  const isJson = isList(field) || field.kind === "group" || field.kind === "json";
  return isJson ? (parseJson(cell) ?? cell) : single(field.kind, cell);
}

function single(kind: Field["kind"], text: string): unknown {
  if (kind.startsWith("number")) return parseNumber(text.trim());
  if (kind.startsWith("boolean") && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}
