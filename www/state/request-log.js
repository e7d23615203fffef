// The request log: every exchange with the service, without tokens and secrets. Also the log of changes.

const KEPT = 200;
const KEPT_CHANGES = 10_000;
const BODY_CHARS = 256 * 1024;
/** The limit of all bodies together, in characters. Beyond it the oldest exchanges are removed. */
export const KEPT_CHARS = 16 * 1024 * 1024;

/**
 * The newest exchanges, oldest first: `{ method, url, requestHeaders, requestBody, status, responseHeaders,
 * responseBody, startedAt, ms, retry, error }`. `status` is 0 until the response arrives. `retry` counts the attempts
 * of one call from 0.
 */
export const exchanges = [];
/** The newest writes of this page, oldest first: `{ at, id, version, what }`. */
export const changes = [];

// Incremented by `forget`, so that earlier requests are not recorded.
let era = 0;
const listeners = new Set();
const tries = new WeakMap();

/** Calls the listener when an exchange begins and when it ends. Returns a function that removes the listener. */
export function onExchange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns a `fetch` that records exchanges until `forget` is called. `timeout` limits each attempt, in milliseconds.
 */
export function recording(timeout) {
  const mine = era;
  return async (url, init) => {
    const exchange = begin(url, init);
    if (mine === era) keep(exchange);
    const { cancel, signal } = bounded(init.signal, timeout);
    try {
      const response = await fetch(url, { ...init, signal, credentials: "omit", cache: "no-store", redirect: "error" });
      const text = await response.text();
      end(exchange, {
        status: response.status,
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: shown(url, text),
      });
      if (mine === era) note(exchange, init.body, text);
      return { status: response.status, ok: response.ok, headers: response.headers, text: async () => text };
    } catch (error) {
      end(exchange, {
        error: init.signal?.aborted
          ? "aborted"
          : signal.aborted
            ? `no answer within ${timeout / 1000} s`
            : String(error.message),
      });
      throw error;
    } finally {
      cancel();
    }
  };
}

/** Removes everything: another person may use the page next. */
export function forget() {
  era += 1;
  exchanges.length = 0;
  changes.length = 0;
  tell(undefined);
}

function begin(url, init) {
  const retry = init.signal === undefined ? 0 : (tries.get(init.signal) ?? -1) + 1;
  if (init.signal !== undefined) tries.set(init.signal, retry);
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

function keep(exchange) {
  exchanges.push(exchange);
  if (exchanges.length > KEPT) exchanges.shift();
  bound();
  tell(exchange);
}

/** Removes the oldest exchanges until the bodies of all fit. */
function bound() {
  let chars = exchanges.reduce((sum, exchange) => sum + size(exchange), 0);
  while (chars > KEPT_CHARS) chars -= size(exchanges.shift());
}

const size = ({ requestBody, responseBody }) => (requestBody?.length ?? 0) + (responseBody?.length ?? 0);

function end(exchange, answer) {
  Object.assign(exchange, answer, { ms: Math.round(Date.now() - exchange.startedAt) });
  bound();
  tell(exchange);
}

function tell(exchange) {
  for (const listener of listeners) listener(exchange);
}

/** Returns a response's text without tokens. */
function shown(url, text) {
  return new URL(url, location.href).pathname === "/oauth/token"
    ? text.replace(/("access_token"\s*:\s*")[^"]*/, "$1…")
    : cut(text);
}

function cut(text) {
  if (typeof text !== "string" || text.length <= BODY_CHARS) return text;
  return `${copied(text, BODY_CHARS)}\n… (${text.length - BODY_CHARS} characters more)`;
}

const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/** Returns a copy of the beginning of a text. In V8, `slice` returns a view that keeps the whole text alive. */
function copied(text, length) {
  const bytes = new DataView(new ArrayBuffer(length * 2));
  for (let at = 0; at < length; at++) bytes.setUint16(at * 2, text.charCodeAt(at), true);
  return decoder.decode(bytes);
}

/** Returns a signal that aborts with the caller's signal or after the timeout. */
function bounded(given, timeout) {
  const controller = new AbortController();
  const stop = () => controller.abort(given.reason);
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

/** Adds a performed write to the log. */
function note({ method, status }, body, text) {
  if (!WRITES.has(method) || status < 200 || status >= 300) return;
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return;
  }
  if (typeof answer?.id !== "string") return;
  changes.push({ at: new Date(), id: answer.id, version: answer.version, what: described(method, status, body) });
  if (changes.length > KEPT_CHANGES) changes.shift();
}

function described(method, status, body) {
  if (method === "DELETE") return "deleted";
  if (status === 201) return "created";
  if (method !== "POST") return "overwritten";
  const { actions } = JSON.parse(body);
  if (!Array.isArray(actions)) return "arrays replaced";
  return actions.length === 0 ? "no action" : actions.map(({ action }) => action).join(", ");
}
