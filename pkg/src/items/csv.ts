// Items of a CSV file (RFC 4180), which arrives in pieces: the first row has the names of fields, each further row is
// an item. What spreadsheets write is read as they mean it. Everything else is an error with its place, so that no
// value is lost. Ours instead of a library: papaparse does not tell the lines of rows, renames a column that occurs
// twice, and reads `sep=;` as the names. Of this file, it would replace an expression.

import { limits } from "../generated/limits.js";
import type { Column, Columns } from "./columns.js";
import { type Item, parsed, type Reader } from "./json.js";

/** Separates the items of a list in a cell. A cell that begins with a bracket is a JSON array. */
const ITEMS = "|";

/** The first row that is not empty, if it has ended. */
const FIRST_ROW = /^[\r\n]*((?:[^"\r\n]|"[^"]*")+)[\r\n]/;
const BREAKS = /\r\n?|\n/g;

/**
 * Returns the character that separates cells: what a line `sep=;` says, which spreadsheets write before the names, or
 * the most frequent one of the first row, outside of quotes.
 */
function separatorOf(row: string) {
  const unquoted = row.replace(/"[^"]*"/g, "");
  const count = (separator: string) => unquoted.split(separator).length;
  const [, said] = /^sep=(.)$/i.exec(row) ?? [];
  return said ?? [",", ";", "\t", "|"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** Returns the form of a cell and what ends it. Quotes around its text are not part of it, and two inside are one. */
function cellOf(separator: string) {
  const code = `\\u${separator.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const end = `${code}|\\r\\n|\\r(?!$)|\\n`;
  return new RegExp(`(?:"([^"]*(?:""[^"]*)*)"(?!")|(?!"))([^${code}\\r\\n]*)(${end})`, "gy");
}

const WRONG_QUOTE =
  "a quote begins or ends inside the cell. Put quotes around the whole cell, and write each quote inside twice.";
const short = (text = "") => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const faultAt = (line: number, column: number, text: string) =>
  new SyntaxError(`Line ${line}, column ${column + 1}: ${text}`);

/** The first row has names of which no field has one. `names` are all of its names. */
export class UnknownColumns extends SyntaxError {
  readonly names;

  constructor(message: string, names: readonly string[]) {
    super(message);
    this.names = names;
  }
}

export class CsvReader implements Reader {
  readonly #columns;
  #cell: RegExp | undefined;
  #rest = "";
  #header: readonly string[] | undefined;
  #cells: string[] = [];
  #line = 1;
  #start = 1;
  #number = 0;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  push(text: string, found: Item[]) {
    this.#rest += text;
    const row = FIRST_ROW.exec(this.#cell === undefined ? this.#rest : "")?.[1];
    if (row !== undefined) this.#cell = cellOf(separatorOf(row));
    let end = 0;
    for (const [whole, quoted, plain = "", after] of this.#cell ? this.#rest.matchAll(this.#cell) : []) {
      end += whole.length;
      if (quoted === undefined ? /^\s+"/.test(plain) : plain !== "")
        throw faultAt(this.#line, this.#cells.length, WRONG_QUOTE);
      this.#line += whole.match(BREAKS)?.length ?? 0;
      this.#cells.push(quoted?.replaceAll('""', '"') ?? plain);
      if (after === "\n" || after?.startsWith("\r")) this.#endRow(found);
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
    if (this.#rest.trim() !== "")
      throw new SyntaxError(`The row that starts in line ${this.#start} has a quote that is not closed.`);
    return found;
  }

  #endRow(found: Item[]) {
    const cells = this.#cells;
    const line = this.#start;
    this.#cells = [];
    this.#start = this.#line;
    if (cells.every((cell) => cell === "") || (this.#header === undefined && /^sep=$/i.test(cells[0] ?? ""))) return;
    if (this.#header === undefined) {
      this.#header = cells.map((cell) => cell.trim());
      return checkNames(this.#header, this.#columns, line);
    }
    const header = this.#header;
    const unnamed = cells.findIndex((cell, at) => cell !== "" && !header[at]);
    if (unnamed >= 0)
      throw faultAt(line, unnamed, `'${short(cells[unnamed])}' has no name above it. Name the column, or delete it.`);
    found.push({ text: this.#itemText(header, cells), number: (this.#number += 1), line, column: 1 });
  }

  /** Returns the JSON text of a row. An empty cell is an absent field. */
  #itemText(header: readonly string[], cells: readonly string[]) {
    const item = structuredClone(this.#columns.empty);
    for (const [at, cell] of cells.entries()) {
      const column = this.#columns.named.get(header[at] ?? "");
      if (column !== undefined && cell !== "") setAt(item, column.path, cellValue(column, cell));
    }
    return JSON.stringify(item);
  }
}

/** Rejects names of which no field has one, and columns that would set the same value. */
function checkNames(names: readonly string[], { named }: Columns, line: number) {
  const unknown = names.flatMap((name, at) =>
    name === "" || named.has(name) ? [] : [`'${short(name)}' (column ${at + 1})`],
  );
  if (unknown.length > 0)
    throw new UnknownColumns(
      `Line ${line}: no field has the name ${unknown.join(", ")}. The first row has the names of fields. Rename each ` +
        "column to one, or delete it.",
      names,
    );
  const isSame = (one: string, other: string) => other !== "" && `${one}.`.startsWith(`${other}.`);
  for (const [at, name] of names.entries()) {
    const other = names.findIndex((one, its) => its !== at && isSame(name, one));
    if (other >= 0) throw faultAt(line, at, `column ${other + 1} has the values of '${name}' too. Delete one of them.`);
  }
}

function setAt(object: { [name: string]: any }, [name = "", ...rest]: readonly string[], value: unknown) {
  if (rest.length > 0) setAt((object[name] ??= {}), rest, value);
  else object[name] = value;
}

/** Returns a cell as a value of a field. What does not have its form stays a text, and gets an error. */
function cellValue({ form, isList }: Column, cell: string): unknown {
  if (isList && !cell.trimStart().startsWith("[")) return cell.split(ITEMS).map((one) => single(form, one.trim()));
  return isList || form === "json" ? (parsed(cell) ?? cell) : single(form, cell);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const GROUPED_BY_DOTS = /^[+-]?\d{1,3}(\.\d{3})+,\d+$/;
const GROUPED_BY_COMMAS = /^[+-]?\d{1,3}(,\d{3})+\.\d+$/;
/** A comma before three digits separates thousands for some people, and decimals for others. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Returns a number with a decimal point. What can mean two numbers remains as it is. */
function withPoint(text: string) {
  if (GROUPED_BY_COMMAS.test(text)) return text.replaceAll(",", "");
  if (GROUPED_BY_DOTS.test(text)) return text.replaceAll(".", "").replace(",", ".");
  return UNCLEAR.test(text) ? text : text.replace(",", ".");
}

/** Returns a number with a decimal point or comma, or the text if it is not a number or overflows. */
export function parseNumber(text: string) {
  const plain = withPoint(text);
  const number = NUMBER.test(plain) ? Number(plain) : NaN;
  return Number.isFinite(number) ? number : text;
}

function single(form: Column["form"], text: string): unknown {
  if (form === "number") return parseNumber(text.trim());
  if (form === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}
