// Shared widgets: empty and failed states, skeletons, times, and numbers.

import { h } from "./dom.js";

/** An empty state: what is missing, why, and what to do about it. */
export function emptyView(title, text, ...actions) {
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, title),
    h("p", { class: "muted" }, text),
    actions.length > 0 && h("div", { class: "toolbar centred" }, actions),
  );
}

/** Shown in place of a view that failed. `again` retries. */
export function failureView(error, again) {
  const id = error.correlationId;
  return h(
    "div",
    { class: "empty", role: "alert" },
    h("h1", {}, error.status === 404 ? "Not found" : "This did not work"),
    h("p", { class: "muted" }, error.message),
    id !== undefined && h("p", { class: "muted small" }, "Correlation id ", h("code", {}, id)),
    again !== undefined &&
      h(
        "div",
        { class: "toolbar centred" },
        h("button", { class: "button", type: "button", onclick: again }, "Try again"),
      ),
  );
}

/** Placeholder lines for content that is loading, as high as the content. */
export function skeleton(lines) {
  return h(
    "div",
    { class: "skeleton", "aria-hidden": "true" },
    Array.from({ length: lines }, () => h("div", { class: "skeleton-line" })),
  );
}

const numbers = new Intl.NumberFormat("en");
/** 12,345 */
export const count = (number) => numbers.format(number);
/** "1 resource", "2 resources" */
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

const times = (year) =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit" });
const thisYear = times(undefined);
const anyYear = times("numeric");
/** A time, with its exact text as title. The current year is left out. */
export function time(text) {
  const date = new Date(text);
  const format = date.getFullYear() === new Date().getFullYear() ? thisYear : anyYear;
  return h("time", { datetime: text, title: text }, format.format(date));
}

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
/** 14:03:59 */
export const clockTime = (date) => clock.format(date);

/** A button that copies a text and confirms it briefly. */
export function copyButton(label, text, kind = "") {
  const button = h("button", { class: `button ${kind}`, type: "button" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copying was refused";
    }
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}
