// A query that is repeated when its result may have changed, at most once a second.

import type { ResourceError } from "./errors.js";

/** The shortest time between two queries, in milliseconds. */
const INTERVAL = 1_000;
/** The pause after a query that failed, in milliseconds. */
const PAUSE = 5_000;

export class RepeatedQuery<Page> {
  #read;
  #onPage;
  #onFailure;
  /** When the last query began. */
  #began = 0;
  #running: Promise<void> | undefined;
  /** Whether something has changed since. */
  #isStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = new AbortController();

  constructor(
    read: (signal: AbortSignal) => Promise<Page>,
    onPage: (page: Page) => void,
    onFailure: (error: ResourceError) => void,
  ) {
    this.#read = read;
    this.#onPage = onPage;
    this.#onFailure = onFailure;
  }

  /** Repeats the query soon. */
  repeat() {
    this.#isStale = true;
    if (this.#running === undefined) this.#schedule(this.#began + INTERVAL - Date.now());
  }

  /** Resolves once the result contains what has changed so far. Repeats the query at once if necessary. */
  async settle() {
    await this.#running;
    if (this.#isStale) await this.#run();
  }

  /** Ends the present query, and the repetition. */
  stop() {
    clearTimeout(this.#timer);
    this.#isStale = false;
    this.#began = 0;
    this.#ended.abort();
    this.#ended = new AbortController();
  }

  #schedule(ms: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), Math.max(0, ms));
  }

  #run() {
    clearTimeout(this.#timer);
    const { signal } = this.#ended;
    this.#running ??= this.#query(signal).then((pause) => {
      this.#running = undefined;
      if (this.#isStale) this.#schedule(this.#began + pause - Date.now());
    });
    return this.#running;
  }

  /** Returns the time until the next query may begin, in milliseconds. */
  async #query(signal: AbortSignal) {
    this.#isStale = false;
    this.#began = Date.now();
    let page;
    try {
      page = await this.#read(signal);
    } catch (error) {
      if (signal.aborted) return INTERVAL;
      this.#isStale ||= (error as ResourceError).retryable;
      this.#onFailure(error as ResourceError);
      return PAUSE;
    }
    if (!signal.aborted) this.#onPage(page);
    return INTERVAL;
  }
}
