// What the page of a resource and its form share, and the values of fields as people read them.

import { hasValue, isList, valueAt, type Field } from "../../model/schema.js";
import { labelOf } from "../../model/wording.js";
import { addressOf, listOf } from "../../state/address.js";
import { h, type Child } from "../base/dom.js";
import { listView } from "./lists.js";
import { singleView } from "./single.js";

/** The way back to the list. */
export const crumbs = (project: string) =>
  h(
    "p",
    { class: "small" },
    h("a", { href: addressOf(listOf(project)) }, "Resources"),
    h("span", { class: "muted", "aria-hidden": "true" }, " / "),
  );

/** What only the service and programs need, folded. */
export const systemFold = (...content: Child[]) =>
  h("details", { class: "card fold system" }, h("summary", "System data"), content);

/** A named value. `name` is the path of its field. */
export const valueRow = (
  label: string,
  value: Child,
  { name, isWide = false }: { name?: string; isWide?: boolean } = {},
) => h("div", { class: isWide ? "wide" : "", dataset: { field: name } }, h("dt", label), h("dd", value));

/** The rows of the fields that have a value. */
export const rowsOf = (fields: readonly Field[], resource: unknown): HTMLElement[] =>
  fields
    .filter((field) => hasValue(resource, field))
    .map((field) => {
      const isWide = field.kind === "group" || field.kind === "objects";
      const name = field.path.join(".");
      return valueRow(labelOf(field), valueView(field, resource), { name, isWide });
    });

/** The value of a field by its kind. A value of another kind, which an earlier rule allowed, is shown as it is. */
function valueView(field: Field, resource: unknown): Child {
  const value = valueAt(resource, field.path);
  if (field.kind === "group") return h("dl", { class: "record" }, rowsOf(field.fields, resource));
  if (isList(field) && Array.isArray(value)) return listView(field, value);
  return singleView(field, value);
}
