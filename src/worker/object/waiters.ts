// The requests that wait for the first change of a project (D36). Each response brings the
// next request of its caller. So they have turns, which together take a bounded share of the object's time: the more
// requests wait, the later each of them gets a change. Requests with the same message share pages.

import type { Listening, Reply } from "../types.js";
import { type Group, Groups } from "./groups.js";
import type { Places } from "./places.js";

/** The length of a turn in milliseconds: for each request, and for the KiB of its message, which has the condition. */
const TURN_MS = 1;
const MOST_KIB = 8;
/** How many milliseconds of turns may follow each other without a pause: a few requests wait for no turn. */
const AHEAD_MS = 100;
/** The most requests in a turn. They get one page. */
const TOGETHER = 16;
/** After how many milliseconds a request makes room for another one of its caller. */
const WAITED_MS = 5_000;

/** Performs a request in its turn: after so many milliseconds, and whether it had a place until then. */
export type Run = (late: number, isAdmitted: boolean) => Reply | Promise<Reply>;

interface Waiter {
  caller: number;
  began: number;
  /** Ends with the reply, or with the empty page. */
  end: (reply?: Promise<Reply>) => void;
}

/** Where the pages are from: what the waiters need of their object. */
export interface PageSource {
  perform: (message: Uint8Array) => Reply | Promise<Reply>;
  /** Returns the newest revision. */
  newest: () => number;
}

export class Waiters {
  #project: PageSource;
  #places: Places;
  #groups = new Groups<Waiter>();
  /** All of them, in the order in which they began to wait. */
  #waiters = new Set<Waiter>();
  #turns: (() => void)[] = [];
  #runs = false;
  /** How many milliseconds of turns are not over, and when that was. A clock that was set back adds none. */
  #ahead = 0;
  #at = 0;

  constructor(project: PageSource, places: Places) {
    this.#project = project;
    this.#places = places;
  }

  /** Whether a request needs to wait for its turn. */
  get areBusy() {
    return this.#turns.length > 0 || this.#pause() > 0;
  }

  /** Calls the function in the turn of a request, which has a place until then. */
  inTurn(caller: number, message: Uint8Array, run: Run): Reply | Promise<Reply> {
    if (!this.areBusy) {
      this.#spend(1, message);
      return run(0, false);
    }
    const began = Date.now();
    this.#places.take(caller);
    return new Promise((resolve) => {
      this.#turns.push(() => {
        this.#places.leave(caller);
        this.#spend(1, message);
        resolve((async () => run(Date.now() - began, true))());
      });
      this.#run();
    });
  }

  /** Returns the first page with a change, or the empty one after its wait. */
  wait({ reply: empty, next, ms, caller }: Listening): Promise<Reply> {
    const group = this.#groups.of(next, this.#project.newest);
    this.#places.take(caller);
    return new Promise((resolve) => {
      const end: Waiter["end"] = (reply) => {
        clearTimeout(timer);
        this.#places.leave(caller);
        this.#waiters.delete(waiter);
        this.#groups.leave(waiter, group);
        resolve(reply ?? empty);
      };
      const timer = setTimeout(() => end(), ms);
      const waiter = { caller, began: Date.now(), end };
      group.members.add(waiter);
      this.#waiters.add(waiter);
    });
  }

  /** Ends the request of a caller that has waited longest, if it has waited for a while. Its caller may have left. */
  makeRoom(caller: number) {
    for (const waiter of this.#waiters) {
      if (waiter.caller !== caller) continue;
      if (Date.now() >= waiter.began + WAITED_MS) waiter.end();
      return;
    }
  }

  /** Gives a turn to each group for which something has changed since its requests began to wait. */
  wake() {
    for (const group of this.#groups.before(this.#project.newest())) {
      this.#groups.remove(group);
      this.#turns.push(() => this.#respond(group));
    }
    this.#run();
  }

  #respond(group: Group<Waiter>) {
    const some = [...group.members].slice(0, TOGETHER);
    if (some.length === 0) return;
    this.#spend(some.length, group.message);
    const reply = (async () => this.#project.perform(group.message))();
    for (const { end } of some) end(reply);
    if (group.members.size > 0) this.#turns.push(() => this.#respond(group));
  }

  /** Begins the turns, unless they have begun. Before each of them the object performs other calls. */
  async #run() {
    if (this.#runs) return;
    this.#runs = true;
    while (this.#turns.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, this.#pause()));
      this.#turns.shift()?.();
    }
    this.#runs = false;
  }

  #spend(requests: number, message: Uint8Array) {
    this.#ahead += TURN_MS * (requests + Math.min(message.length / 1024, MOST_KIB));
  }

  /** Returns the milliseconds until the next turn. */
  #pause() {
    const now = Date.now();
    this.#ahead = Math.max(0, this.#ahead - Math.max(0, now - this.#at));
    this.#at = now;
    return Math.max(0, this.#ahead - AHEAD_MS);
  }
}
