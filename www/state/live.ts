// What the shown view follows, so that it shows what others write, and the switch that pauses this.

import { storeChoice, storedChoice } from "../model/stored.js";
import type { ResourceClient, ResourceError } from "../pkg/browser.js";
import { live, type LiveOptions, type LivePage, type LiveReading, type LiveSnapshot } from "../pkg/live.js";
import { client, follower, SignInError } from "./session.js";

/** What a view follows. */
export interface Followed<Page extends LivePage> extends Pick<LiveReading<Page>, "concerns"> {
  /** Reads what the view shows: first as the person, then with a client of which the person sees nothing. */
  read: (client: ResourceClient, signal: AbortSignal) => Promise<Page>;
  /** Returns whether to read again soon, because a page changes without a write. */
  isPending?: (page: Page) => boolean;
  /** Shows each page after the first one. */
  show: (page: Page) => unknown;
  onChange?: LiveOptions["onChange"];
}

/**
 * Reads what a view shows, and follows it until the view follows something else or is left. Returns the first page. If
 * the view no longer wants that, the promise remains pending; if the first read fails, the view follows nothing.
 */
export type Follow = <Page extends LivePage>(followed: Followed<Page>) => Promise<Page>;

/** The state of what is followed. `off`: nothing is. */
export type Connection = "off" | "signed out" | LiveSnapshot["status"];

const STORED = "live";
/** The pause before a pending page is read again, in milliseconds. */
const PENDING_MS = 2000;

let isPaused = storedChoice(STORED) === "off";
let current: { adjust: () => void; stop: () => void } | undefined;
let state: Connection = "off";
const listeners = new Set<(connection: Connection) => void>();

/** Calls the listener with the state of what is followed, now and when it changes. */
export function onConnection(listener: (connection: Connection) => void) {
  listeners.add(listener);
  report();
}

export const follow: Follow = <Page extends LivePage>(followed: Followed<Page>) =>
  new Promise<Page>((resolve, reject) => {
    const { show, concerns, onChange } = followed;
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const reads = new Reads(followed, resolve, fail);
    // The view begins the first read itself, so that it knows what this may lack.
    const view = live(reads.client, { read: reads.read, concerns }, { onChange });
    const adjust = () => {
      if (!isPaused && !document.hidden) return view.resume();
      view.pause();
      void reads.begin();
    };
    const stop = () => {
      unsubscribe();
      reads.end();
      if (current !== mine) return;
      current = undefined;
      report("off");
    };
    const [before, mine] = [current, { adjust, stop }];
    current = mine;
    before?.stop();
    adjust();
    let shown: unknown;
    const unsubscribe = view.subscribe(({ status, page, error }) => {
      report(status === "error" && isSignOut(error) ? "signed out" : status);
      if (page === undefined || page === shown) return;
      shown = page;
      if (reads.areLater) void show(page as Page);
    });
  });

/** The reads of a view: the first one as the person, and later ones with a client of which a person sees nothing. */
class Reads<Page extends LivePage> {
  client = follower();
  areLater = false;
  #followed;
  #done;
  #fail;
  #person = client();
  #ended = new AbortController();
  #first: Promise<Page> | undefined;

  constructor(followed: Followed<Page>, done: (page: Page) => void, fail: (error: unknown) => void) {
    this.#followed = followed;
    this.#done = done;
    this.#fail = fail;
  }

  /** Begins the first read. A pause does not end it, because the view has nothing else. */
  begin() {
    if (this.#first !== undefined) return this.#first;
    const { signal } = this.#ended;
    this.#first = this.#followed.read(this.#person, signal);
    this.#first.then(
      (page) => signal.aborted || this.#done(page),
      (error) => signal.aborted || this.#fail(error),
    );
    return this.#first;
  }

  end() {
    this.#ended.abort();
  }

  read = async ({ signal }: { signal: AbortSignal }) => {
    const { isPending, show } = this.#followed;
    let page = await (this.#first ? this.#again(signal) : this.begin());
    while (isPending?.(page)) {
      if (this.areLater) void show(page);
      await new Promise((next) => setTimeout(next, PENDING_MS));
      page = await this.#again(signal);
    }
    return page;
  };

  async #again(signal: AbortSignal) {
    // The view gets the first page first.
    await this.#first;
    this.areLater = true;
    return this.#followed.read(this.client, signal);
  }
}

/** Follows nothing any longer. */
export const leave = () => current?.stop();

/** Continues after a new sign-in. */
export const resume = () => current?.adjust();

/** Pauses, or continues. The choice is kept for the next visit. */
export function setPaused(paused: boolean) {
  isPaused = paused;
  storeChoice(STORED, paused ? "off" : undefined);
  resume();
  report();
}

/** Returns whether an error means that there is no valid token. */
const isSignOut = ({ status = 0, cause }: Partial<ResourceError> = {}) =>
  cause instanceof SignInError ? cause.code !== "network" : [401, 403].includes(status);

function report(next = state) {
  state = next;
  // Nobody sees that a hidden page follows nothing.
  if (!document.hidden) for (const listener of listeners) listener(isPaused ? "paused" : state);
}

document.addEventListener("visibilitychange", resume);
