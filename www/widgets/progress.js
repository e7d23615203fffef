// Progress of a long task: a bar, its speed, and the remaining time.

import { h } from "./dom.js";
import { count } from "./common.js";

const SHOWN_MS = 120;
const SPAN_MS = 5000;

/**
 * A bar with a text. `set(done, total, unit)` can be called as often as needed. It returns whether it updated the
 * display.
 */
export function progressBar(label) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": label });
  const words = h("p", { class: "muted small numeric" });
  // For screen readers, updated only occasionally.
  const said = h("p", { class: "visually-hidden", role: "status" });
  const begun = performance.now();
  const marks = [{ at: begun, done: 0 }];
  let shown = 0;
  let saidAt = begun;
  function set(done, total, unit, { last = false } = {}) {
    const now = performance.now();
    if (!last && now - shown < SHOWN_MS) return false;
    shown = now;
    marks.push({ at: now, done });
    while (marks.length > 2 && now - marks[1].at > SPAN_MS) marks.shift();
    bar.max = Math.max(total, 1);
    bar.value = done;
    words.textContent = sentence(done, total, unit, speed(marks), last, now - begun);
    if (last || now - saidAt > SPAN_MS) {
      said.textContent = words.textContent;
      saidAt = now;
    }
    return true;
  }
  return { element: h("div", { class: "stack tight" }, bar, words, said), set };
}

function speed(marks) {
  const [first, last] = [marks[0], marks.at(-1)];
  return last.at === first.at ? 0 : ((last.done - first.done) / (last.at - first.at)) * 1000;
}

function sentence(done, total, unit, rate, last, took) {
  const share = `${count(done)} of ${count(total)} ${unit}`;
  if (last) return `${share} in ${duration(took / 1000)}`;
  if (rate <= 0 || done === 0) return share;
  const left = (total - done) / rate;
  return `${share} · ${count(Math.round(rate))} a second · ${duration(left)} left`;
}

/** "3 s", "2 min 5 s", "1 h 10 min" */
function duration(seconds) {
  const whole = Math.max(Math.round(seconds), 1);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
