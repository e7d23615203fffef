// The service's clock and its timers. It follows the program's clock, or is stopped; `advance` moves it forward.

/**
 * Resolves after everything that is ready to run has run. Fake timers replace `setTimeout` but not `MessageChannel`.
 */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port2.onmessage = () => {
      port1.close();
      resolve();
    };
    port1.postMessage(undefined);
  });
}

export type Timer = { at: number; run: () => unknown };

/** A clock with timers. */
export class Clock {
  /** The instant at which it is stopped, or `undefined`. */
  #instant;
  /** How far it is ahead of the program's clock. */
  #ahead = 0;
  #timers = new Set<Timer>();
  /** Cancels the program's timer for the first of them. */
  #cancel = () => {};

  /** Creates a clock that is stopped at `instant`, or follows the program's clock if `instant` is `undefined`. */
  constructor(instant: number | undefined) {
    this.#instant = instant;
  }

  /** Returns the time in milliseconds since 1970. */
  now() {
    return this.#instant ?? Date.now() + this.#ahead;
  }

  /** Calls the function at that time. Returns the timer. */
  set(at: number, run: () => unknown) {
    const timer = { at, run };
    this.#timers.add(timer);
    this.#wake();
    return timer;
  }

  clear(timer: Timer | undefined) {
    if (timer !== undefined && this.#timers.delete(timer)) this.#wake();
  }

  /** Removes all timers. */
  stop() {
    this.#timers.clear();
    this.#wake();
  }

  /** Moves forward, and runs the timers that become due. */
  async advance(ms: number) {
    const end = this.now() + ms;
    await turn();
    for (let timer = this.#first(); timer !== undefined && timer.at <= end; timer = this.#first()) {
      this.#move(timer.at);
      await this.#ring(timer);
      await turn();
    }
    this.#move(end);
    this.#wake();
  }

  /** Moves forward until no timer is due within `ms` milliseconds of another. */
  async settle(ms: number) {
    await turn();
    for (let timer = this.#first(); timer !== undefined && timer.at <= this.now() + ms; timer = this.#first()) {
      await this.advance(Math.max(0, timer.at - this.now()));
    }
  }

  #first(): Timer | undefined {
    let first;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }

  #move(to: number) {
    const by = to - this.now();
    if (by <= 0) return;
    if (this.#instant === undefined) this.#ahead += by;
    else this.#instant += by;
  }

  #ring(timer: Timer) {
    this.#timers.delete(timer);
    return timer.run();
  }

  /** Sets the program's timer. The timer does not keep the program running. */
  #wake() {
    if (this.#instant !== undefined) return;
    this.#cancel();
    this.#cancel = () => {};
    const first = this.#first();
    if (first === undefined) return;
    const wait = Math.min(Math.max(0, first.at - this.now()), 2 ** 31 - 1);
    // A program may replace both with fakes, which belong together.
    const { setTimeout, clearTimeout } = globalThis;
    const alarm = setTimeout(() => {
      for (const timer of [...this.#timers]) if (timer.at <= this.now()) this.#ring(timer);
      this.#wake();
    }, wait);
    alarm.unref?.();
    this.#cancel = () => clearTimeout(alarm);
  }
}
