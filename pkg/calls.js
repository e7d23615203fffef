// Calls from start to end: JavaScript sends, waits, and parses JSON. Rust renders requests from the table of endpoints,
// keeps the session, and decides the next step (src/client). CONTRIBUTING describes the boundary between them.

import { CallTime } from "./call-time.js";
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
import { namedHeaders, parameterPairs, randomKey, serializeBody, toText } from "./input.js";
import { ATTEMPTS, putAttempt, putCall, putOptions, RETRY, Step, TIMEOUT } from "./generated/messages.js";
import { operations } from "./generated/operations.js";
import { isResult, ServiceResponse } from "./response.js";
import { checkToken, Tokens } from "./tokens.js";
import { abort, checkTimeout, sleep, withTimeout } from "./waiting.js";
import { ClientCore } from "./wasm/resource_edge.js";

/** @typedef {import("./client.js").CallOptions & Partial<AllOptions> & { isNewKey?: boolean }} Options */
/** @typedef {import("./client.js").AsyncWriteOptions & import("./client.js").ReadOptions} AllOptions */
/** @typedef {import("./client.js").ClientOptions} ClientOptions */
/** @typedef {import("./client.js").RequestEvent} RequestEvent */
/** @typedef {import("./client.js").RetryEvent} RetryEvent */
/** @typedef {import("./client.js").ResponseEvent} ResponseEvent */
/** @typedef {keyof typeof operations} Operation */
/** @typedef {keyof import("./generated/bodies.js").Bodies} BodyKind */
/** @typedef {typeof RETRY} Retry */
/**
 * @typedef {{ index: number, method: string, write?: boolean, page?: boolean, body?: BodyKind }} Sent
 */
/** @typedef {{ url: string, headers: Headers | PlainHeaders }} Request */

/**
 * An attempt of a call: what `putCall` and `putAttempt` write, and what hooks receive. `ServiceResponse.describe` sets
 * the members that come from a response.
 * @typedef {Parameters<typeof putCall>[0] & Omit<Parameters<typeof putAttempt>[0], "began"> & {
 *   name: import("./client.js").OperationName,
 *   sent: number,
 *   observed: boolean,
 *   began: number,
 *   isUnknown: boolean,
 *   event?: RequestEvent,
 * }} Attempt
 */

const LOCATION = /** @type {const} */ (["projectKey", "region", "cloudProvider", "domain", "baseUrl"]);
// A request for a token is a call without an operation.
const TOKEN = { index: NaN, method: "POST" };
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
  /** @type {number | undefined} */
  #attemptTimeout;
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
    this.#attemptTimeout = options.attemptTimeout ?? undefined;
    this.#limit(undefined, this.timeout);
    this.#fetch = fetch ?? undefined;
    this.#headers = namedHeaders(headers);
    if (onRequest ?? onResponse ?? onRetry) this.#hooks = { onRequest, onResponse, onRetry };
    this.#input = /** @type {Parameters<typeof putOptions>[0]} */ (retryNumbers(retry));
    for (const name of LOCATION) this.#input[name] = toText(name, options[name] ?? "");
    if (isReady()) this.#create();
    if (typeof token === "string") this.#tokens = new Tokens(undefined, checkToken(token));
    else if (token != null) this.#tokens = new Tokens((rejected) => this.#ask(token, rejected));
    else if (credentials != null) this.#tokens = new Tokens(this.#credentialsSource(credentials));
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
    /** @type {Attempt | undefined} */
    let attempt;
    try {
      const timeout = checkTimeout(options.timeout ?? this.timeout);
      const limit = this.#limit(options.attemptTimeout, timeout);
      const { signal } = options;
      for (const ended of [signal, this.#closing]) if (ended?.aborted) throw abortError(ended);
      if (timeout === 0) throw timeoutError("call", timeout);
      const time = new CallTime(timeout);
      const start = () => {
        if (this.#core === undefined) this.#create();
        const operation = operations[name];
        const content = operation.body === undefined ? undefined : serializeBody(operation.body, body);
        attempt = this.#encode(name, operation, variables, params, options, body);
        return this.#exchange(operation, attempt, content, time, limit);
      };
      const starting = ready();
      const run = starting === undefined ? start : () => starting.then(start);
      const response = await time.run(run, [signal, this.#closing]);
      options.onResponse?.(/** @type {ResponseEvent} */ (response.event));
      if (name === "exists") return response.status !== 404;
      return response.status === 304 ? undefined : response.data;
    } catch (thrown) {
      const error = asResourceError(thrown);
      if (options.orUndefined && error.code === "ResourceNotFound") return undefined;
      if (/** @type {Sent} */ (operations[name]).write) addOutcome(error, attempt, options);
      // Thrown here, so that the error's stack leads to the caller.
      throw replaceStack(error);
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
   * Returns the time that an attempt may take, in milliseconds.
   * @param {number | undefined} given
   * @param {number} timeout of the call
   */
  #limit(given, timeout) {
    return checkTimeout(given ?? this.#attemptTimeout ?? timeout / ATTEMPTS, "attemptTimeout");
  }

  /**
   * The first attempt of a call, as `putCall` and `putAttempt` write it.
   * @param {Operation | "token"} name
   * @param {Sent} operation
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
    const { idempotencyKey } = options;
    // An earlier call may have had the caller's own key.
    const repeated = write && idempotencyKey != null && !options.isNewKey;
    const attempt = {
      name,
      sent: 0,
      observed: this.#hooks !== undefined || options.onResponse != null,
      operation: index,
      fresh: !!options.fresh,
      repeated,
      isUnknown: repeated,
      progress: 0,
      renewable: this.#tokens?.renewable,
      respondAsync: !!options.respondAsync,
      parameters,
      idempotencyKey: write ? toText("idempotencyKey", idempotencyKey ?? randomKey()) : "",
      firstVariable,
      secondVariable,
      bodyId: typeof body?.id === "string" ? body.id : "",
      bodyKey: typeof body?.key === "string" ? body.key : "",
      pairs,
    };
    // `ServiceResponse.describe` and each attempt set the other members before they are written.
    return /** @type {Attempt & typeof attempt} */ (attempt);
  }

  /**
   * Attempts a call until it succeeds or fails. Rust decides what follows an attempt.
   * @param {Sent} operation
   * @param {Attempt} attempt
   * @param {string | undefined} content
   * @param {CallTime} time
   * @param {number} limit
   */
  async #exchange(operation, attempt, content, time, limit) {
    attempt.deadline = time.deadline;
    for (;;) {
      // The call may have ended in the pause.
      if (time.signal.aborted) throw time.signal.reason;
      const request = this.#render(attempt);
      let token = this.#tokens?.get(time.signal);
      if (typeof token === "object") token = await token;
      let response;
      if (typeof token === "object") {
        response = this.#decide(attempt, operation.method, token);
      } else {
        const sending = this.#send(operation, attempt, request, token && `Bearer ${token}`, content, time.signal);
        response =
          (await time.within(limit, sending)) ?? this.#giveUp(operation, attempt, time, limit) ?? (await sending);
      }
      if (response.step === Step.Done) return response;
      if (response.step < Step.Retry) throw responseError(response, response.step === Step.FailRetryable);
      if (response.step === Step.RenewToken) this.#tokens?.reject(/** @type {string} */ (token));
      this.#report(response);
      if (response.pause > 0) await sleep(response.pause, time.signal);
    }
  }

  /**
   * Ends an attempt that has exceeded its limit, and returns a missing response. Returns `undefined` if no other
   * attempt can follow.
   * @param {Sent} operation
   * @param {Attempt} attempt
   * @param {CallTime} time
   * @param {number} limit
   */
  #giveUp({ method }, attempt, time, limit) {
    const response = new ServiceResponse(undefined, timeoutError("attempt", limit));
    response.isLate = true;
    if (this.#decide(attempt, method, response).step === Step.Wait) return undefined;
    const { event } = attempt;
    if (event !== undefined) response.event = { ...event, status: 0, headers: undefined, milliseconds: limit };
    time.endAttempt(response.cause);
    return response;
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
   * Sends a request and returns the response, or the error that prevented it. Rust decides what follows.
   * @param {Sent} operation
   * @param {Attempt} attempt
   * @param {Request} request
   * @param {string | undefined} authorization
   * @param {string | undefined} body
   * @param {AbortSignal} signal
   */
  async #send(operation, attempt, { url, headers }, authorization, body, signal) {
    const { method } = operation;
    if (authorization !== undefined) headers.set("Authorization", authorization);
    // Create it only if a hook reads it: it takes a tenth of a call's time.
    const event = attempt.observed ? { operation: attempt.name, attempt: ++attempt.sent, method, url } : undefined;
    attempt.event = event;
    const began = event === undefined ? 0 : performance.now();
    if (event !== undefined) this.#hooks?.onRequest?.(event);
    let response;
    if (signal.aborted) throw signal.reason;
    attempt.isUnknown = true;
    try {
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
    if (signal.aborted) throw signal.reason;
    if (event !== undefined) {
      const { status, headers: answered } = response;
      response.event = { ...event, status, headers: answered, milliseconds: performance.now() - began };
      if (answered !== undefined) this.#hooks?.onResponse?.(/** @type {ResponseEvent} */ (response.event));
    }
    response.isToken = operation === TOKEN;
    if (response.ok && !response.isToken && !isResult(operation, response.data))
      throw unexpectedResponseError(response);
    return this.#decide(attempt, method, response);
  }

  /**
   * Lets Rust decide what follows an attempt with this response, and prepares the next attempt. Returns the response.
   * @param {Attempt} attempt
   * @param {string} method
   * @param {ServiceResponse} response
   */
  #decide(attempt, method, response) {
    response.describe(attempt, method);
    attempt.now = performance.now();
    attempt.jitter = Math.random() * 2 ** 32;
    const core = this.#started();
    response.step = core.next(putAttempt(attempt));
    // An attempt that continues to wait may still perform the write.
    if (response.step === Step.Done || response.step === Step.Wait) return response;
    attempt.isUnknown = core.unknown;
    attempt.progress = core.progress;
    response.pause = core.pause;
    return response;
  }

  /**
   * Calls the caller's hook, because another attempt follows.
   * @param {ServiceResponse} response
   */
  #report({ step, event, cause, pause }) {
    if (event !== undefined) this.#hooks?.onRetry?.({ ...event, reason: REASONS[step], pause, cause });
  }

  /**
   * Gets a token from the caller's function.
   * @param {Exclude<NonNullable<ClientOptions["token"]>, string>} give
   * @param {boolean} refresh
   */
  async #ask(give, refresh) {
    const given = await give({ refresh });
    return typeof given === "string" ? { token: given } : (given ?? {});
  }

  /**
   * Returns a function that gets a token from the token endpoint (RFC 6749, 4.4).
   * @param {NonNullable<ClientOptions["credentials"]>} credentials
   * @returns {import("./tokens.js").Source}
   */
  #credentialsSource({ clientId, clientSecret, scope }) {
    // Each part is form-encoded before they are joined (RFC 6749, 2.3.1).
    const basic = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    const scopes = [scope ?? []].flat().join(" ");
    const form = `grant_type=client_credentials${scopes ? `&scope=${encodeURIComponent(scopes)}` : ""}`;
    // Its progress counts the failures in a row.
    const attempt = this.#encode("token", TOKEN, [], undefined, {});
    return async (_, ended) => {
      const controller = new AbortController();
      const limit = this.#limit(undefined, this.timeout);
      const sending = this.#send(TOKEN, attempt, this.#render(attempt), basic, form, controller.signal);
      const response = await withTimeout(limit, sending, [ended], controller).catch((cause) => {
        if (ended.aborted || !controller.signal.aborted) throw cause;
        return this.#decide(attempt, TOKEN.method, new ServiceResponse(undefined, cause));
      });
      if (response.step === Step.Retry) return { refusal: response, pause: response.pause };
      attempt.progress = attempt.sent = 0;
      if (response.step !== Step.Done) throw responseError(response, false);
      const { access_token: token, expires_in: expiresIn } = response.data ?? {};
      if (typeof token !== "string") throw unexpectedResponseError(response);
      return { token, expiresIn };
    };
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
 * Returns the error of a call. Other errors are those of the caller's functions.
 * @param {unknown} thrown
 */
const asResourceError = (thrown) =>
  thrown instanceof ResourceError ? thrown : new ResourceError("unexpected", String(thrown), { cause: thrown });

/**
 * Adds what the caller of a write needs in order to repeat it.
 * @param {ResourceError} error
 * @param {Attempt | undefined} attempt
 * @param {Options} options
 */
function addOutcome(error, attempt, { idempotencyKey, isNewKey }) {
  const isUnknown = attempt?.isUnknown ?? (idempotencyKey != null && !isNewKey);
  error.idempotencyKey = attempt?.idempotencyKey ?? idempotencyKey;
  error.outcome = isUnknown && error.kind !== "invalid" ? "unknown" : "refused";
}

/**
 * Returns the error with the stack of the call instead of the stack of the event that ended it.
 * @param {ResourceError} error
 */
function replaceStack(error) {
  Error.captureStackTrace?.(error, replaceStack);
  return error;
}
