// The arrays of a resource: their items, and charts of their numbers.

import { lists } from "../model/fields.js";
import { valueAt } from "../model/schema.js";
import { figures, histogram, sparkline } from "./charts.js";
import { h, mount } from "./dom.js";
import { count, plural } from "./format.js";

/** @import { Resource } from "../pkg/browser.js" */
/** @import { Field, ObjectsKind } from "../model/schema.js" */
/** @import { Child } from "./dom.js" */

/** @typedef {{ [column: string]: number | undefined }} Row */

const SHOWN = 24;
// A longer list would make the page slow; its JSON has all items.
const MAX_ITEMS = 5000;

/**
 * The arrays that have items, and the names of the others.
 * @param {Resource} resource
 */
export function arraysOf(resource) {
  const values = lists.map((field) => {
    const value = valueAt(resource, field.path);
    return { field, items: Array.isArray(value) ? value : [] };
  });
  const empty = values.filter(({ items }) => items.length === 0);
  return h(
    "section",
    { class: "stack", "aria-label": "Arrays" },
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
        empty.map(({ field }, at) => [at > 0 && ", ", h("code", {}, field.name)]),
      ),
  );
}

/**
 * @param {Field} field
 * @param {readonly unknown[]} items
 */
function arrayCard(field, items) {
  return h(
    "article",
    { class: "card stack array", "aria-label": field.name },
    h(
      "div",
      { class: "row" },
      h("h3", { class: "mono named" }, field.name),
      h("span", { class: "badge" }, plural(items.length, "item")),
    ),
    arrayBody(field, items),
  );
}

/**
 * Shows the items by the kind of their field.
 * @param {Field} field
 * @param {readonly unknown[]} items
 * @returns {Child}
 */
function arrayBody(field, items) {
  switch (field.kind) {
    case "numbers":
      return numbersOf(field.name, field.pair, /** @type {readonly number[]} */ (items));
    case "objects":
      return objectsOf(field, /** @type {readonly Row[]} */ (items));
    default:
      return values(items.map(String), "value-list texts");
  }
}

/**
 * @param {string} name
 * @param {boolean} pair
 * @param {readonly number[]} numbers
 */
function numbersOf(name, pair, numbers) {
  // A pair is two numbers, not a series.
  if (pair) return h("p", { class: "pair numeric" }, numbers.join(", "));
  const charts = numbers.length > 1 && [
    h("figure", {}, sparkline(numbers, { name })),
    h("figure", {}, histogram(numbers, { name })),
    figures(numbers),
  ];
  return [charts, values(numbers.map(String))];
}

/**
 * The first values, and the others on demand.
 * @param {readonly string[]} items
 * @param {string} [kind]
 */
function values(items, kind = "value-list numeric") {
  const list = h("ol", { class: kind });
  return [list, putFirst(list, items, itemOf)];
}

/**
 * Adds the first items to a list. Returns the button that adds the others, if there are any.
 * @template Item
 * @param {HTMLElement} list
 * @param {readonly Item[]} items
 * @param {(item: Item) => HTMLElement} view
 */
function putFirst(list, items, view) {
  mount(list, items.slice(0, SHOWN).map(view));
  if (items.length <= SHOWN) return undefined;
  /** @type {HTMLButtonElement} */
  const rest = h(
    "button",
    {
      class: "button small",
      type: "button",
      onclick: () => {
        list.append(...items.slice(SHOWN, MAX_ITEMS).map(view));
        rest.replaceWith(
          ...(items.length > MAX_ITEMS
            ? [h("p", { class: "muted small" }, `The JSON has the other ${count(items.length - MAX_ITEMS)}.`)]
            : []),
        );
        // The button is gone: focus the place where the other items begin.
        const next = list.children[SHOWN];
        if (!(next instanceof HTMLElement)) return;
        next.tabIndex = -1;
        next.focus();
      },
    },
    items.length > MAX_ITEMS ? `Show the first ${MAX_ITEMS}` : `Show all ${items.length}`,
  );
  return rest;
}

/** @param {string} item */
const itemOf = (item) => h("li", {}, item === "" ? h("span", { class: "muted" }, "empty text") : item);

/**
 * @param {Field & ObjectsKind} field
 * @param {readonly Row[]} items
 */
function objectsOf({ name, columns }, items) {
  return [columns.map((column) => columnCharts(name, column, items)), itemTable(name, columns, items)];
}

/**
 * @param {string} name
 * @param {string} column
 * @param {readonly Row[]} items
 */
function columnCharts(name, column, items) {
  const numbers = items.flatMap((item) => item[column] ?? []);
  const options = { name: `${name}, ${column}` };
  return (
    numbers.length > 1 &&
    h(
      "figure",
      {},
      h("figcaption", { class: "muted small" }, column),
      sparkline(numbers, options),
      histogram(numbers, options),
    )
  );
}

/**
 * @param {string} name
 * @param {readonly string[]} columns
 * @param {readonly Row[]} items
 */
function itemTable(name, columns, items) {
  const body = h("tbody", {});
  const rest = putFirst(body, items, (item) =>
    h(
      "tr",
      {},
      columns.map((column) => h("td", {}, item[column] === undefined ? "–" : String(item[column]))),
    ),
  );
  const heads = columns.map((column) => h("th", { scope: "col" }, column));
  return [
    h(
      "div",
      { class: "table-frame short", tabindex: "0", role: "region", "aria-label": `${name}: items` },
      h("table", { class: "table" }, h("thead", {}, h("tr", {}, heads)), body),
    ),
    rest,
  ];
}
