// The items of a list: chips, a table of objects, and charts of many numbers.

import { innermost, moved, valueAt, type Field, type ObjectsKind } from "../../model/schema.js";
import { labelOf } from "../../model/wording.js";
import { figures, histogram, sparkline } from "./charts.js";
import { button, framedTable, h, mount, tableHead, type Child } from "../base/dom.js";
import { count } from "../base/format.js";
import { singleView } from "./single.js";

const SHOWN = 24;
// A longer list would make the page slow; its JSON has all items.
const MAX_ITEMS = 5000;
/** Fewer numbers are read faster than a chart. */
const CHARTED = 10;

/** The items of a list by the kind of its field. */
export function listView(field: Field, items: readonly unknown[]): Child {
  const name = labelOf(field);
  if (field.kind === "objects") return itemTable(field, name, items);
  const chips = chipsOf(field, items);
  if (field.kind !== "numbers" || items.length < CHARTED) return chips;
  const numbers = items.filter((item) => typeof item === "number");
  const charts = [sparkline(numbers, { name }), histogram(numbers, { name })];
  return [h("figure", { class: "plots" }, charts, figures(numbers)), chips];
}

/** The first items, and the others on demand. */
function chipsOf({ kind, schema: { items: schema = {} } }: Field, items: readonly unknown[]) {
  const list = h("ul", { class: "value-list" });
  const single = kind === "dates" ? "date" : "text";
  return [list, putFirst(list, items, (item) => h("li", singleView({ kind: single, schema }, item)))];
}

/** Adds the first items to a list. Returns the button that adds the others, if there are any. */
function putFirst(list: HTMLElement, items: readonly unknown[], view: (item: unknown) => HTMLElement) {
  mount(list, items.slice(0, SHOWN).map(view));
  if (items.length <= SHOWN) return undefined;
  const more = items.length - MAX_ITEMS;
  const showRest = () => {
    list.append(...items.slice(SHOWN, MAX_ITEMS).map(view));
    rest.replaceWith(more > 0 ? h("p", { class: "muted small" }, `The JSON has the other ${count(more)}.`) : "");
    // The button is gone: focus the place where the other items begin.
    const next = list.children[SHOWN];
    if (!(next instanceof HTMLElement)) return;
    next.tabIndex = -1;
    next.focus();
  };
  const rest = button(more > 0 ? `Show the first ${MAX_ITEMS}` : `Show all ${items.length}`, showRest, "small");
  return rest;
}

function itemTable({ fields, path }: Field & ObjectsKind, name: string, items: readonly unknown[]) {
  const columns = innermost(fields).map((field) => moved(field, field.path.slice(path.length)));
  const body = h("tbody");
  const cell = (field: Field, value: unknown) => {
    const isNumber = field.kind === "number";
    if (value === undefined || value === null) return h("td", { class: isNumber ? "end" : "" }, "–");
    const view = Array.isArray(value) ? chipsOf(field, value) : singleView(field, value);
    return h("td", { class: isNumber ? "end" : "" }, view);
  };
  const rest = putFirst(body, items, (item) =>
    h(
      "tr",
      columns.map((field) => cell(field, valueAt(item, field.path))),
    ),
  );
  const head = tableHead(...columns.map(labelOf));
  for (const [at, { kind }] of columns.entries()) if (kind === "number") head.rows[0]?.cells[at]?.classList.add("end");
  return [framedTable(`${name}: items`, "short", head, body), rest];
}
