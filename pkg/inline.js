// For tools that cannot place a file (esbuild): the WebAssembly travels inside the JavaScript, a third larger.

import { startFrom } from "./core.js";
import base64 from "./wasm/inline.js";

/** Compiles the WebAssembly, once. */
export function init() {
  return startFrom(() => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

export * from "./api.js";
