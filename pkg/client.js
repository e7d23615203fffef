// The client: JavaScript sends, waits, and parses JSON. Rust renders requests from the operation table, keeps the session,
// and decides the next step (src/client). CONTRIBUTING describes the boundary between them.

import { core } from "./core.js";
import { abortError, ResourceError, responseError, timeoutError, unexpectedResponseError } from "./errors.js";
import { appendPairs, headerPairs, mergeHeaders, predicate, serializeBody, toText } from "./input.js";
import { putAttempt, putCall, putOptions, Step } from "./messages.js";
import { operations } from "./operations.js";
import { ServiceResponse } from "./response.js";
import { checkToken, Tokens } from "./tokens.js";
import { checkTimeout, sleep, withTimeout } from "./waiting.js";
import { ClientCore } from "./wasm/resource_edge.js";

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
    this.#timeout = checkTimeout(options.timeout ?? TIMEOUT);
    this.#fetch = fetch;
    this.#headers = headerPairs(headers);
    core();
    const input = retryNumbers(retry);
    for (const name of ["projectKey", "region", "cloudProvider", "domain", "baseUrl"]) input[name] = toText(name, options[name] ?? "");
    const length = putOptions(input);
    this.#core = checkInput(() => new ClientCore(length));
    if (typeof token === "string") this.#tokens = new Tokens(undefined, checkToken(token));
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
    const whole = checkTimeout(options.timeout ?? this.#timeout);
    const end = performance.now() + whole;
    /** The options of the next call, if there is time for one. */
    const left = () => {
      if (signal?.aborted) throw abortError(signal);
      const timeout = end - performance.now();
      if (timeout <= 0) throw timeoutError(whole);
      // Each try is a write of its own.
      return { ...options, timeout, idempotencyKey: undefined };
    };
    for (let lost = 1; ; lost++) {
      const current = await this.getById(id, undefined, { ...left(), fresh: true });
      const { timeout } = left();
      const actions = await withTimeout(timeout, Promise.resolve(current).then(change), signal);
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

  /** Makes a call and returns its result. */
  async #call(name, variables, params, options = {}, body) {
    const timeout = checkTimeout(options.timeout ?? this.#timeout);
    const kind = operations[name].body;
    const content = kind === undefined ? undefined : serializeBody(kind, body);
    const attempt = this.#encode(operations[name], variables, params, options, body);
    const { signal } = options;
    if (signal?.aborted) throw abortError(signal);
    const controller = new AbortController();
    try {
      attempt.deadline = Date.now() + timeout;
      const exchange = this.#exchange(operations[name].method, attempt, content, controller.signal);
      const response = await withTimeout(timeout, exchange, signal, controller);
      options.onResponse?.({ status: response.status, headers: response.headers });
      if (name === "exists") return response.status !== 404;
      if (typeof response.data !== "object" || response.data === null) throw unexpectedResponseError(response);
      return response.data;
    } catch (error) {
      // Thrown here, the error's stack leads to the caller.
      throw error instanceof ResourceError ? traced(error) : new ResourceError("unexpected", String(error), { cause: error });
    }
  }

  /** The first attempt of a call, as `putCall` and `putAttempt` write it. */
  #encode({ index, write }, variables, params, options, body) {
    const [firstVariable = "", secondVariable = ""] = variables.map((variable) => toText("A path variable", variable));
    const pairs = params === undefined ? [] : appendPairs([], params);
    const parameters = pairs.length / 2;
    if (this.#headers.length > 0 || options.headers !== undefined) {
      pairs.push(...mergeHeaders(this.#headers, headerPairs(options.headers)));
    }
    return {
      operation: index,
      fresh: !!options.fresh,
      respondAsync: !!options.respondAsync,
      parameters,
      idempotencyKey: write ? toText("idempotencyKey", options.idempotencyKey ?? randomKey()) : "",
      firstVariable,
      secondVariable,
      bodyKey: typeof body?.key === "string" ? body.key : "",
      pairs,
      retries: 0,
    };
  }

  /** Attempts a call until it succeeds or fails. */
  async #exchange(method, attempt, content, signal) {
    attempt.renewable = this.#tokens?.renewable;
    for (;;) {
      const request = this.#render(attempt);
      let token = this.#tokens?.get();
      if (typeof token === "object") token = await token;
      const response = await this.#send(method, request, token && `Bearer ${token}`, content, signal);
      switch (this.#next(method, attempt, response)) {
        case Step.Done:
          return response;
        case Step.Retry:
          await this.#pause(attempt, signal);
          break;
        case Step.RenewToken:
          attempt.renewable = false;
          this.#tokens.refuse(token);
          break;
        case Step.Refresh:
          attempt.fresh = true;
          break;
        case Step.FailRetryable:
          throw responseError(response, true);
        default:
          throw responseError(response, false);
      }
    }
  }

  /** Renders the request of an attempt. Rust sets its headers, in the form that the transport expects. */
  #render(attempt) {
    const headers = this.#fetch === undefined ? new Headers() : new PlainHeaders();
    const length = putCall(attempt);
    const url = checkInput(() => this.#core.render(length, headers));
    attempt.began = this.#core.observations;
    return { url, headers };
  }

  /** Sends a request and returns the response, or what prevented it. */
  async #send(method, { url, headers }, authorization, body, signal) {
    if (authorization !== undefined) headers.set("Authorization", authorization);
    try {
      if (signal.aborted) throw signal.reason;
      const send = this.#fetch ?? fetch;
      // A redirect would take the token elsewhere. Workers know no `error`.
      const response = await send(url, { method, headers: headers.fields ?? headers, body, signal, redirect: "manual" });
      return new ServiceResponse(response, await response.text());
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      return new ServiceResponse(undefined, cause);
    }
  }

  /** The step that follows an attempt. */
  #next(method, attempt, response) {
    response.describe(attempt, method);
    attempt.now = Date.now();
    attempt.jitter = Math.random() * 2 ** 32;
    return this.#core.next(putAttempt(attempt));
  }

  /** Waits before a retry. */
  #pause(attempt, signal) {
    attempt.retries++;
    return sleep(this.#core.pause, signal);
  }

  /** Gets a token from the caller's function. */
  async #ask(give, refresh) {
    const given = await withTimeout(this.#timeout, Promise.resolve(refresh).then((refresh) => give({ refresh })));
    return typeof given === "string" ? { token: given } : (given ?? {});
  }

  /** Gets a token from the token endpoint (RFC 6749, 4.4). */
  async #exchangeCredentials({ clientId, clientSecret, scope }) {
    // Each part is form-encoded before they are joined (RFC 6749, 2.3.1).
    const basic = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    const scopes = Array.isArray(scope) ? scope.join(" ") : scope;
    const form = `grant_type=client_credentials${scopes ? `&scope=${encodeURIComponent(scopes)}` : ""}`;
    // A call without an operation is a request for a token.
    const attempt = { ...this.#encode({}, [], undefined, {}), deadline: Infinity };
    for (;;) {
      const controller = new AbortController();
      const sent = this.#send("POST", this.#render(attempt), basic, form, controller.signal);
      const response = await withTimeout(this.#timeout, sent, undefined, controller).catch((cause) => new ServiceResponse(undefined, cause));
      if (response.ok && typeof response.data?.access_token === "string") {
        return { token: response.data.access_token, expiresIn: response.data.expires_in };
      }
      const step = this.#next("POST", attempt, response);
      if (step !== Step.Retry) {
        throw response.ok ? unexpectedResponseError(response) : responseError(response, step === Step.FailRetryable, "No token was given: ");
      }
      await this.#pause(attempt);
    }
  }
}

/** Headers for a caller's `fetch`, which gets a plain object. */
class PlainHeaders {
  fields = {};

  set(name, value) {
    this.fields[name] = value;
  }
}

/** How often and how soon to retry, as whole numbers. */
function retryNumbers(retry) {
  const given = retry === false ? { retries: 0 } : retry;
  const numbers = {};
  for (const name in RETRY) {
    const value = given?.[name] ?? RETRY[name];
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) throw new ResourceError("invalid", `retry.${name}: expected a whole number.`);
    numbers[name] = value;
  }
  return numbers;
}

/** Calls Rust and converts its `TypeError`, which says what is wrong with the caller's input. */
function checkInput(run) {
  try {
    return run();
  } catch (error) {
    throw error instanceof TypeError ? new ResourceError("invalid", error.message) : error;
  }
}

/** The error with the stack of the call, and not of the event that ended it. */
function traced(error) {
  Error.captureStackTrace?.(error, traced);
  return error;
}

/** 128 random bits. `randomUUID` is missing from pages that are not served securely. */
function randomKey() {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
