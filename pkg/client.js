// The client: JavaScript sends, waits and reads JSON; the WebAssembly renders requests from the operation table, keeps the
// session's floor and decides what follows an answer (src/client).

import { core, put } from "./core.js";
import { BODY_BYTES } from "./accept.js";
import { families, operations } from "./operations.js";
import { validate } from "./validate.js";
import { text as isText } from "./value.js";

// What the WebAssembly says instead of a pause (src/bindings/client.rs).
const DONE = -1;
const FAILED_FOR_NOW = -3;
const RENEW = -4;
const REFRESH = -5;

const RETRY = { retries: 4, baseDelay: 200, maxDelay: 8000 };
const TIMEOUT = 30_000;
// A token is renewed a minute before its end, or after nine tenths of its life where that is less.
const MARGIN = 60_000;
// A fetch of a token that takes longer is no longer waited for by calls that come: in a Worker it may have ended with the
// request that began it, and would never settle.
const PATIENCE = 5000;
// Timers that are longer than this run out at once.
const TIMER_MAX = 2 ** 31 - 1;
// The headers that the client sets itself.
const OWN_HEADERS = /^(authorization|content-type|idempotency-key|resource-min-revision)$/i;

/** Why a call has no result. No token ever gets into it. */
export class ResourceError extends Error {
  constructor(kind, message, { cause, ...details } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = undefined;
    this.code = undefined;
    this.errors = [];
    this.issues = undefined;
    this.currentVersion = undefined;
    this.correlationId = undefined;
    this.retryable = false;
    Object.assign(this, details);
  }

  get name() {
    return "ResourceError";
  }
}

/** A client of one project. */
export class ResourceClient {
  #core;
  #fetch;
  #timeout;
  #headers;
  #tokens;

  constructor(options) {
    const { token, credentials, fetch, headers, retry } = options;
    this.#timeout = time(options.timeout ?? TIMEOUT);
    this.#fetch = fetch;
    this.#headers = headerPairs(headers);
    const { ClientCore } = core();
    const names = ["projectKey", "region", "cloudProvider", "domain", "baseUrl"].map((name) => word(name, options[name] ?? ""));
    this.#core = new ClientCore(put([...names, ...retryNumbers(retry)].join("\0")));
    said(this.#core.base());
    if (typeof token === "string") this.#tokens = new Tokens(undefined, checked(token));
    else if (token !== undefined) this.#tokens = new Tokens((refused) => this.#ask(token, refused));
    else if (credentials !== undefined) this.#tokens = new Tokens(() => this.#exchangeCredentials(credentials));
  }

  query(params, options) {
    return this.#call("query", [], params, options);
  }

  getById(id, params, options) {
    return this.#call("getById", [id], params, options);
  }

  getByKey(key, params, options) {
    return this.#call("getByKey", [key], params, options);
  }

  search(params, options) {
    return this.#call("search", [], params, options);
  }

  exists(params, options) {
    return this.#call("exists", [], params, options);
  }

  createOrUpdate(body, options) {
    return this.#call("createOrUpdate", [], undefined, options, body);
  }

  overwrite(body, options) {
    return this.#call("overwrite", [], undefined, options, body);
  }

  createOrOverwrite(body, options) {
    return this.#call("createOrOverwrite", [], undefined, options, body);
  }

  updateByPath(uriParameterOne, uriParameterTwo, body, params, options) {
    return this.#call("updateByPath", [uriParameterOne, uriParameterTwo], params, options, body);
  }

  updateById(id, body, options) {
    return this.#call("updateById", [id], undefined, options, body);
  }

  deleteById(id, params, options) {
    return this.#call("deleteById", [id], params, options);
  }

  querySorted(params, options) {
    return this.#call("querySorted", [], params, options);
  }

  updateWithUrnLinks(body, params, options) {
    return this.#call("updateWithUrnLinks", [], params, options, body);
  }

  async modify(id, change, { tries = 10, ...options } = {}) {
    const { signal } = options;
    const whole = time(options.timeout ?? this.#timeout);
    const end = performance.now() + whole;
    /** The options of the next step, where there is time for one. */
    const left = () => {
      if (signal?.aborted) throw aborted(signal);
      const timeout = end - performance.now();
      if (timeout <= 0) throw late(whole);
      // Each try is a write of its own.
      return { ...options, timeout, idempotencyKey: undefined };
    };
    for (let lost = 1; ; lost++) {
      const current = await this.getById(id, undefined, { ...left(), fresh: true });
      const { timeout } = left();
      const actions = await within(timeout, Promise.resolve(current).then(change), signal);
      const last = left();
      if (!actions || actions.length === 0) return current;
      try {
        return await this.updateById(id, { version: current.version, actions }, last);
      } catch (error) {
        if (error.status !== 409 || lost >= tries) throw error;
      }
      // So that those who lost together do not lose together again; a late end is told by the next call.
      await sleep(Math.random() * Math.min(20 * 2 ** lost, 2000, end - performance.now()), signal);
    }
  }

  async *pages({ where = [], limit = 100, ...params } = {}, options) {
    if (!(limit >= 1)) throw new ResourceError("invalid", "limit: expected at least 1.");
    const conditions = Array.isArray(where) ? where : [where];
    const fixed = { ...params, sort: "id asc", offset: undefined, withTotal: false };
    let size = limit;
    let after = [];
    for (;;) {
      let page;
      try {
        page = await this.query({ ...fixed, where: [...conditions, ...after], limit: size }, options);
      } catch (error) {
        // The page would have been too large: half of it may not be.
        if (size === 1 || error.status !== 400 || error.errors[0]?.parameter !== "limit") throw error;
        size = Math.ceil(size / 2);
        continue;
      }
      const { results } = page;
      if (results.length > 0) yield page;
      if (results.length < size) return;
      after = [predicate`id > ${results[results.length - 1].id}`];
    }
  }

  async *all(params, options) {
    for await (const page of this.pages(params, options)) yield* page.results;
  }

  /** A call from its arguments to its result. */
  async #call(name, variables, params, options = {}, body) {
    const operation = operations[name];
    const timeout = time(options.timeout ?? this.#timeout);
    const content = operation.body === undefined ? undefined : written(operation.body, body);
    const text = this.#text(operation, variables, params, options, body);
    const { signal } = options;
    if (signal?.aborted) throw aborted(signal);
    const controller = new AbortController();
    let timer;
    let giveUp;
    try {
      const answer = await new Promise((resolve, reject) => {
        const stop = (error) => {
          reject(error);
          controller.abort(error);
        };
        giveUp = () => stop(aborted(signal));
        signal?.addEventListener("abort", giveUp);
        if (timeout < TIMER_MAX) timer = setTimeout(() => stop(late(timeout)), timeout);
        this.#exchange(operation.method, text, Date.now() + timeout, content, controller.signal).then(resolve, reject);
      });
      options.onResponse?.({ status: answer.status, headers: answer.headers });
      if (name === "exists") return answer.status !== 404;
      if (typeof answer.data !== "object" || answer.data === null) throw senseless(answer);
      return answer.data;
    } catch (error) {
      // Thrown here, the error's stack leads to the caller.
      throw error instanceof ResourceError ? traced(error) : new ResourceError("unexpected", String(error), { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /** A call as `Call::parse` in src/client/call.rs reads it. */
  #text({ number, write }, variables, params, options, body) {
    const letters = (options.fresh ? "f" : "") + (options.respondAsync ? "a" : "");
    const key = write ? word("idempotencyKey", options.idempotencyKey ?? randomKey()) : "";
    const named = typeof body?.key === "string" ? body.key : "";
    const parts = [number, letters, key, named, "", ""];
    for (let at = 0; at < variables.length; at++) parts[4 + at] = word("A path variable", variables[at]);
    if (params !== undefined) pairs(parts, params);
    if (this.#headers.length > 0 || options.headers !== undefined) {
      parts.push("", "", ...joined(this.#headers, headerPairs(options.headers)));
    }
    return parts.join("\0");
  }

  /** Sends a call until it has come to an end. */
  async #exchange(method, text, deadline, content, signal) {
    let { call, asked, request } = this.#render(text);
    let renewable = this.#tokens?.renewable ?? false;
    for (let retries = 0; ; ) {
      let token = this.#tokens?.get();
      if (typeof token === "object") token = await token;
      const answer = await this.#send(method, request, token && `Bearer ${token}`, content, signal);
      const next = this.#core.next(put(text + answer.text(method)), call, asked, deadline, retries, renewable, Date.now(), dice());
      if (next === DONE) return answer;
      if (next === RENEW) {
        renewable = false;
        this.#tokens.refuse(token);
      } else if (next === REFRESH) {
        // Its letters are the second part.
        text = text.replace("\0", "\0f");
        ({ call, asked, request } = this.#render(text));
      } else if (next >= 0) {
        retries++;
        await sleep(next, signal);
      } else throw refused(answer, next);
    }
  }

  /** A call's length in the buffer, the oldest revision that it takes, and its request. */
  #render(text) {
    const call = put(text);
    const told = said(this.#core.request(call));
    const end = told.indexOf("\0");
    return { call, asked: Number(told.slice(0, end)), request: told.slice(end + 1) };
  }

  /** The answer to a request, or what came instead. */
  async #send(method, text, authorization, body, signal) {
    const request = authorization === undefined ? text : `${text}\0Authorization\0${authorization}`;
    const init = { method, body, signal };
    try {
      if (signal.aborted) throw signal.reason;
      const response = await (this.#fetch === undefined ? core().send(put(request), init) : ownFetch(this.#fetch, request, init));
      return new Answer(response, await response.text());
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      return new Answer(undefined, cause);
    }
  }

  /** A token from the caller's function. */
  async #ask(give, refresh) {
    const given = await within(this.#timeout, Promise.resolve(refresh).then((refresh) => give({ refresh })));
    return typeof given === "string" ? { token: given } : (given ?? {});
  }

  /** A token from the token endpoint (RFC 6749, 4.4). */
  async #exchangeCredentials({ clientId, clientSecret, scope }) {
    const request = `${this.#core.base()}/oauth/token\0Content-Type\0application/x-www-form-urlencoded`;
    // Each part is form-encoded before they are put together (RFC 6749, 2.3.1).
    const basic = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    const scopes = Array.isArray(scope) ? scope.join(" ") : scope;
    const form = `grant_type=client_credentials${scopes ? `&scope=${encodeURIComponent(scopes)}` : ""}`;
    for (let retries = 0; ; retries++) {
      const signal = AbortSignal.timeout(Math.ceil(Math.min(this.#timeout, TIMER_MAX)));
      const sent = within(this.#timeout, this.#send("POST", request, basic, form, signal));
      const answer = await sent.catch((cause) => new Answer(undefined, cause));
      if (answer.ok && typeof answer.data?.access_token === "string") {
        return { token: answer.data.access_token, expiresIn: answer.data.expires_in };
      }
      const next = this.#core.next(put(answer.text("POST")), 0, 0, Infinity, retries, false, Date.now(), dice());
      if (next < 0) throw answer.ok ? senseless(answer) : refused(answer, next, "No token was given: ");
      await sleep(next);
    }
  }
}

/** The token of a client: one fetch for all calls that wait, renewed before its end. */
class Tokens {
  #source;
  #token;
  /** When it is renewed, and when it holds no longer. */
  #due = Infinity;
  #end = Infinity;
  #fetching;
  #began = 0;
  #refused = false;

  constructor(source, token) {
    this.#source = source;
    this.#token = token;
  }

  get renewable() {
    return this.#source !== undefined;
  }

  /** The token, or the promise of one. */
  get() {
    const token = this.#token;
    const now = Date.now();
    if (token !== undefined && now < this.#due) return token;
    if (this.#fetching === undefined || Math.abs(now - this.#began) > PATIENCE) this.#fetch(now);
    if (token === undefined || now >= this.#end) return this.#fetching;
    // It still holds: that another cannot be had yet is no reason to fail.
    return this.#fetching.catch((error) => {
      if (this.#token !== token) throw error;
      return token;
    });
  }

  #fetch(now) {
    this.#began = now;
    const fetching = this.#renew().finally(() => {
      if (this.#fetching === fetching) this.#fetching = undefined;
    });
    this.#fetching = fetching;
  }

  /** The service refused the token: the next call fetches another, unless one did already. */
  refuse(token) {
    if (this.#token !== token) return;
    this.#token = undefined;
    this.#refused = true;
  }

  async #renew() {
    const now = Date.now();
    const { token, expiresIn } = await this.#source(this.#refused);
    this.#token = checked(token);
    const life = expiresIn * 1000;
    this.#end = life >= 0 ? now + life : Infinity;
    this.#due = this.#end - Math.min(MARGIN, life / 10 || 0);
    this.#refused = false;
    return token;
  }
}

/** What a request came to; without a response, why there is none. */
class Answer {
  constructor(response, content) {
    this.status = response?.status ?? 0;
    this.ok = response?.ok ?? false;
    this.headers = response?.headers;
    this.cause = undefined;
    this.data = undefined;
    if (response === undefined) this.cause = content;
    else if (content !== "") {
      try {
        this.data = JSON.parse(content);
      } catch {
        // A page of a proxy's, not the service's answer.
      }
    }
  }

  /** As `Answer::parse` in src/client/response.rs reads it. */
  text(method) {
    const { status, headers, data } = this;
    if (headers === undefined) return "0";
    const results = this.ok ? data?.results : undefined;
    if (Array.isArray(results)) {
      // A page speaks of its resources alone.
      let text = `${status}\0\0\0`;
      for (const result of results) text += seen(result);
      return text;
    }
    // A resource says its revision itself; a deleted one said that of its last change.
    const shown = this.ok && typeof data?.id === "string";
    const revision = shown && method !== "DELETE" ? "" : (headers.get("Resource-Revision") ?? "");
    const text = `${status}\0${revision}\0`;
    if (shown) return `${text}\0${seen(data)}`;
    return this.ok ? `${text}\0${headers.get("ETag") ?? ""}` : text + wait(headers.get("Retry-After"));
  }
}

function seen({ id, key = "", lastModifiedAt }) {
  return `\0${id}\0${key}\0${lastModifiedAt}`;
}

/** `Retry-After` in milliseconds; empty where it makes no sense, or names a moment that is over by this clock. */
function wait(value) {
  if (value === null) return "";
  if (/^\s*\d+\s*$/.test(value)) return Math.min(Number(value) * 1000, 1e15);
  // Dates of HTTP begin with a day's name; more than those is taken for a date by `parse`.
  const pause = /^\s*[A-Z][a-z]+,? /.test(value) ? Date.parse(value) - Date.now() : NaN;
  return pause > 0 ? Math.ceil(Math.min(pause, 1e15)) : "";
}

function ownFetch(fetch, request, init) {
  const [url, ...pairs] = request.split("\0");
  init.headers = {};
  for (let at = 0; at < pairs.length; at += 2) init.headers[pairs[at]] = pairs[at + 1];
  return fetch(url, init);
}

/** A body as it is sent; thrown where it is not valid. */
function written(kind, body) {
  const result = validate(kind, body);
  if (result.valid) return typeof body === "object" && !ArrayBuffer.isView(body) ? sized(JSON.stringify(body)) : body;
  const { issues } = result;
  const errors = issues.map(({ path, pointer, ...issue }) => ({ ...issue, path: pointer }));
  throw new ResourceError("invalid", issues[0]?.message ?? "The body is not valid.", { code: issues[0]?.code, errors, issues });
}

/** The text, where it is not larger than any body may be. */
function sized(text) {
  const fits = text.length * 3 <= BODY_BYTES || (text.length <= BODY_BYTES && new TextEncoder().encode(text).length <= BODY_BYTES);
  if (fits) return text;
  const [code, message] = ["ContentTooLarge", `The body is too large: at most ${BODY_BYTES} bytes are taken.`];
  throw new ResourceError("invalid", message, { code, errors: [{ code, message }] });
}

/** How often and how soon to try again, as whole numbers. */
function retryNumbers(retry) {
  const given = retry === false ? { retries: 0 } : retry;
  return Object.keys(RETRY).map((name) => {
    const value = given?.[name] ?? RETRY[name];
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
    throw new ResourceError("invalid", `retry.${name}: expected a whole number.`);
  });
}

/** Appends the pairs that an object of parameters or headers stands for. */
function pairs(parts, object) {
  for (const name in object) {
    const value = object[name];
    if (families.includes(name) && typeof value === "object") {
      for (const open in value) pair(parts, `${name}.${open}`, value[open]);
    } else pair(parts, name, value);
  }
  return parts;
}

function headerPairs(headers) {
  for (const name in headers) {
    if (OWN_HEADERS.test(name)) throw new ResourceError("invalid", `headers: ${name} is the client's own.`);
  }
  return pairs([], headers);
}

/** The headers of the client and those of a call, which replace them whatever their letters. */
function joined(ours, theirs) {
  const named = new Map();
  for (const pairs of [ours, theirs]) {
    for (let at = 0; at < pairs.length; at += 2) named.set(pairs[at].toLowerCase(), [pairs[at], pairs[at + 1]]);
  }
  return [...named.values()].flat();
}

function pair(parts, name, value) {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const one of value) pair(parts, name, one);
  else parts.push(word(name || "A name", name || undefined), word(name, value));
}

/** A value as text without U+0000 and half surrogate pairs, which nothing can carry. */
function word(name, value) {
  switch (typeof value) {
    case "string":
      if (isText(value)) return value;
      break;
    case "number":
      if (Number.isFinite(value)) return String(value);
      break;
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      try {
        if (value !== null) return value instanceof Date ? value.toISOString() : JSON.stringify(value);
      } catch {
        // No moment, or a circle.
      }
  }
  throw new ResourceError("invalid", `${name}: a ${typeof value} that cannot be sent.`);
}

/** A predicate whose interpolated values are written as literals. */
export function predicate({ raw }, ...values) {
  return raw.reduce((text, next, at) => text + literal(values[at - 1]) + next);
}

function literal(value) {
  if (Array.isArray(value) && value.length > 0) return `(${value.map(scalar).join(", ")})`;
  return scalar(value);
}

function scalar(value) {
  if (typeof value === "string" || (value instanceof Date && !Number.isNaN(value.getTime()))) return JSON.stringify(value);
  if (typeof value === "boolean" || typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError("A predicate takes strings, finite numbers, booleans, dates, and lists of them.");
}

/** The same, where it is a token; no word of it gets into the error. */
function checked(token) {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ResourceError("unexpected", "The token is not printable ASCII without spaces.");
}

function refused(answer, next, prefix = "") {
  const { status, headers, data, cause } = answer;
  const retryable = next === FAILED_FOR_NOW;
  if (status === 0) return new ResourceError("network", `${prefix}The service was not reached.`, { retryable, cause });
  // What a proxy answers may look alike.
  const errors = Array.isArray(data?.errors) ? data.errors.filter((error) => typeof error === "object" && error !== null) : [];
  const message = typeof data?.message === "string" ? data.message : `The service answered ${status}.`;
  return new ResourceError("api", prefix + message, {
    status,
    code: [errors[0]?.code, data?.error].find((code) => typeof code === "string"),
    errors,
    currentVersion: errors.find((error) => error.currentVersion !== undefined)?.currentVersion,
    correlationId: headers.get("X-Correlation-ID") ?? undefined,
    retryable,
  });
}

function senseless({ status, headers }) {
  const correlationId = headers.get("X-Correlation-ID") ?? undefined;
  return new ResourceError("unexpected", `The answer (${status}) is not the service's.`, { status, correlationId });
}

function aborted(signal) {
  return new ResourceError("aborted", "The call was aborted.", { cause: signal.reason });
}

function late(timeout) {
  return new ResourceError("timeout", `The call took longer than ${timeout} ms.`, { retryable: true });
}

/** The error with the stack of the call, and not of the event that ended it. */
function traced(error) {
  Error.captureStackTrace?.(error, traced);
  return error;
}

/** What the WebAssembly says, where that is not what is wrong. */
function said(text) {
  if (text[0] === "!") throw new ResourceError("invalid", text.slice(1));
  return text;
}

function time(timeout) {
  if (typeof timeout === "number" && !Number.isNaN(timeout)) return Math.max(timeout, 0);
  throw new ResourceError("invalid", "timeout: expected milliseconds.");
}

/** Resolved after that many milliseconds, or as soon as the signal says so. */
function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, signal?.aborted ? 0 : Math.min(milliseconds, TIMER_MAX));
    signal?.addEventListener("abort", done);
  });
}

/** What the promise gives, unless the time is over or the signal says so before. */
function within(milliseconds, promise, signal) {
  let timer;
  let stop;
  const end = new Promise((_, reject) => {
    stop = () => reject(aborted(signal));
    if (milliseconds < TIMER_MAX) timer = setTimeout(() => reject(late(milliseconds)), milliseconds);
    signal?.addEventListener("abort", stop);
  });
  return Promise.race([promise, end]).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
}

function dice() {
  return Math.floor(Math.random() * 0x100000000);
}

/** 128 random bits; `randomUUID` is missing from pages that are not served securely. */
function randomKey() {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
