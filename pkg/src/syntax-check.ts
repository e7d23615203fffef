// The check of query expressions, after its WebAssembly has started (src/bindings/syntax.rs).

import { languages } from "./generated/languages.js";
import { type FieldTable, linesOf } from "./own-fields.js";
import type { Syntax, SyntaxCheck } from "./syntax.js";
import { check, initSync, reserve, set_fields } from "./syntax/resource_edge.js";

// The maximum number of UTF-8 bytes of a UTF-16 unit.
const UNIT_BYTES = 3;

const encoder = new TextEncoder();
let memory: WebAssembly.Memory;

/** Writes a text into the buffer of the WebAssembly, and returns its length in bytes. */
function put(text: string) {
  const max = text.length * UNIT_BYTES;
  // A reservation may grow the memory, which detaches its buffer.
  const address = reserve(max);
  return encoder.encodeInto(text, new Uint8Array(memory.buffer, address, max)).written;
}

/** Starts a compiled module and returns a function for each language. */
export function start(module: WebAssembly.Module): Syntax {
  ({ memory } = initSync({ module }));
  const syntax = {} as { -readonly [Name in keyof Syntax]: SyntaxCheck };
  for (const [language, name] of languages.entries()) {
    syntax[name] = (text) => {
      const issue = check(language, put(text));
      return issue && JSON.parse(issue);
    };
  }
  return Object.freeze(syntax);
}

/** Lets the check use own fields, after the start. */
export function use(fields: FieldTable) {
  const wrong = set_fields(put(linesOf(fields)));
  if (wrong !== undefined) throw new TypeError(wrong);
}
