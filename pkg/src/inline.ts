// For tools that cannot copy a file: the WebAssembly is inside the JavaScript, which makes it a third larger.

import { setSources, startFrom } from "./core.js";
import bytes from "./wasm/inline.js";

setSources(bytes);

/** Compiles the WebAssembly, once. */
export function init() {
  return startFrom();
}

export * from "./api.js";
