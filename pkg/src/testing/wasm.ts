import type { Sqlite3Static } from "@sqlite.org/sqlite-wasm";

/** Imports SQLite's WebAssembly. */
export const importWasm = (): Promise<{ default: (options: object) => Promise<Sqlite3Static> }> =>
  import("@sqlite.org/sqlite-wasm");
