// A running import: its progress, its cancellation, and a pause while nothing can be sent.

import type { Counts } from "../model/import-sender.js";
import { button, h } from "./dom.js";
import { failure } from "./failure.js";
import { count } from "./format.js";
import { progressBar } from "./progress.js";

/** The view. The first Cancel stops sending and waits for the responses. The second calls `abort()`. */
export class ImportProgress {
  element;
  #total;
  #abort;
  #bar = progressBar("Importing");
  #halted = h("div");
  #tally = h("p", { class: "numeric" });
  #cancel = button("Cancel", () => this.#stop());
  /** Whether a person canceled, so that nothing more is sent. */
  isStopping = false;
  #counts: Counts = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  #decide: ((goOn: boolean) => void) | undefined;

  constructor(file: File, total: number, abort: () => void) {
    this.#total = total;
    this.#abort = abort;
    this.element = h(
      "section",
      { class: "card stack", "aria-label": "Importing" },
      h("h2", `Importing ${file.name}`),
      this.#bar.element,
      this.#tally,
      this.#halted,
      h("div", this.#cancel),
    );
  }

  /** The results so far, for people. */
  get words() {
    return wordsOf(this.#counts);
  }

  #stop() {
    if (this.isStopping) return this.#abort();
    this.isStopping = true;
    this.#decide?.(false);
    this.#cancel.textContent = "Cancel without waiting";
    this.#tally.textContent = "Waiting for the responses of the items that were sent …";
  }

  /** Shows the results so far. */
  show(counts: Counts, { isLast = false }: { isLast?: boolean } = {}) {
    this.#counts = { ...counts };
    const isDrawn = this.#bar.set(counts.done, this.#total, "items", { last: isLast });
    if (isDrawn && !this.isStopping) this.#tally.textContent = this.words;
  }

  /** Asks whether to continue after the problem is solved. */
  askToContinue(error: unknown): Promise<boolean> {
    if (this.isStopping) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#decide = (goOn) => {
        this.#decide = undefined;
        this.#halted.replaceChildren();
        resolve(goOn);
      };
      this.#halted.replaceChildren(
        failure(error),
        h("p", "The import is paused. Nothing is lost or sent twice."),
        button("Continue", () => this.#decide?.(true), "primary"),
      );
    });
  }
}

function wordsOf({ created, updated, skipped, failed }: Counts) {
  return [
    `${count(created)} created`,
    `${count(updated)} updated`,
    skipped > 0 && `${count(skipped)} skipped`,
    failed > 0 && `${count(failed)} failed`,
  ]
    .filter(Boolean)
    .join(" · ");
}
