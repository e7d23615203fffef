// A list of objects as rows of a table, which a person fills in or pastes from a spreadsheet. A longer list, or any
// list on request, is text with one object per line.

import { h } from "../widgets/dom.js";
import { plural } from "../widgets/common.js";
import { notation, parseList } from "../model/lists.js";
import { same } from "../model/schema.js";

const ROWS = 50;

/** The input for a list of objects. `frame` and `listInput` come from inputs.js, `brief` from wording.js. */
export function objectsTable(field, changed, { frame, brief, listInput }) {
  const form = notation(field);
  const swap = (label, run) => h("button", { class: "link", type: "button", onclick: run }, label);
  const toTable = swap("As a table", () => showTable());
  const toText = swap("As text", () => turn("text", table.get(), toTable));
  const text = listInput(field, changed, {
    hint: `One in a line: ${field.columns.join(", ")}. An empty place is an absent field.`,
    aside: toTable,
  });
  const table = new Table(field, changed, {
    frame,
    brief,
    aside: toText,
    full: (value) => turn("text", value, text.control),
  });
  const element = h("div", {}, table.element);
  let current = table;
  function put(next, value) {
    current = next === "table" ? table : text;
    current.set(value);
    element.replaceChildren(current.element);
    current.mark([]);
  }
  function turn(next, value, focused) {
    put(next, value);
    changed();
    focused.focus();
  }
  /** Shows the table if it can hold the text's list. Otherwise says why not. */
  function showTable() {
    const value = text.get();
    const [problem] = text.problems();
    if (problem === undefined && fits(form, value)) turn("table", value, toText);
    else text.mark([{ path: field.path, message: problem?.message ?? refusal(value) }]);
  }
  return {
    element,
    get control() {
      return current.control;
    },
    get: () => current.get(),
    set: (value) => put(fits(form, value) ? "table" : "text", value),
    problems: () => current.problems(),
    mark: (issues) => current.mark(issues),
  };
}

const isShort = (value) => Array.isArray(value) && value.length <= ROWS;

/** Returns whether a table can show a value unchanged. */
const fits = (form, value) =>
  isShort(value ?? []) && same(parseList(form, printed(form, value ?? [])).items, value ?? []);

/** Returns why a table does not show a value. */
function refusal(value) {
  return Array.isArray(value) && !isShort(value)
    ? `A table has ${ROWS} rows at most: this stays text.`
    : "A table cannot hold this as it is: edit it here, or as JSON.";
}

/** Returns the objects as text, or an empty text if the value is not a list of objects. */
function printed(form, value) {
  try {
    return form.print(value);
  } catch {
    return "";
  }
}

/** Returns whether pasted cells start in the column that has the focus. Wider rows are whole rows. */
function fromColumn(pasted, column) {
  return /[,;\t]/.test(pasted) ? pasted : pasted.replace(/^(?=.*\S)/gm, ",".repeat(column));
}

const inputsOf = (row) => [...row.querySelectorAll("input")];

class Table {
  #field;
  #form;
  #changed;
  #brief;
  #full;
  #marks;
  #tally = h("span", { class: "muted small numeric" });
  #body = h("tbody", {
    onkeydown: (event) => this.#key(event),
    onpaste: (event) => this.#paste(event),
    oninput: () => this.#changed(),
  });
  #add = h("button", { class: "button small", type: "button", onclick: () => this.#append() }, "Add a row");

  /** `full(value)` is called with a list that has too many rows for a table. */
  constructor(field, changed, { frame, brief, aside, full }) {
    this.#field = field;
    this.#form = notation(field);
    this.#changed = changed;
    this.#brief = brief;
    this.#full = full;
    const heads = [
      h("th", { scope: "col" }, "#"),
      field.columns.map((name) => h("th", { scope: "col" }, h("code", {}, name))),
      h("th", {}, h("span", { class: "visually-hidden" }, "Remove")),
    ];
    const table = h("table", { class: "cells" }, h("thead", {}, h("tr", {}, heads)), this.#body);
    const box = h("div", { class: "stack tight", role: "group" }, table, h("div", {}, this.#add));
    const framed = frame(field, box, {
      hint: "Cells can be pasted from a spreadsheet. An empty cell is an absent field.",
      aside: [this.#tally, aside],
      legend: true,
    });
    this.element = framed.element;
    this.#marks = framed.marks;
  }

  get control() {
    return this.#body.querySelector("input") ?? this.#add;
  }

  get() {
    return [...this.#body.rows].map((row) => this.#read(row));
  }

  set(value) {
    this.#body.replaceChildren();
    for (const item of value ?? []) this.#insert(this.#body.rows.length, item);
    this.#renumber();
  }

  problems() {
    return [];
  }

  mark(issues) {
    for (const input of inputsOf(this.#body)) input.removeAttribute("aria-invalid");
    this.#marks(issues.map((issue) => this.#markOf(issue)));
  }

  #markOf(issue) {
    const { path } = issue;
    const [index, name] = path.slice(this.#field.path.length);
    const row = this.#body.rows[index];
    if (row === undefined) return { text: this.#brief(issue) };
    const cell = inputsOf(row).find((input) => name === undefined || input.dataset.column === name);
    cell?.setAttribute("aria-invalid", "true");
    return {
      text: `Row ${index + 1}${name === undefined ? "" : `, ${name}`}: ${this.#brief(issue)}`,
      show: cell && (() => cell.focus()),
    };
  }

  /** Returns a row's object. A separator inside a cell does not start a new cell. */
  #read(row) {
    const line = inputsOf(row)
      .map((input) => input.value.replace(/[,;\t]/g, " "))
      .join(",");
    return parseList(this.#form, line).items[0] ?? {};
  }

  #insert(at, item = {}) {
    const cells = this.#field.columns.map((name) =>
      h(
        "td",
        {},
        h("input", {
          class: "mono",
          inputmode: "decimal",
          autocomplete: "off",
          value: item[name] ?? "",
          dataset: { column: name },
        }),
      ),
    );
    const remove = h("button", { class: "button quiet small", type: "button", onclick: () => this.#remove(row) }, "✕");
    const row = h("tr", {}, h("th", { scope: "row", class: "muted numeric" }), cells, h("td", {}, remove));
    this.#body.insertBefore(row, this.#body.rows[at] ?? null);
    return row;
  }

  #append() {
    if (this.#body.rows.length >= ROWS) return this.#full([...this.get(), {}]);
    const row = this.#insert(this.#body.rows.length);
    inputsOf(row)[0].focus();
    this.#told();
  }

  #remove(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (next === null ? this.#add : inputsOf(next)[0]).focus();
    this.#told();
  }

  #told() {
    this.#renumber();
    this.#changed();
  }

  #renumber() {
    [...this.#body.rows].forEach((row, at) => {
      row.cells[0].textContent = at + 1;
      for (const input of inputsOf(row)) input.setAttribute("aria-label", `Row ${at + 1}, ${input.dataset.column}`);
      row.querySelector("button").setAttribute("aria-label", `Remove row ${at + 1}`);
    });
    this.#tally.textContent = plural(this.#body.rows.length, "item");
  }

  /** Enter moves down the column, and adds a row at the end. Ctrl+Enter saves. */
  #key(event) {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) return;
    const row = event.target.closest("tr");
    const column = inputsOf(row).indexOf(event.target);
    const next = row.nextElementSibling;
    if (next === null && this.#body.rows.length >= ROWS) return this.#append();
    inputsOf(next ?? this.#insert(this.#body.rows.length))[column].focus();
    if (next === null) this.#told();
  }

  #paste(event) {
    const pasted = event.clipboardData.getData("text");
    if (!/[\t\n]/.test(pasted.trim())) return;
    event.preventDefault();
    const row = event.target.closest("tr");
    const empty = inputsOf(row).every((input) => input.value === "");
    const { items, problems } = parseList(this.#form, fromColumn(pasted, inputsOf(row).indexOf(event.target)));
    // The table would lose columns that it does not have.
    if (problems.length > 0) return this.#marks([{ text: `Nothing was pasted: ${problems[0].message}` }]);
    if (this.#body.rows.length - (empty ? 1 : 0) + items.length > ROWS) {
      const value = this.get();
      value.splice(row.sectionRowIndex + (empty ? 0 : 1), empty ? 1 : 0, ...items);
      return this.#full(value);
    }
    const rows = items.map((item, at) => this.#insert(row.sectionRowIndex + 1 + at, item));
    if (empty && items.length > 0) row.remove();
    inputsOf(rows.at(-1) ?? row)[0].focus();
    this.#told();
  }
}
