// The two kinds of callers. Both perform one operation of a plan and return its outcome in the form that the checker
// reads. The outcome `unknown` means a write that may or may not have been performed, and `full` one that was not
// performed, because the disk was full.

import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ResourceClient } from "../../../../pkg/dist/node.js";
import { agentFor, send } from "./http.mjs";

const ATTEMPT_MS = 1_000;
const ATTEMPTS = 40;

const digest = (text) => createHash("sha256").update(text).digest("base64url").slice(0, 12);

/** Returns the parts of a record that the checker compares. */
export function recordOf(record, text = JSON.stringify(record)) {
  return {
    id: record.id,
    version: record.version,
    key: record.key ?? null,
    value: record.someProperty ?? null,
    data: record.objectTypeProperty.arrayOfIntExample[0] ?? null,
    revision: Date.parse(record.lastModifiedAt),
    digest: digest(text),
  };
}

/** The operations of a batch, by the kinds of its writes. */
const IN_BATCH = {
  post: "createOrUpdate",
  postKey: "createOrUpdate",
  put: "createOrOverwrite",
  patch: "overwrite",
  update: "updateById",
};

/** Returns the request of an operation: its method, path below the collection, body, and headers. */
function request(op) {
  const { kind, id, key, version, value, set, group } = op;
  const at = (name) => `/${encodeURIComponent(name)}`;
  const content = { someProperty: value, custom: group, objectTypeProperty: { arrayOfIntExample: [op.data] } };
  const moved = set === null ? {} : { key: set };
  const expected = version === null ? {} : { version };
  switch (kind) {
    case "post":
      return { method: "POST", path: "", body: { id, ...moved, ...expected, ...content } };
    case "postKey":
      return { method: "POST", path: "", body: { key, ...expected, ...content } };
    case "put":
    case "patch":
      return { method: kind.toUpperCase(), path: "", body: { id, ...moved, version, ...content } };
    case "update":
      return {
        method: "POST",
        path: at(id),
        body: { version, actions: [{ action: "doSomeThing" }, { action: "changeSomeProperty", someProperty: value }] },
      };
    case "delete":
      return { method: "DELETE", path: at(id) + (version === null ? "" : `?version=${version}`) };
    case "batch": {
      const inBatch = (write) => ({
        ...{ operation: IN_BATCH[write.kind], body: request(write).body },
        ...(write.kind === "update" && { id: write.id }),
      });
      return { method: "POST", path: "", body: { writes: op.writes.map(inBatch) } };
    }
    case "readId":
      return { method: "GET", path: at(id) };
    case "readKey":
      return { method: "GET", path: `/key=${encodeURIComponent(key)}` };
    default:
      return { method: "GET", path: `?limit=500&where=${encodeURIComponent(`custom="${group}"`)}` };
  }
}

/** Returns whether the service did nothing, and asks for another attempt. */
const isBusy = (status) => status === 503 || status === 429;

const isWrite = ({ kind }) => !kind.startsWith("read") && kind !== "query";

/** Returns the outcome of a response. */
function outcome(op, { status, headers, text }) {
  if (isBusy(status)) return { is: "unknown" };
  const body = text.startsWith("{") ? JSON.parse(text) : undefined;
  const revision = Number(headers["resource-revision"] ?? 0);
  if (status === 200 && op.kind === "query")
    return { is: "page", records: body.results.map((record) => recordOf(record)) };
  if (status === 200 && op.kind === "batch") return ofBatch(body.results);
  if (status === 200 || status === 201) {
    const created = op.kind === "readId" || op.kind === "readKey" || op.kind === "delete" ? null : status === 201;
    return { is: "record", record: recordOf(body, text), created, revision };
  }
  return refusal(status, body?.errors?.[0], revision) ?? { is: "fault", status, text: text.slice(0, 300) };
}

/**
 * Returns the outcome of a batch that was performed.
 * @returns {any}
 */
const ofBatch = (results) => ({
  is: "batch",
  records: results.map(({ resource }) => recordOf(resource)),
  created: results.map(({ status }) => status === 201),
});

/** Returns the outcome of a refusal. `index` is that of the write of a batch. */
function refusal(status, error, revision) {
  const index = error?.index;
  if (status === 404 && error?.code === "ResourceNotFound") return { is: "notFound", index, revision };
  if (status === 409) return { is: "conflict", index, version: error.currentVersion };
  if (status === 400 && error?.code === "DuplicateField") return { is: "duplicate", index };
  return undefined;
}

/** Returns the outcome of each write of an operation, which share the fate of their batch. */
export function outcomesOf({ writes }, outcome) {
  if (writes === undefined) return [outcome];
  const { is, records, created, replay, index = 0 } = outcome;
  return writes.map((_, at) => {
    if (is === "unknown") return outcome;
    if (is !== "batch") return at === index ? outcome : { is: "undone" };
    const revision = records[at].revision;
    return { is: "record", record: records[at], created: created[at], revision, ...(at === 0 && { replay }) };
  });
}

/** Sends plain requests, and retries under one Idempotency-Key. */
export class RawCaller {
  session = false;

  /** `up` resolves when the service is running. */
  constructor({ origin, token, random, up, ended, attemptMs = ATTEMPT_MS }) {
    this.origin = origin;
    this.token = token;
    this.random = random;
    this.up = up;
    this.ended = ended;
    this.attemptMs = attemptMs;
    this.agent = agentFor(origin, 8);
  }

  async perform(op) {
    const { method, path, body } = request(op);
    const headers = { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (op.mode === "fresh") headers["Cache-Control"] = "no-cache";
    if (op.floor !== null) headers["Resource-Min-Revision"] = String(op.floor);
    const write = isWrite(op);
    const repeated = write && this.random.chance(0.85);
    if (repeated) headers["Idempotency-Key"] = `${op.project}-${op.value}`;
    const root = op.kind === "batch" ? "batch" : "resource";
    const message = { method, path: `/${op.project}/${root}${path}`, headers, body: body && JSON.stringify(body) };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      await this.up();
      const response = await this.#send(message);
      // An earlier attempt may still be performed.
      if (write && response?.status === 507) return attempt === 1 ? { is: "full" } : { is: "unknown" };
      if (response !== undefined && !isBusy(response.status)) {
        const found = outcome(op, response);
        if (repeated && found.is !== "fault" && this.random.chance(0.15))
          found.replay = await this.#replay(message, response);
        return found;
      }
      if (write && !repeated) return { is: "unknown" };
      // Some give up.
      if (this.ended() || this.random.chance(0.03)) return { is: "unknown" };
      await pause(this.random.between(1, 20 * attempt));
    }
    return { is: "unknown" };
  }

  /** Sends a write again after its response. Returns what is wrong with the second response, or null. */
  async #replay(message, first) {
    await this.up();
    const second = await this.#send(message);
    if (second === undefined || isBusy(second.status)) return null;
    if (second.headers["idempotency-replayed"] !== "true")
      return `not marked as replayed: ${second.status} ${second.text}`;
    if (second.status !== first.status || second.text !== first.text)
      return `another response: ${second.status} ${second.text}`;
    return null;
  }

  /** Returns the response, or `undefined` if the connection was cut or the time was over. */
  #send(message) {
    return send(this.origin, { ...message, agent: this.agent }, this.attemptMs).catch(() => undefined);
  }

  close() {
    this.agent.destroy();
  }
}

/** Uses the npm package: its session, retries, and generated keys. */
export class SessionCaller {
  session = true;
  #end = new AbortController();

  constructor({ origin, token, project, attemptMs = ATTEMPT_MS }) {
    const options = { projectKey: project, baseUrl: origin, token, timeout: 8 * attemptMs };
    this.client = new ResourceClient({ ...options, retry: { retries: 12, baseDelay: 20, maxDelay: 400 } });
  }

  async perform(op) {
    let status, revision;
    const { signal } = this.#end;
    const onResponse = (response) => {
      status = response.status;
      revision = Number(response.headers.get("Resource-Revision") ?? 0);
    };
    try {
      /** @type {any} */
      const result = await this.#call(op, { onResponse, signal, fresh: op.mode === "fresh" });
      if (op.kind === "query") return { is: "page", records: result.results.map((record) => recordOf(record)) };
      if (op.kind === "batch") return ofBatch(result);
      const created = isWrite(op) && op.kind !== "delete" ? status === 201 : null;
      return { is: "record", record: recordOf(result), created, revision };
    } catch (error) {
      if (signal.aborted) return { is: "unknown" };
      const refused = refusal(error.status, error.errors?.[0], 0);
      if (refused !== undefined) return refused;
      if (error.status === 507 && isWrite(op)) return { is: "unknown" };
      if (error.kind === "network" || error.kind === "timeout" || isBusy(error.status)) return { is: "unknown" };
      return { is: "fault", status: error.status ?? 0, text: String(error) };
    }
  }

  #call(op, options) {
    const { client } = this;
    /** @type {{ body?: any }} */
    const { body } = request(op);
    switch (op.kind) {
      case "post":
      case "postKey":
        return client.createOrUpdate(body, options);
      case "put":
        return client.createOrOverwrite(body, options);
      case "patch":
        return client.overwrite(body, options);
      case "update":
        return client.updateById(op.id, body, options);
      case "batch":
        return client.batch(body.writes, options);
      case "delete":
        return client.deleteById(op.id, op.version === null ? undefined : { version: op.version }, options);
      case "readId":
        return client.getById(op.id, undefined, options);
      case "readKey":
        return client.getByKey(op.key, undefined, options);
      default:
        return client.query({ where: `custom="${op.group}"`, limit: 500 }, options);
    }
  }

  close() {
    this.#end.abort();
  }
}
