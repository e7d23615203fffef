// Calls from start to end: JavaScript sends, waits, and parses JSON. Rust renders requests from the table of endpoints,
// keeps the session, and decides the next step (src/client). src/guide/change/boundaries.md describes the boundary.

import { CallTime } from "./call-time.js";
import { checkOptions, optionsMessage } from "./client-options.js";
import type {
  CallOptions,
  AsyncWriteOptions,
  ReadOptions,
  ClientOptions,
  RetryEvent,
  ResponseEvent,
  OperationName,
} from "./options.js";
import type { Resource } from "../generated/responses.js";
import { isReady, ready } from "../core/instance.js";
import {
  abortError,
  asResourceError,
  inputError,
  type ResourceError,
  responseError,
  timeoutError,
  unexpectedResponseError,
  wrongOption,
} from "./errors.js";
import { namedHeaders, parameterPairs, randomKey, serializeBody, toText } from "./input.js";
import { ATTEMPTS, putAttempt, putCall, putOptions, Step, TIMEOUT } from "../generated/messages.js";
import { type OperationInfo, operations, projectCalls } from "../generated/operations.js";
import { type Attempt, isResult, type Parse, ServiceResponse } from "./response.js";
import { checkToken, Tokens, type TokenSource } from "./tokens.js";
import { abort, checkTimeout, sleep, type Waiting } from "./signals.js";
import { ClientCore } from "../wasm/resource_edge.js";

export type Options = CallOptions & Partial<AsyncWriteOptions & ReadOptions> & { isNewKey?: boolean };
/** How a request is sent. One for a token is sent without an operation. */
type SentOperation = Omit<OperationInfo, "method"> & {
  readonly method: string;
  readonly lines?: boolean;
  readonly parse?: Parse;
};
interface RenderedRequest {
  url: string;
  headers: Headers | PlainHeaders;
}

const CALLS: { readonly [Name in Exclude<OperationName, "token">]: SentOperation } = { ...operations, ...projectCalls };
// A request for a token is a call without an operation.
const TOKEN: SentOperation = { index: NaN, method: "POST" };
// Without it, a browser asks the person for a password if the endpoint refuses the secret. Workers do not have it.
// Not when the module is imported: Node loads its `fetch` with `Request`.
const noPrompt = () => "credentials" in (globalThis.Request?.prototype ?? {}) && { credentials: "omit" };
/** Why another attempt follows, as `onRetry` reports it. */
const REASONS: { readonly [step: number]: RetryEvent["reason"] } = {
  [Step.Retry]: "unavailable",
  [Step.RenewToken]: "unauthorized",
  [Step.Refresh]: "outdated",
};

/** The calls of one client. */
export class Calls {
  timeout;
  #input;
  fetch: ClientOptions["fetch"];
  WebSocket: ClientOptions["WebSocket"];
  tokens: Tokens | undefined;
  // Not an `AbortSignal`: in a Worker, one request may not use the `AbortSignal` of another.
  closing: Waiting = { aborted: false };
  /** For followers: whether the service has responded to one, and how many of their requests wait for a change. */
  isReached = false;
  waiting = 0;
  /** Runs after each write, before its promise resolves: until its deadline or its signal. It does not reject. */
  afterWrite: ((response: ServiceResponse, deadline: number, signal?: Waiting) => Promise<unknown>) | undefined;
  #core: ClientCore | undefined;
  #headers;
  #attemptTimeout: number | undefined;
  #hooks: Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry"> | undefined;

  constructor(options: ClientOptions) {
    checkOptions(options);
    const { token, credentials, fetch, headers, onRequest, onResponse, onRetry } = options;
    this.timeout = checkTimeout(options.timeout ?? TIMEOUT);
    this.#attemptTimeout = options.attemptTimeout ?? undefined;
    this.#limit(undefined, this.timeout);
    this.fetch = fetch ?? undefined;
    this.WebSocket = options.WebSocket;
    this.#headers = namedHeaders(headers);
    if (onRequest ?? onResponse ?? onRetry) this.#hooks = { onRequest, onResponse, onRetry };
    this.#input = optionsMessage(options);
    if (isReady()) this.#create();
    if (typeof token === "string") this.tokens = new Tokens(undefined, checkToken(token));
    else if (token != null) this.tokens = new Tokens((rejected) => this.#ask(token, rejected));
    else if (credentials != null) this.tokens = new Tokens(this.#credentialsSource(credentials));
  }

  /** Makes a call and returns its result. The body of an import is a text. */
  async call(
    name: Exclude<OperationName, "token">,
    variables: readonly unknown[],
    params: object | null | undefined,
    options: Options | null | undefined,
    body?: unknown,
    parse?: Parse,
  ): Promise<any> {
    options ??= {};
    let attempt: Attempt | undefined;
    try {
      const timeout = checkTimeout(options.timeout ?? this.timeout);
      const limit = this.#limit(options.attemptTimeout, timeout);
      const { signal } = options;
      for (const ended of [signal, this.closing]) if (ended?.aborted) throw abortError(ended);
      if (timeout === 0) throw timeoutError("call", timeout);
      const time = new CallTime(timeout);
      const start = () => {
        if (this.#core === undefined) this.#create();
        const operation = CALLS[name];
        const content = operation.body === undefined ? (body as string) : serializeBody(operation.body, body);
        attempt = this.encode(name, operation, variables, params, options, body);
        const parser = parse ?? (operation.lines ? String : undefined);
        const sent = parser === undefined ? operation : { ...operation, parse: parser };
        return this.#exchange(sent, attempt, content, time, limit);
      };
      const starting = ready();
      const run = starting === undefined ? start : () => starting.then(start);
      const response = await time.run(run, [signal, this.closing]);
      options.onResponse?.(response.event as ResponseEvent);
      if (CALLS[name].write) await this.afterWrite?.(response, time.deadline, signal);
      if (name === "exists") return response.status !== 404;
      if (response.status !== 304) return response.data;
      if (!isConditional(attempt as unknown as Attempt)) throw unexpectedResponseError(response);
      return undefined;
    } catch (thrown) {
      const error = asResourceError(thrown);
      // Only the database returns a revision. Without it, the address is wrong.
      const isMissing = error.code === "ResourceNotFound" && !Number.isNaN(attempt?.revision);
      if (options.orUndefined && isMissing) return undefined;
      if (CALLS[name].write) addOutcome(error, attempt, options);
      // Thrown here, so that the error's stack leads to the caller.
      throw replaceStack(error);
    }
  }

  /** Adds resources to the session that did not come in a response. */
  observe(results: readonly Resource[]) {
    const attempt = this.encode("changes", CALLS.changes, [], undefined, {});
    // Not `Headers`, which jsdom lacks.
    const headers = new Map();
    const response = new ServiceResponse({ status: 200, ok: true, headers } as unknown as Response, "");
    response.data = { results };
    attempt.began = this.#started().observations;
    this.decide(attempt, "GET", response);
  }

  /** Ends all calls, and releases the memory of the client. */
  close() {
    abort(this.closing, new Error("The client is closed."));
    this.#core?.free();
    this.#core = undefined;
  }

  #create() {
    const length = putOptions(this.#input);
    this.#core = checkInput(() => new ClientCore(length));
  }

  /** Returns the core of a call, unless the client was closed. */
  #started() {
    if (this.#core === undefined) throw abortError(this.closing);
    return this.#core;
  }

  /**
   * Returns the time that an attempt may take, in milliseconds.
   * @param timeout of the call
   */
  #limit(given: number | undefined, timeout: number) {
    return checkTimeout(given ?? this.#attemptTimeout ?? timeout / ATTEMPTS, "attemptTimeout");
  }

  /**
   * Returns the first attempt of a call, which `putCall` and `putAttempt` write into a message.
   * @param body an object or nothing, if it is valid
   */
  encode(
    name: OperationName,
    { index, write }: SentOperation,
    variables: readonly unknown[],
    params: object | null | undefined,
    options: Options,
    body?: any,
  ): Attempt {
    const [firstVariable = "", secondVariable = ""] = variables.map((variable, at) =>
      toText(`argument ${at + 1} of ${name}`, variable),
    );
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
      renewable: this.tokens?.renewable,
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
    return attempt as Attempt & typeof attempt;
  }

  /** Attempts a call until it succeeds or fails. Rust decides what follows an attempt. */
  async #exchange(
    operation: SentOperation,
    attempt: Attempt,
    content: string | undefined,
    time: CallTime,
    limit: number,
  ) {
    attempt.deadline = time.deadline;
    for (;;) {
      // The call may have ended in the pause.
      if (time.signal.aborted) throw time.signal.reason;
      const request = this.#render(attempt);
      let token = this.tokens?.get(time.signal);
      if (typeof token === "object") token = await token;
      let response;
      if (typeof token === "object") {
        response = this.decide(attempt, operation.method, token);
      } else {
        const sending = this.#send(operation, attempt, request, token && `Bearer ${token}`, content, time.signal);
        response =
          (await time.within(limit, sending)) ?? this.#giveUp(operation, attempt, time, limit) ?? (await sending);
      }
      if (response.step === Step.Done) return response;
      if (response.step < Step.Retry) throw responseError(response, response.step === Step.FailRetryable);
      if (response.step === Step.RenewToken) this.tokens?.reject(token as string);
      this.#report(response);
      if (response.pause > 0) await sleep(response.pause, time.signal);
    }
  }

  /**
   * Ends an attempt that has exceeded its limit, and returns a missing response. Returns `undefined` if no other
   * attempt can follow.
   */
  #giveUp({ method }: SentOperation, attempt: Attempt, time: CallTime, limit: number) {
    const response = new ServiceResponse(undefined, timeoutError("attempt", limit));
    response.isLate = true;
    if (this.decide(attempt, method, response).step === Step.Wait) return undefined;
    const { event } = attempt;
    if (event !== undefined) response.event = { ...event, status: 0, headers: undefined, milliseconds: limit };
    time.endAttempt(response.cause);
    return response;
  }

  /** Renders the request of an attempt. Rust sets its headers, in the form that the transport expects. */
  #render(attempt: Attempt): RenderedRequest {
    const core = this.#started();
    const headers = this.fetch === undefined ? new Headers() : new PlainHeaders();
    const length = putCall(attempt);
    const url = checkInput(() => core.render(length, headers));
    attempt.began = core.observations;
    return { url, headers };
  }

  /** Sends a request and returns the response, or the error that prevented it. Rust decides what follows. */
  async #send(
    operation: SentOperation,
    attempt: Attempt,
    { url, headers }: RenderedRequest,
    authorization: string | undefined,
    body: string | undefined,
    signal: AbortSignal,
  ) {
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
      const send = (this.fetch ?? fetch) as (url: string, init: any) => PromiseLike<Response>;
      // A redirect would send the token to another server. Workers do not support `error`.
      const answer = await send(url, {
        method,
        headers: (headers as PlainHeaders).fields ?? headers,
        body,
        signal,
        redirect: "manual",
        ...(operation === TOKEN && this.fetch === undefined && noPrompt()),
      });
      response = new ServiceResponse(answer, await answer.text(), operation.parse);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      response = new ServiceResponse(undefined, cause);
    }
    if (signal.aborted) throw signal.reason;
    if (event !== undefined) {
      const { status, headers: answered } = response;
      response.event = { ...event, status, headers: answered, milliseconds: performance.now() - began };
      if (answered !== undefined) this.#hooks?.onResponse?.(response.event as ResponseEvent);
    }
    response.isToken = operation === TOKEN;
    response.url = url;
    if (response.ok && !response.isToken && !isResult(operation, response.data))
      throw unexpectedResponseError(response);
    return this.decide(attempt, method, response);
  }

  /**
   * Lets Rust decide what follows an attempt with this response, and prepares the next attempt. Returns the response.
   */
  decide(attempt: Attempt, method: string, response: ServiceResponse) {
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

  /** Calls the caller's hook, because another attempt follows. */
  #report({ step, event, cause, pause, status }: ServiceResponse) {
    const reason = status === 429 ? "rateLimited" : REASONS[step];
    if (event !== undefined) this.#hooks?.onRetry?.({ ...event, reason, pause, cause });
  }

  /** Gets a token from the caller's function, in one of the forms that it may return. */
  async #ask(give: Exclude<NonNullable<ClientOptions["token"]>, string>, refresh: boolean) {
    const given: any = await give({ refresh });
    if (typeof given !== "object" || given === null) return { token: given };
    return { token: given.token ?? given.access_token, expiresIn: given.expiresIn ?? given.expires_in };
  }

  /** Returns a function that gets a token from the token endpoint (RFC 6749, 4.4). */
  #credentialsSource({ clientId, clientSecret, scope }: NonNullable<ClientOptions["credentials"]>): TokenSource {
    // Each part is form-encoded before they are joined (RFC 6749, 2.3.1).
    const basic = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    const scopes = [scope ?? []].flat().join(" ");
    const form = `grant_type=client_credentials${scopes ? `&scope=${encodeURIComponent(scopes)}` : ""}`;
    // Its progress counts the failures in a row.
    const attempt = this.encode("token", TOKEN, [], undefined, {});
    return async (_, ended) => {
      const time = new CallTime(this.#limit(undefined, this.timeout));
      const send = () => this.#send(TOKEN, attempt, this.#render(attempt), basic, form, time.signal);
      const response = await time.run(send, [ended]).catch((cause) => {
        if (ended.aborted || !time.signal.aborted) throw cause;
        return this.decide(attempt, TOKEN.method, new ServiceResponse(undefined, cause));
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
  fields: Record<string, string> = {};

  set(name: string, value: string) {
    this.fields[name] = value;
  }
}

/** Calls Rust and converts its `TypeError`, which describes the problem in the caller's input. */
function checkInput<Value>(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const mistakes = error.message.split("\0");
    throw mistakes.length > 1 ? inputError(mistakes) : wrongOption(error.message);
  }
}

/** Returns whether a call has the header that a 304 responds to. */
const isConditional = ({ pairs, parameters }: Attempt) =>
  pairs.some((text, at) => at >= 2 * Number(parameters) && at % 2 === 0 && /^if-none-match$/i.test(text));

/** Adds what the caller of a write needs in order to repeat it. */
function addOutcome(error: ResourceError, attempt: Attempt | undefined, { idempotencyKey, isNewKey }: Options) {
  const isUnknown = attempt?.isUnknown ?? (idempotencyKey != null && !isNewKey);
  const outcome = isUnknown && error.kind !== "invalid" ? "unknown" : "refused";
  Object.assign(error, { idempotencyKey: attempt?.idempotencyKey ?? idempotencyKey, outcome });
}

/** Returns the error with the stack of the call instead of the stack of the event that ended it. */
function replaceStack(error: ResourceError) {
  Error.captureStackTrace?.(error, replaceStack);
  return error;
}
