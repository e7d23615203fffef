// A control with its label, its hint, and the place for its issues.

import type { Field } from "../../model/schema.js";
import { labelOf } from "../../model/wording.js";
import { h, linkButton, uniqueId, type Child } from "./dom.js";
import { plural } from "./format.js";

/** An issue as it is shown. `show` focuses its place, which may have a name. */
type Mark = { text: string; place?: string; show?: (() => void) | undefined };

/** A field of a body as far as its label shows it. */
type Labeled = Pick<Field, "name" | "path" | "required" | "schema">;

/** Returns the label of a field, with a mark if it is required. */
export const fieldLabel = (field: Labeled) => [
  labelOf(field),
  field.required && h("span", { class: "required", "aria-hidden": "true", title: "Required" }, "*"),
  field.schema.deprecated && h("span", { class: "muted" }, " deprecated"),
];

/**
 * Labels a control with a text, or with the name of a field of a body. With `isGroup`, the control is a group of
 * others. `mark(marks)` shows the first `most` issues, `error(text)` shows one or none.
 */
export function labeled<Control extends HTMLElement>(
  label: string | Labeled,
  control: Control,
  { hint, aside, isGroup = false, most = 5 }: { hint?: Child; aside?: Child; isGroup?: boolean; most?: number } = {},
) {
  const id = (control.id ||= uniqueId("field"));
  const note = hint === undefined ? undefined : h("p", { class: "muted small", id: `${id}-hint` }, hint);
  const errors = h("ul", { class: "field-error stack tight", id: `${id}-errors`, "aria-live": "polite" });
  const isText = typeof label === "string";
  const name = isText ? label : fieldLabel(label);
  control.setAttribute("aria-describedby", note === undefined ? errors.id : `${note.id} ${errors.id}`);
  if (isGroup) control.setAttribute("aria-labelledby", `${id}-label`);
  else if (!isText && label.required) control.setAttribute("aria-required", "true");
  const element = h(
    "div",
    { class: "field stack tight", dataset: isText ? {} : { field: label.path.join(".") } },
    h(
      "div",
      { class: "row" },
      isGroup ? h("span", { class: "label", id: `${id}-label` }, name) : h("label", { class: "label", for: id }, name),
      aside && h("span", { class: "toolbar aside" }, aside),
    ),
    control,
    note,
    errors,
  );
  const mark = (marks: readonly Mark[]) => {
    if (marks.length === 0) control.removeAttribute("aria-invalid");
    else control.setAttribute("aria-invalid", "true");
    const lines = marks.slice(0, most).map(({ text, place, show }) => {
      const link = show && linkButton(place ?? "Show it", show, { class: "link numeric" });
      return h("li", place === undefined ? [text, " ", link] : [link, " ", text]);
    });
    if (marks.length > most) lines.push(h("li", `And ${plural(marks.length - most, "more problem")}.`));
    errors.replaceChildren(...lines);
  };
  return { element, control, errors, mark, error: (text?: string) => mark(text ? [{ text }] : []) };
}
