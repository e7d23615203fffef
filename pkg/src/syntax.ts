// The syntax check of queries, with its WebAssembly inside: one file for pages, Node, and all tools.

import type { ErrorItem } from "./generated/issues.js";
import base64 from "./syntax/inline.js";
import type { FieldTable } from "./own-fields.js";
import { start, use } from "./syntax-check.js";

/**
 * The first problem of an expression and its place, with the service's message: enough to underline it in an editor.
 * Programs can read what is valid from `reason`, `expected`, and `suggestion`.
 */
export interface SyntaxIssue extends ErrorItem {
  /** The line, from 1. */
  readonly line: number;
  /** The character within the line, from 1. */
  readonly column: number;
  /** How many characters are wrong; 0 if something is missing. */
  readonly length: number;
}

/** Checks an expression like the service. Returns `undefined` if it is valid, otherwise the first problem. */
export type SyntaxCheck = (text: string) => SyntaxIssue | undefined;

/** The checks, one for each parameter. */
export interface Syntax {
  /** A predicate: its syntax, its fields, and their operators. The values of variables are not checked. */
  readonly where: SyntaxCheck;
  /** A field to sort by, and its direction. */
  readonly sort: SyntaxCheck;
  /** A filter of a search: `filter`, `filter.query`, and `filter.facets`. */
  readonly filter: SyntaxCheck;
  /** A facet of a search. */
  readonly facet: SyntaxCheck;
}

let loading: Promise<Syntax> | undefined;

/**
 * Loads the service's parsers, a separate WebAssembly, once. Import this module only in pages that show an editor.
 * `fields` are the fields of your own: the content of `fields.json`.
 */
export function loadSyntax(fields?: FieldTable): Promise<Syntax> {
  loading ??= WebAssembly.compile(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
    .then(start)
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  if (fields === undefined) return loading;
  return loading.then((syntax) => {
    use(fields);
    return syntax;
  });
}
