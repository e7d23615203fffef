// Values of a resource in a cell of a table, by the kinds of their fields.

import { valueAt } from "../model/schema.js";
import { addressOf } from "../state/address.js";
import { sparkline } from "./charts.js";
import { h } from "./dom.js";
import { time } from "./format.js";

/** @import { Resource } from "../pkg/browser.js" */
/** @import { Field } from "../model/schema.js" */
/** @import { Child } from "./dom.js" */

/**
 * A resource's link: its key above its ID.
 * @param {Resource} resource
 * @param {string} project
 */
export function nameCell({ id, key }, project) {
  return h(
    "a",
    { class: "name", href: addressOf({ project, view: "resource", id }) },
    h("span", { class: "clip" }, key ?? id),
    key !== undefined && h("span", { class: "mono muted small clip" }, id),
  );
}

/**
 * The value of a field.
 * @param {Field} field
 * @param {Resource} resource
 * @returns {Child}
 */
export function cellOf(field, resource) {
  const value = valueAt(resource, field.path);
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return h("span", { class: "muted", "aria-label": "none" }, "–");
  if (field.kind === "date" && typeof value === "string") return time(value);
  if (!Array.isArray(value)) return h("span", { class: "clip" }, textOf(value));
  if (field.kind === "numbers" && !field.pair) return numbersCell(field.name, value);
  const shown = value.slice(0, 3).map(textOf).join(", ");
  return h("span", { class: "clip" }, shown, value.length > 3 && ` +${value.length - 3}`);
}

/**
 * @param {string} name
 * @param {readonly number[]} numbers
 */
function numbersCell(name, numbers) {
  return h(
    "span",
    { class: "numbers" },
    sparkline(numbers, { name, small: true }),
    h("span", { class: "clip" }, numbers.slice(0, 4).join(", "), numbers.length > 4 && " …"),
  );
}

/**
 * Returns a value as a text of one line. An object that has only texts, such as a person, becomes those texts joined by
 * spaces.
 * @param {unknown} value
 */
export function textOf(value) {
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.values(value);
  return !Array.isArray(value) && parts.every((part) => typeof part === "string")
    ? parts.filter((part) => part !== "").join(" ")
    : JSON.stringify(value);
}
