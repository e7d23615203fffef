/** What is wrong with an expression, and where: enough to underline it in an editor. */
export interface SyntaxIssue {
  /** A sentence for people. */
  readonly message: string;
  /** The line, from 1. */
  readonly line: number;
  /** The character within the line, from 1. */
  readonly column: number;
  /** How many characters are wrong; 0 where the expression ends too early. */
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

/** Loads the service's parsers, a WebAssembly of their own, once. Pages import this module when they show an editor. */
export function loadSyntax(): Promise<Syntax>;
