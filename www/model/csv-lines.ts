// Resources as rows of a CSV file (RFC 4180) that an import and a spreadsheet read.

import type { Columns } from "../pkg/items/columns.js";
import { valueAt } from "./schema.js";

const ITEMS = "|";

/** Returns the row of names, and a function that returns the row of a resource. */
export function csvRows({ named }: Pick<Columns, "named">) {
  const all = [...named].flatMap(([name, column]) => (column === undefined ? [] : [{ name, ...column }]));
  const isGroup = (path: readonly string[]) =>
    all.some((other) => other.path.length > path.length && path.every((name, at) => other.path[at] === name));
  const columns = all.filter(({ path }) => !isGroup(path));
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(",")}\r\n`;
  return {
    names: line(columns.map(({ name }) => name)),
    row: (resource: unknown) => line(columns.map(({ path }) => cellOf(valueAt(resource, path)))),
  };
}

/** Returns a value as a cell. A list that its items would not show is JSON. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "";
  if (typeof value !== "object") return String(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  const isPlain = value.every((item) => (typeof item === "string" ? isPlainText(item) : typeof item !== "object"));
  const text = value.map(String).join(ITEMS);
  return isPlain && text !== "" && !text.startsWith("[") ? text : JSON.stringify(value);
}

/** Returns whether a text remains the same between the separators of items. */
const isPlainText = (text: string) => !text.includes(ITEMS) && text.trim() === text;

const quoted = (cell: string) => (/[",;\t|\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
