// Generated from the query languages (src/syntax.rs). Do not edit: run `make generate`.

/** The query languages. The index of each is its number in the WebAssembly. */
export const languages = ["where", "sort", "filter", "facet", "rule"] as const;
