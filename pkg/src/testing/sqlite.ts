// SQLite databases in memory: from the runtime's `node:sqlite`, otherwise from `@sqlite.org/sqlite-wasm`. Each has one
// function, `run(statement, binds)`, which returns the rows as arrays. As in a Durable Object, every number is bound as
// a double.

import type { Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import { importWasm } from "./wasm.js";

/** A value of a parameter. */
export type Bind = string | number | null | Uint8Array;

/** A database. A row is the list of its cells. */
export interface Database {
  run(sql: string, binds: readonly Bind[]): unknown[][];
  close(): void;
}

/** Features of SQLite beyond its core that the service needs. For example, Deno lacks the mathematical functions. */
const PROBES = [
  "CREATE VIRTUAL TABLE probe USING fts5(words, content='')",
  "SELECT jsonb('[]'), pow(2, 3), radians(1)",
];

/** The oldest version of the package that works. `npm install` without a version installs an older one, because the
 * newer ones count as prereleases. */
const PACKAGE = "@sqlite.org/sqlite-wasm@3.54.1-build1";
const INSTALL = `npm install --save-dev ${PACKAGE}`;

/** Returns a function that creates a database. `engine` is `node`, `wasm`, or `undefined` for the available one. */
export async function loadSqlite(engine: "node" | "wasm" | undefined): Promise<() => Database> {
  if (engine !== undefined && engine !== "node" && engine !== "wasm")
    throw new TypeError(`sqlite: expected 'node' or 'wasm', found '${engine}'.`);
  // Not an import, because bundlers resolve every import that they find.
  const native = engine === "wasm" ? undefined : globalThis.process?.getBuiltinModule?.("node:sqlite");
  if (native !== undefined) {
    const open = () => new NodeDatabase(native);
    const lack = lackOf(open);
    if (lack === undefined) return open;
    if (engine === "node") throw new Error(`sqlite: node:sqlite of this runtime lacks a feature: ${lack}. Use 'wasm'.`);
  }
  if (engine === "node")
    throw new Error("sqlite: this runtime has no node:sqlite. Node.js has it from version 22.13 on.");
  const sqlite = await loadWasm();
  const open = () => new WasmDatabase(sqlite);
  const lack = lackOf(open);
  if (lack !== undefined)
    throw new Error(
      `SQLite ${sqlite.version.libVersion} of @sqlite.org/sqlite-wasm lacks a feature: ${lack}. Install: ${INSTALL}`,
    );
  return open;
}

/** Returns the missing feature as SQLite reports it. */
function lackOf(open: () => Database) {
  const database = open();
  try {
    for (const probe of PROBES) database.run(probe, []);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    database.close();
  }
}

let loading: Promise<Sqlite3Static> | undefined;

/** Loads the package once. A failed attempt may be repeated. */
function loadWasm(): Promise<Sqlite3Static> {
  loading ??= importWasm()
    .then(({ default: start }) => start({ print() {}, printErr() {} }))
    .catch((cause) => {
      loading = undefined;
      const { code, message } = cause as { code?: string; message?: string };
      const isAbsent = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
      const reason = isAbsent
        ? "Node.js has it from version 22.13 on. Elsewhere, add it to your project"
        : `@sqlite.org/sqlite-wasm does not start here (${message}): it may be too old. Install the right version`;
      throw new Error(`resource-edge/testing needs SQLite. ${reason}: ${INSTALL}`, { cause });
    });
  return loading;
}

/** Converts a cell to the form of a Durable Object: blobs are buffers. */
function cell(value: unknown) {
  if (!ArrayBuffer.isView(value)) return value;
  const copy = new Uint8Array(value.byteLength);
  copy.set(value as Uint8Array);
  return copy.buffer;
}

/** A database of Node's SQLite, which binds numbers as doubles. */
class NodeDatabase {
  #database;

  constructor({ DatabaseSync }: typeof import("node:sqlite")) {
    this.#database = new DatabaseSync(":memory:");
  }

  run(sql: string, binds: readonly Bind[]) {
    const rows = this.#database.prepare(sql).all(...binds);
    return rows.map((row) => Object.values(row).map(cell));
  }

  close() {
    this.#database.close();
  }
}

/** A database of SQLite compiled to WebAssembly. */
class WasmDatabase {
  #database;
  #bindDouble;
  /** The package's class of bytes. The package accepts no other class, and Jest's jsdom has another. */
  #Bytes: Uint8ArrayConstructor;

  constructor({ oo1, capi, wasm }: Sqlite3Static) {
    this.#database = new oo1.DB(":memory:");
    this.#bindDouble = capi.sqlite3_bind_double;
    this.#Bytes = wasm.heap8u().constructor as Uint8ArrayConstructor;
  }

  run(sql: string, binds: readonly Bind[]) {
    const statement = this.#database.prepare(sql);
    try {
      binds.forEach((value, index) => {
        if (typeof value === "number") this.#bindDouble(statement.pointer as number, index + 1, value);
        else statement.bind(index + 1, ArrayBuffer.isView(value) ? this.#Bytes.from(value as Uint8Array) : value);
      });
      const rows = [];
      while (statement.step()) rows.push(statement.get([]).map(cell));
      return rows;
    } finally {
      statement.finalize();
    }
  }

  close() {
    this.#database.close();
  }
}
