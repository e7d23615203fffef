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
import type {
  AsyncWriteOptions,
  CallOptions,
  ClientOptions,
  FetchInit,
  FetchResponse,
  ModifyOptions,
  ReadOptions,
  WriteOptions,
} from "./options.js";
import type { Arrays, Page, QueryResult, Receipt, Resource, SearchResult } from "./generated/responses.js";
import type { Issue } from "./validate.js";

export type { ErrorItem, Reason } from "./generated/issues.js";
export * from "./generated/params.js";
export * from "./options.js";
export * from "./generated/responses.js";

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

  /** Ends all calls with the kind `aborted`, and releases the client's memory. If you do not close a client, the
   * garbage collector releases it. */
  close(): void;
  /** Calls `close`, for `using client = new ResourceClient(…)`. */
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
   * another version.
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
   * Returns the resource after the change. Rejects with the error that `change` throws. To repeat a call that failed,
   * pass the error's `idempotencyKey`.
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
 * not reached. `timeout`: the call took too long. `aborted`: its signal ended it. `api`: the service rejected it.
 * `unexpected`: another server responded, or a function of the caller failed.
 */
export type ErrorKind = "invalid" | "network" | "timeout" | "aborted" | "api" | "unexpected";

/** The error of a call. It never contains tokens or secrets. */
export class ResourceError extends Error {
  private constructor();
  readonly name: "ResourceError";
  /** The kind of the failure. */
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
  /**
   * Whether the call may succeed a little later. Repeat a write with the error's `idempotencyKey`. Without it, a write
   * whose outcome is unknown may be performed twice.
   */
  readonly retryable: boolean;
  /**
   * The idempotency key of a write. A repeat of the call with this key as its option `idempotencyKey` is performed only
   * if the write was not. `undefined` for reads, and if no key was generated because the client sent nothing.
   */
  readonly idempotencyKey: string | undefined;
  /**
   * Whether a write was performed. `refused`: it was not, neither by this call nor, if you passed an `idempotencyKey`,
   * by an earlier call with that key. `unknown`: it may have been performed, or may still be. `undefined` for reads.
   */
  readonly outcome: "unknown" | "refused" | undefined;
  /** The call is wrong: the client did not send it, or the service rejected it with 400. */
  readonly isValidation: boolean;
  /** 401: the token is missing, has expired, or is not accepted. */
  readonly isUnauthorized: boolean;
  /** 403: the token does not allow the operation. */
  readonly isForbidden: boolean;
  /** 404: there is no such resource, or the address is wrong. */
  readonly isNotFound: boolean;
  /** 409: the resource does not have the expected version. */
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
