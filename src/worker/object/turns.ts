// The turns of an object's event loop.

/** How much a turn does. A small call counts as one. */
const TURN = 16;

/**
 * workerd reads its sockets only when it has no other work. Under saturation, connections whose next request has
 * already arrived keep it busy. Other connections wait for seconds, until workerd closes them. So after a turn of 16
 * small calls or frames, what follows waits for a timer. Meanwhile workerd reads the sockets, and the object performs
 * other calls.
 */
export class Turns {
  #done = 0;
  #next: Promise<void> | undefined;

  /** Counts what was done. Returns when the next turn begins, if this one is over. */
  count(cost: number): Promise<void> | undefined {
    this.#done += cost;
    if (this.#done < TURN) return undefined;
    this.#next ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#done = 0;
        this.#next = undefined;
        resolve();
      }, 0);
    });
    return this.#next;
  }
}
