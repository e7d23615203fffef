// The arrays of a resource: their items, and charts of their numbers.

import { isOwn, lists, ownNames } from "../../model/fields.js";
import { valueAt, type Field, type ObjectsKind } from "../../model/schema.js";
import type { Resource } from "../../pkg/browser.js";
import { figures, histogram, sparkline } from "./charts.js";
import { button, framedTable, h, mount, tableHead, type Child } from "../base/dom.js";
import { count, plural } from "../base/format.js";

type ObjectNumbers = { [column: string]: number | undefined };

const SHOWN = 24;
// A longer list would make the page slow; its JSON has all items.
const MAX_ITEMS = 5000;

/** The arrays that have items, and the names of the others, if they are a team's own or there are only the samples. */
export function arraysOf(resource: Resource) {
  const values = lists.map((field) => {
    const value = valueAt(resource, field.path);
    return { field, items: Array.isArray(value) ? value : [] };
  });
  // A team that has its own fields may not use the samples.
  const empty = values.filter(({ field, items }) => items.length === 0 && (ownNames.length === 0 || isOwn(field)));
  const hidden = empty.length === 0 && values.every(({ items }) => items.length === 0);
  return h(
    "section",
    { class: "stack", "aria-label": "Arrays", hidden },
    h(
      "div",
      { class: "arrays" },
      values.map(({ field, items }) => items.length > 0 && arrayCard(field, items)),
    ),
    empty.length > 0 &&
      h(
        "p",
        { class: "muted small" },
        "Empty: ",
        empty.map(({ field }, at) => [at > 0 && ", ", h("code", field.name)]),
      ),
  );
}

function arrayCard(field: Field, items: readonly unknown[]) {
  return h(
    "article",
    { class: "card stack near array", "aria-label": field.name },
    h(
      "div",
      { class: "row" },
      h("h3", { class: "mono" }, field.name),
      h("span", { class: "badge" }, plural(items.length, "item")),
    ),
    arrayBody(field, items),
  );
}

/** Shows the items by the kind of their field. */
function arrayBody(field: Field, items: readonly unknown[]): Child {
  switch (field.kind) {
    case "numbers":
      return numbersOf(field.name, field.pair, items as readonly number[]);
    case "objects":
      return objectsOf(field, items as readonly ObjectNumbers[]);
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

function objectsOf({ name, columns }: Field & ObjectsKind, items: readonly ObjectNumbers[]) {
  return [columns.map((column) => columnCharts(name, column, items)), itemTable(name, columns, items)];
}

function columnCharts(name: string, column: string, items: readonly ObjectNumbers[]) {
  const numbers = items.flatMap((item) => item[column] ?? []);
  const options = { name: `${name}, ${column}` };
  return (
    numbers.length > 1 &&
    h(
      "figure",
      h("figcaption", { class: "muted small" }, column),
      sparkline(numbers, options),
      histogram(numbers, options),
    )
  );
}

function itemTable(name: string, columns: readonly string[], items: readonly ObjectNumbers[]) {
  const body = h("tbody");
  const rest = putFirst(body, items, (item) =>
    h(
      "tr",
      columns.map((column) => h("td", item[column] === undefined ? "–" : String(item[column]))),
    ),
  );
  return [framedTable(`${name}: items`, "short", tableHead(...columns), body), rest];
}
