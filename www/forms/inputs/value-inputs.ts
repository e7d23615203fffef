// The inputs of fields with one value.

import { same, type SingleValue } from "../../model/schema.js";
import { describeIssue, hintOf } from "../../model/wording.js";
import { h } from "../../widgets/base/dom.js";
import { labeled } from "../../widgets/base/labeled.js";
import { isAbsent, keeper, type Control, type FormField, type Input } from "./input.js";

/**
 * How a control shows a value, and returns whether it can; and how the value is read from it. `unread` is the problem
 * of input that the browser does not read as a value.
 */
interface Shown {
  hint?: string;
  unread?: string;
  show: (value: unknown) => boolean;
  read: () => unknown;
}

function valueInput(
  field: FormField,
  control: Control,
  changed: () => void,
  { hint, unread, show, read }: Shown,
): Input {
  const hints = [hintOf(field), hint].filter(Boolean).join(" ");
  const { element, mark } = labeled(field, control, { hint: hints || undefined });
  const keep = keeper(control);
  control.addEventListener("input", changed);
  return {
    element,
    control,
    get: () => keep.get(read),
    set: (value) => keep.set(value, show(value)),
    problems: () => (unread !== undefined && control.validity.badInput ? [{ path: field.path, message: unread }] : []),
    mark: (issues) => {
      mark(issues.map((issue) => ({ text: describeIssue(issue, field.kind === "number" ? field : {}) })));
    },
  };
}

/** The types of inputs for texts of some formats. */
const TYPES: { [format: string]: string | undefined } = { email: "email", uri: "url" };

export function textInput(field: FormField, changed: () => void) {
  const { format, pattern } = field.schema;
  const isLine = field.kind === "name" || format !== undefined || pattern !== undefined;
  const control = isLine
    ? h("input", { type: TYPES[format ?? ""] ?? "text", autocomplete: "off", spellcheck: "false" })
    : h("textarea", { rows: 1, class: "grow" });
  // A text of the interface cannot be removed (D11): if it is cleared, it becomes an empty text.
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

/** A number. */
export function numberInput(field: FormField, changed: () => void, whole: boolean) {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = field.schema;
  const [min, max] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum];
  const step = multipleOf ?? (whole ? 1 : "any");
  return lineInput(field, changed, { type: "number", min, max, step }, Number, "This is not a number.");
}

/** A date with a time, as the service writes it. */
export function timeInput(field: FormField, changed: () => void) {
  const hint = "In UTC: 2026-01-31T23:59:59.999Z";
  return lineInput(field, changed, { spellcheck: "false" }, String, undefined, hint);
}

/** A date without a time. */
export const dayInput = (field: FormField, changed: () => void) =>
  lineInput(field, changed, { type: "date" }, String, "This date is incomplete.");

/** A value in one line. An empty line is an absent field. */
function lineInput(
  field: FormField,
  changed: () => void,
  props: { [name: string]: unknown },
  parse: (text: string) => unknown,
  unread?: string,
  hint?: string,
) {
  const control = h("input", { autocomplete: "off", class: "mono", ...props });
  const read = () => (control.value.trim() === "" ? undefined : parse(control.value.trim()));
  return valueInput(field, control, changed, {
    ...(hint === undefined ? {} : { hint }),
    ...(unread === undefined ? {} : { unread }),
    show(value) {
      control.value = ["number", "string"].includes(typeof value) ? String(value) : "";
      return same(value, read());
    },
    read,
  });
}

/** A choice between values. A stored value that is no longer one of them remains a choice. */
export function choiceInput(field: FormField, changed: () => void, known: readonly SingleValue[]) {
  const control = h("select");
  let choices: readonly unknown[] = known;
  const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  return valueInput(field, control, changed, {
    show(value) {
      choices = isScalar(value) && !known.some((one) => one === value) ? [...known, value] : known;
      const texts = choices.map((choice) => (choice === "" ? "empty text" : String(choice)));
      const options = texts.map((text, at) => h("option", { value: at }, text));
      control.replaceChildren(h("option", { value: "" }, field.required ? "Choose …" : "not set"), ...options);
      const at = choices.indexOf(value);
      control.value = at < 0 ? "" : String(at);
      return isAbsent(value) || at >= 0;
    },
    read: () => (control.value === "" ? undefined : choices[Number(control.value)]),
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
