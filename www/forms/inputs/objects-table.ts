// The input of a list of objects: a table, or text with one object per line for a longer list, or for any list on
// request.

import { notation, parseList, printList, type Notation } from "../../model/edit/lists.js";
import { same } from "../../model/schema.js";
import { h, linkButton } from "../../widgets/base/dom.js";
import type { Input, PathIssue } from "./input.js";
import { listInput } from "./list-inputs.js";
import { isShort, ROWS, Table, type ObjectsField } from "./table.js";

/** A table, or text if the table cannot show the list or a person prefers it. */
export class ObjectsInput implements Input {
  element;
  #field;
  #form;
  #changed;
  #table;
  #text;
  #toText;
  #current: Input;

  constructor(field: ObjectsField, changed: () => void) {
    this.#field = field;
    this.#form = notation(field);
    this.#changed = changed;
    const toTable = linkButton("As a table", () => this.#showTable());
    this.#toText = linkButton("As text", () => this.#turn(this.#text, this.#table.get(), toTable));
    this.#text = listInput(field, changed, {
      hint: `One per line: ${field.columns.join(", ")}. If a field is absent, leave its place empty.`,
      aside: toTable,
    });
    this.#table = new Table(field, changed, {
      aside: this.#toText,
      full: (value) => this.#turn(this.#text, value, this.#text.control),
    });
    this.#current = this.#table;
    this.element = h("div", { class: "contents" }, this.#table.element);
  }

  get control() {
    return this.#current.control;
  }

  get() {
    return this.#current.get();
  }

  set(value: unknown) {
    this.#put(fits(this.#form, value) ? this.#table : this.#text, value);
  }

  problems() {
    return this.#current.problems();
  }

  mark(issues: readonly PathIssue[]) {
    this.#current.mark(issues);
  }

  #put(next: Input, value: unknown) {
    this.#current = next;
    next.set(value);
    this.element.replaceChildren(next.element);
    next.mark([]);
  }

  /** Shows the value in the other input, and focuses a part of it. */
  #turn(next: Input, value: unknown, focused: HTMLElement) {
    this.#put(next, value);
    this.#changed();
    focused.focus();
  }

  /** Shows the table if it can show the text's list. Otherwise shows why it cannot. */
  #showTable() {
    const value = this.#text.get();
    const [problem] = this.#text.problems();
    if (problem === undefined && fits(this.#form, value)) this.#turn(this.#table, value, this.#toText);
    else this.#text.mark([{ path: this.#field.path, message: problem?.message ?? refusal(value) }]);
  }
}

/** Returns whether a table can show a value unchanged. */
function fits(form: Notation, value: unknown) {
  const list = value ?? [];
  return isShort(list) && same(parseList(form, printList(form, list)).items, list);
}

/** Returns why a table does not show a value. */
function refusal(value: unknown) {
  return Array.isArray(value) && !isShort(value)
    ? `A table has at most ${ROWS} rows. Edit this list as text.`
    : "A table cannot show this list. Edit it as text or as JSON.";
}
