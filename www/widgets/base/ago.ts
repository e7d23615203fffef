// How long ago something was, as a text that stays true.

import { time } from "./format.js";

const EACH_MS = 1000;
let timer: number | undefined;
const shown = new Set<HTMLTimeElement>();

/** "3 s ago", "12 min ago", "5 h ago", or the time if it was longer ago. */
export function ago(instant: string) {
  const element = time(instant);
  shown.add(element);
  write(element);
  timer ??= window.setInterval(writeAll, EACH_MS);
  return element;
}

function writeAll() {
  for (const element of shown) {
    if (element.isConnected) write(element);
    else shown.delete(element);
  }
  if (shown.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function write(element: HTMLTimeElement) {
  const text = textOf(element.dateTime);
  if (element.textContent !== text) element.textContent = text;
}

function textOf(instant: string) {
  // The clock of the service may be ahead.
  const seconds = Math.max(Math.floor((Date.now() - Date.parse(instant)) / 1000), 0);
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return time(instant).textContent ?? "";
}
