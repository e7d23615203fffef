// A field of a conflict: the values of both sides, and the choice between them.

import { combine, countOf, resultOf, take, type Choice, type MergeRow } from "../model/merge.js";
import type { ResourceModel } from "../model/fields.js";
import { withValue } from "../model/schema.js";
import { h, uniqueId } from "../widgets/base/dom.js";
import { plural } from "../widgets/base/format.js";

const ITEMS = 60;

const NOTES: { [change in MergeRow["change"]]: string } = {
  none: "",
  mine: "You changed it",
  theirs: "They changed it",
  same: "Both made the same change",
  both: "Both changed it",
};

/** One field: both values to choose from, and the result. */
export function rowView(model: ResourceModel, row: MergeRow) {
  const { field, base, mine, theirs } = row;
  const out = h("div", { class: "choice conflict-value result" });
  const showResult = () => {
    const isOpen = row.choice === undefined;
    const value = isOpen ? h("p", { class: "field-error" }, "Choose") : valueView(resultOf(row), base);
    out.replaceChildren(label("Result"), value);
  };
  const name = uniqueId("choice");
  const radio = (choice: Choice, text: string) => {
    const onchange = () => {
      row.choice = choice;
      showResult();
    };
    const props = { value: choice, checked: row.choice === choice, "aria-label": `${field.name}: ${text}` };
    return h("input", { type: "radio", name, ...props, onchange });
  };
  const column = (choice: Choice, text: string, value: unknown) =>
    h("label", { class: "choice conflict-value" }, radio(choice, text), h("div", label(text), valueView(value, base)));
  showResult();
  return h(
    "fieldset",
    { class: "conflict-row", dataset: { field: field.path.join(".") } },
    h("legend", { class: "visually-hidden" }, field.name),
    titleView(row, combines(model, row) && radio("both", "both")),
    column("mine", "Yours", mine),
    column("theirs", "Theirs", theirs),
    out,
  );
}

/** The name of the field, who changed it, and the choice of both changes if they can be combined. */
function titleView({ field, change }: MergeRow, bothRadio: HTMLElement | false) {
  const isBoth = change === "both";
  return h(
    "div",
    { class: "stack tight" },
    h("code", field.name),
    h("span", { class: `badge ${isBoth ? "warning" : ""}` }, NOTES[change]),
    isBoth &&
      bothRadio &&
      h("label", { class: "small choice" }, bothRadio, " Both: with all added items, without all removed items"),
  );
}

const label = (text: string) => h("span", { class: "conflict-label muted small" }, text);

/** Returns whether both changes of an array can be combined into a valid value. */
function combines(model: ResourceModel, { field, base, mine, theirs }: MergeRow) {
  if (!Array.isArray(mine) || !Array.isArray(theirs)) return false;
  // With a version, only the fields that it has are checked.
  const body = withValue({ ...model.emptyBody, version: 0 }, field.path, combine(base, mine, theirs));
  return model.validate("draft", body).valid;
}

/** Shows a value, with marks on what was added to the base and what was removed from it. */
function valueView(value: unknown, base: unknown) {
  if (value === undefined || value === null) return h("p", { class: "muted" }, "absent");
  if (value === "") return h("p", { class: "muted" }, "empty text");
  if (!Array.isArray(value))
    return h("p", { class: "value mono" }, typeof value === "string" ? value : JSON.stringify(value));
  const known = countOf(base);
  const here = countOf(value);
  const items: unknown[] = value;
  const gone = (Array.isArray(base) ? base : []).filter((item) => !take(here, item));
  const marked = items.map((item) => ({ item, isOld: take(known, item) }));
  // Shorten a long list to its differences.
  const long = value.length + gone.length > ITEMS;
  const shown = marked.filter(({ isOld }) => !long || !isOld);
  const parts = [
    ...shown.slice(0, ITEMS).map(({ item, isOld }) => h(isOld ? "span" : "ins", textOf(item))),
    ...gone.slice(0, ITEMS).map((item) => h("del", textOf(item))),
  ];
  const hidden = value.length + gone.length - parts.length;
  if (value.length === 0 && gone.length === 0) return h("p", { class: "muted" }, "no items");
  return h(
    "div",
    { class: "value mono value-list" },
    parts,
    hidden > 0 && h("span", { class: "muted" }, `and ${plural(hidden, "more item")}`),
  );
}

const textOf = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));
