// A connection to the feed by a WebSocket. It may lose frames at any time: its follower requests what is missing.

import type { Calls } from "../client/calls.js";
import { type FeedPage, parsePage } from "./page.js";
import type { FeedSocket, SocketClass } from "../client/options.js";
import { listen, unlisten } from "../client/signals.js";

/** The subprotocol of the feed, and the prefix of the one that has the token: an address must not contain a token. */
const PROTOCOL = "resource-edge.changes";
const BEARER = "bearer.";
/** How long the first frame may take, in milliseconds. */
const PATIENCE = 10_000;
/**
 * It sends `ping` if `quiet` milliseconds have passed since the last message or the last `ping`: the service closes
 * sockets without one if it needs room. `patience` is how long any message may take then.
 */
const PING = { quiet: 25_000, patience: 10_000 };
/** It also sends `ping` after so many characters: half the share of one of a thousand sockets (D36). */
const READ = 2 ** 14;
/** The most characters of frames that wait for the follower. Beyond that they are dropped. */
const BUFFER = 8 * 2 ** 20;
/** How often to check whether the service has closed, in milliseconds. */
const CLOSING = 500;
/** The state of an open `WebSocket`. */
const OPEN = 1;
/** The code with which the service closes when the token has expired. */
const EXPIRED = 4401;

/** Returns the address of the socket that has the conditions of a page. */
function socketAddress(page: string) {
  const url = new URL(page);
  url.protocol = url.protocol.replace("http", "ws");
  const pairs = url.search.slice(1).split("&");
  url.search = pairs.filter((pair) => !/^(after|limit|wait)=/.test(pair)).join("&");
  return url.href;
}

/** A connection, from its opening to its end. */
export class FeedConnection {
  /** Whether it has ended. */
  hasEnded = false;
  /** When it was opened. */
  opened = performance.now();
  #calls;
  #socket: FeedSocket | undefined;
  #token: string | undefined;
  #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closing: ReturnType<typeof setInterval> | undefined;
  #frames: { page: FeedPage; size: number }[] = [];
  #size = 0;
  /** How many characters it has received since it sent `ping`. */
  #read = 0;
  /** When it last sent `ping`. */
  #pinged = performance.now();
  #notify = () => {};

  /** Opens a connection with the conditions of a page. */
  constructor(Socket: SocketClass, calls: Calls, page: string) {
    this.#calls = calls;
    this.#limit(PATIENCE);
    this.#open(Socket, socketAddress(page)).catch(() => this.close());
  }

  async #open(Socket: SocketClass, url: string) {
    const token = await this.#calls.tokens?.get(this.#ending.signal);
    if (this.hasEnded) return;
    // The token endpoint refused a token, which the follower's next request reports.
    if (typeof token === "object") return this.close();
    this.#token = token;
    const socket = new Socket(url, token === undefined ? [PROTOCOL] : [PROTOCOL, BEARER + token]);
    this.#socket = socket;
    // After the service has closed, the event, which has the code, may wait for the end of the TCP connection.
    this.#closing = setInterval(() => socket.readyState > OPEN && this.#closed(), CLOSING);
    socket.addEventListener("message", ({ data }: { data: unknown }) => this.#hear(data));
    socket.addEventListener("error", () => this.close());
    socket.addEventListener("close", ({ code }: { code: number }) => this.#closed(code));
  }

  /** Returns the next frame, or `undefined` if the connection has ended or the signal aborts. */
  async next(signal: AbortSignal): Promise<FeedPage | undefined> {
    if (this.#frames.length === 0 && !this.hasEnded && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#notify = () => {
          unlisten(signal, this.#notify);
          resolve();
        };
        listen(signal, this.#notify);
      });
    }
    // What it received is of use even if it has ended.
    const frame = this.#frames.shift();
    this.#size -= frame?.size ?? 0;
    return frame?.page;
  }

  /** Checks whether the other side is still there. */
  check() {
    // Before the first frame its time is limited anyway.
    if (this.#socket === undefined || this.#socket.readyState !== OPEN) return;
    this.#read = 0;
    this.#pinged = performance.now();
    this.#socket.send("ping");
    this.#limit(PING.patience);
  }

  /** Ends the connection. */
  close() {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.#timer);
    clearInterval(this.#closing);
    this.#ending.abort();
    this.#socket?.close();
    this.#notify();
  }

  /**
   * The service has closed. Without a code, the reason may be the token. It probably is if the connection was short:
   * otherwise the object may have restarted, and a person must not have to sign in again.
   */
  #closed(code?: number) {
    const isKnown = code !== undefined;
    const isProbable = isKnown || performance.now() - this.opened < PATIENCE;
    if (!isKnown || code === EXPIRED) this.#calls.tokens?.reject(this.#token, isProbable, isKnown);
    this.close();
  }

  #hear(data: unknown) {
    if (this.hasEnded) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), PING.quiet);
    if (data === "pong") return;
    try {
      const page = parsePage(data as string);
      const size = (data as string).length;
      this.#frames.push({ page, size });
      this.#size += size;
      this.#read += size;
    } catch {
      // Something else responds at this address.
      return this.close();
    }
    while (this.#size > BUFFER && this.#frames.length > 1) this.#size -= this.#frames.shift()?.size ?? 0;
    if (this.#read > READ || performance.now() - this.#pinged > PING.quiet) this.check();
    this.#notify();
  }

  /** Ends the connection unless a message arrives in time. */
  #limit(ms: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), ms);
  }
}
