// Browsers, with or without a bundler. Bundlers recognize `new URL(…, import.meta.url)`, copy the file, and insert its
// address. Without a bundler it is the file beside this one. Some tools do not copy it (Rollup, Vite's dev server
// before version 8). For them the bytes are in a chunk that is loaded only if the file cannot be used.

import { setSources, startFrom } from "./core.js";

setSources(
  () => new URL("./wasm/resource_edge_bg.wasm", import.meta.url),
  async () => (await import("./wasm/inline.js")).default(),
);

/**
 * Loads and compiles the WebAssembly, once. `source` may be an address, a response, bytes or a compiled module.
 * @param {import("./index.js").Source} [source]
 */
export function init(source) {
  return startFrom(source === undefined ? undefined : [() => source]);
}

export * from "./api.js";
