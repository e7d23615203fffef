// The types of `resource-edge/testing`.

import type { ResourceDraft } from "../generated/bodies.js";
import type { FetchInit, FetchResponse, SocketClass } from "../client/options.js";
import type { Global } from "../core/wasm-source.js";
import type { Operation } from "../generated/operations.js";
import type { UserTokenOptions } from "../token.js";

export type { Operation } from "../generated/operations.js";

/** The global `fetch`, if the program's libraries have it. */
type Fetch = typeof globalThis extends { readonly fetch: infer Type }
  ? Type
  : (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A scope without its project, or with one: `view_test` or `view_test:demo`. */
export type Scope = "manage_test" | "view_test" | (string & {});

/** Options of a service. */
export interface ServiceOptions {
  /**
   * The project of clients, tokens, and `bodies`, unless they name another. Every valid project key works. Default:
   * `demo`.
   */
  readonly projectKey?: string | undefined;
  /** The scope of tokens, unless `token` or `clientOptions` names another. Default: `manage_test`. */
  readonly scope?: Scope | readonly Scope[] | undefined;
  /** `false`: the service accepts every request of a project with any token or none, as if it had one of `scope`. */
  readonly authenticate?: boolean | undefined;
  /** Bodies that the service passes to `createOrUpdate` when it starts and after each `reset`. */
  readonly bodies?: readonly (ResourceDraft | { readonly [name: string]: unknown })[] | undefined;
  /**
   * How many random resources the project has at first, beside `bodies`: each is as the schema in `resources` allows.
   * They are the same in each run, and others with another `seed`.
   */
  readonly sample?: number | undefined;
  /** Your resources: the content of `resources.json`. Default: every project has the resource of the interface. */
  readonly resources?: object | undefined;
  /** How many milliseconds reads by ID or key may lag a write, as they do in production. Default: no lag. */
  readonly lag?: number | undefined;
  /**
   * The instant at which the service's clock is stopped until `advance`. Default: the clock runs with the program's.
   */
  readonly now?: string | number | { getTime(): number } | undefined;
  /**
   * Makes all random values of the service repeatable: IDs, for example. With `now`, equal calls have equal responses.
   */
  readonly seed?: number | undefined;
  /** Settings of the service, such as `CORS_ORIGINS` or `TOKEN_TTL`. `null` removes one. */
  readonly settings?: { readonly [name: string]: string | null | undefined } | undefined;
  /** The SQLite that stores the data: `node` is `node:sqlite`, `wasm` is the package `@sqlite.org/sqlite-wasm`.
   * Default: `node` if the runtime has it, else `wasm`. */
  readonly sqlite?: "node" | "wasm" | undefined;
  /** Receives each line of the service's log, which is JSON. Default: errors go to `console.error`. */
  readonly log?: ((line: string) => void) | undefined;
}

/** What a fault may be about: an operation, a batch, or the feed of changes. */
export type FaultTarget = Operation | "changes" | "batch";

/** A request that the service received, without its token. */
export interface ServiceRequest {
  /**
   * The operation, `batch`, or `changes` for a request or a socket of `resource-edge/live`. `undefined` if no operation
   * has this path and method.
   */
  readonly operation: FaultTarget | undefined;
  readonly projectKey: string | undefined;
  readonly method: string;
  readonly path: string;
  /** The other variables of the path, decoded: `id`, `key`, `uriParameterOne`, `uriParameterTwo`. */
  readonly variables: { readonly [name: string]: string };
  /** Query parameters. A parameter that occurs more than once is a list. */
  readonly params: { readonly [name: string]: string | readonly string[] };
  /** Headers by their names in lower case, without `authorization`. */
  readonly headers: { readonly [name: string]: string };
  /** The parsed JSON of the body, or its text. */
  readonly body: any;
  /** The time of arrival, by the service's clock. */
  readonly time: string;
  /** The status of the response; `undefined` until there is one. */
  readonly status: number | undefined;
  /** The fault that applied to it. */
  readonly fault: Fault | undefined;
}

/** A failure and its conditions. Effects can be combined: a delay and a status, for example. */
export interface Fault {
  /** Applies only to requests of this operation, or of these. */
  readonly operation?: FaultTarget | readonly FaultTarget[] | undefined;
  /** Applies only to requests of this project. */
  readonly projectKey?: string | undefined;
  /** Applies only to requests for which the function returns true. */
  readonly match?: ((request: ServiceRequest) => boolean) | undefined;
  /** The number of requests to which the fault applies. `Infinity` means all. Default: 1. */
  readonly times?: number | undefined;
  /** The number of matching requests that pass before the fault starts. Default: 0. */
  readonly skip?: number | undefined;
  /** The service responds with this status and performs nothing. */
  readonly status?: 401 | 403 | 429 | 500 | 502 | 503 | 504 | undefined;
  /** `Retry-After` of the statuses 429 and 503, in seconds. Default: 0, so that a client does not wait. */
  readonly retryAfter?: number | undefined;
  /**
   * Another caller writes the resource just before the request, so that a write that expects a version gets 409, and a
   * `create` gets 412. Only for writes. Another write that expects no version succeeds.
   */
  readonly conflict?: boolean | undefined;
  /** Runs before the request is performed, for example to write something in between. */
  readonly before?: ((request: ServiceRequest) => unknown) | undefined;
  /** A delay in milliseconds before the request is performed. It uses the program's `setTimeout`. */
  readonly delay?: number | undefined;
  /** `fetch` fails, and nothing is performed. */
  readonly networkError?: boolean | undefined;
  /** The request is performed, then `fetch` fails. */
  readonly lostResponse?: boolean | undefined;
  /**
   * The next frame of a socket does not arrive (`drop`), arrives twice (`repeat`), or after the frame that follows it
   * (`delay`). It has no other effect and no `operation`, because a frame is no request. `times` and `skip` count
   * frames.
   */
  readonly frame?: "drop" | "repeat" | "delay" | undefined;
}

/** The project and the scope of a client or a token, or its user. Default: project and scope of the service. */
export interface TokenOptions {
  readonly projectKey?: string | undefined;
  readonly scope?: Scope | readonly Scope[] | undefined;
  /** A user's token, which the rules of `resources` limit. It has no scope. */
  readonly user?: string | undefined;
  /** What the user's token says too: the other variables of rules. */
  readonly claims?: UserTokenOptions["claims"];
}

/** The parts of a page of Playwright that `route` uses. */
export interface RoutedPage {
  // The types of Playwright's handlers differ between its versions.
  route(url: any, handler: (route: any) => any): Promise<unknown>;
  routeWebSocket(url: any, handler: (route: any) => any): Promise<unknown>;
}

/** The service in memory. */
export interface Service {
  /** The address that clients of this service use. */
  readonly baseUrl: string;
  /** A client of the service's token endpoint, for `credentials` of `ResourceClient`. It may have every scope. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  /** What signs its tokens, for `userToken` of `resource-edge/token`. */
  readonly tokenSecret: string;
  /** The requests since the start or the last `reset`, the newest last: 1,000 at most. */
  readonly requests: readonly ServiceRequest[];
  /** Handles a request as the global `fetch` would. Only the path and the query of the address matter. */
  readonly fetch: Fetch;
  /** The `WebSocket` class of clients of this service, for `resource-edge/live`. */
  readonly WebSocket: SocketClass;
  /** Returns the options of a `ResourceClient` of this service. */
  clientOptions(options?: TokenOptions): {
    projectKey: string;
    baseUrl: string;
    fetch: Fetch;
    WebSocket: SocketClass;
    token: (request: { readonly refresh: boolean }) => Promise<string>;
  };
  /**
   * Responds to the requests and the sockets of a page of Playwright whose address matches: a text with `*`, a regular
   * expression, or a function that gets a `URL`. Sockets have the protocol `ws:` or `wss:`.
   */
  route(page: RoutedPage, url: string | RegExp | ((url: Global<"URL">) => boolean)): Promise<void>;
  /** Returns a token. */
  token(options?: TokenOptions): Promise<string>;
  /** Makes requests fail. Returns a function that removes the fault. */
  fail(fault: Fault): () => void;
  /**
   * Closes the sockets of all projects, or of one. `code` is what the service sends: 1012 if it restarts, 1013 if a
   * reader is too slow, 4401 if the token has expired. Default: 1012.
   */
  closeSockets(options?: { readonly projectKey?: string | undefined; readonly code?: number | undefined }): void;
  /**
   * Saves a project. The function that it returns sets the project back to that moment, as a restore does: then its
   * followers begin again. With `lag`, reads by ID or key follow later, for example with `settle`.
   */
  backup(options?: { readonly projectKey?: string | undefined }): Promise<() => Promise<void>>;
  /** Moves the service's clock forward by this number of milliseconds, and runs the timers that are due. */
  advance(ms: number): Promise<void>;
  /** Moves the service's clock forward until reads by ID or key return every write. */
  settle(): Promise<void>;
  /**
   * Starts again: without data, requests, and faults, with the same initial time, seed, and `bodies`. Create new
   * clients afterwards, because a client keeps a session.
   */
  reset(): Promise<void>;
  /** Frees the memory and ends all timers. `reset` restarts the service. */
  close(): void;
}
