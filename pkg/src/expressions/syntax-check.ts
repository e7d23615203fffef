// The check of query expressions, after its WebAssembly has started (src/bindings/syntax.rs).

import type { ErrorItem } from "../generated/issues.js";
import { languages } from "../generated/languages.js";
import { type Declaration, numbering, type SchemaReader } from "../own/declare.js";
import { initSync } from "../syntax/resource_edge.js";

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
  /** A rule of `resources.json`: a predicate whose variables are claims. */
  readonly rule: SyntaxCheck;
}

// The maximum number of UTF-8 bytes of a UTF-16 unit.
const UNIT_BYTES = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let wasm: ReturnType<typeof initSync>;

/** Writes a text into the buffer of the WebAssembly, and returns its length in bytes. */
function put(text: string) {
  const max = text.length * UNIT_BYTES;
  // A reservation may grow the memory, which detaches its buffer.
  const address = wasm.reserve(max);
  return encoder.encodeInto(text, new Uint8Array(wasm.memory.buffer, address, max)).written;
}

/** Reads the text that a function of the WebAssembly returned by its length; undefined if there is none. */
const textOf = (length: number) =>
  length === 0 ? undefined : decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.result(), length));

/** @internal Starts a compiled module and returns a function for each language. */
export function start(module: WebAssembly.Module): Syntax {
  wasm = initSync({ module });
  return syntaxOf(0);
}

/** Returns a function for each language, for the fields of a shape. */
function syntaxOf(shape: number): Syntax {
  const syntax = {} as { -readonly [Name in keyof Syntax]: SyntaxCheck };
  for (const [language, name] of languages.entries()) {
    syntax[name] = (text) => {
      const issue = textOf(wasm.check(shape, language, put(text)));
      return issue && JSON.parse(issue);
    };
  }
  return Object.freeze(syntax);
}

/** @internal Reads a schema, after the start. */
export const readSchema: SchemaReader = (schema) => textOf(wasm.read_schema(put(schema))) as string;

/** @internal Returns what is wrong with the content of `resources.json`, as JSON, after the start. */
export const checkResources = (content: string): string | undefined => textOf(wasm.check_resources(put(content)));

const numberOf = numbering((plain) => wasm.add_shape(put(plain)), readSchema);

/** @internal Returns the check for a declared resource, after the start. `usual` is that of the interface's. */
export function use(declared: { readonly declaration: Declaration } | undefined, usual: Syntax): Syntax {
  return declared === undefined ? usual : syntaxOf(numberOf(declared.declaration));
}
