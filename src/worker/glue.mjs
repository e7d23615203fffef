// What Rust calls in JavaScript for a project's object: helpers that make one crossing out of several. Nothing here decides
// anything.

/** Alarms that wait for their end: ticket → the functions that settle them. */
export const waiting = new Map();

/** Ends the waiting for something that has no answer. */
export function done(ticket) {
  const waiter = waiting.get(ticket);
  waiting.delete(ticket);
  waiter?.resolve();
}

export const kvPut = (kv, entry, value, metadata, ttl) =>
  kv.put(entry, value, { metadata, expirationTtl: ttl === 0 ? undefined : ttl });

export async function kvList(kv, prefix, cursor) {
  const page = await kv.list({ prefix, cursor });
  return { ...page, cursor: page.list_complete ? undefined : page.cursor };
}

export const sqlRun = (sql, statement, binds) => void sql.exec(statement, ...binds);
// Rows come as objects, because the platform makes those itself while `raw()` is JavaScript's own iteration. A statement's
// columns must have different names, or one would hide another: a row that is too short is a fault when it is read.
let read = 0;
function rows(cursor) {
  const rows = cursor.toArray();
  read += cursor.rowsRead;
  return rows;
}
export function sqlFirst(sql, statement, binds) {
  const [row] = rows(sql.exec(statement, ...binds));
  return row && Object.values(row);
}
export const sqlRows = (sql, statement, binds) => rows(sql.exec(statement, ...binds)).map(Object.values);
/** Of all statements so far. */
export const rowsRead = () => read;
