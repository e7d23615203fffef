// The syntax check in Cloudflare Workers, which cannot compile bytes: the file is imported as a compiled module.

import { start } from "./syntax-check.js";
import type { Syntax } from "./syntax.js";
import module from "./syntax/resource_edge_bg.wasm";

let syntax: Syntax | undefined;

/** Starts the WebAssembly, once, and returns the check. */
export async function loadSyntax(): Promise<Syntax> {
  return (syntax ??= start(module));
}
