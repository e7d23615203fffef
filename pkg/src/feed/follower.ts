// A follower of the feed (D36), over a socket or by requests that wait. The three rules
// there make it lose nothing, whatever the transport does: after every doubt it requests what follows its position.

import type { ResourceClient } from "../client/client.js";
import type { ResourceError } from "../client/errors.js";
import { type FeedPage, parsePage, place } from "./page.js";
import { FeedConnection } from "./socket.js";
import type { CallOptions, ResponseEvent, SocketClass, Transport } from "../client/options.js";
import type { QueryParams } from "../generated/params.js";
import { listen, sleep, unlisten, type Waiting } from "../client/signals.js";

/** Options of `watch`. */
export interface WatchOptions extends Pick<QueryParams, "where" | "var"> {
  /**
   * The position after which to begin: that of an earlier change, or `now` for only what follows. Default: the
   * beginning, so that the first changes are the present state.
   */
  readonly after?: string | undefined;
  /** The maximum number of resources and deletions in one response. Default: 500. */
  readonly limit?: number | undefined;
  /**
   * How to receive changes. Default: `socket`, if there is a `WebSocket` class and the client has no `fetch` of yours.
   * If connections fail, requests wait for changes meanwhile.
   */
  readonly transport?: Transport | undefined;
  /** Ends the iteration, without an error. */
  readonly signal?: CallOptions["signal"];
}

/** @internal What a follower performs: a page, or the end of a history. `isReady`: then it has everything so far. */
export type Batch = { type: "reset" } | { type: "page"; page: FeedPage; isReady: boolean };

/** How long a request waits for the first change, in seconds. */
const WAIT = 25;
/** A request that waits may take this long, in milliseconds. */
const PATIENCE = 40_000;
/** If a response is later than this, in milliseconds, the service counts as not connected until it comes. */
const SLOW = 10_000;
/** The shortest and longest pause after a failure, in milliseconds. */
const PAUSE = { first: 500, last: 30_000 };
/** The same before another connection. A connection that lived for `stable` milliseconds did not fail. */
const RECONNECT = { first: 500, last: 300_000, stable: 30_000 };
/** An empty page that comes sooner than this, in milliseconds, did not wait. */
const SOON = 1_000;
/** If the service refuses a second request that waits, this many do not wait, with this pause before each. */
const CROWDED = { requests: 10, pause: 3_000 };
/** How many requests of a client wait at once. By HTTP/1.1 a browser has six connections to a host, for all calls. */
const WAITING = 3;

/**
 * @internal Returns whether a failure may end. At first, a token function that fails, or a response of something else
 * than the service, is a mistake of the program. Once the service has responded, it is a failure of the network, unless
 * the program says otherwise.
 */
export function mayEnd({ calls }: ResourceClient<any>, { retryable, kind, status = 0, cause }: ResourceError) {
  if (retryable || !calls.isReached) return retryable;
  return (
    status >= 500 || (kind === "unexpected" && (cause as { retryable?: boolean } | undefined)?.retryable !== false)
  );
}

/** Returns a random pause whose maximum doubles with each failure. */
const backoff = ({ first, last }: { first: number; last: number }, failures: number) =>
  Math.min(last, first * 2 ** failures) * (0.5 + Math.random() / 2);

/**
 * Runs `run` when the device is online again, or the page is shown again, and `lose` when the device is offline.
 * Returns a function that ends this.
 */
function watchNetwork(run: () => void, lose: () => void) {
  // Node and Workers have neither.
  const { document } = globalThis as { document?: Document };
  const show = () => document?.visibilityState === "visible" && run();
  globalThis.addEventListener?.("online", run);
  globalThis.addEventListener?.("offline", lose);
  document?.addEventListener("visibilitychange", show);
  return () => {
    globalThis.removeEventListener?.("online", run);
    globalThis.removeEventListener?.("offline", lose);
    document?.removeEventListener("visibilitychange", show);
  };
}

/** What a follower does. `interrupt` aborts when another state begins; `failures` have happened in a row. */
type FollowerState =
  /** It requests what follows its position, without a wait. */
  | { readonly kind: "requesting"; readonly failures: number }
  /** It has everything so far, and waits for a change: for a frame of the connection, or by a request. */
  | { readonly kind: "waiting"; readonly interrupt: AbortController }
  /** A request has failed, and another one follows. */
  | { readonly kind: "pausing"; readonly interrupt: AbortController; readonly failures: number }
  /** Its signal has aborted, or the client is closed. It stays in this state. */
  | { readonly kind: "ended" };
type In<Kind extends FollowerState["kind"]> = Extract<FollowerState, { kind: Kind }>;
type Requesting = In<"requesting"> | In<"waiting">;

/** @internal Follows the changes of a project. */
export class Follower {
  /** Called when the service responds, and when it does not. */
  onConnected: ((isConnected: boolean) => void) | undefined;
  /** Where it begins again after the end of a history. */
  beginning: "now" | undefined;
  /** It has yielded everything up to this position. */
  position: string | undefined;
  #client;
  #followed;
  #state: FollowerState = { kind: "requesting", failures: 0 };
  /** Whether it has had everything of the present history. */
  #isReady = false;
  /** How many requests do not wait, once the service has refused one that waits. */
  #crowded: number | undefined;
  /** The last connection, when the next one may begin, and how often in a row one has failed. None before a page. */
  #line: { open: () => FeedConnection; at: number; failures: number; connection?: FeedConnection } | undefined;

  constructor(client: ResourceClient<any>, followed: WatchOptions) {
    this.#client = client;
    this.#followed = followed;
    this.position = followed.after;
    this.beginning = followed.after === "now" ? "now" : undefined;
  }

  /** Whether its signal has aborted, or the client is closed. */
  get hasEnded() {
    return this.#state.kind === "ended";
  }

  /** Requests what follows at once, also what is written now. */
  catchUp(): undefined {
    this.#enter({ kind: "requesting", failures: "failures" in this.#state ? this.#state.failures : 0 });
  }

  /** Begins again, by default with the whole present state. */
  restart(beginning?: "now") {
    this.position = this.beginning = beginning;
    this.#isReady = false;
    this.catchUp();
  }

  /** Yields what has changed until its signal aborts or the client is closed. Throws an error that would repeat. */
  async *batches(): AsyncGenerator<Batch, void, undefined> {
    const ends = [this.#followed.signal as Waiting | undefined, this.#client.calls.closing];
    const end = () => this.#enter({ kind: "ended" });
    for (const signal of ends) if (signal) listen(signal, end);
    // Offline, the request fails at once. A connection may say nothing for a while.
    const unwatch = watchNetwork(
      () => this.#check(),
      () => this.catchUp(),
    );
    if (ends.some((signal) => signal?.aborted)) end();
    try {
      while (this.#state.kind !== "ended") {
        const batch = await this.#perform(this.#state);
        if (batch) yield batch;
      }
    } finally {
      unwatch();
      for (const signal of ends) if (signal) unlisten(signal, end);
      this.#line?.connection?.close();
    }
  }

  async #perform(state: Exclude<FollowerState, In<"ended">>): Promise<Batch | undefined> {
    if (state.kind === "pausing") {
      await this.#sleep(backoff(PAUSE, state.failures));
      // A pause that `catchUp` ends makes the next one no longer.
      if (this.#state === state) this.#enter({ kind: "requesting", failures: state.failures + 1 });
      return undefined;
    }
    const connection = state.kind === "waiting" && this.#connected();
    return connection ? this.#receive(connection, state as In<"waiting">) : this.#request(state);
  }

  /** Begins a state, and ends what the one before waits for. */
  #enter(next: FollowerState) {
    const before = this.#state;
    if (before.kind === "ended") return;
    this.#state = next;
    if ("interrupt" in before) before.interrupt.abort();
  }

  /** The network may have changed: it trusts no connection and no pause. */
  #check() {
    const line = this.#line;
    if (line) line.at = 0;
    if (line?.connection?.hasEnded === false && this.#state.kind !== "pausing") line.connection.check();
    else this.catchUp();
  }

  /** Sleeps until another state begins. */
  async #sleep(ms: number) {
    if ("interrupt" in this.#state) await sleep(ms, this.#state.interrupt.signal as Waiting);
  }

  /** Returns the connection. Opens one if it is time. */
  #connected() {
    const line = this.#line;
    if (line?.connection?.hasEnded === false) return line.connection;
    return line && performance.now() >= line.at ? (line.connection = line.open()) : undefined;
  }

  /** Waits for the next frame of a connection. */
  async #receive(connection: FeedConnection, { interrupt }: In<"waiting">): Promise<Batch | undefined> {
    const page = await connection.next(interrupt.signal);
    if (this.hasEnded) return undefined;
    if (connection.hasEnded && this.#line) {
      const hasFailed = performance.now() - connection.opened < RECONNECT.stable;
      this.#line.failures = hasFailed ? this.#line.failures + 1 : 0;
      this.#line.at = performance.now() + backoff(RECONNECT, this.#line.failures);
    }
    const found = page && place(this.position, page);
    if (found === "past") return undefined;
    if (page === undefined || found === "gap" || page.isBehind) {
      // If the connection has ended, the response to the next request has the reason.
      return this.catchUp();
    }
    // It may begin earlier. Until it is performed, the follower has its own position.
    page.from = this.position as string;
    this.position = page.to;
    this.#client.calls.observe(page.results);
    return { type: "page", page, isReady: true };
  }

  /** Requests the next page. */
  async #request(state: Requesting): Promise<Batch | undefined> {
    const { calls } = this.#client;
    const isWaiting = state.kind === "waiting";
    if (isWaiting && (this.#crowded || calls.waiting >= WAITING)) {
      if (this.#crowded) this.#crowded -= 1;
      await this.#sleep(CROWDED.pause);
      return this.catchUp();
    }
    const { position } = this;
    const began = performance.now();
    let response: ResponseEvent | undefined;
    let page;
    try {
      page = await this.#requestPage(state, (event) => void (response = event));
    } catch (error) {
      return this.#fail(error as ResourceError, state);
    }
    calls.isReached = true;
    // Another beginning is wanted.
    if (position !== this.position) return undefined;
    // Not the page that was requested.
    if (position !== undefined && position !== "now" && position !== page.from) return this.#failed(state);
    const hasMore = response?.headers.get("Link") != null;
    this.#prepare(response?.url);
    if (isWaiting) this.#crowded = undefined;
    this.onConnected?.(true);
    // `catchUp` wants another request, too.
    const isBehind = hasMore || this.#state !== state;
    this.#enter(isBehind ? { kind: "requesting", failures: 0 } : { kind: "waiting", interrupt: new AbortController() });
    const isNews = page.from !== page.to;
    const isReady = !hasMore && (isNews || !this.#isReady);
    this.#isReady ||= !hasMore;
    this.position = page.to;
    if (isNews || isReady) return { type: "page", page, isReady };
    if (isWaiting && performance.now() - began < SOON) await this.#sleep(SOON);
    return undefined;
  }

  /** Requests what follows its position. If the response is late, the follower is not connected until it comes. */
  async #requestPage(state: Requesting, onResponse: (event: ResponseEvent) => void) {
    const { where, var: variables, limit, signal } = this.#followed;
    const { calls } = this.#client;
    const [wait, end] = state.kind === "waiting" ? [this.#waitSeconds(), state.interrupt.signal] : [0, signal];
    const params = { after: this.position, where, var: variables, limit, wait };
    const times = { timeout: 2 * PATIENCE, attemptTimeout: PATIENCE };
    const options = { signal: end as CallOptions["signal"], ...times, onResponse };
    const late = setTimeout(() => this.onConnected?.(false), wait * 1000 + SLOW);
    const waiting = Math.sign(wait);
    calls.waiting += waiting;
    try {
      return await calls.call("changes", { params, options, parse: parsePage });
    } finally {
      clearTimeout(late);
      calls.waiting -= waiting;
    }
  }

  /** Returns how long a request waits, in seconds: at most until it may connect. */
  #waitSeconds() {
    if (this.#line === undefined) return WAIT;
    return Math.min(WAIT, Math.max(1, Math.ceil((this.#line.at - performance.now()) / 1000)));
  }

  /** Prepares connections to the address of a page, unless it uses none. */
  #prepare(page = "") {
    const { calls } = this.#client;
    const Socket = calls.WebSocket ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
    const { transport = calls.fetch && !calls.WebSocket ? "wait" : "socket" } = this.#followed;
    if (transport !== "socket" || !Socket) return;
    this.#line ??= { open: () => new FeedConnection(Socket, calls, page), at: 0, failures: 0 };
  }

  /** After a failed request: returns the end of a history, or pauses. Throws an error that would repeat. */
  #fail(error: ResourceError, state: Requesting): Batch | undefined {
    if (error.code === "HistoryChanged") {
      this.restart(this.beginning);
      return { type: "reset" };
    }
    const isWaiting = state.kind === "waiting";
    // This is the end, or `catchUp` has interrupted a request that waited.
    if (error.kind === "aborted" && (this.hasEnded || (isWaiting && state.interrupt.signal.aborted))) return undefined;
    if (!mayEnd(this.#client, error)) throw error;
    if (isWaiting && error.status === 503) this.#crowded = this.#crowded === undefined ? 0 : CROWDED.requests;
    return this.#failed(state);
  }

  #failed(state: Requesting): undefined {
    this.onConnected?.(false);
    const failures = state.kind === "requesting" ? state.failures : 0;
    this.#enter({ kind: "pausing", interrupt: new AbortController(), failures });
  }
}
