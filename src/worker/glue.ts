// The host bindings of a project's object: JavaScript functions that combine several boundary calls of Rust into one.
// This file makes no decisions.

import { Deadlines } from "./object/deadlines.js";
import { claimRoom, isRehearsal } from "./room.js";
import { helperOf } from "./objects.js";
import { reason } from "./reason.js";
import type { Cursor, Environment, Framed, Kv, KvPut, Performed, PutLimits, RunningTask, Sql } from "./types.js";

export { claimRoom, Deadlines, isRehearsal };

/** Alarms in progress: ticket → the functions that settle them. */
export const waiting = new Map<number, { resolve: (value?: unknown) => void; reject: (error: unknown) => void }>();

/** Settles the promise of a ticket. */
export function done(ticket: number) {
  const waiter = waiting.get(ticket);
  waiting.delete(ticket);
  waiter?.resolve();
}

export function wait(task: RunningTask, ms: number) {
  setTimeout(() => task.end(undefined), ms);
}

const put = (kv: Kv, [entry, value, metadata, ttl]: KvPut) =>
  kv.put(entry, value, { metadata, expirationTtl: ttl === 0 ? undefined : ttl });

export function kvPut(
  task: RunningTask,
  calls: Deadlines,
  kv: Kv,
  entry: string,
  value: string,
  metadata: string,
  ttl: number,
) {
  calls.run(
    () => put(kv, [entry, value, JSON.parse(metadata), ttl]),
    () => task.end(undefined),
    (error) => task.fail(reason(error)),
  );
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
  new Deadlines(beginMs + 2 * ms).run(
    () => helperOf(env, project, helper).putAll(entries, { atOnce, beginMs, ms }),
    (failures) => task.endBatch(failures),
    (error) => task.fail(reason(error)),
  );
}

/** Puts a batch of entries. Returns why each failed; empty if it succeeded. */
export async function putAll(kv: Kv, entries: string, { atOnce, beginMs, ms }: PutLimits) {
  const batch: KvPut[] = JSON.parse(entries);
  const failures = batch.map(() => "not begun in time");
  const until = Date.now() + beginMs;
  const calls = new Deadlines(ms);
  const rest = batch.entries();
  const putRest = async () => {
    for (const [at, one] of rest) {
      if (Date.now() > until) return;
      failures[at] = await new Promise<string>((end) => {
        calls.run(
          () => put(kv, one),
          () => end(""),
          (error) => end(reason(error)),
        );
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, putRest));
  return failures;
}

export function kvList(task: RunningTask, calls: Deadlines, kv: Kv, prefix: string, cursor: string | undefined) {
  calls.run(
    () => kv.list({ prefix, cursor }),
    (page) => task.end(JSON.stringify({ ...page, cursor: page.list_complete ? undefined : page.cursor })),
    (error) => task.fail(reason(error)),
  );
}

/** A reply. The head is a view of WebAssembly memory, which moves: copy it. */
export const reply = (head: Uint8Array, body: unknown): Performed => ({ kind: "reply", reply: [head.slice(), body] });

export const listen = (head: Uint8Array, body: unknown, next: Uint8Array, ms: number, caller: number): Performed => ({
  kind: "listen",
  reply: [head.slice(), body],
  next: next.slice(),
  ms,
  caller,
});

export const turn = (caller: number): Performed => ({ kind: "turn", caller });
export const epoch = (project: string): Performed & Framed => ({ kind: "epoch", project });
export const frame = (text: string): Framed => ({ kind: "frame", text });
export const close = (why: "history" | "restart"): Framed => ({ kind: "close", why });

/** The cost of all statements so far. */
const cost = { statements: 0, read: 0, written: 0 };
function count(cursor: Cursor) {
  cost.statements += 1;
  cost.read += cursor.rowsRead;
  cost.written += cursor.rowsWritten;
}

export function sqlRun(sql: Sql, statement: string, binds: unknown[]) {
  claimRoom();
  count(sql.exec(statement, ...binds));
}
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
  const row = rows(sql.exec(statement, ...binds))[0];
  return row && Object.values(row);
}
export const sqlRows = (sql: Sql, statement: string, binds: unknown[]) =>
  rows(sql.exec(statement, ...binds)).map(Object.values);
export const databaseSize = (sql: Sql) => sql.databaseSize;
export const statements = () => cost.statements;
export const rowsRead = () => cost.read;
export const rowsWritten = () => cost.written;
