/// <reference lib="esnext.disposable" />
import type {
  ComplexBody,
  ExampleResourceUpdateAction,
  ObjectType,
  Person,
  ResourceDraft,
  ResourceOverwrite,
  ResourceUpdate,
} from "./bodies.js";
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
} from "./params.js";
import type { ErrorItem } from "./issues.js";
import type { Issue } from "./validate.js";

export type { ErrorItem, Reason } from "./issues.js";
export * from "./params.js";

/** The seven arrays as the service answers them: each is there, empty where nothing was given. */
export interface Arrays {
  arrayOfIntExample: number[];
  arrayOfUniqueIntExample: number[];
  arrayOfTwonumbersExample: [] | [number, number];
  arrayOfFloatExample: number[];
  arrayOfNumberNoDefaultsExample: number[];
  arrayOfStringExample: string[];
  arrayOfObjectType: ObjectType[];
}

/** A resource as the service answers it. It may be sent back as it is, to `overwrite` for example. */
export interface Resource {
  id: string;
  /** Rises by one with each write; an update names the version that it expects. */
  version: number;
  key?: string;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ` */
  createdAt: string;
  createdBy?: Person;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ`; rises strictly within a project. */
  lastModifiedAt: string;
  lastModifiedBy?: Person;
  objectTypeProperty: Arrays;
  someProperty?: string;
  eigthProperty?: string;
  ninthProperty?: string;
  tenthProperty?: string;
  eleventhPropery?: string;
  twelthProperty?: string;
  thirteenthProperty?: string;
  fourteenthProperty?: string;
  fifteenthProperty?: string;
  custom?: string;
}

/** A page of results. */
export interface Page {
  limit: number;
  offset: number;
  /** How many results are in this page. */
  count: number;
  /** How many resources match; absent with `withTotal: false`. */
  total?: number;
  results: Resource[];
}

/** The answer of `query`: a page, and beside it the seven arrays of its first result, empty where there is none. */
export interface QueryResult extends Page, Arrays {}

/** A facet over the terms of a field. */
export interface TermsFacet {
  type: "terms";
  dataType: "text" | "number" | "datetime" | "boolean";
  /** How many resources lack the field. */
  missing: number;
  total: number;
  /** How many further resources have terms that are not listed. */
  other: number;
  terms: { term: string; count: number; productCount?: number }[];
}

/** A facet over ranges; an open end is 0 with an empty string. */
export interface RangeFacet {
  type: "range";
  ranges: {
    from: number;
    fromStr: string;
    to: number;
    toStr: string;
    count: number;
    total: number;
    min: number;
    max: number;
    mean: number;
    productCount?: number;
  }[];
}

/** A facet that counts what a filter lets through. */
export interface FilteredFacet {
  type: "filter";
  count: number;
  productCount?: number;
}

export type Facet = TermsFacet | RangeFacet | FilteredFacet;

/** The answer of `search`. */
export interface SearchResult extends Page {
  /** The facets asked for, under their paths or aliases. */
  facets: { [name: string]: Facet };
}

/** What `respondAsync` is answered with: the moment of acceptance (UTC) in six formats. The change is durable by then. */
export interface Receipt {
  /** `YYYY-MM-DD` */
  dateOnlyExample: string;
  /** `hh:mm:ss` */
  timeOnlyExample: string;
  /** A date-time without zone designator. */
  dateTimeOnlyExample: string;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ` */
  dateTimeExample: string;
  /** `YYYY-MM-DDThh:mm:ss.mmmZ` */
  dateTimeExampleDefaultFormat: string;
  /** As in HTTP headers: `Tue, 29 Feb 2000 12:34:56 GMT`. */
  dateTimeExampleRfc: string;
}

/** The parts of an `AbortSignal` that are used: the browser's and Node's are the same. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The headers of an answer, as `fetch` gives them. */
export interface AnswerHeaders {
  get(name: string): string | null;
}

/** What a `fetch` is called with, beside the address. */
export interface FetchInit {
  method: string;
  headers: { [name: string]: string };
  body?: string;
  /** An `AbortSignal`: pass it on, so that a call which ends early ends its request. So typed that every `fetch` takes it:
   * Node's and the browser's signals have different types. */
  signal: never;
}

/** What a `fetch` answers, as far as it is used. */
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

/** The name of a method of the client that is one request; `token` is a request for a token. */
export type OperationName =
  | "query"
  | "getById"
  | "getByKey"
  | "search"
  | "exists"
  | "createOrUpdate"
  | "overwrite"
  | "createOrOverwrite"
  | "updateByPath"
  | "updateById"
  | "deleteById"
  | "querySorted"
  | "updateWithUrnLinks"
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
  readonly status: number;
  /** Such as `ETag` or `Location`. */
  readonly headers: AnswerHeaders;
  /** How long the attempt took. */
  readonly milliseconds: number;
}

/** An attempt of a call that another one follows. */
export interface RetryEvent extends RequestEvent {
  /** 0 if no response arrived. */
  readonly status: number;
  readonly headers: AnswerHeaders | undefined;
  /** How long the attempt took. */
  readonly milliseconds: number;
  /** `unavailable`: the service was not reached, or has the status 429, 502, 503 or 504. `unauthorized`: the token was refused,
   * and another one follows. `outdated`: the response was older than what the client has seen. */
  readonly reason: "unavailable" | "unauthorized" | "outdated";
  /** How long the client waits before the next attempt, in milliseconds. */
  readonly pause: number;
  /** Why no response arrived. */
  readonly cause: unknown;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call: it is rejected at once with the kind `aborted`. */
  readonly signal?: Signal | undefined;
  /** Timeout of the whole call with all its retries, in milliseconds; `Infinity` for no limit. 0 ends it before it sends
   * anything. */
  readonly timeout?: number | undefined;
  /** Headers beside the client's own, such as `X-Correlation-ID` or `If-Match`. `Authorization`, `Content-Type`,
   * `Idempotency-Key` and `Resource-Min-Revision` are the client's own, and refused. */
  readonly headers?: HeadersInput | undefined;
  /** Called once with the successful response, for example to read its `ETag` or `Location`. */
  readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}

/** Options of a read of one resource. */
export interface ReadOptions extends CallOptions {
  /** An entity tag that the caller has, from the header `ETag`. If the resource still has it, the call resolves to
   * `undefined`, and the service sends no body. */
  readonly ifNoneMatch?: string | undefined;
  /** Resolve to `undefined` if there is no such resource, instead of an error. Other errors with the status 404, such as that of
   * a wrong address, remain errors. */
  readonly orUndefined?: boolean | undefined;
  /** Reads the truth instead of a copy near the caller, which may be a minute old. The client's own writes and all that it
   * has seen are in every read without that. */
  readonly fresh?: boolean | undefined;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters, for a write that must happen once even if the program starts anew in between. A
   * call has one of its own otherwise, so that its retries never write twice. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a write that may be answered by a receipt. */
export interface AsyncWriteOptions extends WriteOptions {
  /** Asks for a receipt instead of the arrays: the change is durable, and only its spread to the edge is still under way. */
  readonly respondAsync?: boolean | undefined;
}

/** Options of `modify`. */
export interface ModifyOptions extends CallOptions {
  /** How often the change is tried in all, when others change the resource in between; 10 where it is absent. */
  readonly tries?: number | undefined;
}

/** Which resources `pages` and `all` give: in the order of their ids, each once, however many are written meanwhile. */
export interface PagesParams extends Omit<QueryParams, "sort" | "offset" | "withTotal"> {
  readonly sort?: undefined;
  readonly offset?: undefined;
  /** Whether to count all matches with the first page. Default: false. */
  readonly withTotal?: boolean | undefined;
}

/** A page of `pages`: a result of `query`, with the progress. */
export interface ProgressPage extends QueryResult {
  /** How many resources matched at the first page; absent without `withTotal`. */
  total?: number;
  /** How many resources this page and those before it contain. */
  seen: number;
}

/** Options of `all`. */
export interface AllOptions extends CallOptions {
  /** Called with each page before its resources, for example to show the progress. */
  readonly onPage?: ((page: ProgressPage) => void) | undefined;
}

/** A token, or the promise of one. A string is kept until the service refuses it. */
export type GivenToken = string | { readonly token: string; /** How long it holds, in seconds. */ readonly expiresIn?: number };

/** Where the service is: by region and cloud provider, or by its address. */
export type ServiceLocation =
  | {
      /** One label of the host's name. */
      readonly region: string;
      /** One label of the host's name. */
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

/** Where tokens come from. With neither, requests carry none: for pages whose own server adds it. */
export type Authentication =
  | {
      /** A token, or a function that gives one; with `refresh` the service has refused the last. Calls of the client that start
       * within five seconds share one call of the function. A later call asks again, because in a Worker the first may never
       * settle. */
      readonly token?: string | ((request: { readonly refresh: boolean }) => GivenToken | PromiseLike<GivenToken>) | undefined;
      readonly credentials?: undefined;
    }
  | {
      readonly token?: undefined;
      /** A client of the service's token endpoint. Never in a page, where nothing stays secret. */
      readonly credentials: {
        readonly clientId: string;
        readonly clientSecret: string;
        /** Such as `manage_test:demo`; all that the client may have where it is absent. */
        readonly scope?: string | readonly string[] | undefined;
      };
    };

/** How a client is set up. */
export type ClientOptions = ServiceLocation &
  Authentication & {
    readonly projectKey: string;
    /** A `fetch` of your own; by default the global one. It gets an address and an object of options. If it throws or rejects, the
     * service counts as not reached: the call is retried, and then fails with the kind `network`. */
    readonly fetch?: ((url: string, init: FetchInit) => PromiseLike<FetchResponse>) | undefined;
    /** How long a call may take with all its retries, in milliseconds; 30,000 where it is absent. */
    readonly timeout?: number | undefined;
    /** Network errors and the statuses 429, 502, 503 and 504 are tried again, after what `Retry-After` says or a random
     * pause out of a span that doubles. `false`: never. */
    readonly retry?:
      | false
      | {
          /** How many times after the first; 4 where it is absent. */
          readonly retries?: number;
          /** The longest first pause in whole milliseconds; 200 where it is absent. */
          readonly baseDelay?: number;
          /** The longest pause of all in whole milliseconds; 8000 where it is absent. */
          readonly maxDelay?: number;
        }
      | undefined;
    /** Headers that every request carries. */
    readonly headers?: HeadersInput | undefined;
    /** Called before each attempt of each call. What a hook throws ends the call with the kind `unexpected`. */
    readonly onRequest?: ((request: RequestEvent) => void) | undefined;
    /** Called with each response, whatever its status. */
    readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
    /** Called if another attempt follows, before the pause. */
    readonly onRetry?: ((retry: RetryEvent) => void) | undefined;
  };

/** Options of a read whose result may be `undefined`. */
type MaybeOptions = ReadOptions & ({ readonly orUndefined: true } | { readonly ifNoneMatch: string });

/**
 * A client of one project. It validates a body before it is sent, sends a request again if that may help and never
 * writes twice, and never reads what is older than what it has seen or written. Every failure is a {@link ResourceError}.
 *
 * The first call starts the WebAssembly if nothing else has. Before that, a wrong option is the error of the first call;
 * afterwards the constructor throws it.
 */
export class ResourceClient {
  constructor(options: ClientOptions);

  /** Ends all calls with the kind `aborted`, and releases the client's memory. A client that is not closed is released when the
   * garbage collector finds it. */
  close(): void;
  [Symbol.dispose](): void;

  /** Queries resources (operation 1): a page, and the arrays of its first result. */
  query(params?: QueryParams, options?: CallOptions): Promise<QueryResult>;
  /** Reads one resource by its id (operation 2). */
  getById(id: string, params: GetByIdParams | undefined, options: MaybeOptions): Promise<Resource | undefined>;
  getById(id: string, params?: GetByIdParams, options?: ReadOptions & { readonly orUndefined?: false | undefined; readonly ifNoneMatch?: undefined }): Promise<Resource>;
  getById(id: string, params?: GetByIdParams, options?: ReadOptions): Promise<Resource | undefined>;
  /** Reads one resource by its key (operation 3). */
  getByKey(key: string, params: GetByKeyParams | undefined, options: MaybeOptions): Promise<Resource | undefined>;
  getByKey(key: string, params?: GetByKeyParams, options?: ReadOptions & { readonly orUndefined?: false | undefined; readonly ifNoneMatch?: undefined }): Promise<Resource>;
  getByKey(key: string, params?: GetByKeyParams, options?: ReadOptions): Promise<Resource | undefined>;
  /** Searches resources by their text, with filters and facets (operation 4). */
  search(params?: SearchParams, options?: CallOptions): Promise<SearchResult>;
  /** Whether at least one resource matches (operation 5). */
  exists(params?: ExistsParams, options?: CallOptions): Promise<boolean>;
  /** Creates a resource, or replaces the arrays that the body has (operation 6). The body's `id`, else its `key`, names it; a
   * body without either creates one. */
  createOrUpdate(body: ResourceDraft, options?: WriteOptions): Promise<Resource>;
  /** Overwrites a resource that exists and has the version (operation 7). */
  overwrite(body: ResourceOverwrite, options?: WriteOptions): Promise<Resource>;
  /** Creates a resource, or overwrites one that has the version (operation 8). */
  createOrOverwrite(body: ResourceOverwrite, options?: WriteOptions): Promise<Resource>;
  /** Creates a resource, or merges the fields that the body has (operation 9). The body names it; the path's two parts are
   * checked and change nothing. */
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
  /** Performs update actions on the version that the caller expects (operation 10); 409 where the resource has another. */
  updateById(id: string, body: ResourceUpdate, options?: WriteOptions): Promise<Resource>;
  /** Deletes a resource and returns what it was (operation 11). */
  deleteById(id: string, params?: DeleteByIdParams, options?: WriteOptions): Promise<Resource>;
  /** Queries resources (operation 12): as `query`, without the parameters and the arrays that `query` alone has. */
  querySorted(params?: QuerySortedParams, options?: CallOptions): Promise<Page>;
  /** Creates a resource, or merges the fields that the body has (operation 13), which names it. */
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
   * Reads the resource of an id, or of a key, fresh, and performs the actions that `change` gives for it; when somebody else changed the resource
   * in between, once more from the start, a bounded number of times. Without actions nothing is written. Returns the
   * resource as it is afterwards. What `change` throws comes out as it is.
   */
  modify(
    target: string | { readonly key: string },
    change: (current: Resource) => Change | PromiseLike<Change>,
    options?: ModifyOptions,
  ): Promise<Resource>;

  /** Every resource that matches, page by page, 100 in one by default; each page is a result of `query`. */
  pages(params?: PagesParams, options?: CallOptions): AsyncGenerator<ProgressPage, void, undefined>;
  /** Every resource that matches, one by one. */
  all(params?: PagesParams, options?: AllOptions): AsyncGenerator<Resource, void, undefined>;
}

/** The actions of a change; none: leave the resource as it is. */
export type Change = readonly ExampleResourceUpdateAction[] | undefined;

/**
 * Why a call has no result: `invalid` it was not sent, since something is wrong with it; `network` the service was not
 * reached; `timeout` it took too long; `aborted` its signal ended it; `api` the service refused; `unexpected` something
 * answered what the service never does, or a function of the caller's own failed.
 */
export type ErrorKind = "invalid" | "network" | "timeout" | "aborted" | "api" | "unexpected";

/** Why a call has no result. Neither tokens nor secrets are ever in it. */
export class ResourceError extends Error {
  private constructor();
  readonly name: "ResourceError";
  readonly kind: ErrorKind;
  /** The status of the answer, where there is one. */
  readonly status: number | undefined;
  /** The first error's code. */
  readonly code: string | undefined;
  /** All that is wrong, in the service's form, whether the service or the client found it. */
  readonly errors: readonly ErrorItem[];
  /** What is wrong with the body, where it was not sent. */
  readonly issues: readonly Issue[] | undefined;
  /** The version that the resource has, where an expected one did not match. */
  readonly currentVersion: number | undefined;
  /** By which the service's log names the request. */
  readonly correlationId: string | undefined;
  /** Whether the same call may succeed a little later. */
  readonly retryable: boolean;
  /** Something is wrong with the call: the client did not send it, or the service refused it with 400. */
  readonly isValidation: boolean;
  /** 401: the token is missing, has expired, or is not accepted. */
  readonly isUnauthorized: boolean;
  /** 403: the token does not allow the operation. */
  readonly isForbidden: boolean;
  /** 404: there is no such resource, or the address is wrong. */
  readonly isNotFound: boolean;
  /** 409: the resource has another version, or another resource has the key. */
  readonly isConflict: boolean;
  /** 412: `If-Match` or `If-None-Match` does not hold. */
  readonly isPreconditionFailed: boolean;
  /** 429: too many requests. */
  readonly isRateLimited: boolean;
  /** What `JSON.stringify` writes: name, message, and all members; neither stack nor cause. */
  toJSON(): object;
}

/**
 * Wraps a `fetch` for a client: identical reads in flight, with the same address and headers, become one request. Each caller
 * has a result of its own. A caller that aborts does not abort the others.
 */
export function shareReads(send?: (url: string, init: FetchInit) => PromiseLike<FetchResponse>): (url: string, init: FetchInit) => Promise<FetchResponse>;
