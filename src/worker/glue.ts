// The host bindings of a project's object: JavaScript functions that combine several boundary calls of Rust into one.
// This file makes no decisions.

import { helperOf } from "./objects.js";
import { reason } from "./reason.js";
import type { Cursor, Environment, Kv, PutLimits, RunningTask, Sql } from "./types.js";

/** Alarms in progress: ticket → the functions that settle them. */
export const waiting = new Map<number, { resolve: (value?: unknown) => void; reject: (error: unknown) => void }>();

/** Settles the promise of a ticket. */
export function done(ticket: number) {
  const waiter = waiting.get(ticket);
  waiting.delete(ticket);
  waiter?.resolve();
}

/** Returns the promise's value. Throws if it takes longer than `ms` milliseconds. */
async function within<T>(ms: number, promise: Promise<T>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the task with the promise's value, or with the reason of its failure. */
function endAfter(task: RunningTask, promise: Promise<string | undefined>) {
  promise.then(
    (page) => task.end(page),
    (error) => task.fail(reason(error)),
  );
}

export function wait(task: RunningTask, ms: number) {
  setTimeout(() => task.end(undefined), ms);
}

export function kvPut(
  task: RunningTask,
  kv: Kv,
  entry: string,
  value: string,
  metadata: string,
  ttl: number,
  ms: number,
) {
  endAfter(task, put(kv, entry, value, JSON.parse(metadata), ttl, ms));
}

async function put(kv: Kv, entry: string, value: string, metadata: unknown, ttl: number, ms: number) {
  await within(ms, kv.put(entry, value, { metadata, expirationTtl: ttl === 0 ? undefined : ttl }));
  return undefined;
}

export function kvPutAll(
  task: RunningTask,
  env: Environment,
  project: string,
  helper: number,
  entries: string,
  atOnce: number,
  beginMs: number,
  ms: number,
) {
  // Time for the last put, and as long for the way there and back.
  const limit = beginMs + 2 * ms;
  within(limit, helperOf(env, project, helper).putAll(entries, { atOnce, beginMs, ms })).then(
    (failures) => task.endBatch(failures),
    (error) => task.fail(reason(error)),
  );
}

/** Puts a batch: `[[entry, value, metadata, ttl], …]`. Returns why each entry failed; empty if it succeeded. */
export async function putAll(kv: Kv, entries: string, { atOnce, beginMs, ms }: PutLimits) {
  const batch: [string, string, unknown, number][] = JSON.parse(entries);
  const failures = batch.map(() => "not begun in time");
  const until = Date.now() + beginMs;
  const rest = batch.entries();
  const putRest = async () => {
    for (const [at, [entry, value, metadata, ttl]] of rest) {
      if (Date.now() > until) return;
      failures[at] = await put(kv, entry, value, metadata, ttl, ms).then(() => "", reason);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, putRest));
  return failures;
}

export function kvList(task: RunningTask, kv: Kv, prefix: string, cursor: string | undefined, ms: number) {
  const list = async () => {
    const page = await within(ms, kv.list({ prefix, cursor }));
    return JSON.stringify({ ...page, cursor: page.list_complete ? undefined : page.cursor });
  };
  endAfter(task, list());
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
  #turn: Promise<void> | undefined;

  /** Returns the reply `[head, body]` to a message of `bytes` bytes, or a promise of it. */
  reply(bytes: number, head: Uint8Array, body: unknown) {
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
function count(cursor: Cursor) {
  cost.statements += 1;
  cost.read += cursor.rowsRead;
  cost.written += cursor.rowsWritten;
}

export const sqlRun = (sql: Sql, statement: string, binds: unknown[]) => count(sql.exec(statement, ...binds));
/**
 * Rows are objects, because the platform creates those natively, but iterates `raw()` in JavaScript. A statement's
 * columns must have different names, or one would hide another. A row that is too short causes an error when it is
 * read.
 */
function rows(cursor: Cursor) {
  const rows = cursor.toArray();
  count(cursor);
  return rows;
}
export function sqlFirst(sql: Sql, statement: string, binds: unknown[]) {
  const [row] = rows(sql.exec(statement, ...binds));
  return row && Object.values(row);
}
export const sqlRows = (sql: Sql, statement: string, binds: unknown[]) =>
  rows(sql.exec(statement, ...binds)).map(Object.values);
export const databaseSize = (sql: Sql) => sql.databaseSize;
export const statements = () => cost.statements;
export const rowsRead = () => cost.read;
export const rowsWritten = () => cost.written;
