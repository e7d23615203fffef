// A KV namespace as a server that lags and fails, in the protocol of workerd's binding. It outlives workerd: a put may
// land after its sender has ended, over a newer one. Instants and periods of the service are divided by the clock's
// speed.

import http from "node:http";

/** The outcomes of a put with their weights. */
const PUTS = { prompt: 76, slow: 7, refused: 6, failed: 2, failedLate: 3, lost: 3, hanging: 3 };
/** The outcomes of a read with their weights. */
const READS = { current: 66, stale: 30, failed: 2, slow: 2 };
/**
 * How long a location may serve an earlier read, and how late a put may land, in the service's milliseconds. A put is
 * repeated a minute after the end of a put with an unknown outcome.
 */
const STALE_MS = 60_000;
const LATE_MS = 50_000;
/** The time that the object waits for the end of a put. */
const PUT_MS = 30_000;
const PAGE = 1_000;
/** The share of slow puts while KV is slow. */
const SLOW = 0.9;
/** A name that is read when a helper begins a batch (worker.mjs). */
export const BATCH = "batch-of-a-helper";

const ABSENT = { value: "", metadata: null, deleted: true, expires: Infinity };

export class Kv {
  /** Whether it lags and fails. */
  faulty = true;
  /** Whether every put fails. */
  outage = false;
  /** Whether most puts are slow: then entries wait, and helper objects put them. */
  slow = false;
  /** The number of occurrences of each outcome. */
  counts = {};
  /** Entries by name: their states with the instant of each, newest last. */
  #entries = new Map();
  /** Puts that have not landed. */
  #waiting = new Set();
  #random;
  #speed;

  constructor(random, speed) {
    this.#random = random;
    this.#speed = speed;
    this.server = http.createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    this.server.keepAliveTimeout = 60_000;
  }

  async listen() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    return this;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Returns the number of puts that have not landed. */
  get pending() {
    return this.#waiting.size;
  }

  /** Records that workerd was ended: puts without a received outcome are orphans. */
  killed() {
    const oldest = Date.now() - PUT_MS / this.#speed;
    for (const put of this.#waiting) put.orphan ||= !put.answered && put.began > oldest;
  }

  /** Returns the state at a location that is up to date. */
  current(name) {
    const state = this.#entries.get(name)?.at(-1) ?? ABSENT;
    return state.expires <= Date.now() ? ABSENT : state;
  }

  names(prefix) {
    return [...this.#entries.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  #count(ending) {
    this.counts[ending] = (this.counts[ending] ?? 0) + 1;
    return ending;
  }

  async #serve(request, response) {
    const url = new URL(request.url, "http://kv");
    const name = decodeURIComponent(url.pathname.slice(1));
    if (request.method === "PUT") return this.#put(name, request, response, url.searchParams);
    if (request.method !== "GET") return response.writeHead(405).end();
    return name === "" ? this.#list(response, url.searchParams) : this.#get(name, response);
  }

  async #get(name, response) {
    if (name === BATCH) {
      this.#count(BATCH);
      return response.writeHead(404).end("Not Found");
    }
    const ending = this.#count(`read ${this.faulty ? this.#random.weighted(READS) : "current"}`);
    await this.#pause(
      this.faulty ? (ending === "read slow" ? this.#random.between(50, 400) : this.#random.between(0, 8)) : 0,
    );
    if (ending === "read failed") return response.writeHead(this.#random.pick([429, 500, 503])).end("made to fail");
    const state = ending === "read stale" ? this.#past(name) : this.current(name);
    if (state.deleted) return response.writeHead(404).end("Not Found");
    if (state.metadata !== null) response.setHeader("CF-KV-Metadata", state.metadata);
    response.writeHead(200).end(state.value);
  }

  /** Returns the state at a location that was up to date at a random instant within the last minute. */
  #past(name) {
    const at = Date.now() - this.#random.between(0, STALE_MS / this.#speed);
    return this.#entries.get(name)?.findLast((state) => state.at <= at) ?? ABSENT;
  }

  #list(response, parameters) {
    const after = parameters.get("cursor") ?? "";
    const found = this.names(parameters.get("prefix") ?? "").filter(
      (name) => name > after && !this.current(name).deleted,
    );
    const limit = Number(parameters.get("key_count_limit") ?? PAGE);
    const keys = found.slice(0, limit).map((name) => ({ name, metadata: this.current(name).metadata ?? undefined }));
    const complete = found.length <= limit;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ keys, list_complete: complete, ...(complete ? {} : { cursor: keys.at(-1).name }) }));
  }

  async #put(name, request, response, parameters) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const ttl = parameters.get("expiration_ttl");
    const put = {
      name,
      value: Buffer.concat(chunks).toString("utf8"),
      metadata: request.headers["cf-kv-metadata"] ?? null,
      expires: ttl === null ? Infinity : Date.now() + (Number(ttl) * 1000) / this.#speed,
      began: Date.now(),
      answered: false,
      orphan: false,
    };
    const ending = this.#count(`put ${this.#ending()}`);
    const late = LATE_MS / this.#speed;
    switch (ending) {
      case "put refused":
        return response.writeHead(429).end("made to fail");
      case "put failed":
        await this.#pause(this.#random.between(0, 30));
        return response.writeHead(500).end("made to fail");
      case "put failedLate":
        put.answered = true;
        response.writeHead(500).end("made to fail");
        return this.#land(put, this.#random.between(late / 8, late));
      case "put lost":
        await this.#land(put, 0);
        return response.destroy();
      case "put hanging":
        // The sender gives up after half a minute of its clock.
        return this.#land(put, this.#random.between(late / 2, late));
      default:
        await this.#land(
          put,
          ending === "put slow" ? this.#random.between(late / 50, late / 3) : this.#random.between(0, 10),
        );
        return response.writeHead(200).end();
    }
  }

  #ending() {
    if (!this.faulty) return "prompt";
    if (this.outage) return "refused";
    return this.slow && this.#random.chance(SLOW) ? "slow" : this.#random.weighted(PUTS);
  }

  /** Stores the put after a number of milliseconds. */
  async #land(put, ms) {
    this.#waiting.add(put);
    if (ms > 0) await this.#pause(ms);
    this.#waiting.delete(put);
    const states = this.#entries.get(put.name) ?? [];
    const { value, metadata, expires, orphan } = put;
    if (orphan) this.#count("put landed after a kill");
    states.push({ at: Date.now(), value, metadata, expires, orphan, deleted: false });
    // Drop states that no location can read any more.
    const oldest = Date.now() - (2 * STALE_MS) / this.#speed;
    while (states.length > 1 && states[1].at < oldest) states.shift();
    this.#entries.set(put.name, states);
  }

  #pause(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}
