// `resource-edge/testing`: the service in memory, for tests of programs that use it. The Worker's own code handles each
// request; this folder has only its platform.

import { Clock } from "./clock.js";
import { checkFault, Failing, matches, overtake } from "./faults.js";
import { randomness } from "./random.js";
import { BASE_URL, describe, readRequest } from "./request.js";
import { loadSqlite } from "./sqlite.js";
import { loadFiles, World } from "./world.js";

/** @typedef {import("../testing.d.ts").ServiceOptions} ServiceOptions */
/** @typedef {import("../testing.d.ts").Fault} Fault */
/** @typedef {import("./faults.js").Pending} Pending */
/** @typedef {import("./request.js").FetchInput} FetchInput */
/** @typedef {import("./request.js").Request} Request */
/** @typedef {import("./request.js").RequestRecord} RequestRecord */
/** @typedef {import("./sqlite.js").Database} Database */
/** @typedef {import("./world.js").Files} Files */
/** @typedef {import("./world.js").Sent} Sent */
/** @typedef {{ projectKey?: string, scope?: string | readonly string[] }} TokenOptions */

/** The credentials of the service's built-in API client. They are not secret, because the data is a test's. */
const CREDENTIALS = { clientId: "testing", clientSecret: "testing-secret" };
const SETTINGS = {
  TOKEN_SECRET: "the secret of a service in memory, which protects nothing",
  API_CLIENTS: JSON.stringify([
    {
      id: CREDENTIALS.clientId,
      secretHash: "415c2d1fa20f3de967e8321aa9f01f3ef9e17cf29eb0831ab9e8798e9cfc48d3",
      scopes: ["manage_test:*", "view_test:*"],
    },
  ]),
};
/** The maximum length of the list of requests. */
const REQUESTS = 1000;
/** How long `settle` waits for further background work, in milliseconds. */
const BACKGROUND = 5000;

const MEMBERS = ["projectKey", "scope", "authenticate", "resources", "lag", "now", "seed", "settings", "sqlite", "log"];

/**
 * Starts a service in memory.
 * @param {ServiceOptions} [options]
 */
export async function createService(options = {}) {
  for (const name of Object.keys(options)) {
    if (!MEMBERS.includes(name))
      throw new TypeError(`createService: unknown option '${name}'. Expected ${MEMBERS.join(", ")}.`);
  }
  const [files, openDatabase] = await Promise.all([loadFiles(), loadSqlite(options.sqlite)]);
  const service = new Service(options, files, openDatabase);
  await service.reset();
  return service;
}

/**
 * Returns the instant of an option, or `undefined`.
 * @param {ServiceOptions["now"]} now
 */
function instant(now) {
  if (now === undefined) return undefined;
  const at = new Date(typeof now === "object" ? now.getTime() : now).getTime();
  if (Number.isNaN(at)) throw new TypeError("now: expected a Date, a time, or milliseconds since 1970.");
  return at;
}

/**
 * Returns the settings as the Worker expects them: `null` removes one.
 * @param {ServiceOptions} options
 */
function settingsOf({ lag, settings = {} }) {
  const all = { ...SETTINGS, READ_DEFAULT: lag === undefined ? "fresh" : "cached", ...settings };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * Writes errors of the log to the console.
 * @param {string} line
 */
function logErrors(line) {
  if (line.includes('"level":"error"')) console.error(line);
}

/**
 * Returns the promise's value, unless the signal aborts first.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {AbortSignal | undefined} signal
 */
async function whileWanted(promise, signal) {
  if (!signal) return promise;
  let abort = () => {};
  /** @type {Promise<never>} */
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} message */
const networkError = (message) => new TypeError("fetch failed", { cause: new Error(message) });

class Service {
  baseUrl = BASE_URL;
  credentials = CREDENTIALS;
  /** @type {RequestRecord[]} */
  requests = [];
  #options;
  #projectKey;
  #scope;
  #parts;
  // `reset` sets these three before the service is returned.
  #world = /** @type {World} */ (/** @type {unknown} */ (undefined));
  #failing = /** @type {Failing} */ (/** @type {unknown} */ (undefined));
  #clock = /** @type {Clock} */ (/** @type {unknown} */ (undefined));
  /** @type {Pending[]} */
  #faults = [];
  /** @type {Map<string, { token: string, ends: number }>} */
  #tokens = new Map();
  #closed = false;

  /**
   * @param {ServiceOptions} options
   * @param {Files} files
   * @param {() => Database} openDatabase
   */
  constructor(options, files, openDatabase) {
    const { projectKey = "demo", scope = "manage_test", lag = 0, log = logErrors } = options;
    this.#options = options;
    this.#projectKey = projectKey;
    this.#scope = scope;
    this.#parts = { files, openDatabase, settings: settingsOf(options), lag, log };
    this.fetch = this.fetch.bind(this);
  }

  /**
   * Handles a request as the global `fetch` would.
   * @param {FetchInput} input
   * @param {RequestInit} [init]
   */
  async fetch(input, init) {
    const request = await readRequest(input, init);
    // Not `throwIfAborted`: older versions of jsdom lack it.
    if (request.signal?.aborted) throw request.signal.reason;
    if (this.#closed) throw networkError("the service in memory is closed");
    return whileWanted(this.#handle(request), request.signal);
  }

  /** @param {Request} request */
  async #handle(request) {
    const record = describe(request, new Date(this.#clock.now()).toISOString());
    this.requests.push(record);
    if (this.requests.length > REQUESTS) this.requests.shift();
    const fault = this.#useFault(record) ?? {};
    if (fault.delay) await whileWanted(sleep(fault.delay), request.signal);
    if (fault.before) await fault.before(record);
    if (fault.conflict) await overtake(this, record);
    if (fault.networkError) throw networkError("a fault of the test: the service is unreachable");
    await this.#authorize(request, record);
    const response = await (fault.status ? this.#failing.respond(fault, request, record) : this.perform(request));
    record.status = response.status;
    if (fault.lostResponse) throw networkError("a fault of the test: the response is lost");
    return response;
  }

  /**
   * Returns the fault of a request and counts its use.
   * @param {RequestRecord} record
   */
  #useFault(record) {
    for (const pending of this.#faults) {
      if (!matches(pending, record)) continue;
      if (pending.skip > 0) {
        pending.skip -= 1;
        continue;
      }
      pending.times -= 1;
      if (pending.times === 0) this.#faults.splice(this.#faults.indexOf(pending), 1);
      record.fault = pending.fault;
      return pending.fault;
    }
    return undefined;
  }

  /**
   * Adds a token of the built-in API client if callers need no token.
   * @param {Request} request
   * @param {RequestRecord} record
   */
  async #authorize(request, { operation, projectKey }) {
    if (this.#options.authenticate !== false || operation === undefined) return;
    // No token can contain a malformed project key: the service rejects the request with any token.
    const token = await this.token({ projectKey }).catch(() => this.token());
    request.headers.set("Authorization", `Bearer ${token}`);
  }

  /**
   * Handles a request without faults and without listing it. For internal use.
   * @param {Sent} request
   */
  async perform({ url, ...request }) {
    return this.#world.fetch({ ...request, url: new URL(url, BASE_URL).href });
  }

  /**
   * Returns a token of the service's built-in API client.
   * @param {TokenOptions} [options]
   * @returns {Promise<string>}
   */
  async token({ projectKey = this.#projectKey, scope = this.#scope } = {}) {
    const scopes = [scope]
      .flat()
      .map((name) => (name.includes(":") ? name : `${name}:${projectKey}`))
      .join(" ");
    const known = this.#tokens.get(scopes);
    if (known !== undefined && known.ends > this.#clock.now()) return known.token;
    const { clientId, clientSecret } = CREDENTIALS;
    const response = await this.perform({
      method: "POST",
      url: "/oauth/token",
      headers: {
        Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: new TextEncoder().encode(`grant_type=client_credentials&scope=${encodeURIComponent(scopes)}`).buffer,
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`no token for '${scopes}': ${answer.message}`);
    // Keep the token for half of its lifetime: whoever gets it can use the other half.
    this.#tokens.set(scopes, { token: answer.access_token, ends: this.#clock.now() + answer.expires_in * 500 });
    return answer.access_token;
  }

  /**
   * Returns the options of a `ResourceClient` of this service.
   * @param {TokenOptions} [options]
   */
  clientOptions({ projectKey = this.#projectKey, scope = this.#scope } = {}) {
    return {
      projectKey,
      baseUrl: BASE_URL,
      fetch: this.fetch,
      token: async (/** @type {{ refresh?: boolean }} */ { refresh } = {}) => {
        if (refresh) this.#tokens.clear();
        return this.token({ projectKey, scope });
      },
    };
  }

  /**
   * Makes matching requests fail. Returns a function that removes the fault.
   * @param {Fault} fault
   */
  fail(fault) {
    const pending = checkFault(fault);
    this.#faults.push(pending);
    return () => {
      this.#faults = this.#faults.filter((other) => other !== pending);
    };
  }

  /**
   * Moves the service's clock forward.
   * @param {number} ms
   */
  async advance(ms) {
    if (!(ms >= 0)) throw new TypeError("advance: expected milliseconds of 0 or more.");
    await this.#clock.advance(ms);
  }

  /** Moves the clock forward until every write is replicated and visible to reads from KV. */
  async settle() {
    await this.#clock.settle(BACKGROUND);
    if (this.#parts.lag > 0) await this.#clock.advance(this.#parts.lag);
  }

  /** Starts again: without data, requests, and faults, at the initial time, with the option's resources. */
  async reset() {
    this.close();
    this.#closed = false;
    this.#clock = new Clock(instant(this.#options.now));
    const parts = { ...this.#parts, clock: this.#clock, random: randomness(this.#options.seed) };
    this.#world = new World(parts);
    this.#failing = new Failing(this, parts);
    this.requests.length = 0;
    this.#faults = [];
    this.#tokens.clear();
    await this.#load(this.#options.resources ?? []);
  }

  /** @param {readonly object[]} resources */
  async #load(resources) {
    if (resources.length === 0) return;
    const headers = {
      Authorization: `Bearer ${await this.token({ scope: "manage_test" })}`,
      "Content-Type": "application/json",
    };
    for (const [index, resource] of resources.entries()) {
      const body = new TextEncoder().encode(JSON.stringify(resource)).buffer;
      const response = await this.perform({ method: "POST", url: `/${this.#projectKey}/resource`, headers, body });
      if (!response.ok) throw new TypeError(`resources[${index}]: ${(await response.json()).message}`);
    }
  }

  /** Frees the data and ends the timers. */
  close() {
    this.#closed = true;
    this.#clock?.stop();
    this.#world?.close();
    this.#failing?.close();
  }
}
