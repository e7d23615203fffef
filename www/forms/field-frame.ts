// The frame of a field: its label, its hint, and the place for its issues.

import type { Path } from "../model/schema.js";
import { h, linkButton, uniqueId, type Child } from "../widgets/dom.js";
import { plural } from "../widgets/format.js";

const SHOWN = 5;

/** An issue as it is shown. `show` focuses its place. */
type Mark = { text: string; show?: (() => void) | undefined };

/** Creates the frame around a control. With `legend`, the control is a group. */
export function frame(
  field: { name: string; path: Path },
  control: HTMLElement,
  { hint, aside, legend = false }: { hint?: Child; aside?: Child; legend?: boolean } = {},
) {
  control.id ||= uniqueId("input");
  const note = hint === undefined ? undefined : h("p", { class: "field-hint", id: `${control.id}-hint` }, hint);
  const errors = h("ul", { class: "field-error stack tight", id: `${control.id}-errors`, "aria-live": "polite" });
  const name = h("code", { class: "field-name" }, field.name);
  const label = legend
    ? h("span", { class: "label", id: `${control.id}-label` }, name)
    : h("label", { for: control.id }, name);
  control.setAttribute("aria-describedby", note === undefined ? errors.id : `${note.id} ${errors.id}`);
  if (legend) control.setAttribute("aria-labelledby", `${control.id}-label`);
  const element = h(
    "div",
    { class: "field", dataset: { field: field.path.join(".") } },
    h("div", { class: "row" }, label, aside && h("span", { class: "toolbar aside" }, aside)),
    control,
    note,
    errors,
  );
  return { element, errors, mark: (marks: readonly Mark[]) => markField(control, errors, marks) };
}

function markField(control: HTMLElement, errors: HTMLElement, marks: readonly Mark[]) {
  if (marks.length === 0) control.removeAttribute("aria-invalid");
  else control.setAttribute("aria-invalid", "true");
  const lines = marks
    .slice(0, SHOWN)
    .map(({ text, show }) => h("li", text, show && [" ", linkButton("Show it", show)]));
  if (marks.length > SHOWN) lines.push(h("li", `And ${plural(marks.length - SHOWN, "more problem")}.`));
  errors.replaceChildren(...lines);
}
