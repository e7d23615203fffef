// What Rust calls in JavaScript: helpers that make one crossing out of several. Nothing here decides anything.

/** Requests that wait for their answer: ticket → functions that end the waiting. */
export const waiting = new Map();

function end(ticket, status, lines, body) {
  const request = waiting.get(ticket);
  if (request === undefined) return;
  waiting.delete(ticket);
  const headers = new Headers();
  const parts = lines.split("\n");
  for (let at = 0; at + 1 < parts.length; at += 2) headers.append(parts[at], parts[at + 1]);
  request.resolve(new Response(body, { status, headers }));
}

// Bytes from Rust are a view on its memory, which moves: each is copied before it is kept.
export const answer = (ticket, status, lines, body) => end(ticket, status, lines, body === undefined ? null : body.slice());
export const answerRaw = end;

/** Ends the waiting for something that has no answer. */
export function done(ticket) {
  const waiter = waiting.get(ticket);
  waiting.delete(ticket);
  waiter?.resolve();
}

const RAW = { type: "arrayBuffer", cacheTtl: 30 };
const TEXT = { type: "text", cacheTtl: 30 };
export const kvRaw = (kv, entry) => kv.getWithMetadata(entry, RAW);
export const kvText = (kv, entry) => kv.getWithMetadata(entry, TEXT);
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The promise's value; an error if that takes longer than `ms` milliseconds. */
async function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const kvPut = (kv, entry, value, metadata, ttl, ms) =>
  within(ms, kv.put(entry, value, { metadata: JSON.parse(metadata), expirationTtl: ttl === 0 ? undefined : ttl }));

export async function kvList(kv, prefix, cursor, ms) {
  const page = await within(ms, kv.list({ prefix, cursor }));
  return { ...page, cursor: page.list_complete ? undefined : page.cursor };
}

export const perform = (projects, name, message) => projects.getByName(name).perform(message.slice());

/**
 * The stream's bytes, or `undefined` where it holds more than `limit`. What is over is thrown away as it comes, up to
 * `linger` bytes in all: a caller who is still sending when the answer comes may lose it with the connection.
 */
export async function bounded(stream, limit, linger) {
  const reader = stream.getReader();
  let chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length <= limit) chunks.push(value);
    else chunks = [];
    if (length > linger) {
      reader.cancel().catch(() => {});
      break;
    }
  }
  if (length > limit) return undefined;
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

export async function fetchText(url, ms, limit) {
  const response = await fetch(url, { signal: AbortSignal.timeout(ms) });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  const bytes = response.body === null ? new Uint8Array(0) : await bounded(response.body, limit, limit);
  if (bytes === undefined) throw new Error(`more than ${limit} bytes`);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

// How many calls an object may answer without a look at the sockets.
const CALLS = 16;

/**
 * The turns of an object's event loop. workerd reads its sockets only when nothing else is left to do. Under saturation the
 * connections whose next request has already arrived keep it busy, and others wait for seconds, until workerd closes them.
 * So every 16th reply and those after it wait for a timer: then all of them wait, and the sockets have their turn.
 */
export class Turns {
  #calls = 0;
  #turn;

  /** The reply, or a promise of it. */
  pace(reply) {
    this.#calls += 1;
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

const IMPORT = [
  { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  { name: "ECDSA", namedCurve: "P-256" },
];
const VERIFY = [{ name: "RSASSA-PKCS1-v1_5" }, { name: "ECDSA", hash: "SHA-256" }];
export const importKey = (jwk, es256) =>
  crypto.subtle.importKey("jwk", JSON.parse(jwk), IMPORT[Number(es256)], false, ["verify"]);
export const verifySignature = (key, es256, signature, data) =>
  crypto.subtle.verify(VERIFY[Number(es256)], key, signature.slice(), data.slice());

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
