// The syntax check of queries, with its WebAssembly inside: one file for pages, Node, and all tools.

import base64 from "./syntax/inline.js";
import type { DeclaredResource } from "./own/resource.js";
import type { FieldTable } from "./own/table.js";
import { start, type Syntax, use } from "./expressions/syntax-check.js";

export type { Syntax, SyntaxCheck, SyntaxIssue } from "./expressions/syntax-check.js";

let loading: Promise<Syntax> | undefined;

/**
 * Loads the service's parsers, a separate WebAssembly, once. Import this module only in pages that show an editor.
 * `fields` are the fields of your own: the content of `fields.json`, or what `resource` returns for a resource of
 * `resources.json`.
 */
export function loadSyntax(fields?: FieldTable | DeclaredResource<any>): Promise<Syntax> {
  loading ??= WebAssembly.compile(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
    .then(start)
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading.then((syntax) => use(fields, syntax));
}
