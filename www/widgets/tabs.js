// ARIA tabs: one is selected, and arrow keys move between them.

import { h, uniqueId } from "./dom.js";

/** @import { Child } from "./dom.js" */

/**
 * A tab. If `leave()` returns false, the tab remains selected.
 * @typedef {{ name: string, label: string, content: Child, leave?: () => boolean }} Tab
 */

/**
 * Tabs. `shown(name)` is called after a change. Returns `element`, `current`, and `show(name)`.
 * @param {string} label
 * @param {readonly Tab[]} list
 * @param {(name: string) => void} [shown]
 */
export function tabs(label, list, shown) {
  const id = uniqueId("tabs");
  const buttons = list.map(({ name, label: text }) =>
    h(
      "button",
      {
        class: "tab",
        type: "button",
        role: "tab",
        id: `${id}-${name}`,
        "aria-controls": `${id}-${name}-panel`,
        onclick: () => show(name),
      },
      text,
    ),
  );
  const panels = list.map(({ name, content }) =>
    h("div", { role: "tabpanel", id: `${id}-${name}-panel`, "aria-labelledby": `${id}-${name}` }, content),
  );
  const bar = h("div", { class: "tab-bar", role: "tablist", "aria-label": label }, buttons);
  let current = 0;
  bar.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : undefined;
    if (step === undefined) return;
    event.preventDefault();
    show(list[(current + step + list.length) % list.length]?.name);
    buttons[current]?.focus();
  });
  function draw() {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === current));
      button.tabIndex = at === current ? 0 : -1;
      const panel = panels[at];
      if (panel !== undefined) panel.hidden = at !== current;
    });
  }
  /** @param {string | undefined} name */
  function show(name) {
    const next = list.findIndex((one) => one.name === name);
    if (name === undefined || next < 0 || next === current || list[current]?.leave?.() === false) return;
    current = next;
    draw();
    shown?.(name);
  }
  draw();
  return {
    element: h("div", { class: "stack" }, bar, panels),
    get current() {
      return list[current]?.name;
    },
    show,
  };
}
