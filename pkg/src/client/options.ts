// The options of the client and of its calls, and what its functions and hooks get.

import type { ResourceDraft } from "../generated/bodies.js";
import type { Operation } from "../generated/operations.js";
import type { Imported, Resource } from "../generated/responses.js";
import type { ActionOf, ChangesOf, QueryPageOf, QueryParamsOf } from "../own/bodies.js";
import type { DeclaredResource } from "../own/resource.js";

/**
 * The parts of an `AbortSignal` that the client uses, so that the signals of browsers and of Node are both accepted.
 */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The headers of a response: a `Headers` object. */
export interface AnswerHeaders {
  get(name: string): string | null;
}

/** The second argument of a `fetch`. */
export interface FetchInit {
  method: string;
  headers: { [name: string]: string };
  body?: string;
  /** An `AbortSignal`. Pass it on, so that a call that ends early ends its request. The type is `never` so that every
   * `fetch` accepts it: the signals of Node and of browsers have different types. */
  signal: never;
}

/** The parts of a `Response` that the client uses. */
export interface FetchResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: AnswerHeaders;
  text(): Promise<string>;
}

/** How a program receives changes: by a WebSocket, or by requests that wait for a change. */
export type Transport = "socket" | "wait";

/** The parts of a `WebSocket` that `resource-edge/live` uses. */
export interface FeedSocket {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  // The types of events differ between Node and browsers.
  addEventListener(type: "message" | "close" | "error", listener: (event: any) => void): void;
}

/** A `WebSocket` class. */
export type SocketClass = new (url: string, protocols: string[]) => FeedSocket;

/** Headers in every form that `fetch` accepts: an object, a list of pairs, a `Headers`, a `Map`. */
export type HeadersInput =
  | { readonly [name: string]: string | undefined }
  | Iterable<readonly [name: string, value: string]>
  | Iterable<string[]>
  | { get(name: string): string | null; forEach(run: (value: string, name: string) => void): void };

/**
 * The name of a call: that of a client method that sends one request. `export` and `import` are requests of
 * `exportLines` and `importLines`, `changes` is one of `watch`, `clear` and `restore` are requests of the command line,
 * and `token` is a request for a token.
 */
export type OperationName =
  | Operation
  | "status"
  | "export"
  | "import"
  | "changes"
  | "clear"
  | "restore"
  | "batch"
  | "token";

/** An attempt of a call. It never contains a token. */
export interface RequestEvent {
  readonly operation: OperationName;
  /** 1 for the first attempt of the call. */
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
}

/** An attempt of a call with its response. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers, such as `ETag` or `Location`. */
  readonly headers: AnswerHeaders;
  /** The duration of the attempt in milliseconds. */
  readonly milliseconds: number;
}

/** A failed attempt of a call, which the client repeats. `operation` is `token` if the call has no token because the
 * request for one failed: each call that waits for the token reports that. */
export interface RetryEvent extends RequestEvent {
  /** 0 if no response arrived. */
  readonly status: number;
  readonly headers: AnswerHeaders | undefined;
  /** The duration of the attempt in milliseconds. */
  readonly milliseconds: number;
  /** `unavailable`: the service did not respond, or returned 503. `rateLimited`: the status 429. `unauthorized`: the
   * service rejected the token, and the client gets a new one. `outdated`: the response was older than what the client
   * has seen. */
  readonly reason: "unavailable" | "rateLimited" | "unauthorized" | "outdated";
  /** How long the client waits before the next attempt, in milliseconds. */
  readonly pause: number;
  /** The error of `fetch` if no response arrived. */
  readonly cause: unknown;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call: it rejects at once with the kind `aborted`. */
  readonly signal?: Signal | undefined;
  /** Timeout of the call including retries, in milliseconds. `Infinity` means no limit. With 0 the call ends before
   * it sends anything. Default: the client's `timeout`. */
  readonly timeout?: number | undefined;
  /** The time after which an attempt without a response is ended and retried, in milliseconds, if time and retries
   * are left for another attempt. Otherwise the attempt may take the rest of the call's time. Default: the client's
   * `attemptTimeout`. */
  readonly attemptTimeout?: number | undefined;
  /** Further headers, such as `X-Correlation-ID` or `If-Match`. Not allowed are those that the client sets:
   * `Authorization`, `Content-Type`, `Idempotency-Key`, and `Resource-Min-Revision`. */
  readonly headers?: HeadersInput | undefined;
  /** Called once with the successful response, for example to read its `ETag` or `Location`. */
  readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}

/** Options of a query or a search. */
export interface QueryOptions extends CallOptions {
  /** How old the result may be, in whole seconds: 0 for a current one. Default: the client's `maxAge`. */
  readonly maxAge?: number | undefined;
}

/** Options of a read of one resource. */
export interface ReadOptions extends CallOptions {
  /** An entity tag from the header `ETag` of an earlier response. If the resource still has it, the call resolves to
   * `undefined`, and the service sends no body. */
  readonly ifNoneMatch?: string | undefined;
  /** Resolve to `undefined` instead of an error if there is no such resource. Other errors with the status 404, such
   * as for a wrong address, remain errors. */
  readonly orUndefined?: boolean | undefined;
  /** Read from the source of truth instead of a cache copy near the caller, which may be a minute old. Every read
   * includes the client's own writes and what it has seen, with or without this option. */
  readonly fresh?: boolean | undefined;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters: the `idempotencyKey` of an error to repeat its call, or your own key for a
   * write that must happen once even if the program restarts in between. By default the client generates a key for
   * each call, so that its retries never write twice. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a write that may return a receipt. */
export interface AsyncWriteOptions extends WriteOptions {
  /** Request a receipt instead of the arrays. The change is durable; only the cache copies are not yet updated. */
  readonly respondAsync?: boolean | undefined;
}

/** Options of `modify`. */
export interface ModifyOptions extends CallOptions {
  /** The `idempotencyKey` of the error of an earlier call, to repeat that call: the change is written once, whether
   * the earlier call wrote it or not. Repeat it with the same client. With another client, the repeat rejects with
   * the code `IdempotencyKeyReused` if the earlier call may have written the change. At most 250 characters. */
  readonly idempotencyKey?: string | undefined;
  /** How many attempts there are if others change the resource in between. Default: 10. */
  readonly tries?: number | undefined;
}

/**
 * A token of a token function: a string, an object, or the response of a token endpoint. `expiresIn` and `expires_in`
 * are its lifetime in seconds. The client keeps a token without a lifetime until the service rejects it.
 */
export type GivenToken =
  | string
  | { readonly token: string; readonly expiresIn?: number }
  | { readonly access_token: string; readonly expires_in?: number };

/** The location of the service: its address, or its region and cloud provider. */
export type ServiceLocation =
  | {
      /** One label of the host name. */
      readonly region: string;
      /** One label of the host name. */
      readonly cloudProvider: string;
      /** The host is `api.{region}.{cloudProvider}.{domain}`. */
      readonly domain: string;
      readonly baseUrl?: undefined;
    }
  | {
      /** An address such as `https://api.example.com` or `http://127.0.0.1:8787`. */
      readonly baseUrl: string;
      readonly region?: undefined;
      readonly cloudProvider?: undefined;
      readonly domain?: undefined;
    };

/** The source of tokens. Without either member, requests have no token: for pages whose server adds it. */
export type Authentication =
  | {
      /** A token, or a function that returns one. `refresh` is true if the service rejected the last token. Without a
       * lifetime, `live` and `watch` request another token after the service has ended their connection. Calls of
       * the client that wait for a token share one call of the function. A call that starts more than five seconds
       * later calls it again, because in a Worker the first call of it may never settle. If it throws, the call fails.
       * `live` and `watch` call it again if the service had responded, unless the error has `retryable: false`. */
      readonly token?:
        | string
        | ((request: { readonly refresh: boolean }) => GivenToken | PromiseLike<GivenToken>)
        | undefined;
      readonly credentials?: undefined;
    }
  | {
      readonly token?: undefined;
      /** A client of the service's token endpoint. Do not use it in a page: a page cannot keep a secret. One request
       * serves all calls that wait for a token, and ends with the last of them. If the endpoint is unavailable or
       * returns 429, the client sends no other request until `Retry-After` or the pause of `retry` has passed. A call
       * that has less time left fails at once; the others wait. */
      readonly credentials: {
        readonly clientId: string;
        readonly clientSecret: string;
        /** Scopes such as `manage_test:demo`. Default: all scopes of the API client. */
        readonly scope?: string | readonly string[] | undefined;
      };
    };

/** What the resources of a project are. Without it they are those of the interface. */
export type ResourceOption<Content extends object> = [Content] extends [Resource]
  ? { readonly resource?: undefined }
  : {
      /** The resource of the project: what `resource` returns. The client validates by it, and has its types. */
      readonly resource: DeclaredResource<Content>;
    };

/** Options of a client: its project, the service's location, the source of tokens, and what applies to every call. */
export type ClientOptions<Content extends object = Resource> = ServiceLocation &
  Authentication &
  ResourceOption<Content> & {
    /** The project: 1 to 128 letters, digits, `-`, and `_`. */
    readonly projectKey: string;
    /** Your own `fetch`. Default: the global `fetch`. If it throws or rejects, the service counts as not reached: the
     * client retries the call, which then fails with the kind `network`. */
    readonly fetch?: ((url: string, init: FetchInit) => PromiseLike<FetchResponse>) | undefined;
    /** Your own `WebSocket` class, for `resource-edge/live`. Default: the global one, or none if you pass a `fetch`. */
    readonly WebSocket?: SocketClass | undefined;
    /** Timeout of a call including retries, in milliseconds. Default: 30,000. */
    readonly timeout?: number | undefined;
    /** The time after which an attempt without a response is ended and retried, in milliseconds. It also limits a
     * request for a token. `Infinity` means no limit. Default: a third of the call's timeout. */
    readonly attemptTimeout?: number | undefined;
    /** How old the results of `query`, `querySorted`, `search`, `exists`, `pages`, and `all` may be, in whole seconds,
     * at most 60. Then the service may return what it returned to an equal request of another caller. A result always
     * includes what the client has written and seen. Default: 0, they are current. */
    readonly maxAge?: number | undefined;
    /** How to retry if the service did not respond, or returned 429 or 503. It did not respond after network errors,
     * attempts that take too long, and errors of a server before it: 408, 425, and 5xx, except 501 and 505 to 511. The
     * client waits for the time in `Retry-After`, or for a random time up to a maximum that doubles with each attempt.
     * `false`: no retries. */
    readonly retry?:
      | false
      | {
          /** How many retries after the first attempt. Default: 4. */
          readonly retries?: number;
          /** The maximum pause before the first retry, in whole milliseconds. Default: 200. */
          readonly baseDelay?: number;
          /** The maximum pause before any retry, in whole milliseconds. Default: 8,000. */
          readonly maxDelay?: number;
        }
      | undefined;
    /** Headers of every request. */
    readonly headers?: HeadersInput | undefined;
    /** Called before each attempt of each call. An exception of a hook ends the call with the kind `unexpected`. */
    readonly onRequest?: ((request: RequestEvent) => void) | undefined;
    /** Called with each response, whatever its status. */
    readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
    /** Called before the pause if another attempt follows. */
    readonly onRetry?: ((retry: RetryEvent) => void) | undefined;
  };

/**
 * Parameters of `pages` and `all`. They return resources in the order of their IDs, each once, even if others write
 * meanwhile.
 */
export type PagesParams<Content extends object = Resource> = Omit<
  QueryParamsOf<Content>,
  "sort" | "offset" | "withTotal"
> & {
  readonly sort?: undefined;
  readonly offset?: undefined;
  /** Whether to count all matches with the first page. Default: false. */
  readonly withTotal?: boolean | undefined;
};

/** A page of `pages`: a result of `query`, with the progress. */
export type ProgressPage<Content extends object = Resource, Name extends string = never> = QueryPageOf<
  Content,
  Name
> & {
  /** How many resources matched when the first page was read; absent without `withTotal`. */
  total?: number;
  /** How many resources this page and those before it contain. */
  seen: number;
};

/** Options of `all`. */
export interface AllOptions<Content extends object = Resource, Name extends string = never> extends QueryOptions {
  /** Called with each page before its resources, for example to show the progress. */
  readonly onPage?: ((page: ProgressPage<Content, Name>) => void) | undefined;
}

/** The result of `importLines`. */
export interface ImportResult extends Omit<Imported, "taken" | "isDone"> {}

/** Options of `importLines`. */
export interface ImportOptions extends CallOptions {
  /** Called after each request with the counts so far. */
  readonly onProgress?: ((result: ImportResult) => void) | undefined;
}

/** Fields with their new values. No write removes a key, or a value of the interface's resource. */
type ChangedFields<Content extends object> = [Content] extends [Resource]
  ? { [Name in keyof ResourceDraft]?: Exclude<ResourceDraft[Name], Name extends "lastModifiedBy" ? never : null> }
  : Omit<ChangesOf<Content>, "key"> & { key?: string | undefined };

/**
 * What `modify` writes: actions, or fields with their new values. Null removes the value of an optional field of a
 * resource of `resources.json`. `undefined`, an empty list, or an empty object changes nothing.
 */
export type Modification<Content extends object = Resource> =
  | readonly ActionOf<Content>[]
  | ChangedFields<Content>
  | undefined;
