// Calls from start to end: JavaScript sends, waits, and parses JSON. Rust renders requests from the operation table,
// keeps the session, and decides the next step (src/client). CONTRIBUTING describes the boundary between them.

import { isReady, ready } from "./core.js";
import {
  abortError,
  inputError,
  ResourceError,
  responseError,
  timeoutError,
  unexpectedResponseError,
  wrongOption,
} from "./errors.js";
import { namedHeaders, parameterPairs, serializeBody, toText } from "./input.js";
import { putAttempt, putCall, putOptions, Step } from "./generated/messages.js";
import { operations } from "./generated/operations.js";
import { isResult, ServiceResponse } from "./response.js";
import { checkToken, Tokens } from "./tokens.js";
import { abort, checkTimeout, sleep, withTimeout } from "./waiting.js";
import { ClientCore } from "./wasm/resource_edge.js";

/** @typedef {import("./client.js").CallOptions & Partial<AllOptions>} Options */
/** @typedef {import("./client.js").AsyncWriteOptions & import("./client.js").ReadOptions} AllOptions */
/** @typedef {import("./client.js").ClientOptions} ClientOptions */
/** @typedef {import("./client.js").RetryEvent} RetryEvent */
/** @typedef {import("./client.js").ResponseEvent} ResponseEvent */
/** @typedef {keyof typeof operations} Operation */
/** @typedef {typeof RETRY} Retry */
/** @typedef {{ method: string, page?: boolean, body?: keyof import("./generated/bodies.js").Bodies }} Sent */
/** @typedef {{ url: string, headers: Headers | PlainHeaders }} Request */

/**
 * An attempt of a call: what `putCall` and `putAttempt` write, and what hooks receive. `ServiceResponse.describe` sets
 * the members that come from a response.
 * @typedef {Parameters<typeof putCall>[0] & Omit<Parameters<typeof putAttempt>[0], "began"> & {
 *   name: import("./client.js").OperationName,
 *   sent: number,
 *   observed: boolean,
 *   retries: number,
 *   began: number,
 * }} Attempt
 */

const RETRY = { retries: 4, baseDelay: 200, maxDelay: 8000 };
const LOCATION = /** @type {const} */ (["projectKey", "region", "cloudProvider", "domain", "baseUrl"]);
const TIMEOUT = 30_000;
/**
 * Why another attempt follows, as `onRetry` reports it.
 * @type {{ readonly [step: number]: RetryEvent["reason"] }}
 */
const REASONS = { [Step.Retry]: "unavailable", [Step.RenewToken]: "unauthorized", [Step.Refresh]: "outdated" };

/** The calls of one client. */
export class Calls {
  #input;
  /** @type {ClientCore | undefined} */
  #core;
  /** @type {ClientOptions["fetch"]} */
  #fetch;
  #headers;
  /** @type {Tokens | undefined} */
  #tokens;
  /** @type {Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry"> | undefined} */
  #hooks;
  // Not an `AbortSignal`: in a Worker, one request may not use the `AbortSignal` of another.
  #closing = { aborted: false };

  /** @param {ClientOptions} options */
  constructor(options) {
    if (typeof options !== "object" || options === null)
      throw wrongOption("The options of a client must be an object.");
    const { token, credentials, fetch, headers, retry, onRequest, onResponse, onRetry } = options;
    this.timeout = checkTimeout(options.timeout ?? TIMEOUT);
    this.#fetch = fetch ?? undefined;
    this.#headers = namedHeaders(headers);
    if (onRequest ?? onResponse ?? onRetry) this.#hooks = { onRequest, onResponse, onRetry };
    this.#input = /** @type {Parameters<typeof putOptions>[0]} */ (retryNumbers(retry));
    for (const name of LOCATION) this.#input[name] = toText(name, options[name] ?? "");
    if (isReady()) this.#create();
    if (typeof token === "string") this.#tokens = new Tokens(undefined, checkToken(token));
    else if (token != null) this.#tokens = new Tokens((rejected) => this.#ask(token, rejected));
    else if (credentials != null) this.#tokens = new Tokens(() => this.#exchangeCredentials(credentials));
  }

  /**
   * Makes a call and returns its result.
   * @param {Operation} name
   * @param {readonly unknown[]} variables
   * @param {object | null | undefined} params
   * @param {Options | null | undefined} options
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async call(name, variables, params, options, body) {
    options ??= {};
    try {
      const timeout = checkTimeout(options.timeout ?? this.timeout);
      const { signal } = options;
      for (const ended of [signal, this.#closing]) if (ended?.aborted) throw abortError(ended);
      if (timeout === 0) throw timeoutError(timeout);
      const controller = new AbortController();
      const deadline = Date.now() + timeout;
      const start = () => this.#start(name, variables, params, options, body, deadline, controller.signal);
      const starting = ready();
      const exchange = starting === undefined ? start() : starting.then(start);
      const response = await withTimeout(timeout, exchange, [signal, this.#closing], controller);
      options.onResponse?.(/** @type {ResponseEvent} */ (response.event));
      if (name === "exists") return response.status !== 404;
      return response.status === 304 ? undefined : response.data;
    } catch (error) {
      const { code } = /** @type {Partial<ResourceError>} */ (error ?? {});
      if (options.orUndefined && code === "ResourceNotFound") return undefined;
      // Thrown here, so that the error's stack leads to the caller.
      throw error instanceof ResourceError
        ? replaceStack(error)
        : new ResourceError("unexpected", String(error), { cause: error });
    }
  }

  /** Ends all calls, and releases the memory of the client. */
  close() {
    abort(this.#closing, new Error("The client is closed."));
    this.#core?.free();
    this.#core = undefined;
  }

  #create() {
    const length = putOptions(this.#input);
    this.#core = checkInput(() => new ClientCore(length));
  }

  /** Returns the core of a call, unless the client was closed. */
  #started() {
    if (this.#core === undefined) throw abortError(this.#closing);
    return this.#core;
  }

  /**
   * Starts a call and returns the promise of its response.
   * @param {Operation} name
   * @param {readonly unknown[]} variables
   * @param {object | null | undefined} params
   * @param {Options} options
   * @param {unknown} body
   * @param {number} deadline
   * @param {AbortSignal} signal
   */
  #start(name, variables, params, options, body, deadline, signal) {
    if (this.#core === undefined) this.#create();
    const operation = operations[name];
    const content = operation.body === undefined ? undefined : serializeBody(operation.body, body);
    const attempt = this.#encode(name, operation, variables, params, options, body);
    attempt.deadline = deadline;
    return this.#exchange(operation, attempt, content, signal);
  }

  /**
   * The first attempt of a call, as `putCall` and `putAttempt` write it.
   * @param {Operation | "token"} name
   * @param {{ index?: number, write?: boolean }} operation
   * @param {readonly unknown[]} variables
   * @param {object | null | undefined} params
   * @param {Options} options
   * @param {any} [body] an object or nothing, if it is valid
   * @returns {Attempt}
   */
  #encode(name, { index, write }, variables, params, options, body) {
    const [firstVariable = "", secondVariable = ""] = variables.map((variable) => toText("A path variable", variable));
    const pairs = params === undefined ? [] : parameterPairs(params);
    const parameters = pairs.length / 2;
    let headers = this.#headers;
    if (options.headers != null) headers = new Map([...headers, ...namedHeaders(options.headers)]);
    for (const [header, value] of headers.values()) pairs.push(header, value);
    if (options.ifNoneMatch != null) pairs.push("If-None-Match", toText("ifNoneMatch", options.ifNoneMatch));
    const attempt = {
      name,
      sent: 0,
      observed: this.#hooks !== undefined || options.onResponse != null,
      operation: index,
      fresh: !!options.fresh,
      respondAsync: !!options.respondAsync,
      parameters,
      idempotencyKey: write ? toText("idempotencyKey", options.idempotencyKey ?? randomKey()) : "",
      firstVariable,
      secondVariable,
      bodyId: typeof body?.id === "string" ? body.id : "",
      bodyKey: typeof body?.key === "string" ? body.key : "",
      pairs,
      retries: 0,
    };
    // `ServiceResponse.describe` and the next attempts set the other members before they are written.
    return /** @type {Attempt & typeof attempt} */ (attempt);
  }

  /**
   * Attempts a call until it succeeds or fails.
   * @param {Sent} operation
   * @param {Attempt} attempt
   * @param {string | undefined} content
   * @param {AbortSignal} signal
   */
  async #exchange(operation, attempt, content, signal) {
    attempt.renewable = this.#tokens?.renewable;
    for (;;) {
      const request = this.#render(attempt);
      let token = this.#tokens?.get();
      if (typeof token === "object") token = await token;
      const response = await this.#send(
        operation.method,
        attempt,
        request,
        token && `Bearer ${token}`,
        content,
        signal,
      );
      if (response.ok && !isResult(operation, response.data)) throw unexpectedResponseError(response);
      const step = this.#next(operation.method, attempt, response);
      switch (step) {
        case Step.Done:
          return response;
        case Step.Retry:
          await this.#pause(attempt, response, signal);
          continue;
        case Step.RenewToken:
          attempt.renewable = false;
          this.#tokens?.reject(token);
          break;
        case Step.Refresh:
          attempt.fresh = true;
          break;
        default:
          throw responseError(response, step === Step.FailRetryable);
      }
      this.#report(step, response, 0);
    }
  }

  /**
   * Renders the request of an attempt. Rust sets its headers, in the form that the transport expects.
   * @param {Attempt} attempt
   * @returns {Request}
   */
  #render(attempt) {
    const core = this.#started();
    const headers = this.#fetch === undefined ? new Headers() : new PlainHeaders();
    const length = putCall(attempt);
    const url = checkInput(() => core.render(length, headers));
    attempt.began = core.observations;
    return { url, headers };
  }

  /**
   * Sends a request and returns the response, or the error that prevented it.
   * @param {string} method
   * @param {Attempt} attempt
   * @param {Request} request
   * @param {string | undefined} authorization
   * @param {string | undefined} body
   * @param {AbortSignal} signal
   */
  async #send(method, attempt, { url, headers }, authorization, body, signal) {
    if (authorization !== undefined) headers.set("Authorization", authorization);
    // Create it only if a hook reads it: it takes a tenth of a call's time.
    const event = attempt.observed ? { operation: attempt.name, attempt: ++attempt.sent, method, url } : undefined;
    const began = event === undefined ? 0 : performance.now();
    if (event !== undefined) this.#hooks?.onRequest?.(event);
    let response;
    try {
      if (signal.aborted) throw signal.reason;
      const send = /** @type {(url: string, init: any) => PromiseLike<Response>} */ (this.#fetch ?? fetch);
      // A redirect would send the token to another server. Workers do not support `error`.
      const answer = await send(url, {
        method,
        headers: /** @type {PlainHeaders} */ (headers).fields ?? headers,
        body,
        signal,
        redirect: "manual",
      });
      response = new ServiceResponse(answer, await answer.text());
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      response = new ServiceResponse(undefined, cause);
    }
    if (event === undefined) return response;
    const { status, headers: answered } = response;
    response.event = { ...event, status, headers: answered, milliseconds: performance.now() - began };
    if (answered !== undefined) this.#hooks?.onResponse?.(/** @type {ResponseEvent} */ (response.event));
    return response;
  }

  /**
   * Returns the step that follows an attempt.
   * @param {string} method
   * @param {Attempt} attempt
   * @param {ServiceResponse} response
   */
  #next(method, attempt, response) {
    response.describe(attempt, method);
    attempt.now = Date.now();
    attempt.jitter = Math.random() * 2 ** 32;
    return this.#started().next(putAttempt(attempt));
  }

  /**
   * Waits before a retry.
   * @param {Attempt} attempt
   * @param {ServiceResponse} response
   * @param {AbortSignal} [signal]
   */
  #pause(attempt, response, signal) {
    attempt.retries++;
    const { pause } = this.#started();
    this.#report(Step.Retry, response, pause);
    return sleep(pause, signal);
  }

  /**
   * Calls the caller's hook, because another attempt follows.
   * @param {number} step
   * @param {ServiceResponse} response
   * @param {number} pause
   */
  #report(step, { event, cause }, pause) {
    if (event !== undefined) this.#hooks?.onRetry?.({ ...event, reason: REASONS[step], pause, cause });
  }

  /**
   * Gets a token from the caller's function.
   * @param {Exclude<NonNullable<ClientOptions["token"]>, string>} give
   * @param {boolean} refresh
   */
  async #ask(give, refresh) {
    const given = await withTimeout(
      this.timeout,
      Promise.resolve(refresh).then((refresh) => give({ refresh })),
    );
    return typeof given === "string" ? { token: given } : (given ?? {});
  }

  /**
   * Gets a token from the token endpoint (RFC 6749, 4.4).
   * @param {NonNullable<ClientOptions["credentials"]>} credentials
   */
  async #exchangeCredentials({ clientId, clientSecret, scope }) {
    // Each part is form-encoded before they are joined (RFC 6749, 2.3.1).
    const basic = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    const scopes = [scope ?? []].flat().join(" ");
    const form = `grant_type=client_credentials${scopes ? `&scope=${encodeURIComponent(scopes)}` : ""}`;
    // A call without an operation is a request for a token.
    const attempt = { ...this.#encode("token", {}, [], undefined, {}), deadline: Infinity };
    for (;;) {
      const controller = new AbortController();
      const sent = this.#send("POST", attempt, this.#render(attempt), basic, form, controller.signal);
      const response = await withTimeout(this.timeout, sent, [], controller).catch(
        (cause) => new ServiceResponse(undefined, cause),
      );
      if (response.ok && typeof response.data?.access_token === "string") {
        return { token: response.data.access_token, expiresIn: response.data.expires_in };
      }
      const step = this.#next("POST", attempt, response);
      if (step !== Step.Retry) {
        throw response.ok
          ? unexpectedResponseError(response)
          : responseError(response, step === Step.FailRetryable, "No token was given: ");
      }
      await this.#pause(attempt, response);
    }
  }
}

/** Headers for a caller's `fetch`, which gets a plain object. */
class PlainHeaders {
  /** @type {Record<string, string>} */
  fields = {};

  /**
   * @param {string} name
   * @param {string} value
   */
  set(name, value) {
    this.fields[name] = value;
  }
}

/**
 * How often and how soon to retry, as whole numbers.
 * @param {ClientOptions["retry"]} retry
 */
function retryNumbers(retry) {
  /** @type {Partial<Retry>} */
  const given = retry === false ? { retries: 0 } : (retry ?? {});
  const numbers = { ...RETRY };
  for (const key in RETRY) {
    const name = /** @type {keyof Retry} */ (key);
    const value = given[name] ?? RETRY[name];
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32)
      throw wrongOption(`retry.${name}: expected a whole number.`);
    numbers[name] = value;
  }
  return numbers;
}

/**
 * Calls Rust and converts its `TypeError`, which describes the problem in the caller's input.
 * @template Value
 * @param {() => Value} run
 * @returns {Value}
 */
function checkInput(run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const mistakes = error.message.split("\0");
    throw mistakes.length > 1 ? inputError(mistakes) : wrongOption(error.message);
  }
}

/**
 * Returns the error with the stack of the call instead of the stack of the event that ended it.
 * @param {ResourceError} error
 */
function replaceStack(error) {
  Error.captureStackTrace?.(error, replaceStack);
  return error;
}

/** Returns 128 random bits as text. `randomUUID` is missing in pages that are not served securely. */
function randomKey() {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
