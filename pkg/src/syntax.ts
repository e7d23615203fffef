// The syntax check of queries, with its WebAssembly inside: one file for pages, Node, and all tools.

import { startInline } from "./expressions/inline-syntax.js";
import { type Syntax, use } from "./expressions/syntax-check.js";
import type { DeclaredResource } from "./own/resource.js";

export type { Syntax, SyntaxCheck, SyntaxIssue } from "./expressions/syntax-check.js";

/**
 * Loads the service's parsers, a separate WebAssembly, once. Import this module only in pages that show an editor.
 * `declared` is what `resource` returns for a resource of `resources.json`. Default: the resource of the interface.
 */
export async function loadSyntax(declared?: DeclaredResource<any>): Promise<Syntax> {
  return use(declared, await startInline());
}
