// Faults for tests. If the service can return a status, the response is its own: a second Worker with a failing
// platform creates it.

import { routes } from "../generated/routes.js";
import type { Fault, ServiceRequest } from "./types.js";
import type { Request } from "./request.js";
import { World, type Parts, type Sent } from "./world.js";

/** The parts of the service that faults use. */
interface FaultableService {
  token: (options: { projectKey?: string; scope?: string }) => Promise<string>;
  perform: (request: Omit<Sent, "url"> & { url: string }) => Promise<Response>;
}

/** A fault with its defaults: the names of its operations, and how often it still applies or is skipped. */
export type Pending = { fault: Fault; names: readonly string[]; times: number; skip: number };

/** How a status arises: parts of the platform, a token, or a text instead of a response of the service. */
type Cause = Partial<Parts> & {
  token?: (service: FaultableService, request: ServiceRequest) => string | Promise<string>;
  text?: string;
};

const operations: readonly string[] = [...routes.map(({ operation }) => operation), "changes", "batch"];

const unavailable = (): never => {
  throw new Error("a fault of the test");
};

/** By status: the failure of the Worker's platform, or the caller's token, that leads to this status. */
const STATUSES: { readonly [status: number]: Cause } = {
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

/** What can go wrong with a request. */
const EFFECTS = ["status", "conflict", "before", "delay", "networkError", "lostResponse"] as const;
const CONDITIONS = ["operation", "projectKey", "match", "times", "skip"];
const MEMBERS: readonly string[] = [...CONDITIONS, ...EFFECTS, "retryAfter", "frame"];

const FRAMES: readonly unknown[] = ["drop", "repeat", "delay"];

function throwInvalid(message: string): never {
  throw new TypeError(`fail: ${message}`);
}

function wholeNumber(name: string, value: number, min: number) {
  if (!(value >= min && (Number.isInteger(value) || value === Infinity)))
    throwInvalid(`${name}: expected a whole number of ${min} or more.`);
}

/** Returns a fault with its defaults. Throws a `TypeError` that describes the problem if the fault is invalid. */
export function checkFault(fault: Fault): Pending {
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
  if (fault.frame !== undefined) {
    if (!FRAMES.includes(fault.frame)) throwInvalid(`frame: expected one of ${FRAMES.join(", ")}.`);
    const other = (["operation", "match", ...EFFECTS] as const).find((name) => fault[name] !== undefined);
    if (other) throwInvalid(`'${other}' is not allowed beside 'frame', which is about no request.`);
  } else if (!EFFECTS.some((name) => fault[name]))
    throwInvalid(`expected what goes wrong: one of ${EFFECTS.join(", ")}.`);
  return { fault, names, times, skip };
}

/** Returns whether the fault applies to the frames of the project. */
export const disturbs = ({ fault }: Pending, projectKey: string | undefined) =>
  fault.frame !== undefined && (fault.projectKey === undefined || fault.projectKey === projectKey);

/** Returns whether the fault applies to the request. */
export function matches({ fault, names }: Pending, request: ServiceRequest) {
  if (fault.frame !== undefined) return false;
  if (request.operation === undefined || (names.length > 0 && !names.includes(request.operation))) return false;
  if (fault.conflict && (request.method === "GET" || request.method === "HEAD")) return false;
  if (fault.projectKey !== undefined && fault.projectKey !== request.projectKey) return false;
  return fault.match === undefined || Boolean(fault.match(request));
}

/** Responds with a status as the service does. `parts` are the arguments of a World. */
export class Failing {
  #parts;
  #service;
  #worlds = new Map<number, World>();

  constructor(service: FaultableService, parts: Parts) {
    this.#service = service;
    this.#parts = parts;
  }

  async respond({ status = 500, retryAfter = 0 }: Fault, request: Request, record: ServiceRequest) {
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

  #world(status: number, changes: Partial<Parts>) {
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

/** Returns the path of a write's resource below its collection, or `undefined` if the write names none. */
function targetOf({ operation, variables, body: sent }: ServiceRequest) {
  // Of a batch, the first write.
  const { id: own, body } = operation === "batch" ? (sent?.writes?.[0] ?? {}) : { id: undefined, body: sent };
  const id = own ?? variables.id ?? body?.id;
  if (id !== undefined) return `/${encodeURIComponent(id)}`;
  if (body?.key !== undefined) return `/key=${encodeURIComponent(body.key)}`;
  // In this case, these two operations address the project's only resource.
  return operation === "overwrite" || operation === "createOrOverwrite" ? "?limit=2" : undefined;
}

/**
 * Performs another caller's write on the request's resource, so that the request's expected version is stale. If there
 * is no such resource, creates what the request would only create, or does nothing.
 */
export async function overtake(service: FaultableService, request: ServiceRequest) {
  const path = targetOf(request);
  if (path === undefined) return;
  const { projectKey } = request;
  const collection = `/${projectKey}/resource`;
  const Authorization = `Bearer ${await service.token({ projectKey, scope: "manage_test" })}`;
  const write = (url: string, body: object) =>
    service.perform({
      method: "POST",
      url,
      headers: { Authorization, "Content-Type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify(body)).buffer,
    });
  const read = await service.perform({
    method: "GET",
    url: collection + path,
    headers: { Authorization, "Cache-Control": "no-cache" },
  });
  if (!read.ok) {
    if (request.headers["if-none-match"] === "*") await write(collection, request.body);
    return;
  }
  const answer = await read.json();
  const { results = [answer] } = answer;
  if (results.length !== 1) return;
  const [{ id }] = results;
  // It changes no field, whatever fields the resource has.
  await write(`${collection}/description-with-urn-links`, { id });
}
