// One project's collection: a Durable Object on SQLite that decides versions, keeps the index, and replicates to KV.
import { DurableObject } from "cloudflare:workers";
import { ARRAYS, TEXTS } from "../bodies.mjs";
import { etagOf, matches } from "./etag.mjs";
import { Outbox } from "./outbox.mjs";
import * as queries from "./queries.mjs";
import { changeEntries, wordsOf } from "./entries.mjs";
import { uuidv7 } from "./uuid.mjs";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS resource(
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT UNIQUE, version INTEGER NOT NULL,
    revision INTEGER NOT NULL UNIQUE, body TEXT NOT NULL
  ) STRICT`,
  // Rows are removed by the values of the old record, so one tree is enough.
  `CREATE TABLE IF NOT EXISTS term(
    path INTEGER NOT NULL, value ANY NOT NULL, resource INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY(path, value, resource, ordinal)
  ) STRICT, WITHOUT ROWID`,
  `CREATE VIRTUAL TABLE IF NOT EXISTS text USING fts5(
    words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
  )`,
  "CREATE TABLE IF NOT EXISTS outbox(entry TEXT PRIMARY KEY, id TEXT NOT NULL, revision INTEGER NOT NULL) " +
    "STRICT, WITHOUT ROWID",
  `CREATE TABLE IF NOT EXISTS idempotency(
    seq INTEGER PRIMARY KEY, caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, at INTEGER NOT NULL,
    reply TEXT NOT NULL, UNIQUE(caller, key)
  ) STRICT`,
];
const BODY_BYTES = 1024 * 1024;
const PAGE_BYTES = 4 * BODY_BYTES;
const DAY = 24 * 60 * 60 * 1000;
const KEYS = 100_000;
const bytes = new TextEncoder();

const BY_ID = "SELECT seq, revision, body FROM resource WHERE id = ?";
const BY_KEY = "SELECT seq, revision, body FROM resource WHERE key = ?";
const INSERT = "INSERT INTO resource(id, key, version, revision, body) VALUES(?, ?, 1, ?, ?) RETURNING seq";
const UPDATE = "UPDATE resource SET key = ?, version = ?, revision = ?, body = ? WHERE seq = ?";
const INSERT_WORDS = "INSERT INTO text(rowid, words) VALUES(?, ?)";
const UPDATE_WORDS = "UPDATE text SET words = ? WHERE rowid = ?";
const RECALL = "SELECT fingerprint, at, reply FROM idempotency WHERE caller = ? AND key = ?";
const REMEMBER = "INSERT OR REPLACE INTO idempotency(caller, key, fingerprint, at, reply) VALUES(?, ?, ?, ?, ?)";
const PRUNE = `DELETE FROM idempotency WHERE seq <= (SELECT max(seq) FROM idempotency) - ?
  OR seq IN (SELECT seq FROM (SELECT seq, at FROM idempotency ORDER BY seq LIMIT 4) WHERE at <= ?)`;

/** Stops a write with an error for the caller. Nothing has been changed before. */
class Refusal {
  constructor(status, code, message, details = {}) {
    this.error = { status, item: { code, message, ...details } };
  }
}

export class Collection extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    for (const table of TABLES) this.sql.exec(table);
    const { newest, count } = this.sql
      .exec("SELECT coalesce(max(revision), 0) AS newest, count(*) AS count FROM resource")
      .one();
    this.newest = newest;
    /** Counted once and kept up to date, so that the total of all resources costs nothing. */
    this.count = count;
    this.outbox = new Outbox(ctx, env.RESOURCES);
  }

  /** Returns the record with the ID, or the error that there is none. */
  read(id) {
    const [row] = this.sql.exec(BY_ID, id).toArray();
    if (row === undefined) return { newest: this.newest, error: notFound("ID", id).error };
    return { status: 200, id, revision: row.revision, body: row.body };
  }

  /** Returns the record with the key, or the error that there is none. */
  readByKey(key) {
    const [row] = this.sql.exec(BY_KEY, key).toArray();
    if (row === undefined) return { newest: this.newest, error: notFound("key", key).error };
    return { status: 200, id: JSON.parse(row.body).id, revision: row.revision, body: row.body };
  }

  /** Returns a page as JSON, or the error that it is too large. */
  query(query) {
    return queries.page(this.sql, this.count, query, PAGE_BYTES);
  }

  /** Returns whether a resource matches the condition. */
  exists(condition) {
    return condition === undefined ? this.count > 0 : queries.exists(this.sql, condition);
  }

  /** Creates or updates the resource that the draft names. The text is valid. */
  put(project, text, options) {
    const draft = JSON.parse(text);
    return this.write(project, options, (now) => {
      const stored = this.target(draft);
      if (stored !== undefined) checkVersion(stored.record, draft.version ?? undefined);
      checkPreconditions(stored?.record, options, draft);
      if (draft.key != null && stored?.record.key !== draft.key) this.checkKey(draft.key, draft.id);
      return stored === undefined
        ? this.create(draft, now)
        : this.change(stored, now, (record) => merge(record, draft));
    });
  }

  /** Performs all of the update actions or none. The text is valid. */
  update(project, id, text, options) {
    const { version, actions } = JSON.parse(text);
    return this.write(project, options, (now) => {
      const stored = this.find(BY_ID, id);
      if (stored === undefined) throw notFound("ID", id);
      checkVersion(stored.record, version);
      checkPreconditions(stored.record, options);
      if (actions.length === 0) return { ...answer(200, stored.record, stored.body), unchanged: true };
      return this.change(stored, now, (record) => {
        delete record.lastModifiedBy;
        for (const action of actions) {
          if (action.action === "changeSomeProperty") record.someProperty = action.someProperty;
        }
      });
    });
  }

  alarm() {
    return this.outbox.alarm();
  }

  /**
   * Runs a write in a transaction. Returns the stored response for a known idempotency key, otherwise the result of
   * `perform`.
   */
  write(project, options, perform) {
    const now = Date.now();
    /** @type {() => void} */
    let put;
    const reply = this.ctx.storage.transactionSync(() => {
      const known = this.recall(options.idempotency, now);
      if (known !== undefined) return known;
      const first = this.attempt(() => perform(now));
      if (first.error === undefined && !first.unchanged) put = this.enqueue(project, first, now);
      const { record: _, ...plain } = first;
      this.remember(options.idempotency, plain, now);
      return plain;
    });
    if (put === undefined) return reply;
    if (reply.created) this.count += 1;
    put();
    return reply;
  }

  /** Writes the outbox rows for a change, and returns a function that starts their puts after the commit. */
  enqueue(project, { record: { id, key, version }, body, revision, keyed }, now) {
    const entry = `r1:${project}:${id}`;
    const pointer = keyed ? `k1:${project}:${key}` : undefined;
    this.outbox.enqueue(entry, id, revision);
    if (pointer !== undefined) this.outbox.enqueue(pointer, id, revision);
    this.outbox.arm(now);
    return () => {
      this.outbox.add(entry, body, revision, { version, revision, key });
      if (pointer !== undefined) this.outbox.add(pointer, id, revision, { revision, id });
      this.outbox.drain();
    };
  }

  attempt(perform) {
    try {
      return perform();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return { newest: this.newest, error: refusal.error };
    }
  }

  recall(idempotency, now) {
    if (idempotency === undefined) return undefined;
    const { caller, key, fingerprint } = idempotency;
    const [row] = this.sql.exec(RECALL, caller, key).toArray();
    if (row === undefined || row.at + DAY <= now) return undefined;
    if (row.fingerprint === fingerprint) return { ...JSON.parse(row.reply), replayed: true };
    const message = "This Idempotency-Key was already used for a different request. Use a new key.";
    return { error: new Refusal(422, "IdempotencyKeyReused", message).error };
  }

  remember(idempotency, reply, now) {
    if (idempotency === undefined) return;
    const { caller, key, fingerprint } = idempotency;
    this.sql.exec(REMEMBER, caller, key, fingerprint, now, JSON.stringify(reply));
    this.sql.exec(PRUNE, KEYS, now - DAY);
  }

  find(statement, value) {
    const [row] = this.sql.exec(statement, value).toArray();
    return row === undefined ? undefined : { seq: row.seq, body: row.body, record: JSON.parse(row.body) };
  }

  target({ id, key }) {
    if (id != null) return this.find(BY_ID, id);
    return key == null ? undefined : this.find(BY_KEY, key);
  }

  /** Rejects a key that another resource has. Without an ID in the draft, the key itself names the target. */
  checkKey(key, id) {
    if (id == null || this.sql.exec(BY_KEY, key).toArray().length === 0) return;
    throw new Refusal(400, "DuplicateField", `A duplicate value '${key}' exists for field 'key'.`, {
      path: "/key",
      field: "key",
      duplicateValue: key,
    });
  }

  create(draft, now) {
    const revision = this.nextRevision(now);
    const at = new Date(revision).toISOString();
    /** @type {any} */
    const record = {
      id: draft.id ?? uuidv7(revision),
      version: 1,
      createdAt: at,
      createdBy: draft.createdBy ?? undefined,
      lastModifiedAt: at,
    };
    merge(record, draft);
    const body = toJson(record);
    const { seq } = this.sql.exec(INSERT, record.id, record.key ?? null, revision, body).one();
    this.newest = revision;
    changeEntries(this.sql, seq, undefined, record);
    this.sql.exec(INSERT_WORDS, seq, wordsOf(record));
    return { ...answer(201, record, body), created: true, keyed: record.key !== undefined };
  }

  change({ seq, record: before }, now, apply) {
    const revision = this.nextRevision(now);
    const record = { ...before, version: before.version + 1, lastModifiedAt: new Date(revision).toISOString() };
    apply(record);
    const body = toJson(record);
    this.sql.exec(UPDATE, record.key ?? null, record.version, revision, body, seq);
    this.newest = revision;
    changeEntries(this.sql, seq, before, record);
    const words = wordsOf(record);
    if (words !== wordsOf(before)) this.sql.exec(UPDATE_WORDS, words, seq);
    return { ...answer(200, record, body), keyed: record.key !== before.key };
  }

  nextRevision(now) {
    return Math.max(now, this.newest + 1);
  }
}

const notFound = (name, value) =>
  new Refusal(404, "ResourceNotFound", `The Resource with ${name} '${value}' was not found.`);

const answer = (status, record, body) => ({
  status,
  id: record.id,
  revision: Date.parse(record.lastModifiedAt),
  body,
  record,
});

function checkVersion(record, expected) {
  if (expected === undefined || expected === record.version) return;
  throw new Refusal(
    409,
    "ConcurrentModification",
    `Object ${record.id} has a different version than expected. Expected: ${expected} - Actual: ${record.version}.`,
    { currentVersion: record.version },
  );
}

function checkPreconditions(record, { ifMatch, ifNoneMatch }, draft) {
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  const etag = record && etagOf(record.id, Date.parse(record.lastModifiedAt));
  if (ifMatch !== undefined && (etag === undefined || !matches(ifMatch, etag, false))) {
    throw precondition("If-Match", "the resource does not match If-Match");
  }
  if (ifNoneMatch !== undefined && etag !== undefined && matches(ifNoneMatch, etag, true)) {
    const field = ["id", "key"].find((name) => draft?.[name] != null);
    if (field === undefined || ifNoneMatch !== "*")
      throw precondition("If-None-Match", "the resource matches If-None-Match");
    throw precondition("If-None-Match", `a resource with this ${field} exists`, { path: `/${field}`, field });
  }
}

const precondition = (header, reason, place = {}) =>
  new Refusal(412, "PreconditionFailed", `Precondition failed: ${reason}.`, { header, ...place });

/** Merges the draft into the record. Absent and null members change nothing. */
function merge(record, draft) {
  const arrays = draft.objectTypeProperty;
  record.objectTypeProperty = Object.fromEntries(
    ARRAYS.map((name) => [name, arrays[name] ?? record.objectTypeProperty?.[name] ?? []]),
  );
  if (draft.key != null) record.key = draft.key;
  record.lastModifiedBy = draft.lastModifiedBy ?? undefined;
  for (const name of TEXTS) {
    if (draft[name] != null) record[name] = draft[name];
  }
}

/** Returns the record's JSON in the order of presentation. */
function toJson(record) {
  const { id, version, key, createdAt, createdBy, lastModifiedAt, lastModifiedBy, objectTypeProperty } = record;
  const ordered = {
    id,
    version,
    key,
    createdAt,
    createdBy: person(createdBy),
    lastModifiedAt,
    lastModifiedBy: person(lastModifiedBy),
    objectTypeProperty: { ...objectTypeProperty, arrayOfObjectType: objectTypeProperty.arrayOfObjectType.map(item) },
  };
  for (const name of TEXTS) ordered[name] = record[name];
  const body = JSON.stringify(ordered);
  // A character has at most three bytes, so most bodies need no counting.
  if (body.length * 3 > BODY_BYTES && bytes.encode(body).length > BODY_BYTES) {
    throw new Refusal(
      413,
      "ContentTooLarge",
      `The resource would be too large; a record holds at most ${BODY_BYTES} bytes.`,
    );
  }
  return body;
}

const person = (one) => one && { firstName: one.firstName ?? undefined, lastName: one.lastName ?? undefined };
const item = (one) => ({
  integerExample: one.integerExample ?? undefined,
  integerExampleInt32: one.integerExampleInt32 ?? undefined,
});
