// Every exchange with the service, as the page may show it: without tokens and secrets. And the log of what was
// changed.

const KEPT = 200;
const KEPT_CHANGES = 10_000;
const BODY_CHARS = 256 * 1024;
/** How many characters the bodies of all exchanges have together: beyond that the oldest exchanges go. */
export const KEPT_CHARS = 16 * 1024 * 1024;

/** The newest exchanges, oldest first: `{ method, url, requestHeaders, requestBody, status, responseHeaders, responseBody,
 * startedAt, ms, retry, error }`. `status` is 0 while no answer is there; `retry` counts the tries of one call from 0.
 * */
export const exchanges = [];
/** What the newest writes of this page did, oldest first: `{ at, id, version, what }`. */
export const changes = [];

// Raised by forgetting: what was begun before is not noted.
let era = 0;
const listeners = new Set();
const tries = new WeakMap();

/** Calls the listener with each exchange, when it begins and when it has ended; returns what ends that. */
export function onExchange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A `fetch` that notes what passes, until all is forgotten; `timeout` bounds each try, in milliseconds. */
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

/** Forgets everything: another person may sit here next. */
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

/** Lets the oldest exchanges go until the bodies of all fit. */
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

/** An answer's text as it may be shown: a token is none of it. */
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

/** The beginning of a text. Not by `slice`: what that gives is a view in V8, which keeps the whole text alive. */
function copied(text, length) {
  const bytes = new DataView(new ArrayBuffer(length * 2));
  for (let at = 0; at < length; at++) bytes.setUint16(at * 2, text.charCodeAt(at), true);
  return decoder.decode(bytes);
}

/** A signal that ends with the caller's, or when the time is over. */
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

/** Adds a write that was performed to the log. */
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
