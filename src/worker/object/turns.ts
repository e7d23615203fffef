// The turns of an object's event loop.

/** How much a turn does. A small call counts as one. */
const TURN = 16;

/**
 * workerd reads its sockets only when it has no other work. Under saturation, connections whose next request has
 * already arrived keep it busy. Other connections wait for seconds, until workerd closes them. So after a turn of 16
 * small calls or frames, what follows waits for a timer. Meanwhile workerd reads the sockets. The calls that wait are
 * then performed together, so the platform commits their writes at once.
 */
export class Turns {
  #done = 0;
  #next: Promise<void> | undefined;

  /** Counts what is about to be done. If the turn is over, it has to wait for its own. */
  count(cost: number): Promise<void> | undefined {
    if (this.#done < TURN) {
      this.#done += cost;
      return undefined;
    }
    this.#next ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#done = 0;
        this.#next = undefined;
        resolve();
      }, 0);
    });
    return this.#next.then(() => this.count(cost));
  }
}
