// The platform of a project's object: `ctx.storage` of a Durable Object, and KV.

/** The storage of one object, as far as the Worker uses it. */
export class Storage {
  #database;
  #clock;
  #ring;
  #alarm = null;
  #timer;

  /** Creates the storage on a database. `ring` is called when the alarm rings. */
  constructor(database, clock, ring) {
    this.#database = database;
    this.#clock = clock;
    this.#ring = ring;
    this.sql = {
      exec(statement, ...binds) {
        const rows = database.run(statement, binds);
        // SQLite does not report how many rows it reads and writes: the first are the rows that it returns.
        return { toArray: () => rows, rowsRead: rows.length, rowsWritten: 0 };
      },
    };
  }

  /** Runs the function in a transaction. An exception rolls it back. */
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

  async getAlarm() {
    return this.#alarm;
  }

  async setAlarm(at) {
    this.#schedule(at);
  }

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
  /** By name: the versions of an entry that a reader may still get, oldest first. */
  #entries = new Map();
  #clock;
  #lag;

  constructor(clock, lag) {
    this.#clock = clock;
    this.#lag = lag;
  }

  async put(name, value, { metadata, expirationTtl }) {
    const now = this.#clock.now();
    const ends = expirationTtl === undefined ? Infinity : now + expirationTtl * 1000;
    const versions = this.#entries.get(name) ?? [];
    const past = versions.findLastIndex(({ from }) => from <= now);
    this.#entries.set(name, [...versions.slice(Math.max(0, past)), { from: now + this.#lag, ends, value, metadata }]);
  }

  async getWithMetadata(name, { type }) {
    const now = this.#clock.now();
    const found = this.#entries.get(name)?.findLast(({ from }) => from <= now);
    if (found === undefined || found.ends <= now) return { value: null, metadata: null };
    return {
      value: type === "arrayBuffer" ? new TextEncoder().encode(found.value).buffer : found.value,
      metadata: found.metadata,
    };
  }

  /** Returns everything in one page. */
  async list({ prefix }) {
    const now = this.#clock.now();
    const newest = [...this.#entries].map(([name, versions]) => ({ name, ...versions[versions.length - 1] }));
    const keys = newest
      .filter(({ name, ends }) => name.startsWith(prefix) && ends > now)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return { keys: keys.map(({ name, metadata }) => ({ name, metadata })), list_complete: true };
  }
}
