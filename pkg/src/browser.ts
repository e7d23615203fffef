// Browsers, with or without a bundler. Bundlers recognize `new URL(…, import.meta.url)`, copy the file, and insert its
// address. Without a bundler it is the file beside this one. Some tools do not copy it (Rollup, Vite's dev server
// before version 8). For them the bytes are in a chunk that is loaded only if the file cannot be used.

import { setSources, startFrom } from "./core/instance.js";
import type { Source } from "./core/wasm-source.js";
import { setReaderSource } from "./own/reader.js";

setSources(
  () => new URL("./wasm/resource_edge_bg.wasm", import.meta.url),
  async () => (await import("./wasm/inline.js")).default(),
);

// Only for schemas that are not in the plain form.
setReaderSource(async () => (await import("./expressions/inline-syntax.js")).loadSchemaReader());

/**
 * Loads the WebAssembly once. In a page, await it (or `ready`) before the first `validate`. The client calls it
 * automatically. Without `source` it finds the WebAssembly in all tools that the README lists. In Node, Bun, Deno, and
 * Workers there is nothing to load. Rejects with an `Error` if the WebAssembly cannot be loaded; a later call tries
 * again.
 */
export function init(source?: Source): Promise<void> {
  return startFrom(source === undefined ? undefined : [() => source]);
}

export type { Source };
export * from "./api.js";
