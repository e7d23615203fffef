// The places of a project's listeners (D36): how many there may be, and how many of them a
// caller may have.

/**
 * A caller may have as many places as this for each free one: one caller nine tenths of all, two callers nine
 * nineteenths each. So another caller finds some.
 */
const SHARE = 9;

export class Places {
  #most: number;
  #taken = 0;
  /** How many each caller has. */
  #callers = new Map<number, number>();

  /** @param most how many there are */
  constructor(most: number) {
    this.#most = most;
  }

  get taken() {
    return this.#taken;
  }

  /** Returns whether the caller may have another one. */
  isFree(caller: number) {
    return (this.#callers.get(caller) ?? 0) < SHARE * (this.#most - this.#taken);
  }

  take(caller: number) {
    this.#count(caller, 1);
  }

  leave(caller: number) {
    this.#count(caller, -1);
  }

  #count(caller: number, by: number) {
    this.#taken += by;
    const count = (this.#callers.get(caller) ?? 0) + by;
    if (count > 0) this.#callers.set(caller, count);
    else this.#callers.delete(caller);
  }
}
