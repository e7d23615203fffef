// Faults for tests. If the service can return a status, the response is its own: a second Worker with a failing
// platform creates it.

import { routes } from "../generated/routes.js";
import { World } from "./world.js";

/** @typedef {import("../testing.d.ts").Fault} Fault */
/** @typedef {import("../testing.d.ts").ServiceRequest} ServiceRequest */
/** @typedef {import("./request.js").Request} Request */
/** @typedef {import("./world.js").Parts} Parts */

/**
 * The parts of the service that faults use.
 * @typedef {object} Service
 * @property {(options: { projectKey?: string, scope?: string }) => Promise<string>} token
 * @property {(request: Omit<import("./world.js").Sent, "url"> & { url: string }) => Promise<Response>} perform
 */

/**
 * A fault with its defaults: the names of its operations, and how often it still applies or is skipped.
 * @typedef {{ fault: Fault, names: readonly string[], times: number, skip: number }} Pending
 */

/**
 * How a status arises: parts of the platform, a token, or a text instead of a response of the service.
 * @typedef {Partial<Parts> & {
 *   token?: (service: Service, request: ServiceRequest) => string | Promise<string>,
 *   text?: string,
 * }} Cause
 */

/** @type {readonly string[]} */
const operations = routes.map(({ operation }) => operation);

/** @returns {never} */
const unavailable = () => {
  throw new Error("a fault of the test");
};

/**
 * By status: the failure of the Worker's platform, or the caller's token, that leads to this status.
 * @type {{ readonly [status: number]: Cause }}
 */
const STATUSES = {
  401: { token: () => "refused" },
  403: {
    token: (service, { projectKey }) => service.token({ projectKey: projectKey === "other" ? "another" : "other" }),
  },
  429: { bindings: { REQUEST_LIMIT: { limit: async () => ({ success: false }) } } },
  500: { openDatabase: () => ({ run: unavailable, close() {} }) },
  502: { text: "Bad Gateway" },
  503: { bindings: { PROJECTS: { getByName: unavailable } } },
  504: { text: "Gateway Timeout" },
};

const MEMBERS = [
  "operation",
  "projectKey",
  "match",
  "times",
  "skip",
  "status",
  "retryAfter",
  "conflict",
  "before",
  "delay",
  "networkError",
  "lostResponse",
];

/**
 * @param {string} message
 * @returns {never}
 */
function throwInvalid(message) {
  throw new TypeError(`fail: ${message}`);
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} min
 */
function wholeNumber(name, value, min) {
  if (!(value >= min && (Number.isInteger(value) || value === Infinity)))
    throwInvalid(`${name}: expected a whole number of ${min} or more.`);
}

/**
 * Returns a fault with its defaults. Throws a `TypeError` that describes the problem if the fault is invalid.
 * @param {Fault} fault
 * @returns {Pending}
 */
export function checkFault(fault) {
  for (const name of Object.keys(fault))
    if (!MEMBERS.includes(name)) throwInvalid(`unknown member '${name}'. Expected ${MEMBERS.join(", ")}.`);
  const names = [fault.operation ?? []].flat();
  for (const name of names)
    if (!operations.includes(name)) throwInvalid(`unknown operation '${name}'. Expected ${operations.join(", ")}.`);
  const { times = 1, skip = 0, status, delay = 0 } = fault;
  wholeNumber("times", times, 1);
  wholeNumber("skip", skip, 0);
  wholeNumber("delay", delay, 0);
  if (status !== undefined && !Object.hasOwn(STATUSES, status))
    throwInvalid(`the status cannot be ${status}. Expected ${Object.keys(STATUSES).join(", ")}.`);
  const effects = /** @type {const} */ (["status", "conflict", "before", "delay", "networkError", "lostResponse"]);
  if (!effects.some((name) => fault[name])) throwInvalid(`expected what goes wrong: one of ${effects.join(", ")}.`);
  return { fault, names, times, skip };
}

/**
 * Returns whether the fault applies to the request.
 * @param {Pending} pending
 * @param {ServiceRequest} request
 */
export function matches({ fault, names }, request) {
  if (request.operation === undefined || (names.length > 0 && !names.includes(request.operation))) return false;
  if (fault.conflict && (request.method === "GET" || request.method === "HEAD")) return false;
  if (fault.projectKey !== undefined && fault.projectKey !== request.projectKey) return false;
  return fault.match === undefined || Boolean(fault.match(request));
}

/** Responds with a status as the service does. `parts` are the arguments of a World. */
export class Failing {
  #parts;
  #service;
  /** @type {Map<number, World>} */
  #worlds = new Map();

  /**
   * @param {Service} service
   * @param {Parts} parts
   */
  constructor(service, parts) {
    this.#service = service;
    this.#parts = parts;
  }

  /**
   * @param {Fault} fault
   * @param {Request} request
   * @param {ServiceRequest} record
   */
  async respond({ status = 500, retryAfter = 0 }, request, record) {
    const { token, text, ...changes } = STATUSES[status];
    if (text !== undefined)
      return new Response(`<h1>${text}</h1>`, { status, headers: { "Content-Type": "text/html" } });
    const headers = new Headers(request.headers);
    if (token !== undefined) headers.set("Authorization", `Bearer ${await token(this.#service, record)}`);
    const response = await this.#world(status, changes).fetch({ ...request, headers });
    if (!response.headers.has("Retry-After")) return response;
    const changed = new Response(response.body, response);
    changed.headers.set("Retry-After", String(retryAfter));
    return changed;
  }

  /**
   * @param {number} status
   * @param {Partial<Parts>} changes
   */
  #world(status, changes) {
    const known = this.#worlds.get(status);
    if (known !== undefined) return known;
    const world = new World({ ...this.#parts, log() {}, ...changes });
    this.#worlds.set(status, world);
    return world;
  }

  close() {
    for (const world of this.#worlds.values()) world.close();
    this.#worlds.clear();
  }
}

/**
 * Returns the path of a write's resource below its collection, or `undefined` if the write names none.
 * @param {ServiceRequest} request
 */
function targetOf({ operation, variables, body }) {
  const id = variables.id ?? body?.id;
  if (id !== undefined) return `/${encodeURIComponent(id)}`;
  if (body?.key !== undefined) return `/key=${encodeURIComponent(body.key)}`;
  // In this case, these two operations address the project's only resource.
  return operation === "overwrite" || operation === "createOrOverwrite" ? "?limit=2" : undefined;
}

/**
 * Performs another caller's write on the request's resource, so that the request's expected version is stale. Does
 * nothing if there is no such resource.
 * @param {Service} service
 * @param {ServiceRequest} request
 */
export async function overtake(service, request) {
  const path = targetOf(request);
  if (path === undefined) return;
  const { projectKey } = request;
  const collection = `/${projectKey}/resource`;
  const Authorization = `Bearer ${await service.token({ projectKey, scope: "manage_test" })}`;
  const read = await service.perform({
    method: "GET",
    url: collection + path,
    headers: { Authorization, "Cache-Control": "no-cache" },
  });
  if (!read.ok) return;
  const answer = await read.json();
  const { results = [answer] } = answer;
  if (results.length !== 1) return;
  const [{ id, version }] = results;
  await service.perform({
    method: "POST",
    url: `${collection}/${encodeURIComponent(id)}`,
    headers: { Authorization, "Content-Type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify({ version, actions: [{ action: "doSomeThing" }] })).buffer,
  });
}
