// The check of query expressions, after its WebAssembly has started (src/bindings/syntax.rs).

import { languages } from "./generated/languages.js";
import type { Syntax, SyntaxCheck } from "./syntax.js";
import { check, initSync, reserve } from "./syntax/resource_edge.js";

// The maximum number of UTF-8 bytes of a UTF-16 unit.
const UNIT_BYTES = 3;

/** Starts a compiled module and returns a function for each language. */
export function start(module: WebAssembly.Module): Syntax {
  const { memory } = initSync({ module });
  const encoder = new TextEncoder();
  const syntax = {} as { -readonly [Name in keyof Syntax]: SyntaxCheck };
  for (const [language, name] of languages.entries()) {
    syntax[name] = (text) => {
      const max = text.length * UNIT_BYTES;
      // A reservation may grow the memory, which detaches its buffer.
      const address = reserve(max);
      const { written } = encoder.encodeInto(text, new Uint8Array(memory.buffer, address, max));
      const issue = check(language, written);
      return issue && JSON.parse(issue);
    };
  }
  return Object.freeze(syntax);
}
