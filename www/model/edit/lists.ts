// Lists as text that a person can type and paste, for three items or for ten thousand. An invalid item remains in the
// list as its text, so that the validator reports it.

import { parseNumber } from "../../pkg/items/csv.js";
import type { Field } from "../schema.js";

/** A part of a text that is an item, with its place. */
type Token = { token: string; from: number; to: number };

/** A way to write a list as text. */
export interface Notation {
  tokens(text: string): Iterable<Token>;
  read(token: string): { item: unknown; problem?: string };
  print(items: readonly unknown[]): string;
}

const CONTROL = /[\u0000-\u001f\u007f]/;

/** Returns true or false, or the text if it is neither. */
const parseBoolean = (token: string) => (token === "true" || token === "false" ? token === "true" : token);

/** Items separated by commas, semicolons, spaces, or line breaks. Brackets and quotes of pasted JSON are ignored. */
const words = (parse: (token: string) => unknown): Notation => ({
  *tokens(text) {
    for (const { 0: token, index } of text.matchAll(/[^\s,;[\]"]+/g))
      yield { token, from: index, to: index + token.length };
  },
  read: (token) => ({ item: parse(token) }),
  print: (items) => items.join(", "),
});

const numbers = words(parseNumber);
const booleans = words(parseBoolean);

/** Dates, as `2026-01-31T23:59:59.999Z`. One per line is easier to read. */
const dates: Notation = { ...words((token) => token), print: (items) => items.join("\n") };

/** Texts, one per line. A text that a line cannot show is written as JSON in double quotes. */
const texts: Notation = {
  tokens: lines,
  read(token) {
    if (!token.startsWith('"')) return { item: token };
    try {
      return { item: JSON.parse(token) };
    } catch {
      const problem =
        `${token} starts with a double quote but is not a JSON string. Close the quote, ` +
        `or write \\" for each quote inside.`;
      return { item: token, problem };
    }
  },
  print: (items) =>
    items
      .map((item) => {
        const text = String(item);
        return text.trim() === "" || text.startsWith('"') || CONTROL.test(text) ? JSON.stringify(text) : text;
      })
      .join("\n"),
};

/** Objects of numbers, one per line, their fields in the order of the columns. An empty place is an absent field. */
const objects = (columns: readonly string[]): Notation => ({
  tokens: lines,
  read(token) {
    const cells = token.split(/[,;\t]/).map((cell) => cell.trim());
    const item: { [column: string]: string | number } = {};
    columns.forEach((name, at) => {
      const cell = cells[at] ?? "";
      if (cell !== "") item[name] = parseNumber(cell);
    });
    if (cells.length <= columns.length) return { item };
    return {
      item,
      problem: `'${token}' has ${cells.length} values. Expected at most ${columns.length}: ${columns.join(", ")}.`,
    };
  },
  print: (items) =>
    items
      .map((item) =>
        columns
          .map((name) => (item as { [column: string]: unknown })[name] ?? "")
          .join(", ")
          .trimEnd(),
      )
      .join("\n"),
});

function* lines(text: string): Generator<Token> {
  let from = 0;
  for (const line of text.split("\n")) {
    const token = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (token.trim() !== "") yield { token, from, to: from + token.length };
    from += line.length + 1;
  }
}

/** Returns the notation of a field's list. */
export function notation(field: Field) {
  switch (field.kind) {
    case "numbers":
      return numbers;
    case "booleans":
      return booleans;
    case "dates":
      return dates;
    case "objects":
      return objects(field.columns);
    default:
      return texts;
  }
}

/** Parses a list from a text. `problems` has the indexes and messages of items with an invalid notation. */
export function parseList(form: Notation, text: string) {
  const items = [];
  const problems = [];
  for (const { token } of form.tokens(text)) {
    const { item, problem } = form.read(token);
    if (problem !== undefined) problems.push({ index: items.length, message: problem });
    items.push(item);
  }
  return { items, problems };
}

/** Returns a list as text, or an empty text for a value that the notation cannot write. */
export function printList(form: Notation, value: unknown) {
  if (!Array.isArray(value)) return "";
  try {
    return form.print(value);
  } catch {
    return "";
  }
}

/** Returns the place of an item in the text. */
export function spanOf(form: Notation, text: string, index: number) {
  let at = 0;
  for (const { from, to } of form.tokens(text)) {
    if (at++ === index) return { from, to };
  }
  return undefined;
}
