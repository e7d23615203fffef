// The check of query expressions, once its WebAssembly has started (src/bindings/syntax.rs).

import { check, initSync, reserve } from "./syntax/resource_edge.js";

// The most bytes that a UTF-16 unit takes in UTF-8.
const UNIT_BYTES = 3;

/** The languages by the numbers that they have in the WebAssembly (`Language` in src/syntax.rs). */
const LANGUAGES = ["where", "sort", "filter", "facet"];

/** Starts a compiled module and returns a function for each language. */
export function start(module) {
  const { memory } = initSync({ module });
  const encoder = new TextEncoder();
  const syntax = {};
  for (const [language, name] of LANGUAGES.entries()) {
    syntax[name] = (text) => {
      const most = text.length * UNIT_BYTES;
      // Reserving may grow the memory, which detaches its buffer.
      const address = reserve(most);
      const { written } = encoder.encodeInto(text, new Uint8Array(memory.buffer, address, most));
      const issue = check(language, written);
      return issue && JSON.parse(issue);
    };
  }
  return Object.freeze(syntax);
}
