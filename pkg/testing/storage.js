// The platform of a project's object: `ctx.storage` of a Durable Object, and KV.

/** @typedef {import("./clock.js").Clock} Clock */
/** @typedef {import("./clock.js").Timer} Timer */
/** @typedef {import("./sqlite.js").Database} Database */

/**
 * A version of a KV entry: readers get it from the instant `from` on.
 * @typedef {{ from: number, ends: number, value: string, metadata: unknown }} Version
 */

/** The storage of one object, as far as the Worker uses it. */
export class Storage {
  #database;
  #clock;
  #ring;
  /** @type {Map<string, unknown>} */
  #values = new Map();
  /** @type {number | null} */
  #alarm = null;
  /** @type {Timer | undefined} */
  #timer;

  /**
   * Creates the storage on a database. `ring` is called when the alarm rings.
   * @param {Database} database
   * @param {Clock} clock
   * @param {() => unknown} ring
   */
  constructor(database, clock, ring) {
    this.#database = database;
    this.#clock = clock;
    this.#ring = ring;
    this.sql = {
      /**
       * @param {string} statement
       * @param {unknown[]} binds
       */
      exec(statement, ...binds) {
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

  /**
   * Runs the function in a transaction. An exception rolls it back.
   * @param {() => unknown} run
   */
  transactionSync(run) {
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

  /** @param {string} name */
  async get(name) {
    return this.#values.get(name);
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  async put(name, value) {
    this.#values.set(name, value);
  }

  async getAlarm() {
    return this.#alarm;
  }

  /** @param {number | null} at */
  async setAlarm(at) {
    this.#schedule(at);
  }

  /** @param {number | null} at */
  #schedule(at) {
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
  /**
   * The versions of each entry that a reader may still get, oldest first, by the entry's name.
   * @type {Map<string, Version[]>}
   */
  #entries = new Map();
  #clock;
  #lag;

  /**
   * @param {Clock} clock
   * @param {number} lag
   */
  constructor(clock, lag) {
    this.#clock = clock;
    this.#lag = lag;
  }

  /**
   * @param {string} name
   * @param {string} value
   * @param {{ metadata?: unknown, expirationTtl?: number }} options
   */
  async put(name, value, { metadata, expirationTtl }) {
    const now = this.#clock.now();
    const ends = expirationTtl === undefined ? Infinity : now + expirationTtl * 1000;
    const versions = this.#entries.get(name) ?? [];
    const past = versions.findLastIndex(({ from }) => from <= now);
    this.#entries.set(name, [...versions.slice(Math.max(0, past)), { from: now + this.#lag, ends, value, metadata }]);
  }

  /**
   * @param {string} name
   * @param {{ type?: string }} options
   */
  async getWithMetadata(name, { type }) {
    const now = this.#clock.now();
    const found = this.#entries.get(name)?.findLast(({ from }) => from <= now);
    if (found === undefined || found.ends <= now) return { value: null, metadata: null };
    return {
      value: type === "arrayBuffer" ? new TextEncoder().encode(found.value).buffer : found.value,
      metadata: found.metadata,
    };
  }

  /**
   * Returns everything in one page.
   * @param {{ prefix: string }} options
   */
  async list({ prefix }) {
    const now = this.#clock.now();
    const newest = [...this.#entries].map(([name, versions]) => ({ name, ...versions[versions.length - 1] }));
    const keys = newest
      .filter(({ name, ends }) => name.startsWith(prefix) && ends > now)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return { keys: keys.map(({ name, metadata }) => ({ name, metadata })), list_complete: true };
  }
}
