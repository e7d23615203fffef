/** Imports SQLite's WebAssembly. */
export const importWasm = () => import("@sqlite.org/sqlite-wasm");
