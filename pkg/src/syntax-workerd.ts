// The syntax check in Cloudflare Workers, which cannot compile bytes: the file is imported as a compiled module.

import type { DeclaredResource } from "./own/resource.js";
import { start, type Syntax, use } from "./expressions/syntax-check.js";
import module from "./syntax/resource_edge_bg.wasm";

let syntax: Syntax | undefined;

/** Starts the WebAssembly, once, and returns the check: of the interface's resource, or of a declared one. */
export async function loadSyntax(declared?: DeclaredResource<any>): Promise<Syntax> {
  syntax ??= start(module);
  return use(declared, syntax);
}
