// A list whose items a person adds, moves, and removes by mouse or keyboard.

import { button, h, type Child } from "../../widgets/base/dom.js";

interface OrderedListOptions<Item> {
  /** Returns the name of an item in sentences and labels, by its number: `action 1`. */
  name: (number: number) => string;
  /** What is shown without items. */
  empty: Child;
  /** Returns the content of an item: what is beside its buttons, and what is below. */
  view: (item: Item, at: number) => { head: Child; label: string; body: Child };
  /** Called after a change of the items or their order. */
  changed: () => void;
  /** The element that gets the focus if there is no item. */
  add: HTMLElement;
}

export class OrderedList<Item> {
  items: Item[] = [];
  element;
  #options;
  #list = h("ol", { class: "actions stack" });
  #announcement = h("p", { class: "visually-hidden", role: "status" });

  constructor(options: OrderedListOptions<Item>) {
    this.#options = options;
    this.element = h("div", this.#list, this.#announcement);
    this.#draw();
  }

  set(items: readonly Item[]) {
    this.items = [...items];
    this.#draw();
  }

  append(item: Item) {
    this.items.push(item);
    this.#update(this.items.length - 1, `${this.#title(this.items.length)} was added.`);
  }

  /** Returns the name of an item at the start of a sentence. */
  #title(number: number) {
    const name = this.#options.name(number);
    return name.charAt(0).toUpperCase() + name.slice(1);
  }

  #draw() {
    const empty = h("li", { class: "muted" }, this.#options.empty);
    const items = this.items.map((item, at) => this.#item(item, at));
    this.#list.replaceChildren(...(items.length === 0 ? [empty] : items));
  }

  /**
   * Draws the list, reports a change, and focuses the element `what` of an item, or the item's first enabled button.
   */
  #update(at: number, announcement: string, what = "textarea, input, select") {
    this.#draw();
    this.#options.changed();
    const item = this.#list.children[at];
    const target = item?.querySelector<HTMLElement>(what) ?? item?.querySelector<HTMLElement>("button:enabled");
    (target ?? this.#options.add).focus();
    this.#announcement.textContent = announcement;
  }

  #move(from: number, to: number, what?: string) {
    if (to < 0 || to >= this.items.length) return;
    this.items.splice(to, 0, ...this.items.splice(from, 1));
    this.#update(to, `${this.#title(from + 1)} is now number ${to + 1} of ${this.items.length}.`, what);
  }

  #remove(at: number) {
    this.items.splice(at, 1);
    this.#update(Math.min(at, this.items.length - 1), `${this.#title(at + 1)} was removed.`);
  }

  #item(item: Item, at: number) {
    const { head, label, body } = this.#options.view(item, at);
    return h(
      "li",
      {
        class: "card stack near action",
        "aria-label": label,
        onkeydown: (event) => this.#shortcut(event, at),
      },
      h("div", { class: "row" }, head, h("span", { class: "toolbar" }, this.#buttons(at))),
      body,
    );
  }

  /** The buttons of an item. */
  #buttons(at: number) {
    const name = this.#options.name(at + 1);
    const one = (sign: string, what: string, label: string, run: () => void, disabled = false) =>
      button(sign, run, "quiet small", { "aria-label": label, dataset: { do: what }, disabled });
    const move = (sign: string, what: string, to: number) => {
      const run = () => this.#move(at, to, `[data-do="${what}"]:enabled`);
      return one(sign, what, `Move ${name} ${what}`, run, to < 0 || to >= this.items.length);
    };
    const remove = one("✕", "remove", `Remove ${name}`, () => this.#remove(at));
    return [move("↑", "up", at - 1), move("↓", "down", at + 1), remove];
  }

  #shortcut(event: KeyboardEvent, at: number) {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
    if (!event.altKey || step === undefined || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    // The items of an inner list move inside of it.
    event.stopPropagation();
    const { do: what } = event.target.dataset;
    this.#move(at, at + step, what === undefined ? undefined : `[data-do="${what}"]:enabled`);
  }
}
