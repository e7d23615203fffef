// The platform of a project's object: `ctx.storage` of a Durable Object, and KV.

import type { Clock, Timer } from "./clock.js";
import type { Bind, Database } from "./sqlite.js";

/** A version of a KV entry: readers get it from the instant `from` on. */
type Version = { from: number; ends: number; value: string; metadata: unknown };

/** The storage of one object, as far as the Worker uses it. */
export class Storage {
  sql;
  #database;
  #clock;
  #ring;
  #values = new Map<string, unknown>();
  #alarm: number | null = null;
  #timer: Timer | undefined;

  /** Creates the storage on a database. `ring` is called when the alarm rings. */
  constructor(database: Database, clock: Clock, ring: () => unknown) {
    this.#database = database;
    this.#clock = clock;
    this.#ring = ring;
    this.sql = {
      exec(statement: string, ...binds: Bind[]) {
        const rows = database.run(statement, binds);
        // SQLite does not report how many rows it reads and writes: the first are the rows that it returns.
        return { toArray: () => rows, rowsRead: rows.length, rowsWritten: 0 };
      },
      /** The bytes of the pages in use. */
      get databaseSize() {
        const pages = "(page_count - freelist_count) FROM pragma_page_size, pragma_page_count, pragma_freelist_count";
        return database.run(`SELECT page_size * ${pages}`, [])[0][0];
      },
    };
  }

  /** Runs the function in a transaction. An exception rolls it back. */
  transactionSync(run: () => unknown) {
    const alarm = this.#alarm;
    this.#database.run("BEGIN IMMEDIATE", []);
    try {
      const result = run();
      this.#database.run("COMMIT", []);
      return result;
    } catch (error) {
      this.#rollBack();
      this.#schedule(alarm);
      throw error;
    }
  }

  #rollBack() {
    try {
      this.#database.run("ROLLBACK", []);
    } catch {
      // SQLite has already rolled back.
    }
  }

  async get(name: string) {
    return this.#values.get(name);
  }

  async put(name: string, value: unknown) {
    this.#values.set(name, value);
  }

  async getAlarm() {
    return this.#alarm;
  }

  async setAlarm(at: number | null) {
    this.#schedule(at);
  }

  #schedule(at: number | null) {
    if (at === this.#alarm) return;
    this.#alarm = at;
    this.#clock.clear(this.#timer);
    if (at === null) return;
    this.#timer = this.#clock.set(at, () => {
      this.#alarm = null;
      return this.#ring();
    });
  }
}

/** A KV namespace in memory. Reads return an entry as it was `lag` milliseconds ago. */
export class Kv {
  /** The versions of each entry that a reader may still get, oldest first, by the entry's name. */
  #entries = new Map<string, Version[]>();
  #clock;
  #lag;

  constructor(clock: Clock, lag: number) {
    this.#clock = clock;
    this.#lag = lag;
  }

  async put(name: string, value: string, { metadata, expirationTtl }: { metadata?: unknown; expirationTtl?: number }) {
    const now = this.#clock.now();
    const ends = expirationTtl === undefined ? Infinity : now + expirationTtl * 1000;
    const versions = this.#entries.get(name) ?? [];
    const past = versions.findLastIndex(({ from }) => from <= now);
    this.#entries.set(name, [...versions.slice(Math.max(0, past)), { from: now + this.#lag, ends, value, metadata }]);
  }

  async getWithMetadata(name: string, { type }: { type?: string }) {
    const now = this.#clock.now();
    const found = this.#entries.get(name)?.findLast(({ from }) => from <= now);
    if (found === undefined || found.ends <= now) return { value: null, metadata: null };
    return {
      value: type === "arrayBuffer" ? new TextEncoder().encode(found.value).buffer : found.value,
      metadata: found.metadata,
    };
  }

  /** Returns everything in one page. */
  async list({ prefix }: { prefix: string }) {
    const now = this.#clock.now();
    const newest = [...this.#entries].map(([name, versions]) => ({ name, ...versions[versions.length - 1] }));
    const keys = newest
      .filter(({ name, ends }) => name.startsWith(prefix) && ends > now)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return { keys: keys.map(({ name, metadata }) => ({ name, metadata })), list_complete: true };
  }
}
