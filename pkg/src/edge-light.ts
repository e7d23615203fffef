// Next's edge runtime: like Cloudflare Workers, but the file is imported in the way that Next and Vercel expect.

import { startNow } from "./core/instance.js";
import module from "./wasm/resource_edge_bg.wasm?module";

// On a computer, Next compiles it in another realm: then it is no instance of the class that the bindings check for.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
startNow(module);

/** Does nothing: the WebAssembly has started. It exists so that the same program runs in a browser. */
export async function init() {}

export * from "./api.js";
