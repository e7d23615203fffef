// Views: lists of resources that stay current, as stores for user interfaces.

import type { ResourceClient } from "../client/client.js";
import type { QueryParams, SearchParams } from "../generated/params.js";
import type { QueryPage, Resource, SearchPage } from "../generated/responses.js";
import type { QueryPageOf, QueryParamsOf, SearchPageOf, SystemFields } from "../own/bodies.js";
import type { FieldName, WithFields } from "../own/parts.js";
import { asResourceError, type ResourceError, wrongOption } from "../client/errors.js";
import type { Step } from "./page.js";
import { mayEnd } from "./follower.js";
import type { Transport } from "../client/options.js";
import { RepeatedQuery } from "./repeated-query.js";
import { type Conditions, isSame, leaveFeed, type Listener, type SharedFeed, enterFeed } from "./shared-feed.js";

/** How long a view without subscribers stays current, in milliseconds. */
const LINGER = 5_000;

/**
 * What a view shows: all resources that match `where`, in the order of their IDs. With any other parameter of a query,
 * it shows the page that the query returns; with `search`, which has no parameters beside it, the page of the search.
 */
export type LiveQuery<Content extends object = Resource, Name extends FieldName<Content> = never> =
  | (WithFields<QueryParamsOf<Content>, Content, Name> & { readonly search?: undefined } & NoReading)
  | (Omit<NoQuery, "search"> & {
      /** The parameters of a search. */
      readonly search: WithFields<SearchParams, Content, Name>;
    } & NoReading);

type NoReading = { readonly read?: undefined; readonly concerns?: undefined };
type NoQuery = { readonly [Name in keyof QueryParams | "fields" | "search"]?: undefined };

/** What `read` returns: the resources, and anything else that you show. It must be JSON data. */
export interface LivePage<Item extends SystemFields = Resource> {
  readonly results: readonly Item[];
  readonly total?: number | undefined;
  readonly offset?: number | undefined;
}

/** A view that reads with your function instead of a query: for example one resource, or several reads in one. */
export interface LiveReading<Page extends LivePage<SystemFields> = LivePage, Content extends object = Resource>
  extends NoQuery {
  /**
   * Reads what the view shows: at once, again if the view was not connected, and after changes. `signal` is an
   * `AbortSignal`. Pass it on, so that a read that nobody needs ends its request. The type is `never` so that the
   * client and every `fetch` accept it.
   */
  readonly read: (options: { readonly signal: never }) => Promise<Page>;
  /** Returns whether a change may change what the view shows. Default: each may. */
  readonly concerns?: ((change: Step<Content>) => boolean) | undefined;
}

/** Options of `live`. */
export interface LiveOptions<Content extends object = Resource> {
  /** How to receive changes. Default: as for `watch`. */
  readonly transport?: Transport | undefined;
  /**
   * Called with each change, before the view shows it. `undefined`: anything may have changed. For example, a change
   * tells why a page lacks a resource: it was deleted, it does not match, or another one has taken its place.
   */
  readonly onChange?: ((change: Step<Content> | undefined) => void) | undefined;
}

/** Reads with a function of the program, whose failures are errors of the client, too. */
async function readBy(read: LiveReading["read"], signal: AbortSignal) {
  try {
    const page = await read({ signal: signal as never });
    if (Array.isArray(page?.results)) return page;
  } catch (error) {
    throw asResourceError(error);
  }
  throw wrongOption("live: 'read' must return an object with 'results', an array of resources.");
}

/** What a view shows at a moment. It never changes: another one replaces it. */
export interface LiveSnapshot<Page extends LivePage<SystemFields> = QueryPage | SearchPage> {
  /**
   * - `loading`: the resources are not read yet. After some seconds without subscribers `items` are those of before; in
   *   `useLive` they are those of the query before. With `read` they may be there before the view is connected.
   * - `live`: the resources are current.
   * - `reconnecting`: the service does not respond. The resources are those of before, and the view continues.
   * - `paused`: `pause` was called. The resources are those of that moment.
   * - `error`: the view has ended with `error`, which would repeat. The items are those of before, and `resume` tries
   *   again.
   */
  readonly status: "loading" | "live" | "reconnecting" | "paused" | "error";
  /** The resources. One that has not changed is the same object as in the snapshot before. */
  readonly items: readonly Page["results"][number][];
  /** The page of which `items` are the results, for example with its `total`; of a query, a search, or `read`. */
  readonly page?: Page | undefined;
  /** The error of the status `error`. */
  readonly error?: ResourceError | undefined;
}

/** A store of snapshots: for `useSyncExternalStore` of React, as a store of Svelte, and for others by `subscribe`. */
export interface LiveView<Page extends LivePage<SystemFields> = QueryPage | SearchPage> {
  /**
   * Calls the function with the present snapshot, and with each new one. Returns a function that ends this. The view
   * starts with its first subscriber, and ends some seconds after the last.
   */
  readonly subscribe: (run: (snapshot: LiveSnapshot<Page>) => void) => () => void;
  /** Returns the present snapshot: the same object as before if nothing has changed. */
  readonly getSnapshot: () => LiveSnapshot<Page>;
  /** Returns the snapshot for rendering on a server: `loading`. */
  readonly getServerSnapshot: () => LiveSnapshot<Page>;
  /** Stops receiving changes. The resources stay. */
  readonly pause: () => void;
  /** Continues after `pause`, or tries again after an error. */
  readonly resume: () => void;
  /** Ends the view at once. */
  readonly close: () => void;
}

const LOADING: LiveSnapshot<never> = Object.freeze({ status: "loading", items: Object.freeze([]) });

/**
 * Returns a list of resources that stays current. It needs no close: it works while somebody subscribes.
 *
 * Views of a client with the same `where` and `var` share a connection. The client's own writes are in its views when
 * the promise of the write resolves, also if a view is loading or not connected: a write waits for that, 5 seconds at
 * most, and not beyond its `timeout`. A view of a query or a search repeats it after a relevant change, at most once a
 * second.
 *
 * ```js
 * const view = live(client, { where: 'custom = "red"' });
 * const unsubscribe = view.subscribe(({ status, items }) => render(status, items));
 * ```
 */
export function live<Content extends object = Resource, Name extends FieldName<Content> = never>(
  client: ResourceClient<Content>,
  query?: LiveQuery<Content, Name>,
  options?: LiveOptions<Content>,
): LiveView<LivePageOf<Content, Name>>;
export function live<Page extends LivePage<SystemFields>, Content extends object = Resource>(
  client: ResourceClient<Content>,
  query: LiveReading<Page, Content>,
  options?: LiveOptions<Content>,
): LiveView<Page>;
export function live(
  client: ResourceClient<any>,
  query: LiveQuery | LiveReading = {},
  options: LiveOptions = {},
): LiveView<LivePage> {
  return new View(client, query, options, LOADING);
}

/** The page that a view of a query or of a search shows. */
export type LivePageOf<Content extends object = Resource, Name extends string = never> =
  | QueryPageOf<Content, Name>
  | SearchPageOf<Content, Name>;

/** @internal Returns such a list that shows what another one shows, until it has read its own resources. */
export const liveAfter = (
  client: ResourceClient<any>,
  query: LiveQuery<any, any>,
  options: LiveOptions,
  before: LiveSnapshot<any>,
): LiveView => new View<QueryPage | SearchPage>(client, query, options, before);

class View<Page extends LivePage> implements LiveView<Page>, Listener {
  needsAll: boolean;
  #client;
  #conditions: Conditions;
  #query: RepeatedQuery<Page> | undefined;
  /** Returns whether a change may change what `read` returns. */
  #concerns: LiveReading["concerns"];
  #onStep: LiveOptions["onChange"];
  #feed: SharedFeed | undefined;
  #runs = new Set<() => void>();
  #snapshot: LiveSnapshot<Page>;
  #items;
  #page;
  #isPaused = false;
  /** Whether there are resources that are current while the feed is. */
  #hasData = false;
  /** Whether they may be older: after a pause, or after a query without a response. */
  #isStale = false;
  /** Whether the last read began before the feed was ready, so that it may lack what changed until then. */
  #isEarly = false;
  #error: ResourceError | undefined;
  #lingering: ReturnType<typeof setTimeout> | undefined;

  constructor(
    client: ResourceClient<any>,
    { search, read, concerns, ...query }: LiveQuery | LiveReading<Page>,
    { transport, onChange }: LiveOptions,
    before: LiveSnapshot<Page>,
  ) {
    const { status, items, page } = before;
    this.#items = items;
    this.#page = page;
    this.#snapshot = status === "loading" ? before : snapshotOf("loading", items, page);
    const names = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : name));
    if (search !== undefined && names.length > 0)
      throw wrongOption(`live: '${names[0]}' is not allowed beside 'search'. Expected a member of 'search'.`);
    if (read !== undefined && names.length > 0)
      throw wrongOption(`live: '${names[0]}' is not allowed beside 'read'. Expected it in the call that 'read' makes.`);
    this.#client = client;
    this.#conditions = { where: query.where, var: query.var, transport };
    this.#onStep = onChange;
    this.#concerns = read && (concerns ?? (() => true));
    this.needsAll = !search && !read && names.every((name) => name === "where" || name === "var");
    if (this.needsAll) return;
    const readPage = (signal: AbortSignal): Promise<any> => {
      this.#isEarly = read !== undefined && this.#feed?.isReady !== true;
      if (read) return readBy(read, signal);
      return search ? client.search(search, { signal }) : client.query(query, { signal });
    };
    const onPage = (page: Page) => this.#onPage(page);
    const isNeeded = () => this.#runs.size > 0;
    this.#query = new RepeatedQuery(readPage, onPage, (error) => this.#onFailure(error), isNeeded);
  }

  subscribe = (run: (snapshot: LiveSnapshot<Page>) => void) => {
    const call = () => run(this.#snapshot);
    clearTimeout(this.#lingering);
    this.#attach();
    this.#runs.add(call);
    this.#query?.continue();
    callSafely(call);
    return () => {
      if (!this.#runs.delete(call) || this.#runs.size > 0) return;
      this.#query?.suspend();
      clearTimeout(this.#lingering);
      this.#lingering = setTimeout(() => this.#detach(), LINGER);
    };
  };

  getSnapshot = () => this.#snapshot;

  getServerSnapshot = () => LOADING;

  pause = () => {
    this.#isPaused = true;
    this.#query?.stop();
    this.#feed?.remove(this);
    this.#publish();
  };

  resume = () => {
    if (!this.#isPaused && !this.#error) return;
    this.#isPaused = false;
    this.#error = undefined;
    this.#isStale = this.#hasData;
    if (this.#feed) this.#enter(this.#feed);
    else if (this.#runs.size > 0) this.#attach();
    this.#publish();
  };

  close = () => {
    clearTimeout(this.#lingering);
    this.#runs.clear();
    this.#detach();
  };

  onChange(steps?: readonly Step[]) {
    for (const step of steps ?? [undefined]) callSafely(() => this.#onStep?.(step));
    if (this.#query !== undefined) {
      const isCurrent = this.#hasData && !this.#isStale && steps?.some((step) => this.#isRelevant(step)) === false;
      if (!isCurrent) this.#query.repeat();
      return;
    }
    this.#hasData = true;
    this.#isStale = false;
    this.#publish();
  }

  onState() {
    if (this.#feed?.error) this.#fail(this.#feed.error);
    else this.#publish();
  }

  settle(signal: AbortSignal) {
    return this.#query?.settle(signal);
  }

  #attach() {
    if (this.#feed !== undefined) return;
    this.#error = undefined;
    this.#feed = enterFeed(this.#client, this.#conditions);
    if (!this.#isPaused) this.#enter(this.#feed);
  }

  /** Follows a feed. A function may read before that has everything. */
  #enter(feed: SharedFeed) {
    feed.add(this);
    if (this.#concerns && !feed.isReady) this.#query?.repeat();
  }

  #detach() {
    const feed = this.#feed;
    if (feed === undefined) return;
    this.#feed = undefined;
    this.#query?.stop();
    feed.remove(this);
    leaveFeed(this.#client, feed);
    // What it has may be old when it starts again.
    this.#hasData = false;
    this.#publish();
  }

  /** Returns whether a change may change the page. */
  #isRelevant(step: Step) {
    const items = this.#items;
    const page = this.#page;
    // Of several reads in a function, only the last one may have the change.
    if (this.#concerns) {
      let isRelevant = true;
      callSafely(() => (isRelevant = this.#concerns?.(step) !== false));
      return isRelevant;
    }
    if (step.type === "set") return !items.some((item) => isSame(item, step.resource));
    // The deletion of a resource that is not on the page may still move others onto it, or change the total. A query
    // that is under way may return a page that has the resource.
    const isOnlyItems = page?.total === undefined && !page?.offset && !this.#query?.isRunning;
    return !isOnlyItems || items.some(({ id }) => id === step.id);
  }

  #onPage(page: Page) {
    const known = new Map(this.#items.map((item) => [item.id, item]));
    const results = page.results.map((item) => {
      const old = known.get(item.id);
      // The query before may have had other fields.
      return old && JSON.stringify(old) === JSON.stringify(item) ? old : item;
    });
    const next = { ...page, results };
    if (!this.#isEarly) {
      this.#hasData = true;
      this.#isStale = false;
    }
    if (JSON.stringify(next) !== JSON.stringify(this.#page)) {
      this.#page = next;
      const { length } = this.#items;
      if (results.length !== length || results.some((item, at) => item !== this.#items[at])) this.#items = results;
    }
    this.#publish();
  }

  /** Returns whether to repeat the query. */
  #onFailure(error: ResourceError) {
    const isTransient = mayEnd(this.#client, error);
    this.#isStale ||= isTransient;
    if (isTransient) this.#publish();
    else this.#fail(error);
    return isTransient;
  }

  /** Ends with an error that would repeat, until `resume`. */
  #fail(error: ResourceError) {
    this.#error ??= error;
    this.#query?.stop();
    this.#feed?.remove(this);
    this.#publish();
  }

  #status(): LiveSnapshot<Page>["status"] {
    if (this.#error) return "error";
    if (this.#isPaused) return "paused";
    const isCutOff = this.#feed?.isConnected === false;
    if (!this.#hasData) return this.#isEarly && isCutOff ? "reconnecting" : "loading";
    return this.#isStale || isCutOff ? "reconnecting" : "live";
  }

  /** Replaces the snapshot if something has changed, and calls the subscribers. */
  #publish() {
    if (this.#query === undefined && this.#feed && this.#hasData) {
      this.#items = this.#feed.items;
      this.#page = undefined;
    }
    const before = this.#snapshot;
    const [status, items, page, error] = [this.#status(), this.#items, this.#page, this.#error];
    const isEqual = status === before.status && items === before.items && page === before.page;
    if (isEqual && error === before.error) return;
    this.#snapshot = snapshotOf(status, items, page, error);
    for (const run of [...this.#runs]) callSafely(run);
  }
}

const snapshotOf = <Page extends LivePage>(
  status: LiveSnapshot["status"],
  items: LiveSnapshot["items"],
  page: Page | undefined,
  error?: ResourceError,
): LiveSnapshot<Page> => Object.freeze({ status, items, ...(page && { page }), ...(error && { error }) });

/** Calls a function of the program. Its exception is an uncaught one, and no failure of the view. */
function callSafely(run: () => unknown) {
  try {
    run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
