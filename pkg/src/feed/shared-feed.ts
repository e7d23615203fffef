// The feeds of the views of a client: views with the same conditions share one, and so one connection.

import { CallTime } from "../client/call-time.js";
import type { Calls } from "../client/calls.js";
import type { ResourceClient } from "../client/client.js";
import type { Resource } from "../generated/responses.js";
import { abortError, type ResourceError } from "../client/errors.js";
import { revisionOf, type Step } from "./page.js";
import { type Batch, Follower, type WatchOptions } from "./follower.js";
import type { ServiceResponse } from "../client/response.js";
import { listen, unlisten, type Waiting } from "../client/signals.js";

/**
 * A write waits so long for its change to arrive, then requests it, and again after each pause. `patience` is how long
 * it waits until the views have it. All in milliseconds.
 */
const OWN_WRITE = { arrival: 50, pause: 1_000, patience: 5_000 };

/** What a feed keeps current. */
export interface Listener {
  /** Whether it needs all resources that match, and not only what changes. */
  readonly needsAll: boolean;
  /** The feed has everything so far. Without `steps`, everything may have changed. */
  onChange(steps?: readonly Step[]): void;
  /** The feed is connected or not, or has failed. */
  onState(): void;
  /** Resolves once it shows what the feed has, or when the signal aborts. */
  settle(signal: AbortSignal): Promise<unknown> | undefined;
}

export type Conditions = Pick<WatchOptions, "where" | "var" | "transport">;

/** Returns whether both are the same state. After a restore, a version may be that of another state. */
export const isSame = (one: Resource | undefined, other: Resource) =>
  one?.id === other.id && one.version === other.version && one.lastModifiedAt === other.lastModifiedAt;

/** Compares by IDs as the service does: by code points, whose order is that of the bytes of UTF-8. */
function inOrder({ id: one }: Resource, { id: other }: Resource) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return (one.codePointAt(at) ?? -1) - (other.codePointAt(at) ?? -1);
}

/** The feed of the views with the same conditions. */
export class SharedFeed {
  /** How many views use it. */
  users = 0;
  /** The resources that match, in the order of their IDs, if a listener needs all. */
  items: readonly Resource[] = [];
  /** Whether it has everything so far. */
  isReady = false;
  isConnected = true;
  error: ResourceError | undefined;
  #client;
  #conditions;
  #listeners = new Set<Listener>();
  #hasAll = false;
  #follower: Follower | undefined;
  #position: string | undefined;
  /** The revision that the listeners have. */
  #revision = NaN;
  #ended = new AbortController();
  /** The resources at the position of the follower, which `items` become with the next `ready`. */
  #present = new Map<string, Resource>();
  /** What has changed since the last `ready`; `undefined` if everything may have. */
  #steps: Step[] | undefined;
  /** Resolve when its revision has risen, or when it fails. */
  #waiting = new Set<() => void>();

  constructor(client: ResourceClient<any>, conditions: Conditions) {
    this.#client = client;
    this.#conditions = conditions;
  }

  /** Adds a listener, and starts with the first one. Continues where it has stopped. */
  add(listener: Listener) {
    this.#listeners.add(listener);
    const needsMore = listener.needsAll && !this.#hasAll;
    if (needsMore) {
      this.#hasAll = true;
      this.isReady = false;
      this.#discard();
      this.#follower?.restart();
    }
    if (this.#follower === undefined) this.#start();
    else if (this.isReady) listener.onChange();
  }

  /** Removes a listener, and stops with the last one. */
  remove(listener: Listener) {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stop();
  }

  /** Resolves once the views show a write of that revision; when its time is over in any case: it has succeeded. */
  settle(revision: number, deadline: number, signal: Waiting | undefined) {
    const time = new CallTime(Math.min(OWN_WRITE.patience, deadline - performance.now()));
    return time.run(() => this.#settle(revision, time.signal), [signal]).catch(() => undefined);
  }

  async #settle(revision: number, signal: AbortSignal) {
    const arrives = () => this.#follower === undefined || this.#revision >= revision;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const requestAfter = (ms: number) => {
      timer = setTimeout(() => {
        if (signal.aborted) return;
        this.#follower?.catchUp();
        requestAfter(OWN_WRITE.pause);
      }, ms);
    };
    // The change usually arrives with the response of the write.
    requestAfter(OWN_WRITE.arrival);
    while (!arrives() && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          this.#waiting.delete(done);
          unlisten(signal, done);
          resolve();
        };
        this.#waiting.add(done);
        listen(signal, done);
      });
    }
    clearTimeout(timer);
    if (signal.aborted) return;
    await Promise.all([...this.#listeners].map((listener) => listener.settle(signal)));
  }

  #start() {
    const ended = new AbortController();
    this.#ended = ended;
    this.error = undefined;
    const after = this.#position ?? (this.#hasAll ? undefined : "now");
    const follower = new Follower(this.#client, { ...this.#conditions, after, signal: ended.signal });
    follower.beginning = this.#hasAll ? undefined : "now";
    follower.onConnected = (isConnected) => {
      if (isConnected !== this.isConnected) this.#report(() => (this.isConnected = isConnected));
    };
    this.#follower = follower;
    this.#follow(follower)
      .then(() => abortError(this.#client.calls.closing))
      .catch((error) => error)
      .then((error) => {
        if (ended.signal.aborted) return;
        this.#stop();
        this.#report(() => (this.error = error));
      });
  }

  #stop() {
    this.#follower = undefined;
    this.isReady = false;
    this.#ended.abort();
    this.#wake();
  }

  async #follow(follower: Follower) {
    for await (const batch of follower.batches()) {
      // The feed may have stopped or begun again since.
      const isCurrent = batch.type === "reset" || batch.page.to === follower.position;
      if (isCurrent && this.#follower === follower) this.#perform(batch);
      this.#wake();
    }
  }

  #perform(batch: Batch) {
    if (batch.type === "reset") {
      this.#discard();
      return;
    }
    const { page, isReady } = batch;
    for (const step of page.steps) {
      this.#steps?.push(step);
      if (!this.#hasAll) continue;
      if (step.type !== "set") this.#present.delete(step.id);
      else if (!isSame(this.#present.get(step.id), step.resource)) this.#present.set(step.id, step.resource);
    }
    this.#position = page.to;
    if (!isReady) return;
    this.#revision = revisionOf(page.to);
    const steps = this.#steps;
    this.#steps = [];
    this.isReady = true;
    if (this.#hasAll) this.#publish(steps);
    for (const listener of [...this.#listeners]) listener.onChange(steps);
  }

  /** Everything follows again. Until then, `items` are as they were. */
  #discard() {
    this.#position = undefined;
    this.#revision = NaN;
    this.#present = new Map();
    this.#steps = undefined;
  }

  /** Updates `items`. Resources that have not changed are the same objects, and so is the list of them. */
  #publish(steps: readonly Step[] | undefined) {
    const { items } = this;
    const present = this.#present;
    let next: Resource[];
    if (steps === undefined) {
      for (const old of items) {
        const found = present.get(old.id);
        if (found && isSame(old, found)) present.set(old.id, old);
      }
      next = [...present.values()];
    } else {
      const changed = new Set(steps.map(({ id }) => id));
      next = items.filter(({ id }) => !changed.has(id));
      for (const id of changed) {
        const item = present.get(id);
        if (item) next.push(item);
      }
    }
    next.sort(inOrder);
    if (next.length !== items.length || next.some((item, at) => item !== items[at])) this.items = next;
  }

  #report(change: () => void) {
    change();
    this.#wake();
    for (const listener of [...this.#listeners]) listener.onState();
  }

  #wake() {
    for (const done of [...this.#waiting]) done();
  }
}

/** The feeds of a client, by their conditions. */
const feeds = new WeakMap<Calls, Map<string, SharedFeed>>();

/** Returns the feed with these conditions, for one more user. */
export function enterFeed(client: ResourceClient<any>, conditions: Conditions) {
  const { calls } = client;
  let all = feeds.get(calls);
  if (all === undefined) {
    const created = new Map<string, SharedFeed>();
    all = created;
    feeds.set(calls, all);
    calls.afterWrite = (response, deadline, signal) =>
      Promise.all([...created.values()].map((feed) => feed.settle(revisionIn(response), deadline, signal)));
  }
  const key = JSON.stringify([conditions.where, conditions.var, conditions.transport]);
  const feed = all.get(key) ?? new SharedFeed(client, conditions);
  all.set(key, feed);
  feed.users += 1;
  return feed;
}

/** Removes a user of a feed. What the feed has is discarded with the last one. */
export function leaveFeed(client: ResourceClient<any>, feed: SharedFeed) {
  feed.users -= 1;
  if (feed.users > 0) return;
  const all = feeds.get(client.calls);
  for (const [key, one] of all ?? []) if (one === feed) all?.delete(key);
}

/** Returns the revision in the response to a write. */
const revisionIn = ({ headers, data }: ServiceResponse) =>
  Number(headers?.get("Resource-Revision")) || Date.parse(data?.lastModifiedAt) || 0;
