// Empty states, and placeholders for content that is loading.

import { h } from "./dom.js";

/** @import { Child } from "./dom.js" */

/**
 * An empty state: what is missing, why, and what to do about it.
 * @param {string} title
 * @param {Child} text
 * @param {Child[]} actions
 */
export function emptyView(title, text, ...actions) {
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, title),
    h("p", { class: "muted" }, text),
    actions.length > 0 && h("div", { class: "toolbar centered" }, actions),
  );
}

/**
 * Placeholder lines for content that is loading, as high as the content.
 * @param {number} lines
 */
export function skeleton(lines) {
  return h(
    "div",
    { class: "skeleton", "aria-hidden": "true" },
    Array.from({ length: lines }, () => h("div", { class: "skeleton-line" })),
  );
}
