// The syntax check in Cloudflare Workers, which cannot compile bytes: the file is imported as a compiled module.

import { start } from "./syntax-check.js";
import module from "./syntax/resource_edge_bg.wasm";

let syntax;

/** Starts the WebAssembly, once, and returns the check. */
export async function loadSyntax() {
  return (syntax ??= start(module));
}
