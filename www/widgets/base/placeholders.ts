// Empty states, and placeholders for content that is loading.

import { button, h, type Child } from "./dom.js";

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

/** Shown for a page after the last one. */
export const emptyPage = (goFirst: () => unknown) =>
  emptyView("This page is empty", "The list is shorter now.", button("Go to the first page", goFirst));

/** Placeholder lines for content that is loading, as high as the content. */
export function skeleton(lines: number) {
  return h(
    "div",
    { class: "stack near", "aria-hidden": "true" },
    Array.from({ length: lines }, () => h("div", { class: "skeleton-line" })),
  );
}
