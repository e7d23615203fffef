// Calls from start to end: JavaScript sends, waits, and parses JSON. Rust renders requests from the table of endpoints,
// keeps the session, and decides the next step (src/client). src/guide/change/boundaries.md describes the boundary.

import { CallTime } from "./call-time.js";
import { checkAge, checkOptions, optionsMessage } from "./client-options.js";
import type {
  CallOptions,
  AsyncWriteOptions,
  QueryOptions,
  ReadOptions,
  ClientOptions,
  RequestEvent,
  RetryEvent,
  ResponseEvent,
  OperationName,
} from "./options.js";
import type { Bodies } from "../generated/bodies.js";
import type { SystemFields } from "../own/bodies.js";
import type { DeclaredResource } from "../own/resource.js";
import { core, isReady, putMessage, ready, result } from "../core/instance.js";
import {
  abortError,
  asResourceError,
  inputError,
  isMissing,
  type ResourceError,
  responseError,
  timeoutError,
  unexpectedResponseError,
  wrongOption,
} from "./errors.js";
import { namedHeaders, parameterPairs, randomKey, serializeBody, toText } from "./input.js";
import { ATTEMPTS, type CallMessage, putCall, putOptions, putResponse, Step, TIMEOUT } from "../generated/messages.js";
import { type OperationInfo, operations, projectCalls } from "../generated/operations.js";
import { isResult, type Parse, resourceTexts, ServiceResponse } from "./response.js";
import { checkToken, Tokens, type TokenSource } from "./tokens.js";
import { abort, checkTimeout, sleep, type Waiting } from "./signals.js";
import { BUILT_IN, numberOf } from "../validate/validate.js";

export type Options = CallOptions & Partial<AsyncWriteOptions & ReadOptions & QueryOptions> & { isNewKey?: boolean };
/** What a call sends, and how. The body of an import is a text. */
export interface CallInput {
  readonly variables?: readonly unknown[];
  readonly params?: object | null | undefined;
  readonly body?: unknown;
  readonly options?: Options | null | undefined;
  /** Parses the text of a successful response. Default: as JSON. */
  readonly parse?: Parse;
  /** For a request for a token: how many requests before it failed in a row. */
  readonly failures?: number;
}
/** How a request is sent. One for a token is sent without an operation. */
type SentOperation = Omit<OperationInfo, "method"> & { readonly method: string; readonly lines?: boolean };
interface RenderedRequest {
  url: string;
  /** For a caller's `fetch`, which gets a plain object, a map. */
  headers: Headers | Map<string, string>;
}

/** A call from its first request to its end. */
interface Call {
  readonly name: OperationName;
  readonly operation: SentOperation;
  readonly message: CallMessage;
  /** The number of its state in Rust, which has to be freed at its end. */
  readonly number: number;
  readonly time: CallTime;
  readonly content: string | undefined;
  /** The writes of a batch. */
  readonly writes: readonly { readonly operation: string }[] | undefined;
  readonly parse: Parse | undefined;
  readonly isObserved: boolean;
  /** How many requests were sent, and what hooks received for the last. */
  sent: number;
  event?: RequestEvent | undefined;
  /** Whether the last request may still be performed. */
  isOpen: boolean;
  /** Whether a write may have been performed, without the attempt that has no response yet. */
  isUnknown: boolean;
}

// What Rust returns (src/bindings/client.rs): what is wrong with the caller's input, or a result.
interface Wrong {
  readonly wrong: string;
}
interface Created {
  readonly wrong?: undefined;
  readonly client: number;
}
interface Rendered {
  readonly wrong?: undefined;
  readonly url: string;
}
/** What follows an attempt: a `Step`, after a pause in milliseconds. */
interface Decision {
  readonly step: number;
  readonly pause: number;
  readonly isUnknown: boolean;
}

/** Frees the clients in Rust that were not closed. */
const abandoned =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : /* @__PURE__ */ new FinalizationRegistry<number>((client) => core().drop_client(client));

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
  /** The number of the client in Rust. */
  #client: number | undefined;
  #headers;
  #attemptTimeout: number | undefined;
  #maxAge;
  #hooks: Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry"> | undefined;
  /** The resource that the deployment declares. Without it, the resources are those of the interface. */
  declared: DeclaredResource<any> | undefined;

  constructor(options: ClientOptions<any>) {
    checkOptions(options);
    this.declared = options.resource ?? undefined;
    const { token, credentials, fetch, headers, onRequest, onResponse, onRetry } = options;
    this.timeout = checkTimeout(options.timeout ?? TIMEOUT);
    this.#attemptTimeout = options.attemptTimeout ?? undefined;
    this.#maxAge = checkAge(options.maxAge ?? undefined);
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

  /** Makes a call and returns its result. */
  async call(name: Exclude<OperationName, "token">, input: CallInput): Promise<any> {
    const options = input.options ?? {};
    const operation = CALLS[name];
    let call: Call | undefined;
    try {
      const timeout = checkTimeout(options.timeout ?? this.timeout);
      const limit = this.#limit(options.attemptTimeout, timeout);
      const { signal } = options;
      for (const ended of [signal, this.closing]) if (ended?.aborted) throw abortError(ended);
      if (timeout === 0) throw timeoutError("call", timeout);
      const time = new CallTime(timeout);
      const start = () => {
        // It may have ended while the WebAssembly was loading.
        if (time.signal.aborted) throw time.signal.reason;
        if (this.#client === undefined) this.#create();
        call = this.#begin(name, operation, time, input);
        return this.#exchange(call, limit);
      };
      const starting = ready();
      const run = starting === undefined ? start : () => starting.then(start);
      const response = await time.run(run, [signal, this.closing]);
      if (response.step !== Step.Done) {
        const error = responseError(response, response.step === Step.FailRetryable);
        // Without a revision, the address is wrong.
        if (options.orUndefined && error.code === "ResourceNotFound" && isMissing(response)) return undefined;
        throw error;
      }
      options.onResponse?.(response.event as ResponseEvent);
      if (operation.write) await this.afterWrite?.(response, time.deadline, signal);
      if (name === "exists") return response.status !== 404;
      if (response.status !== 304) return response.data;
      if (!isConditional(call as unknown as Call)) throw unexpectedResponseError(response);
      return undefined;
    } catch (thrown) {
      const error = asResourceError(thrown);
      if (operation.write) addOutcome(error, call, options);
      // Thrown here, so that the error's stack leads to the caller.
      throw replaceStack(error);
    } finally {
      if (call !== undefined) core().end_call(call.number);
    }
  }

  /** Returns the token, and for how many seconds it is valid. */
  async token({ signal, timeout }: Pick<CallOptions, "signal" | "timeout"> = {}) {
    for (const ended of [signal, this.closing]) if (ended?.aborted) throw abortError(ended);
    const time = new CallTime(checkTimeout(timeout ?? this.timeout));
    const get = async () => {
      await ready();
      if (this.#client === undefined) this.#create();
      return this.tokens?.get(time.signal);
    };
    const token = await time.run(get, [signal, this.closing]).catch((error) => {
      throw asResourceError(error);
    });
    if (typeof token === "object") throw responseError(token, true);
    if (token === undefined) throw wrongOption("The client has no token. Expected the option credentials or token.");
    return { token, expiresIn: this.tokens?.expiresIn };
  }

  /** Adds resources to the session that came in no response to a call. */
  observe(resources: readonly SystemFields[]) {
    core().observe(this.#started(), putMessage([], resourceTexts(resources)));
  }

  /** Ends all calls, and releases the memory of the client. */
  close() {
    abort(this.closing, new Error("The client is closed."));
    if (this.#client === undefined) return;
    abandoned?.unregister(this);
    core().drop_client(this.#client);
    this.#client = undefined;
  }

  #create() {
    const { client } = checked<Created>(core().create_client(putOptions(this.#input)));
    this.#client = client;
    abandoned?.register(this, client, this);
  }

  /** Returns the number of the client, unless it was closed. */
  #started() {
    if (this.#client === undefined) throw abortError(this.closing);
    return this.#client;
  }

  /**
   * Returns the time that an attempt may take, in milliseconds.
   * @param timeout of the call
   */
  #limit(given: number | undefined, timeout: number) {
    return checkTimeout(given ?? this.#attemptTimeout ?? timeout / ATTEMPTS, "attemptTimeout");
  }

  /** Checks the input of a call, and begins it. */
  #begin(name: OperationName, operation: SentOperation, time: CallTime, input: CallInput): Call {
    const { variables = [], params, failures = 0, parse = operation.lines ? String : undefined } = input;
    const [body, options]: [any, Options] = [input.body, input.options ?? {}];
    const content = operation.body === undefined ? body : this.#serialize(operation.body, body);
    const [firstVariable = "", secondVariable = ""] = variables.map((variable, at) =>
      toText(`argument ${at + 1} of ${name}`, variable),
    );
    const pairs = params === undefined ? [] : parameterPairs(params);
    const parameters = pairs.length / 2;
    this.#addHeaders(pairs, options);
    const idempotencyKey = operation.write ? toText("idempotencyKey", options.idempotencyKey ?? randomKey()) : "";
    const message = {
      operation: operation.index,
      fresh: !!options.fresh,
      respondAsync: !!options.respondAsync,
      // An earlier call may have had the caller's own key.
      repeated: !!operation.write && isOwnKey(options),
      renewable: this.tokens?.renewable,
      deadline: time.deadline,
      failures,
      parameters,
      maxAge: this.#age(name, operation, options),
      idempotencyKey,
      firstVariable,
      secondVariable,
      bodyId: typeof body?.id === "string" ? body.id : "",
      bodyKey: typeof body?.key === "string" ? body.key : "",
      pairs,
    };
    return {
      name,
      operation,
      message,
      number: core().begin_call(putCall(message)),
      time,
      content,
      writes: name === "batch" ? body.writes : undefined,
      parse,
      isObserved: this.#hooks !== undefined || options.onResponse != null,
      sent: failures,
      isOpen: false,
      isUnknown: message.repeated,
    };
  }

  /** Returns how old the response to a call may be, in seconds. Only queries and searches have an age. */
  #age(name: OperationName, { page, method }: SentOperation, { maxAge }: Options) {
    const isQuery = name in operations && (page || method === "HEAD");
    return isQuery ? checkAge(maxAge ?? this.#maxAge) : 0;
  }

  /** Validates a body by the project's resource, and returns its text. */
  #serialize(kind: keyof Bodies, body: unknown) {
    return serializeBody(this.declared?.number ?? BUILT_IN, numberOf(kind), body);
  }

  /** Adds the names and values of the headers that the caller sets. */
  #addHeaders(pairs: string[], { headers, ifNoneMatch }: Options) {
    const named = new Map([...this.#headers, ...namedHeaders(headers)]);
    if (ifNoneMatch != null) named.set("if-none-match", ["If-None-Match", toText("ifNoneMatch", ifNoneMatch)]);
    for (const pair of named.values()) pairs.push(...pair);
  }

  /** Sends the requests of a call until it succeeds or fails. Rust decides what follows each. */
  async #exchange(call: Call, limit: number) {
    const { time } = call;
    for (;;) {
      // The call may have ended in the pause.
      if (time.signal.aborted) throw time.signal.reason;
      const request = this.#render(call);
      let token = this.tokens?.get(time.signal);
      if (typeof token === "object") token = await token;
      let response;
      if (typeof token === "object") {
        response = this.#decide(call, token);
      } else {
        const sending = this.#send(call, request, token && `Bearer ${token}`);
        response = (await time.within(limit, sending)) ?? this.#giveUp(call, limit) ?? (await sending);
      }
      if (response.step < Step.Retry) return response;
      if (response.step === Step.RenewToken) this.tokens?.reject(token as string);
      this.#report(response);
      if (response.pause > 0) await sleep(response.pause, time.signal);
    }
  }

  /**
   * Ends an attempt that has exceeded its limit, and returns a missing response. Returns `undefined` if no other
   * attempt can follow.
   */
  #giveUp(call: Call, limit: number) {
    const response = new ServiceResponse(undefined, timeoutError("attempt", limit));
    response.isLate = true;
    if (this.#decide(call, response).step === Step.Wait) return undefined;
    const { event } = call;
    if (event !== undefined) response.event = { ...event, status: 0, headers: undefined, milliseconds: limit };
    call.time.endAttempt(response.cause);
    return response;
  }

  /** Renders the next request of a call. Rust sets its headers, in the form that the transport expects. */
  #render({ number }: Call): RenderedRequest {
    const headers = this.fetch === undefined ? new Headers() : new Map<string, string>();
    const { url } = checked<Rendered>(core().render(this.#started(), number, headers));
    return { url, headers };
  }

  /** Sends a request and returns the response, or the error that prevented it. Rust decides what follows. */
  async #send(call: Call, { url, headers }: RenderedRequest, authorization: string | undefined) {
    const { name, operation, content } = call;
    const { method } = operation;
    // The call may have another signal when the response arrives.
    const { signal } = call.time;
    if (authorization !== undefined) headers.set("Authorization", authorization);
    // Create it only if a hook reads it: it takes a tenth of a call's time.
    const event = call.isObserved ? { operation: name, attempt: ++call.sent, method, url } : undefined;
    call.event = event;
    const began = event === undefined ? 0 : performance.now();
    if (event !== undefined) this.#hooks?.onRequest?.(event);
    let response;
    if (signal.aborted) throw signal.reason;
    call.isOpen = true;
    try {
      const send = (this.fetch ?? fetch) as (url: string, init: any) => PromiseLike<Response>;
      // A redirect would send the token to another server. Workers do not support `error`.
      const answer = await send(url, {
        method,
        headers: headers instanceof Map ? Object.fromEntries(headers) : headers,
        body: content,
        signal,
        redirect: "manual",
        ...(operation === TOKEN && this.fetch === undefined && noPrompt()),
      });
      response = new ServiceResponse(answer, await answer.text(), call.parse);
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
    return this.#decide(call, response);
  }

  /** Lets Rust decide what follows an attempt with this response, and returns the response. */
  #decide(call: Call, response: ServiceResponse) {
    const client = this.#started();
    const length = putResponse(response.describe(call.operation.method, call.writes));
    const { step, pause, isUnknown }: Decision = result(core().decide(client, call.number, length));
    Object.assign(response, { step, pause });
    call.isUnknown = isUnknown;
    // An attempt that continues to wait may still perform the write.
    call.isOpen &&= response.step === Step.Done || response.step === Step.Wait;
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
    let failures = 0;
    return async (_, ended) => {
      const time = new CallTime(this.#limit(undefined, this.timeout));
      const call = this.#begin("token", TOKEN, time, { body: form, failures });
      const send = () => this.#send(call, this.#render(call), basic);
      try {
        const response = await time.run(send, [ended]).catch((cause) => {
          if (ended.aborted || !time.signal.aborted) throw cause;
          return this.#decide(call, new ServiceResponse(undefined, cause));
        });
        failures = response.step === Step.Retry ? failures + 1 : 0;
        if (failures > 0) return { refusal: response, pause: response.pause };
        if (response.step !== Step.Done) throw responseError(response, false);
        const { access_token: token, expires_in: expiresIn } = response.data ?? {};
        if (typeof token !== "string") throw unexpectedResponseError(response);
        return { token, expiresIn };
      } finally {
        core().end_call(call.number);
      }
    };
  }
}

/** Returns the result that Rust returned by its length. Throws the error of the caller's wrong input. */
function checked<Result extends { readonly wrong?: undefined }>(length: number): Result {
  const returned: Result | Wrong = result(length);
  if (returned.wrong === undefined) return returned as Result;
  const mistakes = returned.wrong.split("\0");
  throw mistakes.length > 1 ? inputError(mistakes) : wrongOption(returned.wrong);
}

/** Returns whether a call has the header that a 304 responds to. */
const isConditional = ({ message: { pairs, parameters } }: Call) =>
  pairs.some((text, at) => at >= 2 * Number(parameters) && at % 2 === 0 && /^if-none-match$/i.test(text));

/** Returns whether an earlier call may have had the idempotency key. */
const isOwnKey = ({ idempotencyKey, isNewKey }: Options) => idempotencyKey != null && !isNewKey;

/** Adds what the caller of a write needs in order to repeat it. */
function addOutcome(error: ResourceError, call: Call | undefined, options: Options) {
  const isUnknown = call === undefined ? isOwnKey(options) : call.isOpen || call.isUnknown;
  const outcome = isUnknown && error.kind !== "invalid" ? "unknown" : "refused";
  Object.assign(error, { idempotencyKey: call?.message.idempotencyKey ?? options.idempotencyKey, outcome });
}

/** Returns the error with the stack of the call instead of the stack of the event that ended it. */
function replaceStack(error: ResourceError) {
  Error.captureStackTrace?.(error, replaceStack);
  return error;
}
