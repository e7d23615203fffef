// One project's collection: a Durable Object on SQLite that decides versions, keeps the index and tells KV.
import { DurableObject } from "cloudflare:workers";
import { etagOf, matches } from "./etag.mjs";
import { Outbox } from "./outbox.mjs";
import { ARRAYS, TEXTS } from "./schema.mjs";
import { changeTerms } from "./terms.mjs";
import { uuidv7 } from "./uuid.mjs";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS resource(
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT UNIQUE, version INTEGER NOT NULL,
    revision INTEGER NOT NULL UNIQUE, body TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE IF NOT EXISTS term(
    path TEXT NOT NULL, value ANY NOT NULL, resource INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY(path, value, resource, ordinal)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS term_resource ON term(resource, path)",
  `CREATE TABLE IF NOT EXISTS outbox(
    id TEXT PRIMARY KEY, entry TEXT NOT NULL, revision INTEGER NOT NULL, due INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS outbox_due ON outbox(due)",
  `CREATE TABLE IF NOT EXISTS idempotency(
    seq INTEGER PRIMARY KEY, caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, at INTEGER NOT NULL,
    reply TEXT NOT NULL, UNIQUE(caller, key)
  ) STRICT`,
];
const BODY_BYTES = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;
const KEYS = 100_000;
const bytes = new TextEncoder();

/** Stops a write with an error for the caller; nothing has been changed by then. */
class Refusal extends Error {
  constructor(status, code, message, details = {}) {
    super(message);
    this.error = { status, item: { code, message, ...details } };
  }
}

export class Collection extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    for (const table of TABLES) this.sql.exec(table);
    this.newest = this.sql.exec("SELECT coalesce(max(revision), 0) AS newest FROM resource").one().newest;
    this.outbox = new Outbox(ctx, env.RESOURCES);
  }

  /** The record as it stands, or the error that it is not there. */
  read(id) {
    const [row] = this.sql.exec("SELECT revision, body FROM resource WHERE id = ?", id);
    if (row === undefined) return { newest: this.newest, error: notFound(id).error };
    return { status: 200, id, revision: row.revision, body: row.body };
  }

  /** Creates or updates the resource that the draft names. */
  put(project, draft, terms) {
    return this.write(project, terms, (now) => {
      const stored = this.target(draft);
      if (stored !== undefined) checkVersion(stored.record, draft.version ?? undefined);
      checkPreconditions(stored?.record, terms);
      this.checkKey(draft.key, stored?.record.id ?? draft.id);
      return stored === undefined ? this.create(draft, now) : this.change(stored, now, (record) => merge(record, draft));
    });
  }

  /** Performs the update actions, all or none. */
  update(project, id, { version, actions }, terms) {
    return this.write(project, terms, (now) => {
      const stored = this.find("id", id);
      if (stored === undefined) throw notFound(id);
      checkVersion(stored.record, version);
      checkPreconditions(stored.record, terms);
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

  /** Runs a write in a transaction: the first answer again for a known idempotency key, else what `perform` gives. */
  write(project, terms, perform) {
    const now = Date.now();
    const reply = this.ctx.storage.transactionSync(() => {
      const known = this.recall(terms.idempotency, now);
      if (known !== undefined) return known;
      const first = this.attempt(() => perform(now));
      this.remember(terms.idempotency, first, now);
      if (first.error === undefined && !first.unchanged) this.outbox.note(project, first.id, first.revision, now);
      return first;
    });
    this.outbox.drain();
    return reply;
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
    const [row] = this.sql.exec("SELECT fingerprint, at, reply FROM idempotency WHERE caller = ? AND key = ?", caller, key);
    if (row === undefined || row.at + DAY <= now) return undefined;
    if (row.fingerprint === fingerprint) return { ...JSON.parse(row.reply), replayed: true };
    const message = "The Idempotency-Key was used for another request. Use a new key for a new request.";
    return { error: new Refusal(422, "IdempotencyKeyReused", message).error };
  }

  remember(idempotency, reply, now) {
    if (idempotency === undefined) return;
    const { caller, key, fingerprint } = idempotency;
    this.sql.exec(
      "INSERT OR REPLACE INTO idempotency(caller, key, fingerprint, at, reply) VALUES(?, ?, ?, ?, ?)",
      caller, key, fingerprint, now, JSON.stringify(reply),
    );
    this.sql.exec(
      `DELETE FROM idempotency WHERE seq <= (SELECT max(seq) FROM idempotency) - ?
       OR seq IN (SELECT seq FROM (SELECT seq, at FROM idempotency ORDER BY seq LIMIT 4) WHERE at <= ?)`,
      KEYS, now - DAY,
    );
  }

  find(column, value) {
    const [row] = this.sql.exec(`SELECT seq, body FROM resource WHERE ${column} = ?`, value);
    return row === undefined ? undefined : { seq: row.seq, body: row.body, record: JSON.parse(row.body) };
  }

  target({ id, key }) {
    if (id != null) return this.find("id", id);
    return key == null ? undefined : this.find("key", key);
  }

  checkKey(key, id) {
    if (key == null) return;
    const [other] = this.sql.exec("SELECT id FROM resource WHERE key = ?", key);
    if (other === undefined || other.id === id) return;
    throw new Refusal(400, "DuplicateField", `A duplicate value '${key}' exists for field 'key'.`, {
      path: "/key", field: "key", duplicateValue: key,
    });
  }

  create(draft, now) {
    const revision = this.nextRevision(now);
    const at = new Date(revision).toISOString();
    const record = { id: draft.id ?? uuidv7(revision), version: 1, createdAt: at, createdBy: draft.createdBy ?? undefined, lastModifiedAt: at };
    merge(record, draft);
    const body = toJson(record);
    const { seq } = this.sql
      .exec(
        "INSERT INTO resource(id, key, version, revision, body) VALUES(?, ?, 1, ?, ?) RETURNING seq",
        record.id, record.key ?? null, revision, body,
      )
      .one();
    this.newest = revision;
    changeTerms(this.sql, seq, undefined, record);
    return { ...answer(201, record, body), created: true };
  }

  change({ seq, record: before }, now, apply) {
    const revision = this.nextRevision(now);
    const record = { ...before, version: before.version + 1, lastModifiedAt: new Date(revision).toISOString() };
    apply(record);
    const body = toJson(record);
    this.sql.exec(
      "UPDATE resource SET key = ?, version = ?, revision = ?, body = ? WHERE seq = ?",
      record.key ?? null, record.version, revision, body, seq,
    );
    this.newest = revision;
    changeTerms(this.sql, seq, before, record);
    return answer(200, record, body);
  }

  nextRevision(now) {
    return Math.max(now, this.newest + 1);
  }
}

const notFound = (id) => new Refusal(404, "ResourceNotFound", `The Resource with ID '${id}' was not found.`);

const answer = (status, { id, lastModifiedAt }, body) => ({ status, id, revision: Date.parse(lastModifiedAt), body });

function checkVersion(record, expected) {
  if (expected === undefined || expected === record.version) return;
  throw new Refusal(
    409,
    "ConcurrentModification",
    `Object ${record.id} has a different version than expected. Expected: ${expected} - Actual: ${record.version}.`,
    { currentVersion: record.version },
  );
}

function checkPreconditions(record, { ifMatch, ifNoneMatch }) {
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  const etag = record && etagOf(record.id, Date.parse(record.lastModifiedAt));
  if (ifMatch !== undefined && (etag === undefined || !matches(ifMatch, etag, false))) {
    throw precondition("If-Match", "no longer what the caller last saw");
  }
  if (ifNoneMatch !== undefined && etag !== undefined && matches(ifNoneMatch, etag, true)) {
    throw precondition("If-None-Match", "already there");
  }
}

const precondition = (header, state) =>
  new Refusal(412, "PreconditionFailed", `${header} does not hold: the resource is ${state}.`, { header });

/** Puts into the record what the draft has: what is absent or null leaves what is there. */
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

/** The record in the order of presentation. */
function toJson(record) {
  const { id, version, key, createdAt, createdBy, lastModifiedAt, lastModifiedBy, objectTypeProperty } = record;
  const ordered = {
    id, version, key, createdAt, createdBy: person(createdBy), lastModifiedAt, lastModifiedBy: person(lastModifiedBy),
    objectTypeProperty: { ...objectTypeProperty, arrayOfObjectType: objectTypeProperty.arrayOfObjectType.map(item) },
  };
  for (const name of TEXTS) ordered[name] = record[name];
  const body = JSON.stringify(ordered);
  // A character takes three bytes at most, so most bodies need no counting.
  if (body.length * 3 > BODY_BYTES && bytes.encode(body).length > BODY_BYTES) {
    throw new Refusal(413, "ContentTooLarge", `The resource would be too large; a record holds at most ${BODY_BYTES} bytes.`);
  }
  return body;
}

const person = (one) => one && { firstName: one.firstName ?? undefined, lastName: one.lastName ?? undefined };
const item = (one) => ({ integerExample: one.integerExample ?? undefined, integerExampleInt32: one.integerExampleInt32 ?? undefined });
