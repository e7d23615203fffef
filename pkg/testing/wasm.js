/**
 * Imports SQLite's WebAssembly.
 * @returns {Promise<{ default: (options: object) => Promise<import("@sqlite.org/sqlite-wasm").Sqlite3Static> }>}
 */
export const importWasm = () => import("@sqlite.org/sqlite-wasm");
