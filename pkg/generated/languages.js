// Generated from the query languages (src/syntax.rs). Do not edit: run `make generate`.

/**
 * The query languages. The index of each is its number in the WebAssembly.
 * @type {(keyof import("../syntax.js").Syntax)[]}
 */
export const languages = ["where", "sort", "filter", "facet"];
