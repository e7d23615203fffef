// The host bindings of a project's object: JavaScript functions that combine several boundary calls of Rust into one.
// This file makes no decisions.

/** @typedef {import("./types.js").Sql} Sql */

/**
 * Alarms in progress: ticket → the functions that settle them.
 * @type {Map<number, { resolve: (value?: unknown) => void, reject: (error: unknown) => void }>}
 */
export const waiting = new Map();

/**
 * Settles the promise of a ticket.
 * @param {number} ticket
 */
export function done(ticket) {
  const waiter = waiting.get(ticket);
  waiting.delete(ticket);
  waiter?.resolve();
}

/** @param {number} ms */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Returns the promise's value. Throws if it takes longer than `ms` milliseconds.
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 */
async function within(ms, promise) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {import("./types.js").Kv} kv
 * @param {string} entry
 * @param {string} value
 * @param {string} metadata
 * @param {number} ttl
 * @param {number} ms
 */
export const kvPut = (kv, entry, value, metadata, ttl, ms) =>
  within(ms, kv.put(entry, value, { metadata: JSON.parse(metadata), expirationTtl: ttl === 0 ? undefined : ttl }));

/**
 * @param {import("./types.js").Kv} kv
 * @param {string} prefix
 * @param {string | undefined} cursor
 * @param {number} ms
 */
export async function kvList(kv, prefix, cursor, ms) {
  const page = await within(ms, kv.list({ prefix, cursor }));
  return { ...page, cursor: page.list_complete ? undefined : page.cursor };
}

/** How many small calls an object performs before workerd can read its sockets. */
const CALLS = 16;
/** The bytes of a message that count as one more call: writing a large body takes as long as many small ones. */
const CALL_BYTES = 16 * 1024;

/**
 * The turns of an object's event loop. workerd reads its sockets only when it has no other work. Under saturation,
 * connections whose next request has already arrived keep it busy. Other connections wait for seconds, until workerd
 * closes them. So every 16th reply, or the reply to a large message, waits for a timer, and so do the replies after it.
 * Meanwhile workerd reads the sockets.
 */
export class Turns {
  #calls = 0;
  /** @type {Promise<void> | undefined} */
  #turn;

  /**
   * Returns the reply `[head, body]` to a message of `bytes` bytes, or a promise of it.
   * @param {number} bytes
   * @param {Uint8Array} head
   * @param {unknown} body
   */
  reply(bytes, head, body) {
    // The head is a view of WebAssembly memory, which moves: copy it.
    const reply = [head.slice(), body];
    this.#calls += 1 + bytes / CALL_BYTES;
    if (this.#calls < CALLS) return reply;
    this.#turn ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#calls = 0;
        this.#turn = undefined;
        resolve();
      }, 0);
    });
    return this.#turn.then(() => reply);
  }
}

/** The cost of all statements so far. */
const cost = { statements: 0, read: 0, written: 0 };
/** @param {import("./types.js").Cursor} cursor */
function count(cursor) {
  cost.statements += 1;
  cost.read += cursor.rowsRead;
  cost.written += cursor.rowsWritten;
}

/**
 * @param {Sql} sql
 * @param {string} statement
 * @param {unknown[]} binds
 */
export const sqlRun = (sql, statement, binds) => count(sql.exec(statement, ...binds));
/**
 * Rows are objects, because the platform creates those natively, but iterates `raw()` in JavaScript. A statement's
 * columns must have different names, or one would hide another. A row that is too short causes an error when it is
 * read.
 * @param {import("./types.js").Cursor} cursor
 */
function rows(cursor) {
  const rows = cursor.toArray();
  count(cursor);
  return rows;
}
/**
 * @param {Sql} sql
 * @param {string} statement
 * @param {unknown[]} binds
 */
export function sqlFirst(sql, statement, binds) {
  const [row] = rows(sql.exec(statement, ...binds));
  return row && Object.values(row);
}
/**
 * @param {Sql} sql
 * @param {string} statement
 * @param {unknown[]} binds
 */
export const sqlRows = (sql, statement, binds) => rows(sql.exec(statement, ...binds)).map(Object.values);
/** @param {Sql} sql */
export const databaseSize = (sql) => sql.databaseSize;
export const statements = () => cost.statements;
export const rowsRead = () => cost.read;
export const rowsWritten = () => cost.written;
