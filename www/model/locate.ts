// Finds the places of issues in a JSON text.

import { lineOf } from "../pkg/items/json.js";
import { parseJson, pointerOf } from "./json.js";
import type { Path } from "./schema.js";

/** The members of an issue that determine its place in a JSON text. */
export type TextIssue = { path: Path; message: string; reason?: string; line?: number; column?: number };

/** A part of a text, as offsets in UTF-16 units. */
export type Span = { from: number; to: number };

/** An issue with its place. */
export type Located<Issue extends TextIssue> = Issue & Span & { line: number; column: number };

/** Converts a line and a column, both counted from 1, to an offset in UTF-16 units. Columns are characters. */
export function offsetOf(text: string, line: number, column: number) {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length, text.length);
}

// Issues about a member's name, not its value.
const ABOUT_NAME = ["unknownField", "duplicate"];

/**
 * Adds the place to each issue: `from`, `to`, `line`, and `column`. The place of a missing field is the object that
 * lacks it. The place of an unknown field is its name. The place of a duplicate field is the second occurrence of its
 * name.
 */
export function locateIssues<Issue extends TextIssue>(text: string, issues: readonly Issue[]): Located<Issue>[] {
  // If the text is not JSON, the issue already has the place.
  const parsed = issues.every(({ line }) => line === undefined);
  const spans = parsed
    ? spansOf(text, new Set(issues.flatMap(({ path }) => [pointerOf(path), pointerOf(path.slice(0, -1))])))
    : new Map<string, Span>();
  return issues.map((issue) => {
    const offset = issue.line === undefined ? 0 : offsetOf(text, issue.line, issue.column ?? 1);
    const name = ABOUT_NAME.includes(issue.reason ?? "") ? spans.get(`${pointerOf(issue.path)} name`) : undefined;
    const span = name ??
      spans.get(pointerOf(issue.path)) ??
      opening(spans.get(pointerOf(issue.path.slice(0, -1)))) ?? { from: offset, to: Math.min(offset + 1, text.length) };
    return { ...issue, ...span, ...lineOf(text.slice(0, span.from)) };
  });
}

const opening = (span: Span | undefined) => span && { from: span.from, to: span.from + 1 };

/** Returns the spans of the values at the wanted pointers in a valid JSON text. */
function spansOf(text: string, wanted: Set<string>) {
  const spans = new Map<string, Span>();
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
  /** Each open array or object: its start, its pointer, and the name or index of the next item. */
  const open: { from: number; pointer: string; array: boolean; next: string | number | undefined }[] = [];
  const pointerHere = () => {
    const top = open.at(-1);
    return top === undefined ? "" : `${top.pointer}${pointerOf([top.next ?? ""])}`;
  };
  const put = (at: string, from: number, to: number) => {
    // If a name occurs twice, this is the span of its first value. The second occurrence is found by its name.
    if (wanted.has(at) && !spans.has(at)) spans.set(at, { from, to });
  };
  for (const { 0: token, index } of tokens) {
    const top = open.at(-1);
    if (token === "{" || token === "[")
      open.push({ from: index, pointer: pointerHere(), array: token === "[", next: token === "[" ? 0 : undefined });
    else if (token === "}" || token === "]") {
      if (top === undefined) return spans;
      open.pop();
      put(top.pointer, top.from, index + 1);
    } else if (token === ",") {
      if (top === undefined) return spans;
      top.next = typeof top.next === "number" ? top.next + 1 : undefined;
    } else if (token !== ":") {
      if (top !== undefined && !top.array && top.next === undefined) {
        top.next = String(parseJson(token) ?? token);
        if (wanted.has(pointerHere())) spans.set(`${pointerHere()} name`, { from: index, to: index + token.length });
      } else put(pointerHere(), index, index + token.length);
    }
  }
  return spans;
}
