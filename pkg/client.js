// The client: JavaScript sends, waits and reads JSON; the WebAssembly renders requests from the operation table, keeps the
// session's floor and decides what follows an answer (src/client).

import { Answer } from "./answer.js";
import { core, put } from "./core.js";
import { aborted, late, refused, ResourceError, senseless } from "./errors.js";
import { headerPairs, joined, pairs, predicate, word, written } from "./input.js";
import { operations } from "./operations.js";
import { checked, Tokens } from "./tokens.js";
import { sleep, time, within } from "./waiting.js";

// What the WebAssembly says instead of a pause (src/bindings/client.rs).
const DONE = -1;
const FAILED_FOR_NOW = -3;
const RENEW = -4;
const REFRESH = -5;

const RETRY = { retries: 4, baseDelay: 200, maxDelay: 8000 };
const TIMEOUT = 30_000;

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
    try {
      const exchange = this.#exchange(operation.method, text, Date.now() + timeout, content, controller.signal);
      const answer = await within(timeout, exchange, signal, controller);
      options.onResponse?.({ status: answer.status, headers: answer.headers });
      if (name === "exists") return answer.status !== 404;
      if (typeof answer.data !== "object" || answer.data === null) throw senseless(answer);
      return answer.data;
    } catch (error) {
      // Thrown here, the error's stack leads to the caller.
      throw error instanceof ResourceError ? traced(error) : new ResourceError("unexpected", String(error), { cause: error });
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
      } else throw refused(answer, next === FAILED_FOR_NOW);
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
      const controller = new AbortController();
      const sent = this.#send("POST", request, basic, form, controller.signal);
      const answer = await within(this.#timeout, sent, undefined, controller).catch((cause) => new Answer(undefined, cause));
      if (answer.ok && typeof answer.data?.access_token === "string") {
        return { token: answer.data.access_token, expiresIn: answer.data.expires_in };
      }
      const next = this.#core.next(put(answer.text("POST")), 0, 0, Infinity, retries, false, Date.now(), dice());
      if (next < 0) throw answer.ok ? senseless(answer) : refused(answer, next === FAILED_FOR_NOW, "No token was given: ");
      await sleep(next);
    }
  }
}

function ownFetch(fetch, request, init) {
  const [url, ...pairs] = request.split("\0");
  init.headers = {};
  for (let at = 0; at < pairs.length; at += 2) init.headers[pairs[at]] = pairs[at + 1];
  return fetch(url, init);
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

function dice() {
  return Math.floor(Math.random() * 0x100000000);
}

/** 128 random bits; `randomUUID` is missing from pages that are not served securely. */
function randomKey() {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
