// The table of a list of objects: a row for each, which a person fills in or pastes from a spreadsheet.

import { notation, parseList } from "../../model/edit/lists.js";
import type { ObjectsKind } from "../../model/schema.js";
import { aboutOf, describeIssue, hintOf, labelOf } from "../../model/wording.js";
import { button, h, tableHead, type Child } from "../../widgets/base/dom.js";
import { plural } from "../../widgets/base/format.js";
import { fieldLabel, labeled } from "../../widgets/base/labeled.js";
import type { FormField, Input, PathIssue } from "./input.js";
import { isEmptyList, itemsOf } from "./list-inputs.js";

export type ObjectsField = FormField & ObjectsKind;
type TableItem = { [column: string]: unknown };

/** The maximum number of rows of a table. */
export const ROWS = 50;

export const isShort = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= ROWS;

/** Returns pasted cells that start in the column that has the focus. Wider rows are complete rows. */
function fromColumn(pasted: string, column: number) {
  return /[,;\t]/.test(pasted) ? pasted : pasted.replace(/^(?=.*\S)/gm, ",".repeat(column));
}

const inputsOf = (row: HTMLElement) => [...row.querySelectorAll("input")];

export class Table implements Input {
  element;
  #field;
  #form;
  #changed;
  #full;
  #mark;
  #wasEmpty = false;
  #tally = h("span", { class: "muted small numeric" });
  #body: HTMLTableSectionElement = h("tbody", {
    onkeydown: (event) => this.#key(event),
    onpaste: (event) => this.#paste(event),
    oninput: () => this.#changed(),
  });
  #add = button("Add a row", () => this.#append(), "small");

  /** `full(value)` is called with a list that has too many rows for a table. */
  constructor(
    field: ObjectsField,
    changed: () => void,
    { aside, full }: { aside: Child; full: (value: TableItem[]) => void },
  ) {
    this.#field = field;
    this.#form = notation(field);
    this.#changed = changed;
    this.#full = full;
    const names = field.fields.map(fieldLabel);
    const head = tableHead("#", ...names, h("span", { class: "visually-hidden" }, "Remove"));
    const table = h("table", { class: "cells" }, head, this.#body);
    const box = h("div", { class: "stack tight", role: "group" }, table, h("div", this.#add));
    const frame = labeled(field, box, {
      hint: [hintOf(field), "You can paste cells from a spreadsheet."].filter(Boolean).join(" "),
      aside: [this.#tally, aside],
      isGroup: true,
    });
    this.element = frame.element;
    this.#mark = frame.mark;
  }

  get control() {
    return this.#body.querySelector("input") ?? this.#add;
  }

  get() {
    return itemsOf(this.#field, this.#items(), this.#wasEmpty);
  }

  set(value: unknown) {
    this.#wasEmpty = isEmptyList(value);
    this.#body.replaceChildren();
    for (const item of isShort(value) ? value : []) this.#insert(this.#body.rows.length, item as TableItem);
    this.#renumber();
  }

  problems() {
    return [];
  }

  mark(issues: readonly PathIssue[]) {
    for (const input of inputsOf(this.#body)) input.removeAttribute("aria-invalid");
    this.#mark(issues.map((issue) => this.#markOf(issue)));
  }

  #markOf(issue: PathIssue) {
    const [index, name] = issue.path.slice(this.#field.path.length);
    const row = typeof index === "number" ? this.#body.rows[index] : undefined;
    const column = this.#field.fields.find((one) => one.name === name);
    const text = describeIssue(issue, aboutOf(column));
    if (row === undefined) return { text };
    const cell = inputsOf(row).find((input) => name === undefined || input.dataset.column === name);
    cell?.setAttribute("aria-invalid", "true");
    return {
      text: `Row ${row.sectionRowIndex + 1}${column ? `, ${labelOf(column)}` : ""}: ${text}`,
      show: cell && (() => cell.focus()),
    };
  }

  #items() {
    return [...this.#body.rows].map((row) => this.#read(row));
  }

  /** Returns a row's object. A separator inside a cell does not start a new cell. */
  #read(row: HTMLElement): TableItem {
    const line = inputsOf(row)
      .map((input) => input.value.replace(/[,;\t]/g, " "))
      .join(",");
    return (parseList(this.#form, line).items[0] ?? {}) as TableItem;
  }

  #insert(at: number, item: TableItem = {}) {
    const cells = this.#field.fields.map((field) => {
      const { name } = field;
      const props = { inputmode: "decimal", autocomplete: "off", value: item[name] ?? "" };
      return h("td", h("input", { ...props, dataset: { column: name, label: labelOf(field) } }));
    });
    const remove = button("✕", () => this.#remove(row), "quiet small");
    const row: HTMLTableRowElement = h("tr", h("th", { scope: "row", class: "muted numeric" }), cells, h("td", remove));
    this.#body.insertBefore(row, this.#body.rows[at] ?? null);
    return row;
  }

  #append() {
    if (this.#body.rows.length >= ROWS) return this.#full([...this.#items(), {}]);
    const row = this.#insert(this.#body.rows.length);
    inputsOf(row)[0]?.focus();
    this.#rowsChanged();
  }

  #remove(row: HTMLTableRowElement) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (next?.querySelector("input") ?? this.#add).focus();
    this.#rowsChanged();
  }

  #rowsChanged() {
    this.#renumber();
    this.#changed();
  }

  #renumber() {
    [...this.#body.rows].forEach((row, at) => {
      const [head] = row.cells;
      if (head !== undefined) head.textContent = String(at + 1);
      for (const input of inputsOf(row)) input.setAttribute("aria-label", `Row ${at + 1}, ${input.dataset.label}`);
      row.querySelector("button")?.setAttribute("aria-label", `Remove row ${at + 1}`);
    });
    this.#tally.textContent = plural(this.#body.rows.length, "item");
  }

  /** Enter moves down the column, and adds a row at the end. Ctrl+Enter saves. */
  #key(event: KeyboardEvent) {
    const { target } = event;
    if (event.key !== "Enter" || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) return;
    const row = target.closest("tr");
    if (row === null) return;
    const column = inputsOf(row).indexOf(target);
    const next = row.nextElementSibling;
    if (next === null && this.#body.rows.length >= ROWS) return this.#append();
    const below = next instanceof HTMLElement ? next : this.#insert(this.#body.rows.length);
    inputsOf(below)[column]?.focus();
    if (next === null) this.#rowsChanged();
  }

  #paste(event: ClipboardEvent) {
    const pasted = event.clipboardData?.getData("text") ?? "";
    const { target } = event;
    const row = target instanceof HTMLInputElement ? target.closest("tr") : null;
    if (!/[\t\n]/.test(pasted.trim()) || row === null || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const isEmpty = inputsOf(row).every((input) => input.value === "");
    const list = parseList(this.#form, fromColumn(pasted, inputsOf(row).indexOf(target)));
    const items = list.items as TableItem[];
    const [problem] = list.problems;
    // Columns that the table does not have would be lost.
    if (problem !== undefined) return this.#mark([{ text: `Nothing was pasted: ${problem.message}` }]);
    if (this.#body.rows.length - (isEmpty ? 1 : 0) + items.length > ROWS) {
      const value = this.#items();
      value.splice(row.sectionRowIndex + (isEmpty ? 0 : 1), isEmpty ? 1 : 0, ...items);
      return this.#full(value);
    }
    const rows = items.map((item, at) => this.#insert(row.sectionRowIndex + 1 + at, item));
    if (isEmpty && items.length > 0) row.remove();
    inputsOf(rows.at(-1) ?? row)[0]?.focus();
    this.#rowsChanged();
  }
}
