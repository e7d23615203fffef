// ARIA tabs: one is selected, and arrow keys move between them.

import { h, uniqueId, type Child } from "./dom.js";

/** A tab. If `leave()` returns false, the tab remains selected. */
type Tab = { name: string; label: string; content: Child; leave?: () => boolean };

/** The tabs. `shown(name)` is called after a change. */
export class Tabs {
  element;
  #id = uniqueId("tabs");
  #list;
  #shown;
  #buttons;
  #panels;
  #current = 0;

  constructor(label: string, list: readonly Tab[], shown?: (name: string) => void) {
    this.#list = list;
    this.#shown = shown;
    this.#buttons = list.map((tab) => this.#button(tab));
    this.#panels = list.map((tab) => this.#panel(tab));
    const bar = h(
      "div",
      { class: "tab-bar", role: "tablist", "aria-label": label, onkeydown: (event) => this.#move(event) },
      this.#buttons,
    );
    this.element = h("div", { class: "stack" }, bar, this.#panels);
    this.#draw();
  }

  /** The name of the selected tab. */
  get current() {
    return this.#list[this.#current]?.name;
  }

  show(name: string | undefined) {
    const next = this.#list.findIndex((one) => one.name === name);
    if (name === undefined || next < 0 || next === this.#current) return;
    if (this.#list[this.#current]?.leave?.() === false) return;
    this.#current = next;
    this.#draw();
    this.#shown?.(name);
  }

  #button({ name, label }: Tab) {
    return h(
      "button",
      {
        class: "tab",
        type: "button",
        role: "tab",
        id: `${this.#id}-${name}`,
        "aria-controls": `${this.#id}-${name}-panel`,
        onclick: () => this.show(name),
      },
      label,
    );
  }

  #panel({ name, content }: Tab) {
    const props = { role: "tabpanel", id: `${this.#id}-${name}-panel`, "aria-labelledby": `${this.#id}-${name}` };
    return h("div", props, content);
  }

  /** Selects the tab beside the current one, and focuses it. */
  #move(event: KeyboardEvent) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : undefined;
    if (step === undefined) return;
    event.preventDefault();
    const { length } = this.#list;
    this.show(this.#list[(this.#current + step + length) % length]?.name);
    this.#buttons[this.#current]?.focus();
  }

  #draw() {
    this.#buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === this.#current));
      button.tabIndex = at === this.#current ? 0 : -1;
      const panel = this.#panels[at];
      if (panel !== undefined) panel.hidden = at !== this.#current;
    });
  }
}
