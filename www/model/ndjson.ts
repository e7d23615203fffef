// Splits a file's text into items while it is read. The text has one JSON object per line, or is an array, or an object
// with `results`, such as a page; or is CSV. An item is its unchanged text; the validator checks it.

import { limits } from "../pkg/browser.js";
import { CsvReader, separatorOf } from "./csv.js";

const LINES = /\.(ndjson|jsonl)$/i;
const CSV = /\.(csv|tsv)$/i;
// No body is larger (D10): a first line of this length is not an item.
const LONGEST = limits.bodyBytes;
// A text that has not ended at this length is not an item: a quote or a bracket is missing, or the file contains no
// items. If an item ends but is too large for a body, the validator reports it, and other items are not affected.
const GIVEN_UP = 8 * LONGEST;

/** An item of a file: its unchanged text, its number, and its start. */
export type Item = { text: string; number: number; line: number; column: number };

/** Reads a text in pieces, and adds the items that it finds. */
export type Reader = { push(text: string, found: Item[]): void; finish(): Item[] };

/** Accepts a file's text in pieces, and returns its items. */
export class Splitter {
  #name;
  #reader: Reader | undefined;
  #beginning = "";
  /** The error that ended the reading. It is thrown after the items before it are returned. */
  #fault: unknown;

  /** The file's name may indicate its format. */
  constructor(name = "") {
    this.#name = name;
  }

  push(text: string): Item[] {
    if (this.#reader !== undefined) return this.#read(this.#reader, text);
    this.#beginning += text;
    return this.#start(false);
  }

  /** Returns the last items at the end of the text. Throws a `SyntaxError` if the file is incomplete. */
  finish() {
    const items = this.#start(true);
    if (this.#fault !== undefined) throw this.#fault;
    return [...items, ...(this.#reader?.finish() ?? [])];
  }

  #start(last: boolean): Item[] {
    if (this.#reader !== undefined) return [];
    this.#reader = readerOf(this.#name, this.#beginning, last);
    return this.#reader === undefined ? [] : this.#read(this.#reader, this.#beginning);
  }

  #read(reader: Reader, text: string) {
    if (this.#fault !== undefined) throw this.#fault;
    const items: Item[] = [];
    try {
      reader.push(text, items);
    } catch (error) {
      this.#fault = error;
    }
    return items;
  }
}

/** Rejects a text that is too long for an item. */
function bound(length: number, what: string, line: number) {
  if (length > GIVEN_UP)
    throw new SyntaxError(
      `The ${what} that starts in line ${line} does not end within ${GIVEN_UP / LONGEST} MiB. Check that each ` +
        "bracket and quote before it is closed, or put each item on a separate line.",
    );
}

/** Returns the reader for a file's beginning, or `undefined` if it needs more text to decide. */
function readerOf(name: string, text: string, last: boolean): Reader | undefined {
  if (LINES.test(name)) return new LineReader();
  if (CSV.test(name)) {
    const [line = "", more] = text.split("\n", 2);
    return more === undefined && !last ? undefined : new CsvReader(separatorOf(line));
  }
  const start = text.search(/\S/);
  if (start < 0) return text.length > LONGEST ? new ListReader() : undefined;
  if (text[start] === "[") return new ListReader();
  const end = text.indexOf("\n", start);
  if (end < 0 && !last) return text.length > LONGEST ? new ListReader() : undefined;
  const first = text.slice(start, end < 0 ? undefined : end).trim();
  return first.startsWith("{") && (!first.endsWith("}") || isPage(first)) ? new ListReader() : new LineReader();
}

function isPage(text: string) {
  try {
    return Array.isArray(JSON.parse(text).results);
  } catch {
    return false;
  }
}

/** One item per line. Empty lines are ignored. */
class LineReader implements Reader {
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

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The items of an array: the whole text, or the member `results` of an object. */
class ListReader implements Reader {
  #text = "";
  // The offset of the next character in `#text`, and the number of characters dropped before it.
  #at = 0;
  #gone = 0;
  #line = 1;
  #lineStart = 0;
  #number = 0;
  #depth = 0;
  // The depth of the list's items; 0 before the list, −1 after it.
  #items = 0;
  #wrapped = false;
  #name = "";
  // The start of the open string and of the open item; −1 outside.
  #string = -1;
  #stringLine = 1;
  #escaped = false;
  #start = -1;
  #startLine = 1;
  #startColumn = 1;
  #comma = false;

  push(text: string, found: Item[]) {
    this.#text += text;
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === NEWLINE) this.#newline();
      // A column is a character. The second half of a surrogate pair does not count.
      else if (code >= 0xdc00 && code <= 0xdfff) this.#lineStart++;
      if (this.#string >= 0) this.#inString(code);
      else if (this.#items < 0) this.#after(code);
      else if (this.#items > 0 && this.#depth === this.#items) this.#amongItems(code, found);
      else this.#structure(code);
    }
    this.#drop();
    if (this.#start >= 0) bound(this.#at - this.#start, "item", this.#startLine);
    else if (this.#string >= 0) bound(this.#at - this.#string, "text", this.#stringLine);
  }

  finish() {
    if (this.#items < 0) return [];
    if (this.#items === 0 && this.#wrapped && this.#gone === 0) {
      return [{ text: this.#text.trimEnd(), number: 1, line: 1, column: 1 }];
    }
    if (this.#items === 0)
      throw new SyntaxError("Expected a JSON array, an object with a list named 'results', or one object per line.");
    const where =
      this.#start < 0
        ? `after item ${this.#number}`
        : `in item ${this.#number + 1}, which starts in line ${this.#startLine}`;
    throw new SyntaxError(
      `The list has no closing ']': the file ends ${where}. Check that each bracket and quote before it is closed.`,
    );
  }

  #newline() {
    this.#line++;
    this.#lineStart = this.#gone + this.#at + 1;
  }

  #column() {
    return this.#gone + this.#at - this.#lineStart + 1;
  }

  #inString(code: number) {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) {
      if (this.#items === 0 && this.#depth === 1) this.#name = this.#text.slice(this.#string + 1, this.#at);
      this.#string = -1;
    }
  }

  #structure(code: number) {
    if (code === QUOTE) {
      this.#string = this.#at;
      this.#stringLine = this.#line;
    } else if (code === OPEN_LIST && this.#isList()) {
      this.#depth++;
      this.#items = this.#depth;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      this.#depth++;
      this.#wrapped ||= this.#items === 0;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#depth--;
  }

  #isList() {
    return this.#items === 0 && (this.#depth === 0 || (this.#depth === 1 && this.#name === "results"));
  }

  #amongItems(code: number, found: Item[]) {
    if (code <= 0x20) return;
    if (code === COMMA || code === CLOSE_LIST) {
      if (this.#start >= 0 || this.#comma || code === COMMA) found.push(this.#item());
      this.#comma = code === COMMA;
      if (code === CLOSE_LIST) this.#items = -1;
      return;
    }
    if (this.#start < 0) {
      this.#start = this.#at;
      this.#startLine = this.#line;
      this.#startColumn = this.#column();
    }
    // A bracket that closes nothing is part of the item: the validator reports it.
    if (code !== CLOSE_OBJECT) this.#structure(code);
  }

  #item() {
    const begun = this.#start >= 0;
    if (begun) bound(this.#at - this.#start, "item", this.#startLine);
    const text = begun ? this.#text.slice(this.#start, this.#at).trimEnd() : "";
    this.#start = -1;
    return {
      text,
      number: (this.#number += 1),
      line: begun ? this.#startLine : this.#line,
      column: begun ? this.#startColumn : this.#column(),
    };
  }

  #after(code: number) {
    if (this.#wrapped || code <= 0x20) return;
    throw new SyntaxError(`The text after the end of the list (line ${this.#line}) was not read.`);
  }

  /** Drops text that is no longer needed. Before the list, keeps everything that may still be a single item. */
  #drop() {
    let keep = this.#start;
    if (keep < 0) keep = this.#items === 0 && this.#text.length <= LONGEST ? 0 : this.#string;
    if (keep < 0) keep = this.#at;
    this.#text = this.#text.slice(keep);
    this.#gone += keep;
    this.#at -= keep;
    if (this.#start >= 0) this.#start -= keep;
    if (this.#string >= 0) this.#string -= keep;
  }
}
