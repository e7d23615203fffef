// Cloudflare Workers: the file is imported as a compiled module, so that nothing has to be awaited.

import { startNow } from "./core/instance.js";
import { readSchema, start } from "./expressions/syntax-check.js";
import { setReader } from "./own/reader.js";
import syntax from "./syntax/resource_edge_bg.wasm";
import module from "./wasm/resource_edge_bg.wasm";

startNow(module);
setReader((schema) => {
  // The second start does nothing.
  start(syntax);
  return readSchema(schema);
});

/** Does nothing: the WebAssembly has started. It exists so that the same program runs in a browser. */
export async function init() {}

export * from "./api.js";
