// Progress of a long task: a bar, its speed, and the remaining time.

import { h } from "../base/dom.js";
import { count, duration } from "../base/format.js";

const SHOWN_MS = 120;
const SPAN_MS = 5000;

type Sample = { at: number; done: number };

/**
 * A bar with a text. `set(done, total, unit)` can be called as often as needed. It returns whether it updated the
 * display. `from` is the amount that was done before.
 */
export function progressBar(label: string, { from = 0 }: { from?: number } = {}) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": label });
  const words = h("p", { class: "muted small numeric" });
  // For screen readers, updated only occasionally.
  const announcement = h("p", { class: "visually-hidden", role: "status" });
  const begun = performance.now();
  const samples: Sample[] = [{ at: begun, done: from }];
  let shown = 0;
  let announcedAt = begun;
  function set(done: number, total: number, unit: string, { last = false }: { last?: boolean } = {}) {
    const now = performance.now();
    if (!last && now - shown < SHOWN_MS) return false;
    shown = now;
    samples.push({ at: now, done });
    while (samples.length > 2 && now - (samples[1]?.at ?? now) > SPAN_MS) samples.shift();
    bar.max = Math.max(total, 1);
    bar.value = done;
    words.textContent = describe(done, total, unit, last ? now - begun : undefined, speed(samples));
    if (last || now - announcedAt > SPAN_MS) {
      announcement.textContent = words.textContent;
      announcedAt = now;
    }
    return true;
  }
  return { element: h("div", { class: "stack tight" }, bar, words, announcement), set };
}

/** Returns how much is done in a second. */
function speed(samples: Sample[]) {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at === first.at) return 0;
  return ((last.done - first.done) / (last.at - first.at)) * 1000;
}

/** `ended` is the duration in milliseconds, if the task has ended. */
function describe(done: number, total: number, unit: string, ended: number | undefined, rate: number) {
  const share = `${count(done)} of ${count(total)} ${unit}`;
  if (ended !== undefined) return `${share} in ${duration(ended / 1000)}`;
  if (rate <= 0 || done === 0) return share;
  const left = (total - done) / rate;
  return `${share} · ${count(Math.round(rate))} per second · ${duration(left)} left`;
}
