// The items of a file, which is read in pieces: CSV, or one of the forms of JSON.

import { type FileSource, piecesOf } from "../backup/file-lines.js";
import type { Columns } from "./columns.js";
import { CsvReader } from "./csv.js";
import { type Item, jsonReader, LineReader, type Reader } from "./json.js";

const LINES = /\.(ndjson|jsonl)$/i;
const CSV = /\.(csv|tsv)$/i;
/** Standard input has no name that says what it is. Only CSV begins with another character. */
const STANDARD_INPUT = "-";
const BEGINS_CSV = /^\s*[^\s[{]/;

/** Accepts a file's text in pieces, and returns its items. */
export class Splitter {
  readonly #columns;
  readonly #name;
  #reader: Reader | undefined;
  #beginning = "";
  /** The error that ended the reading. It is thrown after the items before it are returned. */
  #fault: unknown;

  /** The file's name may indicate its format. The names in CSV are those of the resource's fields. */
  constructor(columns: Columns, name = "") {
    this.#columns = columns;
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
    this.#reader = this.#choose(this.#beginning, last);
    return this.#reader === undefined ? [] : this.#read(this.#reader, this.#beginning);
  }

  /** Returns the reader for the beginning, or `undefined` if it needs more text to decide. */
  #choose(text: string, last: boolean) {
    if (LINES.test(this.#name)) return new LineReader();
    if (CSV.test(this.#name) || (this.#name === STANDARD_INPUT && BEGINS_CSV.test(text)))
      return new CsvReader(this.#columns);
    return jsonReader(text, last);
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

/** Yields the items of a file in groups. `read` is the number of bytes so far. */
export async function* itemsOf(
  file: FileSource,
  name: string,
  columns: Columns,
  signal: AbortSignal,
): AsyncGenerator<{ items: Item[]; read: number }> {
  const splitter = new Splitter(columns, name);
  let decoder = new TextDecoder();
  let read = 0;
  for await (const bytes of piecesOf(file, signal)) {
    // Fail on other encodings: replacement characters would change the data without notice.
    if (read === 0) decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
    read += bytes.length;
    yield { items: splitter.push(decode(decoder, bytes, read)), read };
  }
  yield { items: [...splitter.push(decode(decoder, undefined, read)), ...splitter.finish()], read };
}

/** Returns the encoding of a file. Excel writes UTF-16 as "Unicode text", with a byte order mark. */
function encodingOf([first, second]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Decodes the next bytes of a file, or ends it without any. */
function decode(decoder: TextDecoder, bytes: Uint8Array | undefined, read: number) {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    const name = decoder.encoding.toUpperCase();
    throw new SyntaxError(
      `The file is not ${name} text (within its first ${read} bytes). Save it as UTF-8, and try again.`,
    );
  }
}
