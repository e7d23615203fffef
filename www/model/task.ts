// A long task that a person can pause, continue, and cancel.

/** A long task. It counts as paused after a failure, until it is continued. */
export class Task {
  #controller = new AbortController();
  #changed = () => {};
  #waiting: (() => void)[] = [];
  isPaused = false;
  /** Whether a person ended the task. Requests may still run. */
  isStopped = false;
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

  /** Pauses the task before its next request. */
  pause() {
    this.isPaused = true;
    this.#changed();
  }

  /** Pauses the task because of an error. */
  halt(error: unknown) {
    this.error ??= error;
    this.pause();
  }

  resume() {
    this.isPaused = false;
    this.error = undefined;
    for (const go of this.#waiting.splice(0)) go();
    this.#changed();
  }

  /** Ends the task before its next request. */
  stop() {
    this.isStopped = true;
    this.resume();
  }

  /** Ends the task, and the requests that run. */
  cancel() {
    this.#controller.abort();
    this.stop();
  }

  /** Resolves with whether another request may follow. Waits while the task is paused. */
  async goesOn() {
    while (this.isPaused && !this.isStopped) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return !this.isStopped;
  }

  /**
   * Returns the result of a request that can be repeated. If the client's own attempts have failed, and another may
   * succeed later, the task waits until a person continues it. Other errors are thrown.
   */
  async attempt<Result>(request: () => Promise<Result>): Promise<Result> {
    while (await this.goesOn()) {
      try {
        return await request();
      } catch (error) {
        if ((error as { retryable?: boolean }).retryable !== true) throw error;
        this.halt(error);
      }
    }
    throw new DOMException("The task was canceled.", "AbortError");
  }
}
