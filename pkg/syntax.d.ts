import type { ErrorItem } from "./issues.js";

/** What is wrong with an expression, in the service's own words, and where: enough to underline it in an editor. `reason`, `expected`
 * and `suggestion` say for programs what would be right. */
export interface SyntaxIssue extends ErrorItem {
  /** The line, from 1. */
  readonly line: number;
  /** The character within the line, from 1. */
  readonly column: number;
  /** How many characters are wrong; 0 where something is missing. */
  readonly length: number;
}

/** Checks an expression as the service would: `undefined` if it is right, else the first thing that is wrong. */
export type SyntaxCheck = (text: string) => SyntaxIssue | undefined;

/** The checks, one for each parameter. */
export interface Syntax {
  /** A predicate: its syntax, its fields, and whether they have the operators. The values of variables are not judged. */
  readonly where: SyntaxCheck;
  /** A field to sort by, and its direction. */
  readonly sort: SyntaxCheck;
  /** A filter of a search: `filter`, `filter.query` and `filter.facets`. */
  readonly filter: SyntaxCheck;
  /** A facet of a search. */
  readonly facet: SyntaxCheck;
}

/** Loads the service's parsers, a separate WebAssembly, once. Pages import this module when they show an editor. */
export function loadSyntax(): Promise<Syntax>;
