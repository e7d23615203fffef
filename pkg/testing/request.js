// A request as the service's `fetch` receives it, and its operation.

import { routes } from "../generated/routes.js";

/** @typedef {import("../operations.js").Operation} Operation */
/** @typedef {string | URL | globalThis.Request} FetchInput */

/**
 * A request to the service.
 * @typedef {object} Request
 * @property {string} method
 * @property {URL} url
 * @property {Headers} headers
 * @property {AbortSignal | undefined} signal
 * @property {ArrayBuffer | undefined} body
 */

/**
 * An entry of the list of requests, which is written while the request is handled.
 * @typedef {{ -readonly [Name in keyof ServiceRequest]: ServiceRequest[Name] }} RequestRecord
 */
/** @typedef {import("../testing.d.ts").ServiceRequest} ServiceRequest */

/** The address of the service, as its clients see it. */
export const BASE_URL = "http://resource-edge.test";

/** The routes with patterns for their paths. */
const patterns = routes.map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
}));

/**
 * Returns the operation of a request and its path variables, routed like the service. `undefined` if there is none.
 * @param {string} method
 * @param {string} path
 */
function route(method, path) {
  const best = patterns.find(({ pattern }) => pattern.test(path));
  if (best === undefined) return undefined;
  const rows = patterns.filter((row) => row.path === best.path);
  const row =
    rows.find((row) => row.method === method) ??
    (method === "HEAD" ? rows.find((row) => row.method === "GET") : undefined);
  return row && { operation: /** @type {Operation} */ (row.operation), variables: best.pattern.exec(path)?.groups };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the arguments of `fetch` as a request: `method`, `url`, `headers`, `body`, and `signal`.
 * @param {FetchInput} input
 * @param {RequestInit} [init]
 * @returns {Promise<Request>}
 */
export async function readRequest(input, init = {}) {
  const from = typeof input === "object" && !(input instanceof URL) && "url" in input ? input : undefined;
  const method = String(init.method ?? from?.method ?? "GET");
  const headers = new Headers(init.headers ?? from?.headers);
  const url = new URL(from?.url ?? String(input), BASE_URL);
  url.hash = "";
  /** @type {Request} */
  const request = {
    method: /^(delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method,
    url,
    headers,
    signal: init.signal ?? from?.signal ?? undefined,
    body: undefined,
  };
  const content = init.body ?? from?.body;
  if (content === undefined || content === null) return request;
  const body = new Response(content);
  const type = body.headers.get("Content-Type");
  if (type !== null && !headers.has("Content-Type")) headers.set("Content-Type", type);
  request.body = await body.arrayBuffer();
  return request;
}

/**
 * Returns the content of a body: its JSON, or its text.
 * @param {ArrayBuffer} body
 */
function contentOf(body) {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns the request's entry for the list of requests, without tokens and secrets.
 * @param {Request} request
 * @param {string} time
 * @returns {RequestRecord}
 */
export function describe({ method, url, headers, body }, time) {
  const { pathname, searchParams } = url;
  const found = route(method, pathname);
  /** @type {Record<string, string | string[]>} */
  const params = {};
  /** @type {Record<string, string>} */
  const shown = {};
  for (const name of new Set(searchParams.keys())) {
    const values = searchParams.getAll(name);
    params[name] = values.length === 1 ? values[0] : values;
  }
  for (const [name, value] of headers) if (name !== "authorization") shown[name] = value;
  const variables = Object.fromEntries(
    Object.entries(found?.variables ?? {}).map(([name, value]) => [name, decode(value)]),
  );
  const { projectKey, ...path } = variables;
  const oauth = pathname.startsWith("/oauth/");
  return {
    operation: found?.operation,
    projectKey,
    method,
    path: pathname,
    variables: path,
    params: oauth ? {} : params,
    headers: shown,
    body: oauth || body === undefined ? undefined : contentOf(body),
    time,
    status: undefined,
    fault: undefined,
  };
}
