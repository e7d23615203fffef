// The arrays of a resource: their items, and charts of their numbers.

import type { ResourceModel } from "../../model/fields.js";
import { innermost, moved, valueAt, type Field, type ObjectsKind } from "../../model/schema.js";
import type { Resource } from "../../pkg/browser.js";
import { textOf } from "./cells.js";
import { figures, histogram, sparkline } from "./charts.js";
import { button, framedTable, h, mount, tableHead, type Child } from "../base/dom.js";
import { count, plural } from "../base/format.js";

const SHOWN = 24;
// A longer list would make the page slow; its JSON has all items.
const MAX_ITEMS = 5000;

/** The arrays that have items, and the names of the others. */
export function arraysOf({ lists, queryName }: ResourceModel, resource: Resource) {
  const values = lists.map((field) => {
    const value = valueAt(resource, field.path);
    return { field, name: queryName(field), items: Array.isArray(value) ? value : [] };
  });
  const empty = values.filter(({ items }) => items.length === 0);
  return h(
    "section",
    { class: "stack", "aria-label": "Arrays", hidden: values.length === 0 },
    h(
      "div",
      { class: "arrays" },
      values.map(({ field, name, items }) => items.length > 0 && arrayCard(field, name, items)),
    ),
    empty.length > 0 &&
      h(
        "p",
        { class: "muted small" },
        "Empty: ",
        empty.map(({ name }, at) => [at > 0 && ", ", h("code", name)]),
      ),
  );
}

function arrayCard(field: Field, name: string, items: readonly unknown[]) {
  return h(
    "article",
    { class: "card stack near array", "aria-label": name },
    h(
      "div",
      { class: "row" },
      h("h3", { class: "mono" }, name),
      h("span", { class: "badge" }, plural(items.length, "item")),
    ),
    arrayBody(field, name, items),
  );
}

/** Shows the items by the kind of their field. */
function arrayBody(field: Field, name: string, items: readonly unknown[]): Child {
  switch (field.kind) {
    case "numbers":
      return numbersOf(name, field.pair, items as readonly number[]);
    case "objects":
      return objectsOf(field, name, items);
    default:
      return values(items.map(String), "value-list texts");
  }
}

function numbersOf(name: string, pair: boolean, numbers: readonly number[]) {
  // A pair is two numbers, not a series.
  if (pair) return h("p", { class: "pair numeric" }, numbers.join(", "));
  const charts = numbers.length > 1 && [
    h("figure", sparkline(numbers, { name })),
    h("figure", histogram(numbers, { name })),
    figures(numbers),
  ];
  return [charts, values(numbers.map(String))];
}

/** The first values, and the others on demand. */
function values(items: readonly string[], kind = "value-list numeric") {
  const list = h("ol", { class: kind });
  return [list, putFirst(list, items, itemOf)];
}

/** Adds the first items to a list. Returns the button that adds the others, if there are any. */
function putFirst<Item>(list: HTMLElement, items: readonly Item[], view: (item: Item) => HTMLElement) {
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

const itemOf = (item: string) => h("li", item === "" ? h("span", { class: "muted" }, "empty text") : item);

function objectsOf({ fields, path }: Field & ObjectsKind, name: string, items: readonly unknown[]) {
  const columns = innermost(fields).map((field) => moved(field, field.path.slice(path.length)));
  const numeric = columns.filter(({ kind }) => kind === "number");
  return [numeric.map((column) => columnCharts(name, column, items)), itemTable(name, columns, items)];
}

/** Returns the name of a column: the path in an item. */
const titleOf = ({ path }: Field) => path.join(".");

function columnCharts(name: string, column: Field, items: readonly unknown[]) {
  const numbers = items.map((item) => valueAt(item, column.path)).filter((value) => typeof value === "number");
  const title = titleOf(column);
  const options = { name: `${name}, ${title}` };
  return (
    numbers.length > 1 &&
    h(
      "figure",
      h("figcaption", { class: "muted small" }, title),
      sparkline(numbers, options),
      histogram(numbers, options),
    )
  );
}

function itemTable(name: string, columns: readonly Field[], items: readonly unknown[]) {
  const body = h("tbody");
  const cell = (value: unknown) => h("td", value === undefined ? "–" : textOf(value));
  const rest = putFirst(body, items, (item) =>
    h(
      "tr",
      columns.map(({ path }) => cell(valueAt(item, path))),
    ),
  );
  return [framedTable(`${name}: items`, "short", tableHead(...columns.map(titleOf)), body), rest];
}
