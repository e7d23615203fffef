// The inputs of lists: as text with any number of items, as a pair of numbers, or as boxes to check.

import { notation, parseList, printList, spanOf } from "../../model/lists.js";
import { same, type SingleValue, type NumbersKind } from "../../model/schema.js";
import { describeIssue, hintOf } from "../../model/wording.js";
import { h, type Child } from "../../widgets/base/dom.js";
import { count, plural } from "../../widgets/base/format.js";
import { labeled } from "../../widgets/base/labeled.js";
import { keeper, type FormField, type Input, type PathIssue } from "./input.js";

const HINTS = {
  texts: 'One per line. Write a line break or an empty text as JSON: "two\\nlines", "".',
  booleans: "true or false, separated by commas, spaces, or line breaks.",
  dates: "One per line, in UTC: 2026-01-31T23:59:59.999Z",
  pair: "Both, or neither.",
  whole: "Whole numbers",
  any: "Numbers",
};

/** A list as text. */
export function listInput(
  field: FormField,
  changed: () => void,
  options: { hint?: string; aside?: Child } = {},
): Input {
  const form = notation(field);
  const tally = h("span", { class: "muted small numeric", "aria-live": "off" });
  const control = h("textarea", { rows: 2, class: "grow mono", spellcheck: "false", autocomplete: "off" });
  const { element, mark } = labeled(field, control, {
    hint: [hintOf(field), options.hint ?? notationOf(field)].filter(Boolean).join(" ") || undefined,
    aside: [tally, options.aside],
  });
  const keep = keeper(control);
  let list = parseList(form, "");
  let wasEmpty = false;
  const read = () => {
    list = parseList(form, control.value);
    tally.textContent = plural(list.items.length, "item");
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

/** Returns how the items of a list are written. */
function notationOf(field: FormField) {
  if (field.kind === "numbers")
    return (
      `${field.whole ? HINTS.whole : HINTS.any}${field.unique ? ", each once" : ""}, separated by ` +
      "commas, spaces, or line breaks."
    );
  return field.kind === "texts" || field.kind === "booleans" || field.kind === "dates" ? HINTS[field.kind] : undefined;
}

/** Shows an issue of a list at its field: the item, its value, and what is expected. */
function ofItem(
  field: FormField,
  issue: PathIssue,
  items: readonly unknown[],
  show: (index: number) => (() => void) | undefined,
) {
  const { path } = issue;
  const index = path[field.path.length];
  const text = describeIssue(issue, field.kind === "numbers" ? field : {});
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
      "aria-label": `${field.name}: ${name.toLowerCase()}`,
      placeholder: name,
      inputmode: "decimal",
      autocomplete: "off",
      class: "mono",
    });
  const [first, second] = [box("First"), box("Second")];
  const group = h("div", { class: "two", role: "group" }, first, second);
  const { element, errors, mark } = labeled(field, group, { hint: `${HINTS.whole}. ${HINTS.pair}`, isGroup: true });
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
