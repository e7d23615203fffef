// The request log: every exchange with the service, without tokens and secrets. Also the log of changes.

/** @import { FetchResponse } from "../pkg/browser.js" */

/**
 * A request with its response. `status` is 0 until the response arrives. `retry` counts the attempts of one call from
 * 0.
 * @typedef {{
 *   method: string,
 *   url: string,
 *   requestHeaders: { [name: string]: string },
 *   requestBody: string | undefined,
 *   status: number,
 *   responseHeaders?: { [name: string]: string },
 *   responseBody?: string | undefined,
 *   startedAt: Date,
 *   ms: number,
 *   retry: number,
 *   error?: string,
 * }} Exchange
 */

/**
 * A write of this page.
 * @typedef {{ at: Date, id: string, version: number, what: string }} Change
 */

/**
 * The second argument of the recording `fetch`.
 * @typedef {{
 *   method: string,
 *   headers?: { [name: string]: string },
 *   body?: string,
 *   signal?: AbortSignal | undefined,
 * }} Init
 */

const KEPT = 200;
const KEPT_CHANGES = 10_000;
const BODY_CHARS = 256 * 1024;
/** The limit of all bodies together, in characters. Beyond it the oldest exchanges are removed. */
export const KEPT_CHARS = 16 * 1024 * 1024;

/**
 * The newest exchanges, oldest first.
 * @type {Exchange[]}
 */
export const exchanges = [];
/**
 * The newest writes of this page, oldest first.
 * @type {Change[]}
 */
export const changes = [];

// Incremented by `clearRequestLog`, so that earlier requests are not recorded.
let era = 0;
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {WeakMap<AbortSignal, number>} */
const retries = new WeakMap();

/**
 * Calls the listener when an exchange begins and when it ends. Returns a function that removes the listener.
 * @param {() => void} listener
 */
export function onExchange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns a `fetch` that records exchanges until the log is cleared. `timeout` limits each attempt, in milliseconds.
 * @param {number} timeout
 */
export function recording(timeout) {
  const mine = era;
  /**
   * @param {string} url
   * @param {Init} init
   * @returns {Promise<FetchResponse>}
   */
  return async function send(url, init) {
    const exchange = begin(url, init);
    if (mine === era) add(exchange);
    const { cancel, signal } = withTimeout(init.signal, timeout);
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
    } finally {
      cancel();
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

/**
 * @param {string} url
 * @param {Init} init
 * @returns {Exchange}
 */
function begin(url, init) {
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

/** @param {Exchange} exchange */
function add(exchange) {
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

/** @param {Exchange} [exchange] */
const sizeOf = (exchange) => (exchange?.requestBody?.length ?? 0) + (exchange?.responseBody?.length ?? 0);

/**
 * @param {Exchange} exchange
 * @param {Partial<Exchange>} result
 */
function end(exchange, result) {
  Object.assign(exchange, result, { ms: Math.round(Date.now() - exchange.startedAt.getTime()) });
  limitSize();
  notifyListeners();
}

function notifyListeners() {
  for (const listener of listeners) listener();
}

/**
 * Returns a response's text without tokens.
 * @param {string} url
 * @param {string} text
 */
function hideToken(url, text) {
  return new URL(url, location.href).pathname === "/oauth/token"
    ? text.replace(/("access_token"\s*:\s*")[^"]*/, "$1…")
    : cut(text);
}

/** @param {string | undefined} text */
function cut(text) {
  if (typeof text !== "string" || text.length <= BODY_CHARS) return text;
  return `${copyStart(text, BODY_CHARS)}\n… (${text.length - BODY_CHARS} characters more)`;
}

const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/**
 * Returns a copy of the beginning of a text. In V8, `slice` returns a view that keeps the whole text alive.
 * @param {string} text
 * @param {number} length
 */
function copyStart(text, length) {
  const bytes = new DataView(new ArrayBuffer(length * 2));
  for (let at = 0; at < length; at++) bytes.setUint16(at * 2, text.charCodeAt(at), true);
  return decoder.decode(bytes);
}

/**
 * Returns a signal that aborts with the caller's signal or after the timeout.
 * @param {AbortSignal | undefined} given
 * @param {number} timeout
 */
function withTimeout(given, timeout) {
  const controller = new AbortController();
  const stop = () => controller.abort(given?.reason);
  const timer = setTimeout(() => controller.abort(), timeout);
  given?.addEventListener("abort", stop);
  if (given?.aborted) stop();
  const cancel = () => {
    clearTimeout(timer);
    given?.removeEventListener("abort", stop);
  };
  return { cancel, signal: controller.signal };
}

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Adds a performed write to the log of changes.
 * @param {Exchange} exchange
 * @param {string | undefined} body
 * @param {string} text
 */
function addChange({ method, status }, body, text) {
  if (!WRITES.has(method) || status < 200 || status >= 300) return;
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return;
  }
  if (typeof answer?.id !== "string") return;
  changes.push({ at: new Date(), id: answer.id, version: answer.version, what: describeChange(method, status, body) });
  if (changes.length > KEPT_CHANGES) changes.shift();
}

/**
 * @param {string} method
 * @param {number} status
 * @param {string} [body]
 */
function describeChange(method, status, body = "{}") {
  if (method === "DELETE") return "deleted";
  if (status === 201) return "created";
  if (method !== "POST") return "overwritten";
  const { actions } = /** @type {{ actions?: { action: string }[] }} */ (JSON.parse(body));
  if (!Array.isArray(actions)) return "arrays replaced";
  return actions.length === 0 ? "no action" : actions.map(({ action }) => action).join(", ");
}
