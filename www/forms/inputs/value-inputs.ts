// The inputs of fields with one value.

import { readNumber } from "../../model/edit/numbers.js";
import { same, type SingleValue } from "../../model/schema.js";
import { aboutOf, describeIssue, hintOf } from "../../model/wording.js";
import { h } from "../../widgets/base/dom.js";
import { labeled } from "../../widgets/base/labeled.js";
import { isAbsent, keeper, type Control, type FormField, type Input } from "./input.js";

/**
 * How a control shows a value, and returns whether it can; and how the value is read from it. `unread` returns the
 * problem of input that is no value.
 */
interface ControlOptions {
  hint?: string;
  unread?: () => string | undefined;
  show: (value: unknown) => boolean;
  read: () => unknown;
}

function valueInput(
  field: FormField,
  control: Control,
  changed: () => void,
  { hint, unread, show, read }: ControlOptions,
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
    problems() {
      const problem = unread?.();
      return problem === undefined ? [] : [{ path: field.path, message: problem }];
    },
    mark: (issues) => {
      mark(issues.map((issue) => ({ text: describeIssue(issue, aboutOf(field)) })));
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

/**
 * A number. It is a text for the browser: an input of numbers drops a decimal comma without a word if the browser has
 * another language, and a wheel changes it.
 */
export function numberInput(field: FormField, changed: () => void, whole: boolean) {
  const { minimum, exclusiveMinimum = -1 } = field.schema;
  // The keyboard of digits may have no minus.
  const inputmode = (minimum ?? exclusiveMinimum) < 0 ? "text" : whole ? "numeric" : "decimal";
  const control = h("input", { autocomplete: "off", inputmode });
  const found = () => readNumber(control.value);
  return lineInput(field, control, changed, { unread: () => found().problem, read: () => found().number });
}

/** Returns the problem of a date of which a person has typed a part. */
const unreadDate = (control: HTMLInputElement) => () =>
  control.validity.badInput ? "This date is incomplete." : undefined;

/** A date with a time, in the person's time zone. The stored text remains until a person changes it. */
export function timeInput(field: FormField, changed: () => void) {
  const control = h("input", { type: "datetime-local", step: "any", autocomplete: "off" });
  let stored: { value: unknown; shown: string } | undefined;
  return valueInput(field, control, changed, {
    hint: `Time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`,
    unread: unreadDate(control),
    show(value) {
      control.value = typeof value === "string" ? localTime(value) : "";
      stored = { value, shown: control.value };
      return isAbsent(value) || control.value !== "";
    },
    read() {
      if (control.value === stored?.shown) return stored.value ?? undefined;
      const date = new Date(control.value);
      return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
    },
  });
}

/** Returns an instant as a browser's picker has it; an empty text if it is none. */
function localTime(instant: string) {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return local.replace(/(:00)?(\.0+)?Z$/, "");
}

/** A date without a time. */
export function dayInput(field: FormField, changed: () => void) {
  const control = h("input", { type: "date", autocomplete: "off" });
  return lineInput(field, control, changed, {
    unread: unreadDate(control),
    read: () => (control.value === "" ? undefined : control.value),
  });
}

/** A value in one line. */
const lineInput = (
  field: FormField,
  control: HTMLInputElement,
  changed: () => void,
  options: Pick<ControlOptions, "unread" | "read">,
) =>
  valueInput(field, control, changed, {
    ...options,
    show(value) {
      control.value = ["number", "string"].includes(typeof value) ? String(value) : "";
      return same(value, options.read());
    },
  });

/** Returns a choice as a person reads it. */
const choiceText = (choice: unknown) =>
  typeof choice === "boolean" ? (choice ? "Yes" : "No") : choice === "" ? "empty text" : String(choice);

/** A choice between values. A stored value that is no longer one of them remains a choice. */
export function choiceInput(field: FormField, changed: () => void, known: readonly SingleValue[]) {
  const control = h("select");
  let choices: readonly unknown[] = known;
  const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  return valueInput(field, control, changed, {
    show(value) {
      choices = isScalar(value) && !known.some((one) => one === value) ? [...known, value] : known;
      const texts = choices.map(choiceText);
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
    problems: () => (isValid ? [] : [{ path: field.path, message: "This is not JSON." }]),
  };
}
