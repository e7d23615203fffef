// A long task that a person can pause, continue, and cancel.

/** A long task. It counts as paused after a failure, until it is continued. */
export class Task {
  #controller = new AbortController();
  #changed = () => {};
  #resume: (() => void) | undefined;
  isPaused = false;
  /** The error because of which the task waits, if there is one. */
  error: unknown;

  /** Aborts if the task is canceled. */
  get signal() {
    return this.#controller.signal;
  }

  get isCanceled() {
    return this.signal.aborted;
  }

  /** Sets the function to call after each change of the task's state. */
  onChange(listener: () => void) {
    this.#changed = listener;
  }

  /** Pauses the task at its next checkpoint. */
  pause() {
    this.isPaused = true;
    this.#changed();
  }

  resume() {
    this.isPaused = false;
    this.error = undefined;
    this.#resume?.();
    this.#changed();
  }

  cancel() {
    this.#controller.abort();
    this.resume();
  }

  /** Resolves at once, or once a paused task is continued. Throws if the task is canceled. */
  async checkpoint(): Promise<void> {
    this.signal.throwIfAborted();
    if (!this.isPaused) return;
    await new Promise((resolve) => (this.#resume = () => resolve(undefined)));
    this.#resume = undefined;
    return this.checkpoint();
  }

  /**
   * Returns the result of a request that can be repeated. If the client's own attempts have failed, and another may
   * succeed later, the task waits until a person continues it. Other errors are thrown.
   */
  async attempt<Result>(request: () => Promise<Result>): Promise<Result> {
    for (;;) {
      await this.checkpoint();
      try {
        return await request();
      } catch (error) {
        this.signal.throwIfAborted();
        if ((error as { retryable?: boolean }).retryable !== true) throw error;
        this.error = error;
        this.pause();
      }
    }
  }
}
