// Next's edge runtime: as Cloudflare Workers, but the file is imported in the way that Next and Vercel expect.

import { startNow } from "./core.js";
import module from "./wasm/resource_edge_bg.wasm?module";

// Next's local runtime compiles the file in another realm, whose modules are no instances of this one's class.
startNow(Object.setPrototypeOf(module, WebAssembly.Module.prototype));

/** Nothing is left to do here; it exists so that the same program runs in a browser. */
export async function init() {}

export * from "./api.js";
