// Next's edge runtime: like Cloudflare Workers, but the file is imported in the way that Next and Vercel expect.

import { startNow } from "./core/instance.js";
import { readSchema, start } from "./expressions/syntax-check.js";
import { setReader } from "./own/reader.js";
import syntax from "./syntax/resource_edge_bg.wasm?module";
import module from "./wasm/resource_edge_bg.wasm?module";

// On a computer, Next compiles both in another realm: then they are no instances of the class that the bindings
// check for.
for (const compiled of [module, syntax]) Object.setPrototypeOf(compiled, WebAssembly.Module.prototype);
startNow(module);
setReader((schema) => {
  // The second start does nothing.
  start(syntax);
  return readSchema(schema);
});

/** Does nothing: the WebAssembly has started. It exists so that the same program runs in a browser. */
export async function init() {}

export * from "./api.js";
