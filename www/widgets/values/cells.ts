// Values of a resource in a cell of a table, by the kinds of their fields.

import type { ResourceModel } from "../../model/fields.js";
import { choicesOf, decimalsOf, valueAt, type Field } from "../../model/schema.js";
import type { Resource } from "../../pkg/browser.js";
import { addressOf, type AddressParts } from "../../state/address.js";
import { sparkline } from "./charts.js";
import { h, type Child } from "../base/dom.js";
import { day, number, time } from "../base/format.js";

/** A link that looks like a button. */
export const linkTo = (label: string, address: AddressParts, kind = "", props = {}) =>
  h("a", { class: `button ${kind}`, href: addressOf(address), ...props }, label);

/** A resource's link: its name for people. */
export function nameCell(resource: Resource, model: ResourceModel, project: string) {
  const name = model.nameOf(resource);
  const href = addressOf({ project, view: "resource", id: resource.id });
  return h("a", { class: "name", href, title: name }, h("span", { class: "clip" }, name));
}

/** The value of a field. */
export function cellOf(field: Field, resource: Resource): Child {
  const value = valueAt(resource, field.path);
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return h("span", { class: "muted", "aria-label": "none" }, "–");
  if (field.kind === "date" && typeof value === "string") return time(value);
  if (field.kind === "text" && field.schema.format === "date" && typeof value === "string") return day(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (!Array.isArray(value))
    return (
      choiceMark(field, value) ??
      h(
        "span",
        { class: "clip" },
        typeof value === "number" ? number(value, decimalsOf(field.schema.multipleOf)) : textOf(value),
      )
    );
  if (field.kind === "numbers" && !field.pair) return numbersCell(field.name, value);
  const more = value.length > SHOWN_ITEMS && ` +${value.length - SHOWN_ITEMS}`;
  const items = value.slice(0, SHOWN_ITEMS);
  if (field.kind === "texts")
    return h(
      "span",
      { class: "tags" },
      items.map((item) => h("span", { class: "badge" }, String(item))),
      more,
    );
  const isText = field.kind !== "objects" || field.isTable;
  return h("span", { class: "clip" }, items.map(isText ? textOf : partsOf).join(", "), more);
}

const SHOWN_ITEMS = 3;

/** A value that the schema lists, with a color of its place in that list. */
export function choiceMark(field: Pick<Field, "schema">, value: unknown) {
  const at = (choicesOf(field.schema) as readonly unknown[] | undefined)?.indexOf(value) ?? -1;
  return at < 0 ? undefined : h("span", { class: "badge mark", dataset: { tone: String(at % TONES) } }, String(value));
}

/** How many colors the style sheet has. */
const TONES = 6;

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
