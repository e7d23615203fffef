// A query that is repeated when its result may have changed, at most once a second.

import type { ResourceError } from "../client/errors.js";
import { sleep } from "../client/signals.js";

/** The shortest time between two queries, in milliseconds. */
const INTERVAL = 1_000;
/** The pause after a query that failed, in milliseconds. It is that of an own write if one waits for the result. */
const PAUSE = { usual: 5_000, own: 1_000 };

export class RepeatedQuery<Page> {
  #read;
  #onPage;
  #onFailure;
  #isNeeded;
  /** When the next query may begin, by `performance.now`: nobody sets that clock back. */
  #next = 0;
  #running: Promise<void> | undefined;
  /** Whether something has changed since. */
  #isStale = false;
  /** Whether the last query failed, and has to be repeated. */
  #hasFailed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = new AbortController();

  constructor(
    read: (signal: AbortSignal) => Promise<Page>,
    onPage: (page: Page) => void,
    onFailure: (error: ResourceError) => boolean,
    isNeeded: () => boolean,
  ) {
    this.#read = read;
    this.#onPage = onPage;
    this.#onFailure = onFailure;
    this.#isNeeded = isNeeded;
  }

  /** Repeats the query soon, or if nobody needs its result, when `continue` is called. */
  repeat() {
    this.#isStale = true;
    this.continue();
  }

  /** Repeats the query soon if that is due. */
  continue() {
    if (!this.#isStale || this.#running !== undefined || !this.#isNeeded()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), Math.max(0, this.#next - performance.now()));
  }

  /** Ends the present query until `continue`. */
  suspend() {
    clearTimeout(this.#timer);
    this.#isStale ||= this.isRunning;
    this.#ended.abort();
    this.#ended = new AbortController();
  }

  /** Whether a query is under way, whose result may have what was deleted since it began. */
  get isRunning() {
    return this.#running !== undefined;
  }

  /**
   * Resolves once the result contains what has changed so far, or when the signal aborts. Repeats the query at once if
   * necessary.
   */
  async settle(signal: AbortSignal) {
    await this.#running;
    // Another call may have begun the query that is necessary.
    await (this.#isStale ? this.#run() : this.#running);
    while (this.#hasFailed && !signal.aborted) {
      await sleep(PAUSE.own, signal);
      if (this.#hasFailed && !signal.aborted) await this.#run();
    }
  }

  /** Ends the present query, and the repetition. */
  stop() {
    this.suspend();
    this.#isStale = this.#hasFailed = false;
    this.#next = 0;
  }

  #run() {
    clearTimeout(this.#timer);
    const { signal } = this.#ended;
    this.#running ??= this.#query(signal).then((next) => {
      this.#running = undefined;
      this.#next = signal.aborted ? 0 : next;
      this.continue();
    });
    return this.#running;
  }

  /** Returns when the next query may begin. */
  async #query(signal: AbortSignal) {
    this.#isStale = false;
    const began = performance.now();
    let page;
    try {
      page = await this.#read(signal);
    } catch (error) {
      if (!signal.aborted && this.#onFailure(error as ResourceError)) this.#isStale = this.#hasFailed = true;
      return began + PAUSE.usual;
    }
    if (signal.aborted) return 0;
    this.#hasFailed = false;
    this.#onPage(page);
    return began + INTERVAL;
  }
}
