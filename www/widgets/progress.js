// Progress of a long task: a bar, its speed, and the remaining time.

import { h } from "./dom.js";
import { count, duration } from "./format.js";

const SHOWN_MS = 120;
const SPAN_MS = 5000;

/** @typedef {{ at: number, done: number }} Mark */

/**
 * A bar with a text. `set(done, total, unit)` can be called as often as needed. It returns whether it updated the
 * display. `from` is the amount that was done before.
 * @param {string} label
 * @param {{ from?: number }} [options]
 */
export function progressBar(label, { from = 0 } = {}) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": label });
  const words = h("p", { class: "muted small numeric" });
  // For screen readers, updated only occasionally.
  const announcement = h("p", { class: "visually-hidden", role: "status" });
  const begun = performance.now();
  /** @type {Mark[]} */
  const marks = [{ at: begun, done: from }];
  let shown = 0;
  let announcedAt = begun;
  /**
   * @param {number} done
   * @param {number} total
   * @param {string} unit
   * @param {{ last?: boolean }} [options]
   */
  function set(done, total, unit, { last = false } = {}) {
    const now = performance.now();
    if (!last && now - shown < SHOWN_MS) return false;
    shown = now;
    marks.push({ at: now, done });
    while (marks.length > 2 && now - (marks[1]?.at ?? now) > SPAN_MS) marks.shift();
    bar.max = Math.max(total, 1);
    bar.value = done;
    words.textContent = describe(done, total, unit, last ? now - begun : undefined, speed(marks));
    if (last || now - announcedAt > SPAN_MS) {
      announcement.textContent = words.textContent;
      announcedAt = now;
    }
    return true;
  }
  return { element: h("div", { class: "stack tight" }, bar, words, announcement), set };
}

/**
 * Returns how much is done in a second.
 * @param {Mark[]} marks
 */
function speed(marks) {
  const [first, last] = [marks[0], marks.at(-1)];
  if (first === undefined || last === undefined || last.at === first.at) return 0;
  return ((last.done - first.done) / (last.at - first.at)) * 1000;
}

/**
 * @param {number} done
 * @param {number} total
 * @param {string} unit
 * @param {number | undefined} ended the duration in milliseconds, if the task has ended
 * @param {number} rate
 */
function describe(done, total, unit, ended, rate) {
  const share = `${count(done)} of ${count(total)} ${unit}`;
  if (ended !== undefined) return `${share} in ${duration(ended / 1000)}`;
  if (rate <= 0 || done === 0) return share;
  const left = (total - done) / rate;
  return `${share} · ${count(Math.round(rate))} per second · ${duration(left)} left`;
}
