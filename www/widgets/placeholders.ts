// Empty states, and placeholders for content that is loading.

import { h, type Child } from "./dom.js";

/** An empty state: what is missing, why, and what to do about it. */
export function emptyView(title: string, text: Child, ...actions: Child[]) {
  return h(
    "div",
    { class: "empty" },
    h("h2", title),
    h("p", { class: "muted" }, text),
    actions.length > 0 && h("div", { class: "toolbar centered" }, actions),
  );
}

/** Placeholder lines for content that is loading, as high as the content. */
export function skeleton(lines: number) {
  return h(
    "div",
    { class: "stack near", "aria-hidden": "true" },
    Array.from({ length: lines }, () => h("div", { class: "skeleton-line" })),
  );
}
