// Long tasks of a page: the progress of each, and buttons that pause, continue, and cancel it.

import { Task } from "../../model/task.js";
import { button, h, mount, toast, type Child } from "../base/dom.js";
import { failure } from "../base/failure.js";

/**
 * `resumable` is what a paused task says after "Paused." Without it, the task cannot be paused. With `waiting`, the
 * first Cancel stops the task and says what it still waits for, and the second cancels that, too. `left` is what a
 * notice says if the page is left meanwhile.
 */
export type TaskTexts = { title: string; progress: HTMLElement; resumable?: string; waiting?: string; left: string };

/** Returns the texts of a task that reads a file and sends nothing. */
export const readingTexts = (title: string, progress: HTMLElement): TaskTexts => ({
  title,
  progress,
  left: "You left the page while the file was checked. Nothing was sent.",
});

const prevent = (event: Event) => event.preventDefault();
const DROPS = ["dragover", "drop"];

/** The place of a page's tasks, which end when the page is left. A file that is dropped there does not replace it. */
export class TaskStage {
  element = h("div", { class: "stack" });
  #running: { task: Task; left: string } | undefined;

  constructor(onLeave: (run: () => void) => void) {
    for (const name of DROPS) addEventListener(name, prevent);
    onLeave(() => {
      for (const name of DROPS) removeEventListener(name, prevent);
      if (this.#running === undefined) return;
      this.#running.task.cancel();
      toast(this.#running.left);
    });
  }

  /** Runs a task, and shows it meanwhile. The browser asks before it leaves the console. */
  async run<Result>(texts: TaskTexts, work: (task: Task) => Promise<Result>) {
    const task = new Task();
    this.#running = { task, left: texts.left };
    mount(this.element, taskView(task, texts));
    this.element.querySelector("h2")?.focus();
    addEventListener("beforeunload", prevent);
    try {
      return await work(task);
    } finally {
      removeEventListener("beforeunload", prevent);
      this.#running = undefined;
    }
  }

  /** Shows a result, and leads to it. */
  show(...content: Child[]) {
    mount(this.element, content);
    this.element.querySelector("h2")?.focus();
  }
}

/** The view of a task. A task that waits after a failure shows the failure, and can be continued. */
function taskView(task: Task, { title, progress, resumable, waiting }: TaskTexts) {
  const problem = h("div");
  const state = h("p", { class: "muted", role: "status" });
  const pause = button("", () => (task.isPaused ? task.resume() : task.pause()));
  const cancel = button("Cancel", () => (waiting === undefined || task.isStopped ? task.cancel() : task.stop()));
  const draw = () => {
    pause.textContent = task.isPaused ? "Continue" : "Pause";
    pause.className = `button ${task.error === undefined ? "" : "primary"}`;
    pause.hidden = resumable === undefined || task.isStopped;
    if (task.isStopped && waiting !== undefined) cancel.textContent = "Cancel without waiting";
    state.textContent = task.isStopped ? (waiting ?? "") : task.isPaused ? `Paused. ${resumable}` : "";
    problem.replaceChildren(...(task.error === undefined ? [] : [failure(task.error)]));
  };
  task.onChange(draw);
  draw();
  return h(
    "section",
    { class: "card stack", "aria-label": title },
    h("h2", { tabindex: -1 }, title),
    progress,
    problem,
    state,
    h("div", { class: "toolbar" }, pause, cancel),
  );
}
