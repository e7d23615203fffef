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
export function mayEnd({ calls }: ResourceClient, { retryable, kind, status = 0, cause }: ResourceError) {
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

/** @internal Follows the changes of a project. */
export class Follower {
  /** Called when the service responds, and when it does not. */
  onConnected: ((isConnected: boolean) => void) | undefined;
  /** Where it begins again after the end of a history. */
  beginning: "now" | undefined;
  /** It has yielded everything up to this position. */
  position: string | undefined;
  /** Whether its signal has aborted, or the client is closed. */
  hasEnded = false;
  #client;
  #followed;
  #isReady = false;
  #failures = 0;
  /** Whether the last request failed. */
  #hasFailed = false;
  /** How many requests that wait the service has refused in a row, and how many will not wait for this reason. */
  #refused = 0;
  #crowded = 0;
  /** Whether it requests what follows at once, without a wait. */
  #isDue = true;
  /** How often `catchUp` was called. */
  #demands = 0;
  /** Ends the present wait for a change, or the pause after a failure. */
  #interrupt: AbortController | undefined;
  #connection: FeedConnection | undefined;
  #connect: (() => FeedConnection) | undefined;
  /** When it may connect, and how often in a row a connection has failed. */
  #connectAt = 0;
  #refusals = 0;

  constructor(client: ResourceClient, followed: WatchOptions) {
    this.#client = client;
    this.#followed = followed;
    this.position = followed.after;
    this.beginning = followed.after === "now" ? "now" : undefined;
  }

  /** Requests what follows at once, also what is written now. */
  catchUp() {
    this.#demands += 1;
    this.#isDue = true;
    this.#interrupt?.abort();
  }

  /** Begins again, with the whole present state. */
  restart() {
    this.position = this.beginning = undefined;
    this.#isReady = false;
    this.catchUp();
  }

  /** Yields what has changed until its signal aborts or the client is closed. Throws an error that would repeat. */
  async *batches(): AsyncGenerator<Batch, void, undefined> {
    const ends = [this.#followed.signal as Waiting | undefined, this.#client.calls.closing];
    const end = () => {
      this.hasEnded = true;
      this.#interrupt?.abort();
    };
    for (const signal of ends) if (signal) listen(signal, end);
    // Offline, the request fails at once. A connection may say nothing for a while.
    const unwatch = watchNetwork(
      () => this.#check(),
      () => this.catchUp(),
    );
    if (ends.some((signal) => signal?.aborted)) end();
    try {
      while (!this.hasEnded) {
        const connection = this.#isDue ? undefined : this.#connected();
        const batch = await (connection ? this.#receive(connection) : this.#request());
        if (batch) yield batch;
      }
    } finally {
      unwatch();
      for (const signal of ends) if (signal) unlisten(signal, end);
      this.#connection?.close();
    }
  }

  /** The network may have changed: it trusts no connection and no pause. */
  #check() {
    this.#connectAt = 0;
    if (this.#connection?.hasEnded === false && !this.#hasFailed) this.#connection.check();
    else this.catchUp();
  }

  /** Waits until the promise settles. `catchUp` and the end abort its signal. */
  async #wait<Value>(wait: (signal: AbortSignal) => Promise<Value>) {
    const interrupt = new AbortController();
    if (this.hasEnded || this.#isDue) interrupt.abort();
    this.#interrupt = interrupt;
    try {
      return await wait(interrupt.signal);
    } finally {
      this.#interrupt = undefined;
    }
  }

  /** Returns the connection. Opens one if it is time. */
  #connected() {
    if (this.#connection?.hasEnded === false) return this.#connection;
    if (this.#connect === undefined || performance.now() < this.#connectAt) return undefined;
    this.#connection = this.#connect();
    return this.#connection;
  }

  /** Waits for the next frame of a connection. */
  async #receive(connection: FeedConnection): Promise<Batch | undefined> {
    const page = await this.#wait((signal) => connection.next(signal));
    if (this.hasEnded) return undefined;
    if (connection.hasEnded) {
      this.#refusals = performance.now() - connection.opened < RECONNECT.stable ? this.#refusals + 1 : 0;
      this.#connectAt = performance.now() + backoff(RECONNECT, this.#refusals);
    }
    const found = page && place(this.position, page);
    if (found === "past") return undefined;
    if (page === undefined || found === "gap" || page.isBehind) {
      // If the connection has ended, the response to the next request has the reason.
      this.#isDue = true;
      return undefined;
    }
    // It may begin earlier. Until it is performed, the follower has its own position.
    page.from = this.position as string;
    this.position = page.to;
    this.#client.calls.observe(page.results);
    return { type: "page", page, isReady: true };
  }

  /** Requests the next page. */
  async #request(): Promise<Batch | undefined> {
    const isCrowded = this.#crowded > 0 || this.#client.calls.waiting >= WAITING;
    if (isCrowded && !this.#isDue) {
      this.#crowded = Math.max(0, this.#crowded - 1);
      await this.#wait((signal) => sleep(CROWDED.pause, signal as Waiting));
      this.#isDue = true;
    }
    const { position } = this;
    const demands = this.#demands;
    const wait = this.#isDue ? 0 : this.#waitSeconds();
    const began = performance.now();
    let response: ResponseEvent | undefined;
    let page;
    try {
      page = await this.#requestPage(wait, (event) => {
        response = event;
      });
    } catch (error) {
      return this.#fail(error as ResourceError, wait);
    }
    this.#client.calls.isReached = true;
    // Another beginning is wanted.
    if (position !== this.position) return undefined;
    // Not the page that was requested.
    if (position !== undefined && position !== "now" && position !== page.from) return this.#pause();
    const hasMore = response?.headers.get("Link") != null;
    this.#prepare(response?.url);
    this.#failures = 0;
    this.#hasFailed = false;
    if (wait > 0) this.#refused = 0;
    this.onConnected?.(true);
    this.#isDue = hasMore || demands !== this.#demands;
    const isNews = page.from !== page.to;
    const isReady = !hasMore && (isNews || !this.#isReady);
    this.#isReady ||= !hasMore;
    this.position = page.to;
    if (isNews || isReady) return { type: "page", page, isReady };
    if (wait > 0 && performance.now() - began < SOON) await this.#wait((signal) => sleep(SOON, signal as Waiting));
    return undefined;
  }

  /** Requests what follows its position. If the response is late, the follower is not connected until it comes. */
  async #requestPage(wait: number, onResponse: (event: ResponseEvent) => void) {
    const { where, var: variables, limit, signal } = this.#followed;
    const { calls } = this.#client;
    const params = { after: this.position, where, var: variables, limit, wait };
    const call = (signal: unknown): Promise<FeedPage> => {
      const times = { timeout: 2 * PATIENCE, attemptTimeout: PATIENCE };
      const options = { signal: signal as CallOptions["signal"], ...times, onResponse };
      return calls.call("changes", [], params, options, undefined, parsePage);
    };
    const late = setTimeout(() => this.onConnected?.(false), wait * 1000 + SLOW);
    const waiting = wait > 0 ? 1 : 0;
    calls.waiting += waiting;
    try {
      return await (wait > 0 ? this.#wait(call) : call(signal));
    } finally {
      clearTimeout(late);
      calls.waiting -= waiting;
    }
  }

  /** Returns how long a request waits, in seconds: at most until it may connect. */
  #waitSeconds() {
    if (this.#connect === undefined) return WAIT;
    return Math.min(WAIT, Math.max(1, Math.ceil((this.#connectAt - performance.now()) / 1000)));
  }

  /** Prepares connections to the address of a page, unless it uses none. */
  #prepare(page = "") {
    const { calls } = this.#client;
    const Socket = calls.WebSocket ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
    const { transport = calls.fetch && !calls.WebSocket ? "wait" : "socket" } = this.#followed;
    if (transport === "socket" && Socket) this.#connect ??= () => new FeedConnection(Socket, calls, page);
  }

  /** After a failed request: returns the end of a history, or pauses. Throws an error that would repeat. */
  async #fail(error: ResourceError, wait: number): Promise<Batch | undefined> {
    if (error.code === "HistoryChanged") {
      this.position = this.beginning;
      this.#isReady = false;
      this.#isDue = true;
      return { type: "reset" };
    }
    // This is the end, or `catchUp` has interrupted a request that waited.
    if (error.kind === "aborted" && (this.hasEnded || (wait > 0 && this.#isDue))) return undefined;
    if (!mayEnd(this.#client, error)) throw error;
    if (wait > 0 && error.status === 503 && ++this.#refused > 1) this.#crowded = CROWDED.requests;
    return this.#pause();
  }

  /** Pauses after a failure. */
  async #pause(): Promise<undefined> {
    this.onConnected?.(false);
    this.#hasFailed = true;
    this.#isDue = false;
    const ms = backoff(PAUSE, this.#failures);
    await this.#wait((signal) => sleep(ms, signal as Waiting));
    // A pause that `catchUp` ends makes the next one no longer.
    if (!this.#isDue) this.#failures += 1;
    this.#isDue = true;
  }
}
