// A request as the service's `fetch` receives it, and its operation.

import { routes } from "../generated/routes.js";
import type { Operation } from "../generated/operations.js";
import type { ServiceRequest } from "./types.js";

export type FetchInput = string | URL | globalThis.Request;

/** A request to the service. */
export interface Request {
  method: string;
  url: URL;
  headers: Headers;
  signal: AbortSignal | undefined;
  body: ArrayBuffer | undefined;
}

/** An entry of the list of requests, which is written while the request is handled. */
export type RequestRecord = { -readonly [Name in keyof ServiceRequest]: ServiceRequest[Name] };

/** The address of the service, as its clients see it. */
export const BASE_URL = "http://resource-edge.test";

/** The headers that contain a token. */
const SECRET = new Set(["authorization", "sec-websocket-protocol"]);

/** The routes with patterns for their paths. */
const patterns = routes.map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
}));

/** The requests of a project's data that are no operation. */
const FURTHER = [
  { operation: "changes", method: "GET", pattern: /^\/(?<projectKey>[^/]+)\/changes$/ },
  { operation: "batch", method: "POST", pattern: /^\/(?<projectKey>[^/]+)\/batch$/ },
] as const;

/** Returns the operation of a request and its path variables, routed like the service. `undefined` if there is none. */
function route(method: string, path: string) {
  const further = FURTHER.find((row) => row.method === method && row.pattern.test(path));
  if (further) return { operation: further.operation, variables: further.pattern.exec(path)?.groups };
  const best = patterns.find(({ pattern }) => pattern.test(path));
  if (best === undefined) return undefined;
  const rows = patterns.filter((row) => row.path === best.path);
  const row =
    rows.find((row) => row.method === method) ??
    (method === "HEAD" ? rows.find((row) => row.method === "GET") : undefined);
  return row && { operation: row.operation as Operation, variables: best.pattern.exec(path)?.groups };
}

function decode(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the arguments of `fetch` as a request: `method`, `url`, `headers`, `body`, and `signal`. */
export async function readRequest(input: FetchInput, init: RequestInit = {}): Promise<Request> {
  const from = typeof input === "object" && !(input instanceof URL) && "url" in input ? input : undefined;
  const method = String(init.method ?? from?.method ?? "GET");
  const headers = new Headers(init.headers ?? from?.headers);
  const url = new URL(from?.url ?? String(input), BASE_URL);
  url.hash = "";
  const request: Request = {
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

/** Returns the content of a body: its JSON, or its text. */
function contentOf(body: ArrayBuffer) {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the request's entry for the list of requests, without tokens and secrets. */
export function describe({ method, url, headers, body }: Request, time: string): RequestRecord {
  const { pathname, searchParams } = url;
  const found = route(method, pathname);
  const params: Record<string, string | string[]> = {};
  const shown: Record<string, string> = {};
  for (const name of new Set(searchParams.keys())) {
    const values = searchParams.getAll(name);
    params[name] = values.length === 1 ? values[0] : values;
  }
  for (const [name, value] of headers) if (!SECRET.has(name)) shown[name] = value;
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
