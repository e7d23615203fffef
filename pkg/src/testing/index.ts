// `resource-edge/testing`: the service in memory, for tests of programs that use it. The Worker's own code handles each
// request; this folder has only its platform.

import { Clock } from "./clock.js";
import { checkFault, disturbs, Failing, matches, overtake, type Pending } from "./faults.js";
import { randomness } from "./random.js";
import { BASE_URL, describe, readRequest, type FetchInput, type Request, type RequestRecord } from "./request.js";
import { routePage } from "./route.js";
import { sampleBodies } from "./sample.js";
import { socketClass, type Upgrade } from "./sockets.js";
import { type Database, loadSqlite } from "./sqlite.js";
import { userToken } from "../token.js";
import type { Fault, RoutedPage, Service, ServiceOptions, TokenOptions } from "./types.js";
import { loadFiles, World, type Files, type Sent } from "./world.js";

export type * from "./types.js";

/** The credentials of the service's built-in API client. They are not secret, because the data is a test's. */
const CREDENTIALS = { clientId: "testing", clientSecret: "testing-secret" };
const SETTINGS = {
  // A read lags by `lag`, and not by what an instance remembers.
  HOT_SECONDS: "0",
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

const MEMBERS = [
  "projectKey",
  "scope",
  "authenticate",
  "bodies",
  "sample",
  "resources",
  "lag",
  "now",
  "seed",
  "settings",
  "sqlite",
  "log",
];

/** Starts a service in memory. */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  for (const name of Object.keys(options)) {
    if (!MEMBERS.includes(name))
      throw new TypeError(`createService: unknown option '${name}'. Expected ${MEMBERS.join(", ")}.`);
  }
  const [files, openDatabase] = await Promise.all([loadFiles(), loadSqlite(options.sqlite)]);
  const service = new MemoryService(options, files, openDatabase);
  await service.reset();
  return service;
}

/** Returns the instant of an option, or `undefined`. */
function instant(now: ServiceOptions["now"]) {
  if (now === undefined) return undefined;
  const at = new Date(typeof now === "object" ? now.getTime() : now).getTime();
  if (Number.isNaN(at)) throw new TypeError("now: expected a Date, a time, or milliseconds since 1970.");
  return at;
}

/** Returns the settings as the Worker expects them: `null` removes one. */
function settingsOf({ lag, settings = {} }: ServiceOptions) {
  const all = { ...SETTINGS, READ_DEFAULT: lag === undefined ? "fresh" : "cached", ...settings };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}

/** Writes errors of the log to the console. */
function logErrors(line: string) {
  if (line.includes('"level":"error"')) console.error(line);
}

/** Returns the promise's value, unless the signal aborts first. */
function whileWanted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined) {
  return new Promise<Value>((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", abort));
  });
}

/** Returns the first values. */
const takeFrom = <Value>(values: Iterator<Value, never>, count: number) =>
  Array.from({ length: count }, () => values.next().value);

/** Returns the project in an address. */
const projectOf = (url: string) => new URL(url).pathname.split("/")[1];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const networkError = (message: string) => new TypeError("fetch failed", { cause: new Error(message) });

class MemoryService implements Service {
  baseUrl = BASE_URL;
  credentials = CREDENTIALS;
  tokenSecret;
  requests: RequestRecord[] = [];
  WebSocket;
  #options;
  #projectKey;
  #scope;
  #parts;
  // `reset` sets these three before the service is returned.
  #world = undefined as unknown as World;
  #failing = undefined as unknown as Failing;
  #clock = undefined as unknown as Clock;
  #faults: Pending[] = [];
  #tokens = new Map<string, { token: string; ends: number }>();
  #closed = false;

  constructor(options: ServiceOptions, files: Files, openDatabase: () => Database) {
    const { projectKey = "demo", scope = "manage_test", lag = 0, log = logErrors, resources } = options;
    this.#options = options;
    this.#projectKey = projectKey;
    this.#scope = scope;
    const settings = settingsOf(options);
    this.tokenSecret = settings.TOKEN_SECRET ?? "";
    this.#parts = { files, openDatabase, settings, lag, log, resources };
    this.fetch = this.fetch.bind(this);
    this.WebSocket = socketClass({
      open: (url, protocols) => this.#openSocket(url, protocols),
      disturb: (url) => this.#takeFault((pending) => disturbs(pending, projectOf(url)))?.frame,
    });
  }

  /** Requests an upgrade. Returns the client's end of the socket, or `undefined` if the response is another. */
  async #openSocket(url: string, protocols: readonly string[]) {
    const headers = { Upgrade: "websocket", "Sec-WebSocket-Protocol": protocols.join(", ") };
    const response = (await this.fetch(new URL(url), { headers })) as Response & Partial<Upgrade>;
    return response.webSocket ?? undefined;
  }

  /** Handles a request as the global `fetch` would. */
  async fetch(input: FetchInput, init?: RequestInit) {
    const request = await readRequest(input, init);
    // Not `throwIfAborted`: older versions of jsdom lack it.
    if (request.signal?.aborted) throw request.signal.reason;
    if (this.#closed) throw networkError("the service in memory is closed");
    return whileWanted(this.#handle(request), request.signal);
  }

  async #handle(request: Request) {
    const record = describe(request, new Date(this.#clock.now()).toISOString());
    this.requests.push(record);
    if (this.requests.length > REQUESTS) this.requests.shift();
    const fault = this.#takeFault((pending) => matches(pending, record)) ?? {};
    if (Object.keys(fault).length > 0) record.fault = fault;
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

  /** Returns the first fault that applies and counts its use. */
  #takeFault(applies: (pending: Pending) => boolean): Fault | undefined {
    for (const pending of this.#faults) {
      if (!applies(pending)) continue;
      if (pending.skip > 0) {
        pending.skip -= 1;
        continue;
      }
      pending.times -= 1;
      if (pending.times === 0) this.#faults.splice(this.#faults.indexOf(pending), 1);
      return pending.fault;
    }
    return undefined;
  }

  /** Adds a token of the built-in API client to calls of a project if callers need no token. */
  async #authorize(request: Request, { path }: RequestRecord) {
    const [, projectKey = ""] = /^\/([^/]+)\/./.exec(path) ?? [];
    // The token endpoints accept no token.
    if (this.#options.authenticate !== false || projectKey === "" || projectKey === "oauth") return;
    // No token can contain a malformed project key: the service rejects the request with any token.
    const token = await this.token({ projectKey }).catch(() => this.token());
    request.headers.set("Authorization", `Bearer ${token}`);
  }

  /** Handles a request without faults and without listing it. For internal use. */
  async perform({ url, ...request }: Sent) {
    return this.#world.fetch({ ...request, url: new URL(url, BASE_URL).href });
  }

  /** Returns a token of the service's built-in API client, or of a user. */
  async token({ user, claims, projectKey = this.#projectKey, scope = this.#scope }: TokenOptions = {}) {
    if (user !== undefined) {
      const now = this.#clock.now();
      return (await userToken({ secret: this.tokenSecret, user, claims, now })).token;
    }
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

  /** Returns the options of a `ResourceClient` of this service. */
  clientOptions(options: TokenOptions = {}) {
    return {
      projectKey: options.projectKey ?? this.#projectKey,
      baseUrl: BASE_URL,
      fetch: this.fetch,
      WebSocket: this.WebSocket,
      token: async ({ refresh }: { refresh?: boolean } = {}) => {
        if (refresh) this.#tokens.clear();
        return this.token(options);
      },
    };
  }

  /** Responds to the requests and the sockets of a page of Playwright. */
  route(page: RoutedPage, url: Parameters<Service["route"]>[1]) {
    return routePage(this, page, url);
  }

  /** Makes matching requests fail. Returns a function that removes the fault. */
  fail(fault: Fault) {
    const pending = checkFault(fault);
    this.#faults.push(pending);
    return () => {
      this.#faults = this.#faults.filter((other) => other !== pending);
    };
  }

  /** Closes the sockets of a project, or of all. */
  closeSockets({ projectKey, code = 1012 }: { projectKey?: string; code?: number } = {}) {
    this.#world.closeSockets(projectKey, code);
  }

  /** Saves a project. Returns a function that restores it. */
  async backup({ projectKey = this.#projectKey }: { projectKey?: string } = {}) {
    const headers = { Authorization: `Bearer ${await this.token({ projectKey, scope: "manage_test" })}` };
    const pages: ArrayBuffer[] = [];
    let next: string | undefined = `/${projectKey}/export`;
    while (next !== undefined) {
      const page: Response = await this.perform({ method: "GET", url: next, headers });
      pages.push(await page.arrayBuffer());
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
    }
    return async () => {
      await this.#world.replace(projectKey);
      for (const body of pages) {
        const sent = { ...headers, "Content-Type": "application/x-ndjson" };
        const response = await this.perform({ method: "POST", url: `/${projectKey}/import`, headers: sent, body });
        if (!response.ok) throw new Error(`the project could not be restored: ${(await response.json()).message}`);
      }
      // The position that this reads starts the repair of KV.
      await this.perform({ method: "GET", url: `/${projectKey}/changes?after=now`, headers });
    };
  }

  /** Moves the service's clock forward. */
  async advance(ms: number) {
    if (!(ms >= 0)) throw new TypeError("advance: expected milliseconds of 0 or more.");
    await this.#clock.advance(ms);
  }

  /** Moves the clock forward until every write is replicated and visible to reads from KV. */
  async settle() {
    await this.#clock.settle(BACKGROUND);
    if (this.#parts.lag > 0) await this.#clock.advance(this.#parts.lag);
  }

  /** Starts again: without data, requests, and faults, at the initial time, with the option's bodies. */
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
    const { bodies = [], sample = 0, seed = 1 } = this.#options;
    await this.#load(bodies, "bodies");
    if (sample > 0) await this.#load(takeFrom(sampleBodies(await this.#schema(), seed), sample), "sample");
  }

  /** Returns the schema of the project's resource. */
  async #schema() {
    const response = await this.perform({ method: "GET", url: `/${this.#projectKey}/openapi.json`, headers: {} });
    const { "x-resource": declared } = await response.json();
    if (declared !== undefined) return declared.schema;
    throw new TypeError(
      `sample: the project '${this.#projectKey}' has no resource of 'resources'. Pass bodies instead.`,
    );
  }

  async #load(bodies: readonly object[], option: string) {
    if (bodies.length === 0) return;
    const headers = {
      Authorization: `Bearer ${await this.token({ scope: "manage_test" })}`,
      "Content-Type": "application/json",
    };
    for (const [index, value] of bodies.entries()) {
      const body = new TextEncoder().encode(JSON.stringify(value)).buffer;
      const response = await this.perform({ method: "POST", url: `/${this.#projectKey}/resource`, headers, body });
      if (!response.ok) throw new TypeError(`${option}[${index}]: ${(await response.json()).message}`);
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
