// Splits a file's text into items while it is read. The text has one JSON object per line, or is an array, or an object
// with `results`, such as a page. An item is its unchanged text; the validator checks it.

import { limits } from "../pkg/browser.js";

const LINES = /\.(ndjson|jsonl)$/i;
// No body is larger (D10): a first line of this length is not an item.
const LONGEST = limits.bodyBytes;
// A text without an end up to here is not an item: a quote or a bracket is missing, or the file contains no items. An
// item that ends, but is too large for a body, is reported by the validator and does not affect other items.
const GIVEN_UP = 8 * LONGEST;

/** Accepts a file's text in pieces, and returns its items: `{ text, number, line, column }`, with the item's start. */
export class Splitter {
  #name;
  #reader;
  #beginning = "";
  // The error that ended the reading. It is thrown after the items before it are returned.
  #fault;

  /** @param name the file's name, which may indicate its format */
  constructor(name = "") {
    this.#name = name;
  }

  push(text) {
    if (this.#reader !== undefined) return this.#read(text);
    this.#beginning += text;
    return this.#start(false);
  }

  /** Returns the last items at the end of the text. Throws a `SyntaxError` if the file is incomplete. */
  finish() {
    const items = this.#start(true);
    if (this.#fault !== undefined) throw this.#fault;
    return [...items, ...(this.#reader?.finish() ?? [])];
  }

  #start(last) {
    if (this.#reader !== undefined) return [];
    this.#reader = readerOf(this.#name, this.#beginning, last);
    return this.#reader === undefined ? [] : this.#read(this.#beginning);
  }

  #read(text) {
    if (this.#fault !== undefined) throw this.#fault;
    const items = [];
    try {
      this.#reader.push(text, items);
    } catch (error) {
      this.#fault = error;
    }
    return items;
  }
}

/** Rejects a text that is too long for an item. */
function bound(length, what, line) {
  if (length > GIVEN_UP)
    throw new SyntaxError(
      `The ${what} that begins in line ${line} does not end within ${GIVEN_UP / LONGEST} MiB. Check that each bracket and quote before it is closed, or put each item into a line of its own.`,
    );
}

/** Returns the reader for a file's beginning, or `undefined` if it needs more text to decide. */
function readerOf(name, text, last) {
  if (LINES.test(name)) return new LineReader();
  const start = text.search(/\S/);
  if (start < 0) return text.length > LONGEST ? new ListReader() : undefined;
  if (text[start] === "[") return new ListReader();
  const end = text.indexOf("\n", start);
  if (end < 0 && !last) return text.length > LONGEST ? new ListReader() : undefined;
  const first = text.slice(start, end < 0 ? undefined : end).trim();
  return first.startsWith("{") && (!first.endsWith("}") || isPage(first)) ? new ListReader() : new LineReader();
}

function isPage(text) {
  try {
    return Array.isArray(JSON.parse(text).results);
  } catch {
    return false;
  }
}

/** One item per line. Empty lines are ignored. */
class LineReader {
  #rest = "";
  #line = 0;
  #number = 0;

  push(text, found) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) found.push(...this.#item(line));
    bound(this.#rest.length, "line", this.#line + 1);
  }

  finish() {
    return this.#item(this.#rest);
  }

  #item(line) {
    this.#line++;
    bound(line.length, "line", this.#line);
    const text = line.trim();
    return text === "" ? [] : [{ text, number: (this.#number += 1), line: this.#line, column: line.search(/\S/) + 1 }];
  }
}

const [QUOTE, BACKSLASH, COMMA, NEWLINE] = ['"', "\\", ",", "\n"].map((sign) => sign.charCodeAt(0));
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [..."[]{}"].map((sign) => sign.charCodeAt(0));

/** The items of an array: the whole text, or the member `results` of an object. */
class ListReader {
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

  push(text, found) {
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
    this.#forget();
    if (this.#start >= 0) bound(this.#at - this.#start, "item", this.#startLine);
    else if (this.#string >= 0) bound(this.#at - this.#string, "text", this.#stringLine);
  }

  finish() {
    if (this.#items < 0) return [];
    if (this.#items === 0 && this.#wrapped && this.#gone === 0) {
      return [{ text: this.#text.trimEnd(), number: 1, line: 1, column: 1 }];
    }
    if (this.#items === 0)
      throw new SyntaxError(
        "Expected a JSON array, an object with a list named 'results', or one object in each line.",
      );
    const where =
      this.#start < 0
        ? `after item ${this.#number}`
        : `in item ${this.#number + 1}, which begins in line ${this.#startLine}`;
    throw new SyntaxError(
      `The list breaks off ${where}. Expected ']' at its end: check that each bracket and quote before it is closed.`,
    );
  }

  #newline() {
    this.#line++;
    this.#lineStart = this.#gone + this.#at + 1;
  }

  #column() {
    return this.#gone + this.#at - this.#lineStart + 1;
  }

  #inString(code) {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) {
      if (this.#items === 0 && this.#depth === 1) this.#name = this.#text.slice(this.#string + 1, this.#at);
      this.#string = -1;
    }
  }

  #structure(code) {
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

  #amongItems(code, found) {
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

  #after(code) {
    if (this.#wrapped || code <= 0x20) return;
    throw new SyntaxError(`There is text after the list's end (line ${this.#line}), which was not read.`);
  }

  /** Drops text that is no longer needed. Before the list, keeps everything that may still be a single item. */
  #forget() {
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
