// The inputs of fields with one value.

import { parseNumber } from "../model/lists.js";
import { same } from "../model/schema.js";
import { h } from "../widgets/dom.js";
import { frame } from "./field-frame.js";
import { isAbsent, keeper, wholeMarks, type FormField, type Input } from "./input.js";

export function textInput(field: FormField, changed: () => void): Input {
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
    mark: (issues) => mark(wholeMarks(issues)),
  };
}

/** A number or a date in one line. What is not a number remains a text, which the validator reports. */
export function lineInput(
  field: FormField,
  changed: () => void,
  { mode, hint }: { mode: string; hint: string },
): Input {
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
    mark: (issues) => mark(wholeMarks(issues)),
  };
}

export function booleanInput(field: FormField, changed: () => void): Input {
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
    mark: (issues) => mark(wholeMarks(issues)),
  };
}

export function jsonInput(field: FormField, changed: () => void): Input {
  const control = h("textarea", { rows: 2, class: "grow mono", spellcheck: "false", autocomplete: "off" });
  const { element, mark } = frame(field, control, { hint: "As JSON." });
  let value: unknown;
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
    mark: (issues) => mark(wholeMarks(issues)),
  };
}
