// The view of a running task: its progress, and buttons that pause, continue, and cancel it.

import type { Task } from "../model/task.js";
import { button, h } from "./dom.js";
import { failure } from "./failure.js";

/**
 * `resumable` is what a paused task says after "Paused." Without it, the task cannot be paused. With `waiting`, the
 * first Cancel stops the task and says what it still waits for, and the second cancels that, too.
 */
export type TaskTexts = { title: string; progress: HTMLElement; resumable?: string; waiting?: string };

/** The view of a task. A task that waits after a failure shows the failure, and can be continued. */
export function taskView(task: Task, { title, progress, resumable, waiting }: TaskTexts) {
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
