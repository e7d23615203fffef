/// <reference lib="esnext.disposable" />
import type {
  ComplexBody,
  ExampleResourceUpdateAction,
  ResourceDraft,
  ResourceOverwrite,
  ResourceUpdate,
} from "./generated/bodies.js";
import type {
  DeleteByIdParams,
  ExistsParams,
  GetByIdParams,
  GetByKeyParams,
  QueryParams,
  QuerySortedParams,
  SearchParams,
  UpdateByPathParams,
  UpdateWithUrnLinksParams,
} from "./generated/params.js";
import type { ErrorItem } from "./generated/issues.js";
import type { Operation } from "./generated/operations.js";
import type { Arrays, Page, QueryResult, Receipt, Resource, SearchResult } from "./generated/responses.js";
import type { Issue } from "./validate.js";

export type { ErrorItem, Reason } from "./generated/issues.js";
export * from "./generated/params.js";
export * from "./generated/responses.js";

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
  /** An `AbortSignal`. Pass it on, so that a call that ends early ends its request. The type is `never` so that every `fetch`
   * accepts it: the signals of Node and of browsers have different types. */
  signal: never;
}

/** The parts of a `Response` that the client uses. */
export interface FetchResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: AnswerHeaders;
  text(): Promise<string>;
}

/** Headers in every form that `fetch` accepts: an object, a list of pairs, a `Headers`, a `Map`. */
export type HeadersInput =
  | { readonly [name: string]: string | undefined }
  | Iterable<readonly [name: string, value: string]>
  | Iterable<string[]>
  | { get(name: string): string | null; forEach(run: (value: string, name: string) => void): void };

/** The name of a client method that sends one request. `token` is a request for a token. */
export type OperationName = Operation | "token";

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

/** A failed attempt of a call, which the client repeats. */
export interface RetryEvent extends RequestEvent {
  /** 0 if no response arrived. */
  readonly status: number;
  readonly headers: AnswerHeaders | undefined;
  /** The duration of the attempt in milliseconds. */
  readonly milliseconds: number;
  /** `unavailable`: no response, or the status 429, 502, 503, or 504. `unauthorized`: the service rejected the token, and
   * the client gets a new one. `outdated`: the response was older than what the client has seen. */
  readonly reason: "unavailable" | "unauthorized" | "outdated";
  /** How long the client waits before the next attempt, in milliseconds. */
  readonly pause: number;
  /** The error of `fetch` if no response arrived. */
  readonly cause: unknown;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call: it rejects at once with the kind `aborted`. */
  readonly signal?: Signal | undefined;
  /** Timeout of the call including retries, in milliseconds. `Infinity` means no limit. With 0 the call ends before it sends
   * anything. Default: the client's `timeout`. */
  readonly timeout?: number | undefined;
  /** Further headers, such as `X-Correlation-ID` or `If-Match`. Not allowed are those that the client sets: `Authorization`,
   * `Content-Type`, `Idempotency-Key`, and `Resource-Min-Revision`. */
  readonly headers?: HeadersInput | undefined;
  /** Called once with the successful response, for example to read its `ETag` or `Location`. */
  readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}

/** Options of a read of one resource. */
export interface ReadOptions extends CallOptions {
  /** An entity tag from the header `ETag` of an earlier response. If the resource still has it, the call resolves to
   * `undefined`, and the service sends no body. */
  readonly ifNoneMatch?: string | undefined;
  /** Resolve to `undefined` instead of an error if there is no such resource. Other errors with the status 404, such as for a
   * wrong address, remain errors. */
  readonly orUndefined?: boolean | undefined;
  /** Read from the source of truth instead of a cache copy near the caller, which may be a minute old. Every read includes the
   * client's own writes and what it has seen, with or without this option. */
  readonly fresh?: boolean | undefined;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters, for a write that must happen once even if the program restarts in between. By
   * default the client generates a key for each call, so that its retries never write twice. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a write that may return a receipt. */
export interface AsyncWriteOptions extends WriteOptions {
  /** Request a receipt instead of the arrays. The change is durable; only the cache copies are not yet updated. */
  readonly respondAsync?: boolean | undefined;
}

/** Options of `modify`. */
export interface ModifyOptions extends CallOptions {
  /** How many attempts there are if others change the resource in between. Default: 10. */
  readonly tries?: number | undefined;
}

/**
 * Parameters of `pages` and `all`. They return resources in the order of their IDs, each once, even if others write
 * meanwhile.
 */
export interface PagesParams extends Omit<QueryParams, "sort" | "offset" | "withTotal"> {
  readonly sort?: undefined;
  readonly offset?: undefined;
  /** Whether to count all matches with the first page. Default: false. */
  readonly withTotal?: boolean | undefined;
}

/** A page of `pages`: a result of `query`, with the progress. */
export interface ProgressPage extends QueryResult {
  /** How many resources matched when the first page was read; absent without `withTotal`. */
  total?: number;
  /** How many resources this page and those before it contain. */
  seen: number;
}

/** Options of `all`. */
export interface AllOptions extends CallOptions {
  /** Called with each page before its resources, for example to show the progress. */
  readonly onPage?: ((page: ProgressPage) => void) | undefined;
}

/**
 * A token of a token function. `expiresIn` is its lifetime in seconds. The client keeps a string until the service
 * rejects it.
 */
export type GivenToken = string | { readonly token: string; readonly expiresIn?: number };

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

/** The source of tokens. With neither member, requests have no token: for pages whose own server adds it. */
export type Authentication =
  | {
      /** A token, or a function that returns one. `refresh` is true if the service rejected the last token. Calls of the client
       * that start within five seconds share one call of the function. A later call asks again, because in a Worker the
       * first may never settle. */
      readonly token?:
        | string
        | ((request: { readonly refresh: boolean }) => GivenToken | PromiseLike<GivenToken>)
        | undefined;
      readonly credentials?: undefined;
    }
  | {
      readonly token?: undefined;
      /** A client of the service's token endpoint. Do not use it in a page: a page cannot keep a secret. */
      readonly credentials: {
        readonly clientId: string;
        readonly clientSecret: string;
        /** Scopes such as `manage_test:demo`. Default: all scopes of the API client. */
        readonly scope?: string | readonly string[] | undefined;
      };
    };

/** Options of a client: its project, the service's location, the source of tokens, and what applies to every call. */
export type ClientOptions = ServiceLocation &
  Authentication & {
    /** The project: 1 to 128 letters, digits, `-`, and `_`. */
    readonly projectKey: string;
    /** Your own `fetch`. Default: the global `fetch`. If it throws or rejects, the service counts as not reached: the client
     * retries the call, which then fails with the kind `network`. */
    readonly fetch?: ((url: string, init: FetchInit) => PromiseLike<FetchResponse>) | undefined;
    /** Timeout of a call including retries, in milliseconds. Default: 30,000. */
    readonly timeout?: number | undefined;
    /** How to retry after network errors and the statuses 429, 502, 503, and 504. The client waits as long as `Retry-After`
     * says, or for a random time up to a maximum that doubles with each attempt. `false`: no retries. */
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
    /** Called before each attempt of each call. What a hook throws ends the call with the kind `unexpected`. */
    readonly onRequest?: ((request: RequestEvent) => void) | undefined;
    /** Called with each response, whatever its status. */
    readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
    /** Called before the pause if another attempt follows. */
    readonly onRetry?: ((retry: RetryEvent) => void) | undefined;
  };

/** Options of a read whose result may be `undefined`. */
type MaybeOptions = ReadOptions & ({ readonly orUndefined: true } | { readonly ifNoneMatch: string });

/**
 * A client of one project. It validates a body before it sends it, retries without writing twice, and never reads
 * anything older than what it has seen or written. Every failure is a {@link ResourceError}.
 *
 * The first call loads the WebAssembly if nothing else has. If it is loaded, the constructor throws the error of a
 * wrong option; otherwise the first call rejects with it.
 */
export class ResourceClient {
  constructor(options: ClientOptions);

  /** Ends all calls with the kind `aborted`, and releases the client's memory. If you do not close a client, the garbage
   * collector releases it. */
  close(): void;
  /** The same as `close`, for `using client = new ResourceClient(…)`. */
  [Symbol.dispose](): void;

  /** Queries resources (operation 1). Returns a page, and the arrays of its first result. */
  query(params?: QueryParams, options?: CallOptions): Promise<QueryResult>;
  /**
   * Reads one resource by its ID (operation 2). Rejects with status 404 if there is none, unless `orUndefined` is set.
   */
  getById(id: string, params: GetByIdParams | undefined, options: MaybeOptions): Promise<Resource | undefined>;
  getById(
    id: string,
    params?: GetByIdParams,
    options?: ReadOptions & { readonly orUndefined?: false | undefined; readonly ifNoneMatch?: undefined },
  ): Promise<Resource>;
  getById(id: string, params?: GetByIdParams, options?: ReadOptions): Promise<Resource | undefined>;
  /**
   * Reads one resource by its key (operation 3). Rejects with status 404 if there is none, unless `orUndefined` is set.
   */
  getByKey(key: string, params: GetByKeyParams | undefined, options: MaybeOptions): Promise<Resource | undefined>;
  getByKey(
    key: string,
    params?: GetByKeyParams,
    options?: ReadOptions & { readonly orUndefined?: false | undefined; readonly ifNoneMatch?: undefined },
  ): Promise<Resource>;
  getByKey(key: string, params?: GetByKeyParams, options?: ReadOptions): Promise<Resource | undefined>;
  /** Searches resources by their text, with filters and facets (operation 4). */
  search(params?: SearchParams, options?: CallOptions): Promise<SearchResult>;
  /** Returns whether at least one resource matches (operation 5). */
  exists(params?: ExistsParams, options?: CallOptions): Promise<boolean>;
  /**
   * Creates a resource, or replaces the arrays that the body has (operation 6). The body's `id` identifies the
   * resource, or its `key` if there is no `id`. A body without either creates one. If the body has a `version` and the
   * resource has another, the call rejects with status 409.
   */
  createOrUpdate(body: ResourceDraft, options?: WriteOptions): Promise<Resource>;
  /**
   * Overwrites a resource (operation 7). Rejects with status 404 if there is none, and with 409 if it has another
   * version.
   */
  overwrite(body: ResourceOverwrite, options?: WriteOptions): Promise<Resource>;
  /** Creates or overwrites a resource (operation 8). Rejects with status 409 if the resource has another version. */
  createOrOverwrite(body: ResourceOverwrite, options?: WriteOptions): Promise<Resource>;
  /**
   * Creates a resource, or merges the fields that the body has (operation 9). The body identifies the resource. The two
   * path variables are checked and have no other effect.
   */
  updateByPath(
    uriParameterOne: string,
    uriParameterTwo: string,
    body: ComplexBody,
    params: UpdateByPathParams | undefined,
    options: AsyncWriteOptions & { readonly respondAsync: true },
  ): Promise<Receipt>;
  updateByPath(
    uriParameterOne: string,
    uriParameterTwo: string,
    body: ComplexBody,
    params?: UpdateByPathParams,
    options?: WriteOptions & { readonly respondAsync?: false | undefined },
  ): Promise<Arrays>;
  /**
   * Performs update actions on the expected version (operation 10). Rejects with status 409 if the resource has
   * another.
   */
  updateById(id: string, body: ResourceUpdate, options?: WriteOptions): Promise<Resource>;
  /** Deletes a resource and returns its last state (operation 11). */
  deleteById(id: string, params?: DeleteByIdParams, options?: WriteOptions): Promise<Resource>;
  /** Queries resources (operation 12): like `query`, but without the parameters and arrays that only `query` has. */
  querySorted(params?: QuerySortedParams, options?: CallOptions): Promise<Page>;
  /** Creates a resource, or merges the fields that the body has (operation 13). The body identifies the resource. */
  updateWithUrnLinks(
    body: ComplexBody,
    params: UpdateWithUrnLinksParams | undefined,
    options: AsyncWriteOptions & { readonly respondAsync: true },
  ): Promise<Receipt>;
  updateWithUrnLinks(
    body: ComplexBody,
    params?: UpdateWithUrnLinksParams,
    options?: WriteOptions & { readonly respondAsync?: false | undefined },
  ): Promise<Arrays>;

  /**
   * Reads a resource from the source of truth, by ID or key, and performs the actions that `change` returns. If another
   * caller changed the resource in between, starts again, at most `tries` times. Without actions it writes nothing.
   * Returns the resource after the change. Rejects with the error that `change` throws.
   */
  modify(
    target: string | { readonly key: string },
    change: (current: Resource) => Change | PromiseLike<Change>,
    options?: ModifyOptions,
  ): Promise<Resource>;

  /** Yields every resource that matches, page by page. Default: 100 in a page. */
  pages(params?: PagesParams, options?: CallOptions): AsyncGenerator<ProgressPage, void, undefined>;
  /** Yields every resource that matches, one by one. */
  all(params?: PagesParams, options?: AllOptions): AsyncGenerator<Resource, void, undefined>;
}

/** The actions of a change. `undefined` or an empty list changes nothing. */
export type Change = readonly ExampleResourceUpdateAction[] | undefined;

/**
 * Why a call has no result. `invalid`: the client sent nothing, because the call is wrong. `network`: the service was
 * not reached. `timeout`: the call took too long. `aborted`: its signal ended it. `api`: the service refused it.
 * `unexpected`: another server responded, or a function of the caller failed.
 */
export type ErrorKind = "invalid" | "network" | "timeout" | "aborted" | "api" | "unexpected";

/** The error of a call. It never contains tokens or secrets. */
export class ResourceError extends Error {
  private constructor();
  readonly name: "ResourceError";
  /** What happened. */
  readonly kind: ErrorKind;
  /** The HTTP status of the response. `undefined` if there is none. */
  readonly status: number | undefined;
  /** The code of the first error, such as `ConcurrentModification`. */
  readonly code: string | undefined;
  /** All problems in the service's form, whether the service or the client found them. */
  readonly errors: readonly ErrorItem[];
  /** The issues of the body, if the client found them before it sent the body. */
  readonly issues: readonly Issue[] | undefined;
  /** The version of the resource, if it is not the expected version. */
  readonly currentVersion: number | undefined;
  /** The ID of the request in the service's log. */
  readonly correlationId: string | undefined;
  /** Whether the same call may succeed a little later. */
  readonly retryable: boolean;
  /** The call is wrong: the client did not send it, or the service refused it with 400. */
  readonly isValidation: boolean;
  /** 401: the token is missing, has expired, or is not accepted. */
  readonly isUnauthorized: boolean;
  /** 403: the token does not allow the operation. */
  readonly isForbidden: boolean;
  /** 404: there is no such resource, or the address is wrong. */
  readonly isNotFound: boolean;
  /** 409: the resource has another version, or another resource has the key. */
  readonly isConflict: boolean;
  /** 412: the resource does not match `If-Match` or `If-None-Match`. */
  readonly isPreconditionFailed: boolean;
  /** 429: too many requests. */
  readonly isRateLimited: boolean;
  /** Returns what `JSON.stringify` writes: name, message, and all members except stack and cause. */
  toJSON(): object;
}

/**
 * Wraps a `fetch` for a client: identical reads in flight, with the same address and headers, become one request. Each
 * caller gets a separate result. A caller that aborts does not abort the others.
 */
export function shareReads(
  send?: (url: string, init: FetchInit) => PromiseLike<FetchResponse>,
): (url: string, init: FetchInit) => Promise<FetchResponse>;
