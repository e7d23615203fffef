// A list of objects as rows of a table, which a person fills in and pastes into from a spreadsheet; beyond some rows, or
// when asked, as text with one object in a line.

import { h } from "./dom.js";
import { plural } from "./parts.js";
import { notation, parseList } from "./lists.js";
import { same } from "./schema.js";

const ROWS = 50;

/** The input for a list of objects; `frame` and `listInput` are those of inputs.js. */
export function objectsTable(field, changed, { frame, listInput }) {
  const form = notation(field);
  const swap = (label, run) => h("button", { class: "link", type: "button", onclick: run }, label);
  const toTable = swap("As a table", () => show("table"));
  const text = listInput(field, changed, { hint: `One in a line: ${field.columns.join(", ")}. An empty place is an absent field.`, aside: toTable });
  const table = tableOf(field, changed, { frame, aside: swap("As text", () => show("text")) });
  const element = h("div", {});
  let mode;
  let current = table;
  function show(next, value = current.get()) {
    put(next, value);
    changed();
  }
  function put(next, value) {
    mode = next;
    current = mode === "table" ? table : text;
    current.set(value);
    toTable.hidden = Array.isArray(value) && value.length > ROWS;
    element.replaceChildren(current.element);
    api.control = current.control;
    api.mark([]);
  }
  const fits = (value) => !Array.isArray(value) || (value.length <= ROWS && same(parseList(form, printed(form, value)).items, value));
  const api = {
    element,
    control: undefined,
    get: () => current.get(),
    set: (value) => put(fits(value) ? "table" : "text", value),
    problems: () => (mode === "text" ? text.problems() : []),
    mark: (issues) => current.mark(issues),
  };
  element.append(table.element);
  return api;
}

function printed(form, value) {
  try {
    return form.print(value);
  } catch {
    return "";
  }
}

function tableOf(field, changed, { frame, aside }) {
  const form = notation(field);
  const tally = h("span", { class: "muted small numeric" });
  const body = h("tbody", {});
  const head = h("thead", {}, h("tr", {}, [h("th", { scope: "col" }, "#"), field.columns.map((name) => h("th", { scope: "col" }, h("code", {}, name))), h("th", {}, h("span", { class: "visually-hidden" }, "Remove"))]));
  const add = h("button", { class: "button small", type: "button", onclick: addRow }, "Add a row");
  const box = h("div", { class: "stack tight", role: "group" }, h("table", { class: "cells" }, head, body), h("div", {}, add));
  const { element, marks } = frame(field, box, { hint: "Cells can be pasted from a spreadsheet. An empty cell is an absent field.", aside: [tally, aside], legend: true });
  const cellOf = (row, at = 0) => row.querySelectorAll("input")[at];

  function insert(at, item = {}) {
    const cells = field.columns.map((name) => h("td", {}, h("input", { class: "mono", inputmode: "decimal", autocomplete: "off", value: item[name] ?? "", dataset: { column: name } })));
    const remove = h("button", { class: "button quiet small", type: "button" }, "✕");
    const row = h("tr", {}, h("th", { scope: "row", class: "muted numeric" }), cells, h("td", {}, remove));
    remove.addEventListener("click", () => {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      (next === null ? add : cellOf(next)).focus();
      renumber();
      changed();
    });
    body.insertBefore(row, body.rows[at] ?? null);
    renumber();
    return row;
  }

  function addRow() {
    cellOf(insert(body.rows.length)).focus();
    changed();
  }

  function renumber() {
    [...body.rows].forEach((row, at) => {
      row.cells[0].textContent = at + 1;
      row.querySelectorAll("input").forEach((input) => input.setAttribute("aria-label", `Row ${at + 1}, ${input.dataset.column}`));
      row.querySelector("button").setAttribute("aria-label", `Remove row ${at + 1}`);
    });
    tally.textContent = plural(body.rows.length, "item");
  }

  body.addEventListener("input", changed);
  body.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr");
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    // Ctrl with Enter saves.
    if (event.ctrlKey || event.metaKey) return;
    const last = row.nextElementSibling === null;
    cellOf(last ? insert(body.rows.length) : row.nextElementSibling, [...row.querySelectorAll("input")].indexOf(event.target)).focus();
    if (last) changed();
  });
  body.addEventListener("paste", (event) => {
    const pasted = event.clipboardData.getData("text");
    if (!/[\t\n]/.test(pasted.trim())) return;
    event.preventDefault();
    const row = event.target.closest("tr");
    const empty = [...row.querySelectorAll("input")].every((input) => input.value === "");
    const { items } = parseList(form, pasted);
    items.forEach((item, at) => insert(row.sectionRowIndex + 1 + at, item));
    if (empty && items.length > 0) row.remove();
    renumber();
    changed();
  });

  return {
    element,
    get control() {
      return body.querySelector("input") ?? add;
    },
    get: () => [...body.rows].map((row) => parseList(form, `${[...row.querySelectorAll("input")].map((input) => input.value.replace(/[,;\t]/g, " ")).join(",")}`).items[0] ?? {}),
    set(value) {
      body.replaceChildren();
      for (const item of value ?? []) insert(body.rows.length, item);
      renumber();
    },
    problems: () => [],
    mark(issues) {
      for (const input of body.querySelectorAll("input")) input.removeAttribute("aria-invalid");
      marks(
        issues.map(({ path, message }) => {
          const [index, name] = path.slice(field.path.length);
          const row = body.rows[index];
          const cell = row && (name === undefined ? cellOf(row) : [...row.querySelectorAll("input")].find((input) => input.dataset.column === name));
          cell?.setAttribute("aria-invalid", "true");
          return { text: `${row ? `Row ${index + 1}, ${name ?? "row"}: ` : ""}${message.replace(/^Malformed (field|item of) '[^']*': /, "")}`, show: cell ? () => cell.focus() : undefined };
        }),
      );
    },
  };
}
