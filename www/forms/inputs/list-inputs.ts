// The inputs of lists: as text with any number of items, as a pair of numbers, or as boxes to check.

import { notation, parseList, printList, spanOf } from "../../model/edit/lists.js";
import { same, type Field, type SingleValue, type NumbersKind } from "../../model/schema.js";
import { aboutOf, describeIssue, hintOf, labelOf } from "../../model/wording.js";
import { h, type Child } from "../../widgets/base/dom.js";
import { count, plural } from "../../widgets/base/format.js";
import { labeled } from "../../widgets/base/labeled.js";
import { keeper, type FormField, type Input, type PathIssue } from "./input.js";

const NOTATIONS: { [kind in Field["kind"]]?: string } = {
  texts: "One per line.",
  booleans: "true or false, separated by commas.",
  dates: "One per line, such as 2026-01-31T23:59:59Z.",
  numbers: "Separated by commas.",
};

/** A list as text. */
export function listInput(
  field: FormField,
  changed: () => void,
  options: { hint?: string; aside?: Child } = {},
): Input {
  const form = notation(field);
  const tally = h("span", { class: "muted small numeric", "aria-live": "off" });
  const control = h("textarea", { rows: 2, class: "grow", spellcheck: "false", autocomplete: "off" });
  const { element, mark } = labeled(field, control, {
    hint: [hintOf(field), options.hint ?? NOTATIONS[field.kind]].filter(Boolean).join(" ") || undefined,
    aside: [tally, options.aside],
  });
  const keep = keeper(control);
  let list = parseList(form, "");
  let wasEmpty = false;
  const read = () => {
    list = parseList(form, control.value);
    tally.textContent = list.items.length === 0 ? "" : plural(list.items.length, "item");
  };
  control.addEventListener("input", () => {
    read();
    changed();
  });
  const show = (index: number) => () => {
    const span = spanOf(form, control.value, index);
    control.focus();
    if (span !== undefined) control.setSelectionRange(span.from, span.to);
  };
  return {
    element,
    control,
    get: () => keep.get(() => itemsOf(field, list.items, wasEmpty)),
    set(value) {
      wasEmpty = isEmptyList(value);
      control.value = printList(form, value);
      read();
      keep.set(value, same(value ?? [], list.items) && list.problems.length === 0);
    },
    problems: () => list.problems.map(({ index, message }) => ({ path: [...field.path, index], message })),
    mark: (issues) => mark(issues.map((issue) => ofItem(field, issue, list.items, show))),
  };
}

/** Returns the items of a list. A removable list without items is absent, unless it is stored without items. */
export const itemsOf = (field: FormField, items: unknown[], wasEmpty: boolean) =>
  items.length > 0 || !field.removable || field.required || wasEmpty ? items : undefined;

export const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Shows an issue of a list at its field: the item, its value, and what is expected. */
export function ofItem(
  field: FormField,
  issue: PathIssue,
  items: readonly unknown[],
  show: (index: number) => (() => void) | undefined,
) {
  const { path } = issue;
  const index = path[field.path.length];
  const text = describeIssue(issue, aboutOf(field));
  if (typeof index !== "number") return { text };
  const inner = path.slice(field.path.length + 1).map((name) => ` ${name}`);
  const value = items[index];
  const shown = typeof value === "string" ? ` “${value.length > 40 ? `${value.slice(0, 40)}…` : value}”` : "";
  return {
    text: `Item ${count(index + 1)}${inner}${shown}: ${text}`,
    show: index < items.length ? show(index) : undefined,
  };
}

/** Two numbers in separate boxes. */
export function pairInput(field: FormField & NumbersKind, changed: () => void): Input {
  const form = notation(field);
  const box = (name: string) =>
    h("input", {
      "aria-label": `${labelOf(field)}: ${name.toLowerCase()}`,
      placeholder: name,
      inputmode: "decimal",
      autocomplete: "off",
    });
  const [first, second] = [box("First"), box("Second")];
  const group = h("div", { class: "two", role: "group" }, first, second);
  const { element, errors, mark } = labeled(field, group, { hint: "Both, or neither.", isGroup: true });
  const keep = keeper(first);
  const read = () => parseList(form, `${first.value} ${second.value}`).items;
  for (const one of [first, second]) {
    one.setAttribute("aria-describedby", errors.id);
    one.addEventListener("input", changed);
  }
  return {
    element,
    control: first,
    get: () => keep.get(read),
    set(value) {
      const shown = Array.isArray(value) ? value : [];
      first.value = shown[0] ?? "";
      second.value = shown[1] ?? "";
      keep.set(value, same(value ?? [], read()));
      second.readOnly = first.readOnly;
    },
    problems: () => [],
    mark(issues) {
      mark(issues.map((issue) => ofItem(field, issue, [], () => undefined)));
      for (const one of [first, second]) one.setAttribute("aria-invalid", String(issues.length > 0));
    },
  };
}

/** Boxes to check, for a list of different values of which its schema lists all. Another stored value has a box too. */
export function checksInput(field: FormField, changed: () => void, known: readonly SingleValue[]): Input {
  const boxes = h("div", { class: "toolbar", role: "group" });
  const { element, mark } = labeled(field, boxes, {
    hint: hintOf({ ...field, schema: { ...field.schema, items: {}, uniqueItems: false } }),
    isGroup: true,
  });
  let choices: readonly unknown[] = known;
  let kept: { value: unknown } | undefined;
  const inputs = () => [...boxes.querySelectorAll("input")];
  boxes.addEventListener("change", () => {
    kept = undefined;
    changed();
  });
  return {
    element,
    get control() {
      return inputs()[0] ?? boxes;
    },
    get() {
      if (kept !== undefined) return kept.value;
      const isChecked = inputs().map(({ checked }) => checked);
      return itemsOf(
        field,
        choices.filter((_, at) => isChecked[at]),
        false,
      );
    },
    set(value) {
      // The order of the stored items remains until a box changes.
      kept = { value };
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      choices = [...new Set([...known, ...items])];
      const box = (choice: unknown) => h("input", { type: "checkbox", checked: items.includes(choice) });
      const labels = choices.map((choice) => h("label", { class: "choice" }, box(choice), h("span", String(choice))));
      boxes.replaceChildren(...labels);
    },
    problems: () => [],
    mark: (issues) => mark(issues.map((issue) => ({ text: describeIssue(issue) }))),
  };
}
