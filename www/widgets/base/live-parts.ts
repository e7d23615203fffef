// Brings what is shown up to date, part by part: what is the same stays as it is, with its focus and its state.

import type { Resource } from "../../pkg/browser.js";
import type { Changes } from "../../state/live.js";
import { button, debounce, h } from "./dom.js";

/** How long a change is marked, in milliseconds; the style sheet fades it. */
const MARK_MS = 4000;
/** Changes are announced after a quiet time of so many milliseconds. */
const QUIET_MS = 2000;
const FOCUSABLE = "a, button, input, select";

const marked = new WeakMap<Element, number>();

/** Marks an element as changed for a moment. */
export function mark(element: Element) {
  clearTimeout(marked.get(element));
  element.classList.add("changed");
  marked.set(
    element,
    window.setTimeout(() => element.classList.remove("changed"), MARK_MS),
  );
}

/**
 * Replaces the parts of an element, those that match a selector, which differ from the parts of a new one. Replaces the
 * whole content if the number of parts has changed. Returns the new parts.
 */
export function renew(old: Element, next: Element, selector: string): Element[] {
  const parts = [...old.querySelectorAll(selector)];
  const nextParts = [...next.querySelectorAll(selector)];
  // A mark is no difference.
  for (const part of parts) part.classList.remove("changed");
  if (parts.length !== nextParts.length) {
    replace(old, () => old.replaceChildren(...next.childNodes), old);
    return nextParts.filter((part) => !parts.some((one) => one.isEqualNode(part)));
  }
  return nextParts.filter((part, at) => {
    const before = parts[at];
    if (before === undefined || before.isEqualNode(part)) return false;
    replace(before, () => before.replaceWith(part), part);
    return true;
  });
}

/** Replaces an element's content, and moves the focus from there to the same place of the new one. */
function replace(old: Element, run: () => void, next: Element) {
  const at = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement as Element);
  run();
  if (at >= 0) next.querySelectorAll<HTMLElement>(FOCUSABLE)[at]?.focus({ preventScroll: true });
}

interface Options {
  /** Returns the row of a resource. Its name is in an element of the class `name`. */
  row: (resource: Resource) => HTMLElement;
  /** Selects the parts of a row. */
  parts: string;
  /** Loads the page again. */
  load: () => Promise<unknown>;
}

type Row = { element: HTMLElement; resource: Resource; isGone: boolean };

/**
 * The rows of a page of resources. While others write, no row moves and none disappears: what this cannot show is
 * behind the button of `news`.
 */
export class LiveRows {
  news = h("span", { role: "status" });
  #options;
  #list: HTMLElement | undefined;
  #rows = new Map<string, Row>();
  /** The resources of the page that have no row. */
  #others: string[] = [];
  #show = button("", () => this.#load(), "small");
  #said = h("span", { class: "visually-hidden" });
  #say = debounce(() => (this.#said.textContent = "The list was updated."), QUIET_MS);

  constructor(options: Options) {
    this.#options = options;
    this.#show.hidden = true;
    this.news.append(this.#show, this.#said);
  }

  /** The shown resources that the page still has. */
  get resources() {
    return [...this.#rows.values()].flatMap(({ resource, isGone }) => (isGone ? [] : resource));
  }

  /** Puts the rows of a page into an element. Without one, there are none. */
  start(list?: HTMLElement, results: readonly Resource[] = []) {
    this.#list = list;
    this.#rows.clear();
    this.#show.hidden = true;
    this.#say.stop();
    this.#said.textContent = "";
    for (const resource of results) this.#add(resource);
  }

  /**
   * Shows the newest state of the page: marks rows that have changed, strikes out those that have gone, and adds those
   * that follow the last one. Returns false if there are no rows to begin with.
   */
  update(results: readonly Resource[], changes: Changes) {
    if (this.#list === undefined) return false;
    const newest = new Map(results.map((resource) => [resource.id, resource]));
    for (const [id, row] of this.#rows) {
      const resource = newest.get(id);
      if (resource !== undefined) this.#renew(row, resource);
      else if (changes === undefined || changes.has(id)) this.#strike(row, changes?.get(id) === "deleted");
    }
    const shown = this.resources;
    const isInOrder = shown.every(({ id }, at) => results[at]?.id === id);
    if (isInOrder) for (const resource of results.slice(shown.length)) this.#mark(this.#add(resource));
    this.#others = results.flatMap(({ id }) => (this.#rows.has(id) ? [] : id));
    const label = this.#others.length === 0 ? "Changed order: show" : `${this.#others.length} new: show`;
    // A text that is set again may be announced again.
    if (this.#show.textContent !== label) this.#show.textContent = label;
    this.#show.hidden = isInOrder;
    return true;
  }

  /** Loads the page, and marks what had no row. */
  async #load() {
    const others = this.#others;
    await this.#options.load();
    for (const id of others) {
      const row = this.#rows.get(id);
      if (row !== undefined) mark(row.element);
    }
    // The button is hidden now.
    this.#rows.values().next().value?.element.querySelector<HTMLElement>(".name")?.focus();
  }

  #add(resource: Resource) {
    const element = this.#options.row(resource);
    this.#rows.set(resource.id, { element, resource, isGone: false });
    this.#list?.append(element);
    return element;
  }

  #mark(element: HTMLElement) {
    mark(element);
    this.#say();
  }

  #renew(row: Row, resource: Resource) {
    if (!row.isGone && row.resource.version === resource.version) return;
    row.element.classList.remove("gone");
    Object.assign(row, { resource, isGone: false });
    renew(row.element, this.#options.row(resource), this.#options.parts);
    this.#mark(row.element);
  }

  /** Strikes out a row. It cannot be selected any longer. */
  #strike(row: Row, isDeleted: boolean) {
    if (row.isGone) return;
    row.isGone = true;
    row.element.classList.add("gone");
    const why = h("span", { class: "gone-why" }, isDeleted ? "deleted " : "no longer here ");
    row.element.querySelector(".name .clip")?.prepend(why);
    for (const box of row.element.querySelectorAll("input")) Object.assign(box, { checked: false, disabled: true });
    this.#mark(row.element);
  }
}
