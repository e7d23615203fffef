// The input of a list of texts: a chip for each, and a box for the next one. A longer list, or one that has something
// else, is edited as text.

import { hintOf, labelOf } from "../../model/wording.js";
import { crossButton, h } from "../../widgets/base/dom.js";
import { labeled } from "../../widgets/base/labeled.js";
import type { FormField, Input, PathIssue } from "./input.js";
import { isEmptyList, itemsOf, listInput, ofItem } from "./list-inputs.js";

/** The maximum number of chips. */
const MOST = 100;

const isShown = (value: unknown) =>
  Array.isArray(value) && value.length <= MOST && value.every((item) => typeof item === "string");

/** Enter adds the typed text. A press on a chip takes it back into the box. */
export class Chips implements Input {
  element = h("div", { class: "contents" });
  #field;
  #changed;
  #text;
  #frame;
  #list = h("ul", { class: "contents" });
  #entry: HTMLTextAreaElement;
  #items: string[] = [];
  /** The place of the text in the box. */
  #at = 0;
  #wasEmpty = false;

  constructor(field: FormField, changed: () => void) {
    this.#field = field;
    this.#changed = changed;
    this.#text = listInput(field, changed);
    this.#entry = h("textarea", {
      rows: 1,
      "aria-label": labelOf(field),
      placeholder: "Add …",
      autocomplete: "off",
      enterkeyhint: "enter",
      oninput: changed,
      onblur: () => this.#take(),
      onkeydown: (event) => this.#key(event),
      onpaste: (event) => this.#paste(event),
    });
    const box = h("div", { class: "chips", role: "group" }, this.#list, this.#entry);
    this.#frame = labeled(field, box, { hint: hintOf(field), isGroup: true });
    this.set(undefined);
  }

  get control() {
    return this.#isText ? this.#text.control : this.#entry;
  }

  get() {
    return this.#isText ? this.#text.get() : itemsOf(this.#field, this.#all(), this.#wasEmpty);
  }

  set(value: unknown) {
    this.#wasEmpty = isEmptyList(value);
    this.#entry.value = "";
    if (isShown(value ?? [])) {
      this.#items = [...((value ?? []) as string[])];
      this.#at = this.#items.length;
      this.#list.replaceChildren(...this.#items.map((item) => this.#chip(item)));
      this.element.replaceChildren(this.#frame.element);
    } else {
      this.#text.set(value);
      this.element.replaceChildren(this.#text.element);
    }
  }

  problems() {
    return this.#isText ? this.#text.problems() : [];
  }

  mark(issues: readonly PathIssue[]) {
    if (this.#isText) return this.#text.mark(issues);
    const chips = [...this.#list.children];
    const wrong = new Set(issues.map(({ path }) => path[this.#field.path.length]));
    for (const [at, chip] of chips.entries()) chip.classList.toggle("invalid", wrong.has(at));
    const show = (index: number) => () => (chips[index]?.querySelector<HTMLElement>("button") ?? this.#entry).focus();
    this.#frame.mark(issues.map((issue) => ofItem(this.#field, issue, this.#all(), show)));
  }

  get #isText() {
    return this.element.contains(this.#text.element);
  }

  /** Returns the items, with the text in the box at its place. */
  #all() {
    const { value } = this.#entry;
    const at = this.#at;
    return value.trim() === "" ? this.#items : [...this.#items.slice(0, at), value, ...this.#items.slice(at)];
  }

  /** Makes a chip of the text in the box. */
  #take() {
    const { value } = this.#entry;
    if (value.trim() === "") return;
    this.#entry.value = "";
    this.#insert([value]);
  }

  #insert(items: readonly string[]) {
    const next = this.#list.children[this.#at] ?? null;
    this.#items.splice(this.#at, 0, ...items);
    this.#at = this.#items.length;
    // The other chips remain: a person may be pressing one.
    for (const item of items) this.#list.insertBefore(this.#chip(item), next);
    this.#changed();
  }

  #chip(item: string) {
    const name = item.trim() === "" ? "empty text" : item;
    const edit = () => {
      this.#take();
      this.#at = this.#remove(chip);
      this.#entry.value = item;
      this.#entry.focus();
    };
    const remove = () => {
      const at = this.#remove(chip);
      if (at < this.#at) this.#at -= 1;
      this.#changed();
      this.#entry.focus();
    };
    const chip: HTMLElement = h(
      "li",
      h("button", { type: "button", "aria-label": `Edit ${name}`, onclick: edit }, name),
      crossButton(`Remove ${name}`, remove),
    );
    return chip;
  }

  /** Removes a chip, and returns its place. */
  #remove(chip: HTMLElement) {
    const at = [...this.#list.children].indexOf(chip);
    this.#items.splice(at, 1);
    chip.remove();
    return at;
  }

  #key(event: KeyboardEvent) {
    const { key, shiftKey, ctrlKey, metaKey, isComposing } = event;
    if (isComposing || ctrlKey || metaKey) return;
    if (key === "Enter" && !shiftKey) {
      event.preventDefault();
      this.#take();
    } else if (key === "Backspace" && this.#entry.value === "") {
      event.preventDefault();
      this.#list.querySelector<HTMLElement>("li:last-child > button")?.click();
    }
  }

  /** Each pasted line is an item. */
  #paste(event: ClipboardEvent) {
    const lines = (event.clipboardData?.getData("text") ?? "").split(/\r?\n/).filter((line) => line.trim() !== "");
    if (lines.length < 2) return;
    event.preventDefault();
    this.#take();
    if (this.#items.length + lines.length <= MOST) return this.#insert(lines);
    this.set([...this.#items, ...lines]);
    this.#changed();
    this.control.focus();
  }
}
