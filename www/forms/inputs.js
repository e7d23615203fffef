// The inputs of a form, one for each kind of field of the schema. A value that an input cannot show is kept unchanged,
// to be edited as JSON.

import { notation, parseList, printList, parseNumber, spanOf } from "../model/lists.js";
import { same } from "../model/schema.js";
import { describeIssue } from "../model/wording.js";
import { h } from "../widgets/dom.js";
import { count, plural } from "../widgets/format.js";
import { frame } from "./field-frame.js";
import { objectsTable } from "./objects-table.js";

/** @import { Field, GroupKind, NumbersKind, Path } from "../model/schema.js" */
/** @import { Child } from "../widgets/dom.js" */

/**
 * An issue at a path of the body.
 * @typedef {{ path: Path, message: string, reason?: string }} PathIssue
 */

/**
 * An input. `control` is the focused element, `get()` returns the value; undefined if the field is absent. `problems()`
 * returns errors of the notation only.
 * @typedef {{
 *   element: HTMLElement,
 *   readonly control: HTMLElement,
 *   get(): unknown,
 *   set(value: unknown): void,
 *   problems(): PathIssue[],
 *   mark(issues: readonly PathIssue[]): void,
 * }} Input
 */

/**
 * A field of a form. A `removable` text becomes absent if it is cleared.
 * @typedef {Field & { removable?: boolean }} FormField
 */

const HINTS = {
  texts: 'One per line. In double quotes as JSON: "two\\nlines", or "" for an empty one.',
  booleans: "true or false, between commas, spaces, or lines.",
  dates: "One per line, in UTC: 2026-01-31T23:59:59.999Z",
  date: "In UTC: 2026-01-31T23:59:59.999Z",
  pair: "Both, or neither.",
  whole: "Whole numbers",
  any: "Numbers",
  json: "As JSON.",
};

/**
 * Creates the input of a field. `changed()` is called after typing. A field of an unknown kind is edited as JSON.
 * @param {FormField} field
 * @param {() => void} changed
 * @returns {Input}
 */
export function inputFor(field, changed) {
  switch (field.kind) {
    case "group":
      return groupInput(field, changed);
    case "numbers":
      return field.pair ? pairInput(field, changed) : listInput(field, changed);
    case "texts":
    case "booleans":
    case "dates":
      return listInput(field, changed);
    case "objects":
      return objectsTable(field, changed, listInput);
    case "number":
      return lineInput(field, changed, { mode: "decimal", hint: field.whole ? "A whole number" : "A number" });
    case "date":
      return lineInput(field, changed, { mode: "text", hint: HINTS.date });
    case "boolean":
      return booleanInput(field, changed);
    case "name":
    case "text":
      return textInput(field, changed);
    default:
      return jsonInput(field, changed);
  }
}

/**
 * Keeps a value that the control cannot show, and says so.
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control
 */
function keeper(control) {
  /** @type {{ value: unknown } | undefined} */
  let kept;
  return {
    get kept() {
      return kept;
    },
    /**
     * @param {unknown} value
     * @param {boolean} shown whether the control shows the value
     */
    set(value, shown) {
      kept = shown ? undefined : { value };
      const note = "This field cannot show its value. Edit it as JSON.";
      control.title = shown ? "" : note;
      control.classList.toggle("unshown", !shown);
      if (control instanceof HTMLSelectElement) {
        control.disabled = !shown;
        return;
      }
      control.readOnly = !shown;
      if (!shown) control.placeholder = note;
    },
  };
}

/** @param {unknown} value */
const isAbsent = (value) => value === undefined || value === null;

/**
 * @param {FormField} field
 * @param {() => void} changed
 * @returns {Input}
 */
function textInput(field, changed) {
  const control =
    field.kind === "name"
      ? h("input", { autocomplete: "off", spellcheck: "false" })
      : h("textarea", { rows: 1, class: "grow" });
  const { element, mark } = frame(field, control);
  const keep = keeper(control);
  // A text cannot be removed (D11): if it is cleared, it becomes an empty text. A `removable` text can.
  let present = false;
  control.addEventListener("input", changed);
  return {
    element,
    control,
    get: () =>
      keep.kept !== undefined ? keep.kept.value : control.value === "" && !present ? undefined : control.value,
    set(value) {
      present = field.removable ? value === "" : !isAbsent(value);
      control.value = typeof value === "string" ? value : "";
      keep.set(value, isAbsent(value) || control.value === value);
    },
    problems: () => [],
    mark: (issues) => mark(issues.map((issue) => ({ text: describeIssue(issue) }))),
  };
}

/**
 * A number or a date in one line. What is not a number remains a text, which the validator reports.
 * @param {FormField} field
 * @param {() => void} changed
 * @param {{ mode: string, hint: string }} options
 * @returns {Input}
 */
function lineInput(field, changed, { mode, hint }) {
  const control = h("input", { autocomplete: "off", spellcheck: "false", inputmode: mode, class: "mono" });
  const { element, mark } = frame(field, control, { hint });
  const keep = keeper(control);
  const read = () => {
    const text = control.value.trim();
    if (text === "") return undefined;
    return field.kind === "number" ? parseNumber(text) : text;
  };
  control.addEventListener("input", changed);
  return {
    element,
    control,
    get: () => (keep.kept === undefined ? read() : keep.kept.value),
    set(value) {
      control.value = ["number", "string"].includes(typeof value) ? String(value) : "";
      keep.set(value, same(value, read()));
    },
    problems: () => [],
    mark: (issues) => mark(issues.map((issue) => ({ text: describeIssue(issue) }))),
  };
}

/**
 * @param {FormField} field
 * @param {() => void} changed
 * @returns {Input}
 */
function booleanInput(field, changed) {
  const control = h(
    "select",
    {},
    ["", "true", "false"].map((value) => h("option", { value }, value === "" ? "not set" : value)),
  );
  const { element, mark } = frame(field, control);
  const keep = keeper(control);
  control.addEventListener("change", changed);
  return {
    element,
    control,
    get: () =>
      keep.kept !== undefined ? keep.kept.value : control.value === "" ? undefined : control.value === "true",
    set(value) {
      control.value = typeof value === "boolean" ? String(value) : "";
      keep.set(value, isAbsent(value) || typeof value === "boolean");
    },
    problems: () => [],
    mark: (issues) => mark(issues.map((issue) => ({ text: describeIssue(issue) }))),
  };
}

/**
 * @param {FormField} field
 * @param {() => void} changed
 * @returns {Input}
 */
function jsonInput(field, changed) {
  const control = h("textarea", { rows: 2, class: "grow mono", spellcheck: "false", autocomplete: "off" });
  const { element, mark } = frame(field, control, { hint: HINTS.json });
  /** @type {unknown} */
  let value;
  let isValid = true;
  const read = () => {
    try {
      value = control.value.trim() === "" ? undefined : JSON.parse(control.value);
      isValid = true;
    } catch {
      isValid = false;
    }
  };
  control.addEventListener("input", () => {
    read();
    changed();
  });
  return {
    element,
    control,
    get: () => value,
    set(next) {
      control.value = isAbsent(next) ? "" : JSON.stringify(next, null, 2);
      read();
    },
    problems: () => (isValid ? [] : [{ path: field.path, message: `The text of '${field.name}' is not JSON.` }]),
    mark: (issues) => mark(issues.map((issue) => ({ text: describeIssue(issue) }))),
  };
}

/**
 * A list as text.
 * @param {FormField} field
 * @param {() => void} changed
 * @param {{ hint?: string, aside?: Child }} [options]
 * @returns {Input}
 */
export function listInput(field, changed, options = {}) {
  const form = notation(field);
  const tally = h("span", { class: "muted small numeric", "aria-live": "off" });
  const control = h("textarea", { rows: 2, class: "grow mono", spellcheck: "false", autocomplete: "off" });
  const { element, mark } = frame(field, control, {
    hint: options.hint ?? hintOf(field),
    aside: [tally, options.aside],
  });
  const keep = keeper(control);
  let list = parseList(form, "");
  const read = () => {
    list = parseList(form, control.value);
    tally.textContent = plural(list.items.length, "item");
  };
  control.addEventListener("input", () => {
    read();
    changed();
  });
  const show = (/** @type {number} */ index) => () => {
    const span = spanOf(form, control.value, index);
    control.focus();
    if (span !== undefined) control.setSelectionRange(span.from, span.to);
  };
  return {
    element,
    control,
    get: () => (keep.kept === undefined ? list.items : keep.kept.value),
    set(value) {
      control.value = printList(form, value);
      read();
      keep.set(value, same(value ?? [], list.items) && list.problems.length === 0);
    },
    problems: () => list.problems.map(({ index, message }) => ({ path: [...field.path, index], message })),
    mark: (issues) => mark(issues.map((issue) => ofItem(field, issue, list.items, show))),
  };
}

/** @param {FormField} field */
function hintOf(field) {
  if (field.kind === "numbers")
    return (
      `${field.whole ? HINTS.whole : HINTS.any}${field.unique ? ", each once" : ""}, between commas, ` +
      "spaces, or lines."
    );
  return field.kind === "texts" || field.kind === "booleans" || field.kind === "dates" ? HINTS[field.kind] : undefined;
}

/**
 * Shows an issue of a list at its field: the item, its value, and what is expected.
 * @param {Field} field
 * @param {PathIssue} issue
 * @param {readonly unknown[]} items
 * @param {(index: number) => (() => void) | undefined} show
 */
function ofItem(field, issue, items, show) {
  const { path } = issue;
  const index = path[field.path.length];
  if (typeof index !== "number") return { text: describeIssue(issue) };
  const inner = path.slice(field.path.length + 1).map((name) => ` ${name}`);
  const value = items[index];
  const shown = typeof value === "string" ? ` “${value.length > 40 ? `${value.slice(0, 40)}…` : value}”` : "";
  return {
    text: `Item ${count(index + 1)}${inner}${shown}: ${describeIssue(issue)}`,
    show: index < items.length ? show(index) : undefined,
  };
}

/**
 * Two numbers in separate boxes.
 * @param {FormField & NumbersKind} field
 * @param {() => void} changed
 * @returns {Input}
 */
function pairInput(field, changed) {
  const form = notation(field);
  const box = (/** @type {string} */ name) =>
    h("input", {
      "aria-label": `${field.name}: ${name.toLowerCase()}`,
      placeholder: name,
      inputmode: "decimal",
      autocomplete: "off",
      class: "mono",
    });
  const [first, second] = [box("First"), box("Second")];
  const group = h("div", { class: "two", role: "group" }, first, second);
  const { element, errors, mark } = frame(field, group, { hint: `${HINTS.whole}. ${HINTS.pair}`, legend: true });
  const keep = keeper(first);
  const read = () => parseList(form, `${first.value} ${second.value}`).items;
  for (const one of [first, second]) {
    one.setAttribute("aria-describedby", errors.id);
    one.addEventListener("input", changed);
  }
  return {
    element,
    control: first,
    get: () => (keep.kept === undefined ? read() : keep.kept.value),
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

/**
 * The fields of one group, such as a person's names. Each write replaces the group (D6). It is absent if all are empty.
 * @param {FormField & GroupKind} field
 * @param {() => void} changed
 * @returns {Input}
 */
function groupInput(field, changed) {
  const inner = field.fields.map((part) => ({
    name: part.name,
    input: inputFor({ ...part, removable: true }, changed),
  }));
  const errors = h("ul", { class: "field-error" });
  const element = h(
    "fieldset",
    { class: "stack tight", dataset: { field: field.path.join(".") } },
    h("legend", { class: "label" }, h("code", {}, field.name)),
    h(
      "div",
      { class: "two" },
      inner.map(({ input }) => input.element),
    ),
    errors,
  );
  const isOf = (/** @type {Path} */ path, /** @type {string} */ name) => path[field.path.length] === name;
  /** @type {{ [name: string]: unknown }} */
  let rest = {};
  /** @type {{ value: unknown } | undefined} */
  let kept;
  return {
    element,
    control: inner[0]?.input.control ?? element,
    get() {
      if (kept !== undefined) return kept.value;
      const value = { ...rest };
      for (const { name, input } of inner) {
        const one = input.get();
        if (one !== undefined) value[name] = one;
      }
      return Object.values(value).every((one) => one === "") ? undefined : value;
    },
    set(value) {
      const isKnown = isAbsent(value) || (typeof value === "object" && !Array.isArray(value));
      kept = isKnown ? undefined : { value };
      const parts = /** @type {{ [name: string]: unknown }} */ (isKnown ? (value ?? {}) : {});
      rest = Object.fromEntries(Object.entries(parts).filter(([name]) => inner.every((one) => one.name !== name)));
      for (const { name, input } of inner) input.set(parts[name]);
    },
    problems: () => inner.flatMap(({ input }) => input.problems()),
    mark(issues) {
      for (const { name, input } of inner) input.mark(issues.filter(({ path }) => isOf(path, name)));
      const others = issues.filter(({ path }) => !inner.some(({ name }) => isOf(path, name)));
      errors.replaceChildren(...others.map((issue) => h("li", {}, describeIssue(issue))));
    },
  };
}
