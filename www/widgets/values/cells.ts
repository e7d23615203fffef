// Values of a resource in a cell of a table, by the kinds of their fields.

import type { ResourceModel } from "../../model/fields.js";
import { choicesOf, valueAt, type Field } from "../../model/schema.js";
import type { Resource } from "../../pkg/browser.js";
import { addressOf, type AddressParts } from "../../state/address.js";
import { sparkline } from "./charts.js";
import { h, type Child } from "../base/dom.js";
import { time } from "../base/format.js";

/** A link that looks like a button. */
export const linkTo = (label: string, address: AddressParts, kind = "") =>
  h("a", { class: `button ${kind}`, href: addressOf(address) }, label);

/** A resource's link: its name for people above its key or its ID. */
export function nameCell(resource: Resource, model: ResourceModel, project: string) {
  const { id, key } = resource;
  const name = model.nameOf(resource);
  const below = [key, id].find((other) => other !== undefined && other !== name);
  return h(
    "a",
    { class: "name", href: addressOf({ project, view: "resource", id }) },
    h("span", { class: "clip" }, name),
    below !== undefined && h("span", { class: "mono muted small clip" }, below),
  );
}

/** The value of a field. */
export function cellOf(field: Field, resource: Resource): Child {
  const value = valueAt(resource, field.path);
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return h("span", { class: "muted", "aria-label": "none" }, "–");
  if (field.kind === "date" && typeof value === "string") return time(value);
  if (!Array.isArray(value)) {
    const isChoice = field.kind === "text" && choicesOf(field.schema) !== undefined;
    return h("span", { class: isChoice ? "badge" : "clip" }, textOf(value));
  }
  if (field.kind === "numbers" && !field.pair) return numbersCell(field.name, value);
  const isText = field.kind !== "objects" || field.isTable;
  const shown = value
    .slice(0, 3)
    .map(isText ? textOf : partsOf)
    .join(", ");
  return h("span", { class: "clip" }, shown, value.length > 3 && ` +${value.length - 3}`);
}

function numbersCell(name: string, numbers: readonly number[]) {
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
 */
export function textOf(value: unknown) {
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.values(value);
  return !Array.isArray(value) && parts.every((part) => typeof part === "string")
    ? parts.filter((part) => part !== "").join(" ")
    : JSON.stringify(value);
}

/** Returns the single values of an object as a text. */
const partsOf = (object: object) =>
  Object.values(object)
    .filter((part) => typeof part !== "object")
    .join(" ");
