// Generated from the query languages (src/syntax.rs). Do not edit: run `make generate`.

import type { Syntax } from "../syntax.js";

/** The query languages. The index of each is its number in the WebAssembly. */
export const languages: readonly (keyof Syntax)[] = ["where", "sort", "filter", "facet"];
