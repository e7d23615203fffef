// Browsers, with a bundler or without. Vite and webpack see `new URL(…, import.meta.url)`, place the file and write its
// address here; without a bundler it is the file beside this one. Importing this touches nothing but the module graph,
// so a server may render pages that import it.

import { startFrom } from "./core.js";

/** Fetches and compiles the WebAssembly, once; or takes it as an address, a response, bytes or a compiled module. */
export function init(source) {
  return startFrom(() => source ?? new URL("./wasm/resource_edge_bg.wasm", import.meta.url));
}

export * from "./api.js";
