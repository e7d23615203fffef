// The rows of a page that stays current.

import type { Resource } from "../../pkg/browser.js";
import type { LiveChange } from "../../pkg/live.js";
import { button, debounce, h } from "../base/dom.js";
import { keepFocus, mark, renew } from "../base/renew.js";

/** Changes are announced after a quiet time of so many milliseconds. */
const QUIET_MS = 2000;

interface LiveRowsOptions {
  /** Returns the row of a resource. Its name is in an element of the class `name`. */
  row: (resource: Resource) => HTMLElement;
  /** Selects the parts of a row. */
  parts: string;
  /** Loads the page again. */
  load: () => Promise<unknown>;
}

/** `change`: the last one of its resource that the shown version does not have. */
type ShownRow = { element: HTMLElement; resource: Resource; isGone: boolean; change?: LiveChange | undefined };

/**
 * The rows of a page of resources. While others write, no row moves and none disappears: what this cannot show is
 * behind the button of `news`.
 */
export class LiveRows {
  news = h("span", { role: "status" });
  #options;
  #list: HTMLElement | undefined;
  #rows = new Map<string, ShownRow>();
  /** The IDs of the newest page. */
  #newest = new Set<string>();
  #show = button("", () => this.#load(), "small");
  #said = h("span", { class: "visually-hidden" });
  #say = debounce(() => (this.#said.textContent = "The list was updated."), QUIET_MS);

  constructor(options: LiveRowsOptions) {
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
    this.#newest = new Set(results.map(({ id }) => id));
    this.#show.hidden = true;
    this.#say.stop();
    this.#said.textContent = "";
    for (const resource of results) this.#add(resource);
  }

  /** Keeps what has happened to a resource. Without that, others may have moved it to another page. */
  note(change: LiveChange | undefined) {
    if (change === undefined) {
      // What is known may be of the time before a restore.
      for (const row of this.#rows.values()) row.change = undefined;
      return;
    }
    const row = this.#rows.get(change.id);
    if (row === undefined || isIn(row.resource, change)) return;
    row.change = change;
    // The page may have been read after the change.
    if (!this.#newest.has(change.id)) this.#strike(row);
  }

  /**
   * Shows the newest state of the page: marks rows that have changed, strikes out those that have left the list, and
   * adds those that follow the last one. Returns false if there are no rows to begin with.
   */
  update(results: readonly Resource[]) {
    if (this.#list === undefined) return false;
    this.#newest = new Set(results.map(({ id }) => id));
    for (const resource of results) {
      const row = this.#rows.get(resource.id);
      if (row !== undefined) this.#renew(row, resource);
    }
    for (const [id, row] of this.#rows) if (!this.#newest.has(id)) this.#strike(row);
    const shown = this.resources;
    const isInOrder = shown.every(({ id }, at) => results[at]?.id === id);
    if (isInOrder) for (const resource of results.slice(shown.length)) this.#mark(this.#add(resource));
    const { length } = this.#others;
    const label = length === 0 ? "List changed: show" : `${length} new: show`;
    // A text that is set again may be announced again.
    if (this.#show.textContent !== label) this.#show.textContent = label;
    const isFocused = this.#show === document.activeElement;
    this.#show.hidden = isInOrder;
    if (isInOrder && isFocused) this.#focusFirst();
    return true;
  }

  /** The resources of the page that have no row. */
  get #others() {
    return [...this.#newest].filter((id) => !this.#rows.has(id));
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
    this.#focusFirst();
  }

  #focusFirst() {
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

  #renew(row: ShownRow, resource: Resource) {
    if (row.change && isIn(resource, row.change)) row.change = undefined;
    if (!row.isGone && row.resource.version === resource.version) return;
    row.element.classList.remove("gone");
    Object.assign(row, { resource, isGone: false });
    renew(row.element, this.#options.row(resource), this.#options.parts);
    this.#mark(row.element);
  }

  /** Strikes out a row that the page lacks because its resource has changed. It cannot be selected any longer. */
  #strike(row: ShownRow) {
    const { element, change, isGone } = row;
    if (isGone || change === undefined) return;
    row.isGone = true;
    element.classList.add("gone");
    const why = h("span", { class: "gone-why" }, change.type === "delete" ? "deleted " : "no longer here ");
    element.querySelector(".name .clip")?.prepend(why);
    keepFocus(element, () => {
      for (const box of element.querySelectorAll("input")) Object.assign(box, { checked: false, disabled: true });
    });
    this.#mark(element);
  }
}

/** Returns whether a resource has a change. One that was deleted may exist again, with a later version. */
const isIn = ({ version }: Resource, change: LiveChange) =>
  (change.type === "set" && change.resource.version <= version) ||
  (change.type === "delete" && change.version < version);
