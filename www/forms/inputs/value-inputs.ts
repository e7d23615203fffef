// The inputs of fields with one value.

import { parseNumber } from "../../model/lists.js";
import { same } from "../../model/schema.js";
import { describeIssue } from "../../model/wording.js";
import { h } from "../../widgets/base/dom.js";
import { labeled } from "../../widgets/base/labeled.js";
import { isAbsent, keeper, type Control, type FormField, type Input } from "./input.js";

/** How a control shows a value, and returns whether it can; and how the value is read from it. */
interface Shown {
  hint?: string;
  show: (value: unknown) => boolean;
  read: () => unknown;
}

function valueInput(field: FormField, control: Control, changed: () => void, { hint, show, read }: Shown): Input {
  const { element, mark } = labeled(field, control, { hint });
  const keep = keeper(control);
  control.addEventListener("input", changed);
  return {
    element,
    control,
    get: () => keep.get(read),
    set: (value) => keep.set(value, show(value)),
    problems: () => [],
    mark: (issues) => mark(issues.map((issue) => ({ text: describeIssue(issue) }))),
  };
}

export function textInput(field: FormField, changed: () => void) {
  const control =
    field.kind === "name"
      ? h("input", { autocomplete: "off", spellcheck: "false" })
      : h("textarea", { rows: 1, class: "grow" });
  // A text cannot be removed (D11): if it is cleared, it becomes an empty text. A `removable` text can.
  let present = false;
  return valueInput(field, control, changed, {
    show(value) {
      present = field.removable ? value === "" : !isAbsent(value);
      control.value = typeof value === "string" ? value : "";
      return isAbsent(value) || control.value === value;
    },
    read: () => (control.value === "" && !present ? undefined : control.value),
  });
}

/** A number or a date in one line. What is not a number remains a text, which the validator reports. */
export function lineInput(field: FormField, changed: () => void, { mode, hint }: { mode: string; hint: string }) {
  const control = h("input", { autocomplete: "off", spellcheck: "false", inputmode: mode, class: "mono" });
  const read = () => {
    const text = control.value.trim();
    if (text === "") return undefined;
    return field.kind === "number" ? parseNumber(text) : text;
  };
  return valueInput(field, control, changed, {
    hint,
    show(value) {
      control.value = ["number", "string"].includes(typeof value) ? String(value) : "";
      return same(value, read());
    },
    read,
  });
}

export function booleanInput(field: FormField, changed: () => void) {
  const options = ["", "true", "false"].map((value) => h("option", { value }, value === "" ? "not set" : value));
  const control = h("select", options);
  return valueInput(field, control, changed, {
    show(value) {
      control.value = typeof value === "boolean" ? String(value) : "";
      return isAbsent(value) || typeof value === "boolean";
    },
    read: () => (control.value === "" ? undefined : control.value === "true"),
  });
}

/** JSON. While the text is not JSON, the value is the one before. */
export function jsonInput(field: FormField, changed: () => void): Input {
  const control = h("textarea", { rows: 2, class: "grow mono", spellcheck: "false", autocomplete: "off" });
  let value: unknown;
  let isValid = true;
  const read = () => {
    try {
      value = control.value.trim() === "" ? undefined : JSON.parse(control.value);
      isValid = true;
    } catch {
      isValid = false;
    }
    return value;
  };
  const show = (next: unknown) => {
    control.value = isAbsent(next) ? "" : JSON.stringify(next, null, 2);
    read();
    return true;
  };
  return {
    ...valueInput(field, control, changed, { hint: "As JSON.", show, read }),
    problems: () => (isValid ? [] : [{ path: field.path, message: `The text of '${field.name}' is not JSON.` }]),
  };
}
