// The syntax check of queries, with its WebAssembly inside: one file for pages, Node, and all tools.

import base64 from "./syntax/inline.js";
import { start } from "./syntax-check.js";

let loading;

/** Compiles the WebAssembly, once, and returns the check. */
export function loadSyntax() {
  loading ??= WebAssembly.compile(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
    .then(start)
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
