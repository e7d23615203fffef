// Reads the items of a text of JSON, which arrives in pieces: one object per line, an array, or an object with
// `results`, such as a page. An item is its unchanged text; the validator checks it.

import { limits } from "../generated/limits.js";

/** An item of a file: its unchanged text, its number, and its start. */
export type Item = { text: string; number: number; line: number; column: number };

/** Reads a text in pieces, and adds the items that it finds. */
export type Reader = { push(text: string, found: Item[]): void; finish(): Item[] };

/** Returns the value of a JSON text, or `undefined` if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the line and the column after a text, counted from 1. Columns are characters, as in the validator. */
export function lineOf(before: string) {
  const lines = before.split("\n");
  const last = lines.at(-1) ?? "";
  const pairs = last.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return { line: lines.length, column: last.length + 1 - pairs };
}

// No body is larger (D10): a first line of this length is not an item.
const LONGEST = limits.bodyBytes;
// A text that has not ended at this length is not an item: a quote or a bracket is missing, or the file contains no
// items. If an item ends but is too large for a body, the validator reports it, and other items are not affected.
const GIVEN_UP = 8 * LONGEST;

/** Rejects a text that is too long for an item. */
function bound(length: number, what: string, line: number) {
  if (length > GIVEN_UP)
    throw new SyntaxError(
      `The ${what} that starts in line ${line} does not end within ${GIVEN_UP / LONGEST} MiB. Check that each ` +
        "bracket and quote before it is closed, or put each item on a separate line.",
    );
}

/** Returns the reader of a text of JSON, or `undefined` if it needs more text to decide. */
export function jsonReader(text: string, last: boolean): Reader | undefined {
  const start = text.search(/\S/);
  if (start < 0) return text.length > LONGEST ? new ListReader() : undefined;
  if (text[start] === "[") return new ListReader();
  const end = text.indexOf("\n", start);
  if (end < 0 && !last) return text.length > LONGEST ? new ListReader() : undefined;
  const first = text.slice(start, end < 0 ? undefined : end).trim();
  return first.startsWith("{") && (!first.endsWith("}") || isPage(first)) ? new ListReader() : new LineReader();
}

const isPage = (text: string) => Array.isArray((parsed(text) as { results?: unknown } | null | undefined)?.results);

/** One item per line. Empty lines are ignored. */
export class LineReader implements Reader {
  #rest = "";
  #line = 0;
  #number = 0;

  push(text: string, found: Item[]) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) found.push(...this.#item(line));
    bound(this.#rest.length, "line", this.#line + 1);
  }

  finish() {
    return this.#item(this.#rest);
  }

  #item(line: string) {
    this.#line++;
    bound(line.length, "line", this.#line);
    const text = line.trim();
    return text === "" ? [] : [{ text, number: (this.#number += 1), line: this.#line, column: line.search(/\S/) + 1 }];
  }
}

/** A string, with its last quote if it has ended; a bracket or a comma; or anything else. */
const PART = /"[^"\\]*(?:\\[^][^"\\]*)*("?)|[[\]{},]|[^\s"[\]{},]+/g;

/** The items of an array: the whole text, or the member `results` of an object. */
class ListReader implements Reader {
  /** What is still needed: from the open item or string on. Before the list, everything that may be a single item. */
  #text = "";
  #isWhole = true;
  /** The offset of the next part. */
  #at = 0;
  /** The offset of the last place that was counted, with its line and column. */
  #counted = 0;
  #line = 1;
  #column = 1;
  #number = 0;
  #depth = 0;
  /** The depth of the list's items; 0 before the list, −1 after it. */
  #items = 0;
  #isWrapped = false;
  #name = "";
  /** The offset of the open item; −1 outside. */
  #start = -1;
  #isAfterComma = false;

  push(text: string, found: Item[]) {
    this.#text += text;
    PART.lastIndex = this.#at;
    for (;;) {
      const [part, end] = this.#next();
      if (part === undefined) break;
      if (this.#isAmongItems && this.#start < 0 && part !== "," && part !== "]") {
        this.#start = this.#at;
        this.#count(this.#at);
      }
      // The rest of the string comes with the next piece. After the list, no text is right.
      if (end === "" && this.#items >= 0) break;
      this.#read(part, found);
    }
    if (this.#start < 0) this.#count(this.#at);
    bound(this.#text.length - this.#counted, this.#start < 0 ? "text" : "item", this.#line);
    this.#drop();
  }

  finish() {
    if (this.#items < 0) return [];
    if (this.#items === 0 && this.#isWrapped && this.#isWhole) {
      return [{ text: this.#text.trimEnd(), number: 1, line: 1, column: 1 }];
    }
    if (this.#items === 0)
      throw new SyntaxError("Expected a JSON array, an object with a list named 'results', or one object per line.");
    const where =
      this.#start < 0
        ? `after item ${this.#number}`
        : `in item ${this.#number + 1}, which starts in line ${this.#line}`;
    throw new SyntaxError(
      `The list has no closing ']': the file ends ${where}. Check that each bracket and quote before it is closed.`,
    );
  }

  get #isAmongItems() {
    return this.#items > 0 && this.#depth === this.#items;
  }

  /** Returns the next part and its last quote. */
  #next() {
    const match = PART.exec(this.#text);
    this.#at = match?.index ?? this.#text.length;
    return match ?? [];
  }

  /** Counts lines and columns up to an offset. */
  #count(at: number) {
    const { line, column } = lineOf(this.#text.slice(this.#counted, at));
    this.#column = line === 1 ? this.#column + column - 1 : column;
    this.#line += line - 1;
    this.#counted = at;
  }

  #read(part: string, found: Item[]) {
    if (this.#items < 0) {
      if (this.#isWrapped) return;
      this.#count(this.#at);
      throw new SyntaxError(`The text after the end of the list (line ${this.#line}) was not read.`);
    }
    if (!this.#isAmongItems) return this.#enter(part);
    // A bracket that closes nothing is part of the item: the validator reports it.
    if (part !== "," && part !== "]") return part === "}" ? undefined : this.#enter(part);
    if (this.#start >= 0 || this.#isAfterComma || part === ",") found.push(this.#item());
    this.#isAfterComma = part === ",";
    if (part === "]") this.#items = -1;
  }

  /** Follows the names and the brackets around and in the items. */
  #enter(part: string) {
    const isInRoot = this.#items === 0 && this.#depth === 1;
    if (part.startsWith('"')) {
      if (isInRoot) this.#name = part.slice(1, -1);
    } else if (part === "[" && ((this.#items === 0 && this.#depth === 0) || (isInRoot && this.#name === "results"))) {
      this.#depth++;
      this.#items = this.#depth;
    } else if (part === "[" || part === "{") {
      this.#depth++;
      this.#isWrapped ||= this.#items === 0;
    } else if (part === "]" || part === "}") this.#depth--;
  }

  /** Returns the item that ends here. It may be empty. */
  #item() {
    const start = this.#start < 0 ? this.#at : this.#start;
    if (this.#start < 0) this.#count(start);
    bound(this.#at - start, "item", this.#line);
    this.#start = -1;
    const text = this.#text.slice(start, this.#at).trimEnd();
    return { text, number: (this.#number += 1), line: this.#line, column: this.#column };
  }

  /** Drops text that is no longer needed. */
  #drop() {
    if (this.#items === 0 && this.#text.length <= LONGEST) return;
    this.#text = this.#text.slice(this.#counted);
    this.#at -= this.#counted;
    this.#isWhole &&= this.#counted === 0;
    if (this.#start >= 0) this.#start = 0;
    this.#counted = 0;
  }
}
