// The request log: every exchange with the service, without tokens and secrets. Also the log of changes.

import { parseJson } from "../model/json.js";
import type { FetchResponse } from "../pkg/browser.js";

/**
 * A request with its response. `status` is 0 until the response arrives. `retry` counts the attempts of one call from
 * 0.
 */
export interface Exchange {
  method: string;
  url: string;
  requestHeaders: { [name: string]: string };
  requestBody: string | undefined;
  status: number;
  responseHeaders?: { [name: string]: string };
  responseBody?: string | undefined;
  startedAt: Date;
  ms: number;
  retry: number;
  error?: string;
}

/** A write of this page. */
export type Change = { at: Date; id: string; version: number; what: string };

/** The second argument of the recording `fetch`. */
interface Init {
  method: string;
  headers?: { [name: string]: string };
  body?: string;
  signal?: AbortSignal | undefined;
}

const KEPT = 200;
const KEPT_CHANGES = 10_000;
const BODY_CHARS = 256 * 1024;
/** The limit of all bodies together, in characters. Beyond it the oldest exchanges are removed. */
export const KEPT_CHARS = 16 * 1024 * 1024;

/** The newest exchanges, oldest first. */
export const exchanges: Exchange[] = [];
/** The newest writes of this page, oldest first. */
export const changes: Change[] = [];

// Incremented by `clearRequestLog`, so that earlier requests are not recorded.
let era = 0;
const listeners = new Set<() => void>();
const retries = new WeakMap<AbortSignal, number>();

/** Calls the listener when an exchange begins and when it ends. */
export const onExchange = (listener: () => void) => void listeners.add(listener);

/**
 * Returns a `fetch` that records exchanges until the log is cleared. `timeout` limits each attempt, in milliseconds.
 */
export function recording(timeout: number) {
  const mine = era;
  return async function send(url: string, init: Init): Promise<FetchResponse> {
    const exchange = begin(url, init);
    if (mine === era) add(exchange);
    const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), AbortSignal.timeout(timeout)]);
    try {
      const response = await fetch(url, { ...init, signal, credentials: "omit", cache: "no-store", redirect: "error" });
      const text = await response.text();
      end(exchange, {
        status: response.status,
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: hideToken(url, text),
      });
      if (mine === era) addChange(exchange, init.body, text);
      return { status: response.status, ok: response.ok, headers: response.headers, text: async () => text };
    } catch (error) {
      const late = signal.aborted ? `no response within ${timeout / 1000} s` : String(error);
      end(exchange, { error: init.signal?.aborted ? "aborted" : late });
      throw error;
    }
  };
}

/** Removes everything: another person may use the page next. */
export function clearRequestLog() {
  era += 1;
  exchanges.length = 0;
  changes.length = 0;
  notifyListeners();
}

function begin(url: string, init: Init): Exchange {
  const retry = init.signal === undefined ? 0 : (retries.get(init.signal) ?? -1) + 1;
  if (init.signal !== undefined) retries.set(init.signal, retry);
  const requestHeaders = { ...init.headers };
  if (requestHeaders.Authorization !== undefined)
    requestHeaders.Authorization = requestHeaders.Authorization.replace(/ .*/s, " …");
  return {
    method: init.method,
    url,
    requestHeaders,
    requestBody: cut(init.body),
    status: 0,
    startedAt: new Date(),
    ms: 0,
    retry,
  };
}

function add(exchange: Exchange) {
  exchanges.push(exchange);
  if (exchanges.length > KEPT) exchanges.shift();
  limitSize();
  notifyListeners();
}

/** Removes the oldest exchanges until the bodies of all fit. */
function limitSize() {
  let chars = exchanges.reduce((sum, exchange) => sum + sizeOf(exchange), 0);
  while (chars > KEPT_CHARS) chars -= sizeOf(exchanges.shift());
}

const sizeOf = (exchange?: Exchange) => (exchange?.requestBody?.length ?? 0) + (exchange?.responseBody?.length ?? 0);

function end(exchange: Exchange, result: Partial<Exchange>) {
  Object.assign(exchange, result, { ms: Math.round(Date.now() - exchange.startedAt.getTime()) });
  limitSize();
  notifyListeners();
}

function notifyListeners() {
  for (const listener of listeners) listener();
}

/** Returns a response's text without tokens. */
function hideToken(url: string, text: string) {
  return new URL(url, location.href).pathname === "/oauth/token"
    ? text.replace(/("access_token"\s*:\s*")[^"]*/, "$1…")
    : cut(text);
}

function cut(text: string | undefined) {
  if (typeof text !== "string" || text.length <= BODY_CHARS) return text;
  // A copy: in V8, `slice` returns a view that keeps the whole text alive.
  const start = JSON.parse(JSON.stringify(text.slice(0, BODY_CHARS)));
  return `${start}\n… (${text.length - BODY_CHARS} characters more)`;
}

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Adds a performed write to the log of changes. */
function addChange({ method, status }: Exchange, body: string | undefined, text: string) {
  if (!WRITES.has(method) || status < 200 || status >= 300) return;
  const answer = parseJson<{ id?: unknown; version: number }>(text);
  if (typeof answer?.id !== "string") return;
  changes.push({ at: new Date(), id: answer.id, version: answer.version, what: describeChange(method, status, body) });
  if (changes.length > KEPT_CHANGES) changes.shift();
}

function describeChange(method: string, status: number, body = "{}") {
  if (method === "DELETE") return "deleted";
  if (status === 201) return "created";
  if (method !== "POST") return "overwritten";
  const { actions } = JSON.parse(body) as { actions?: { action: string }[] };
  if (!Array.isArray(actions)) return "arrays replaced";
  return actions.length === 0 ? "no action" : actions.map(({ action }) => action).join(", ");
}
