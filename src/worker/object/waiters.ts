// The requests that wait for the first change of a project (src/guide/specification.md, D36).

import type { Reply, WaitingReply } from "../types.js";

/** How many requests may wait for changes of a project. Each keeps a promise and a timer. */
const WAITERS = 1_000;

/** The shortest time between two batches, in milliseconds. Changes in between are on one page. */
const BATCH_MS = 100;

interface Waiter {
  resolve: (reply: Reply | Promise<Reply>) => void;
  timer: ReturnType<typeof setTimeout>;
}

/** Requests with the same position and conditions: they get one page. */
interface Group {
  message: Uint8Array;
  waiters: Set<Waiter>;
}

/** What the waiters need of their object. */
interface Project {
  perform: (message: Uint8Array) => Reply | Promise<Reply>;
  /** Returns the newest revision. */
  newest: () => number;
  /** Returns the reply to a request for which there is no room. */
  full: () => Reply;
}

export class Waiters {
  #project: Project;
  #groups = new Map<string, Group>();
  #count = 0;
  /** The newest revision when the first of them began to wait. */
  #newest = 0;
  #batch: ReturnType<typeof setTimeout> | undefined;
  /** When the last batch began. */
  #last = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Returns the first page with a change, or this empty one after its wait. */
  wait([head, body, message, ms]: WaitingReply): Reply | Promise<Reply> {
    if (this.#count === WAITERS) return this.#project.full();
    if (this.#count === 0) this.#newest = this.#project.newest();
    this.#count += 1;
    const key = message.join();
    const group = this.#groups.get(key) ?? { message, waiters: new Set() };
    this.#groups.set(key, group);
    return new Promise((resolve) => {
      const end = () => {
        this.#count -= 1;
        group.waiters.delete(waiter);
        if (group.waiters.size === 0) this.#groups.delete(key);
        resolve([head, body]);
      };
      const waiter = { resolve, timer: setTimeout(end, ms) };
      group.waiters.add(waiter);
    });
  }

  /** Begins a batch if something has changed. The object calls it after each call. */
  afterCall() {
    if (this.#count === 0 || this.#batch !== undefined || this.#project.newest() === this.#newest) return;
    const pause = Math.max(0, this.#last + BATCH_MS - Date.now());
    this.#batch = setTimeout(() => this.#deliver(), pause);
  }

  /** Sends each waiter its page, or the error of the call. The next batch begins after this one. */
  async #deliver() {
    this.#last = Date.now();
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    this.#count = 0;
    for (const { waiters } of groups) for (const { timer } of waiters) clearTimeout(timer);
    for (const { message, waiters } of groups) {
      const reply = (async () => this.#project.perform(message))();
      for (const { resolve } of waiters) resolve(reply);
      // Now and then the reply is late, so that the object reads its sockets in between.
      await reply.catch(() => undefined);
    }
    this.#batch = undefined;
    this.afterCall();
  }
}
