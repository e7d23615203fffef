// The inputs of a form, one for each kind of field of the schema. An input has `element`, `control` (the focused
// element), `get()` (the value; undefined if the field is absent), `set(value)`, `problems()` (errors of the notation
// only), and `mark(issues)`. A value that an input cannot show is kept unchanged, to be edited as JSON.

import { h, uniqueId } from "../widgets/dom.js";
import { count, plural } from "../widgets/common.js";
import { notation, parseList, spanOf } from "../model/lists.js";
import { objectsTable } from "./objects-table.js";
import { same } from "../model/schema.js";
import { brief } from "../model/wording.js";

const SHOWN = 5;
const HINTS = {
  texts: 'One in a line. In double quotes as JSON: "two\\nlines", or "" for an empty one.',
  pair: "Both, or neither.",
  whole: "Whole numbers",
  any: "Numbers",
};

/** Creates the input of a field. `changed()` is called after typing. */
export function inputFor(field, changed) {
  if (field.kind === "group") return groupInput(field, changed);
  if (field.pair) return pairInput(field, changed);
  if (field.kind === "numbers" || field.kind === "texts") return listInput(field, changed);
  if (field.kind === "objects") return objectsTable(field, changed, { frame, brief, listInput });
  return textInput(field, changed);
}

/**
 * The frame around a control, with its label, its hint, and the place for its issues.
 * @param {{ name: string, path: (string | number)[] }} field
 * @param {HTMLElement} control
 * @param {{ hint?: any, aside?: any, legend?: boolean }} [options]
 */
export function frame(field, control, { hint, aside, legend = false } = {}) {
  control.id ||= uniqueId("input");
  const note = hint === undefined ? undefined : h("p", { class: "field-hint", id: `${control.id}-hint` }, hint);
  const errors = h("ul", { class: "field-error stack tight", id: `${control.id}-errors`, "aria-live": "polite" });
  const name = h("code", { class: "field-name" }, field.name);
  const label = legend
    ? h("span", { class: "label", id: `${control.id}-label` }, name)
    : h("label", { for: control.id }, name);
  const described = [note?.id, errors.id].filter(Boolean).join(" ");
  control.setAttribute("aria-describedby", described);
  if (legend) control.setAttribute("aria-labelledby", `${control.id}-label`);
  const element = h(
    "div",
    { class: "field", dataset: { field: field.path.join(".") } },
    h("div", { class: "row" }, label, aside && h("span", { class: "toolbar aside" }, aside)),
    control,
    note,
    errors,
  );
  return { element, errors, marks: (issues, target = control) => markField(target, errors, issues) };
}

function markField(control, errors, issues) {
  if (issues.length === 0) control.removeAttribute("aria-invalid");
  else control.setAttribute("aria-invalid", "true");
  const lines = issues
    .slice(0, SHOWN)
    .map(({ text, show }) =>
      h("li", {}, text, show && [" ", h("button", { class: "link", type: "button", onclick: show }, "Show it")]),
    );
  if (issues.length > SHOWN) lines.push(h("li", {}, `And ${plural(issues.length - SHOWN, "more problem")}.`));
  errors.replaceChildren(...lines);
}

/** Keeps a value that the control cannot show, and says so. */
function keeper(control) {
  let kept;
  return {
    get kept() {
      return kept;
    },
    set(value, shown) {
      kept = shown ? undefined : { value };
      control.readOnly = kept !== undefined;
      const note = "This value cannot be shown here as it is: edit it as JSON.";
      control.title = kept === undefined ? "" : note;
      control.classList.toggle("unshown", kept !== undefined);
      if (kept !== undefined) control.placeholder = note;
    },
  };
}

function textInput(field, changed) {
  const control =
    field.kind === "name"
      ? h("input", { autocomplete: "off", spellcheck: "false" })
      : h("textarea", { rows: 1, class: "grow" });
  const { element, marks } = frame(field, control);
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
      present = field.removable ? value === "" : value !== undefined && value !== null;
      control.value = typeof value === "string" ? value : "";
      keep.set(value, value === undefined || value === null || control.value === value);
    },
    problems: () => [],
    mark: (issues) => marks(issues.map((issue) => ({ text: brief(issue) }))),
  };
}

function listInput(field, changed, options = {}) {
  const form = notation(field);
  const tally = h("span", { class: "muted small numeric", "aria-live": "off" });
  const control = h("textarea", { rows: 2, class: "grow mono", spellcheck: "false", autocomplete: "off" });
  const kind =
    field.kind === "numbers"
      ? `${field.whole ? HINTS.whole : HINTS.any}${field.unique ? ", each once" : ""}, between commas, spaces or lines.`
      : HINTS[field.kind];
  const { element, marks } = frame(field, control, { hint: options.hint ?? kind, aside: [tally, options.aside] });
  const keep = keeper(control);
  let list = { items: [], problems: [] };
  const read = () => {
    list = parseList(form, control.value);
    tally.textContent = plural(list.items.length, "item");
  };
  control.addEventListener("input", () => {
    read();
    changed();
  });
  const show = (index) => () => {
    const { from, to } = spanOf(form, control.value, index);
    control.focus();
    control.setSelectionRange(from, to);
  };
  return {
    element,
    control,
    get: () => (keep.kept === undefined ? list.items : keep.kept.value),
    set(value) {
      control.value = printed(form, value);
      read();
      keep.set(value, same(value ?? [], list.items) && list.problems.length === 0);
    },
    problems: () => list.problems.map(({ index, message }) => ({ path: [...field.path, index], message })),
    mark: (issues) => marks(issues.map((issue) => ofItem(field, issue, list.items, show))),
  };
}

/** Returns a list as text, or an empty text for any other value. */
function printed(form, value) {
  if (!Array.isArray(value)) return "";
  try {
    return form.print(value);
  } catch {
    return "";
  }
}

/** Shows an issue of a list at its field: the item, its value, and what is expected. */
function ofItem(field, issue, items, show) {
  const { path } = issue;
  const index = path[field.path.length];
  if (typeof index !== "number") return { text: brief(issue) };
  const inner = path.slice(field.path.length + 1).map((name) => ` ${name}`);
  const value = items[index];
  const shown = typeof value === "string" ? ` “${value.length > 40 ? `${value.slice(0, 40)}…` : value}”` : "";
  return {
    text: `Item ${count(index + 1)}${inner}${shown}: ${brief(issue)}`,
    show: index < items.length ? show(index) : undefined,
  };
}

/** Two numbers in separate boxes. */
function pairInput(field, changed) {
  const form = notation(field);
  const boxes = ["First", "Second"].map((name) =>
    h("input", {
      "aria-label": `${field.name}: ${name.toLowerCase()}`,
      placeholder: name,
      inputmode: "decimal",
      autocomplete: "off",
      class: "mono",
    }),
  );
  const group = h("div", { class: "two", role: "group" }, boxes);
  const { element, errors, marks } = frame(field, group, { hint: `${HINTS.whole}. ${HINTS.pair}`, legend: true });
  const keep = keeper(boxes[0]);
  const read = () => parseList(form, boxes.map((box) => box.value).join(" ")).items;
  for (const box of boxes) {
    box.setAttribute("aria-describedby", errors.id);
    box.addEventListener("input", changed);
  }
  return {
    element,
    control: boxes[0],
    get: () => (keep.kept === undefined ? read() : keep.kept.value),
    set(value) {
      const shown = Array.isArray(value) ? value : [];
      for (const [at, box] of boxes.entries()) box.value = shown[at] ?? "";
      keep.set(value, same(value ?? [], read()));
      boxes[1].readOnly = boxes[0].readOnly;
    },
    problems: () => [],
    mark(issues) {
      marks(issues.map((issue) => ofItem(field, issue, [], () => undefined)));
      for (const box of boxes) box.setAttribute("aria-invalid", String(issues.length > 0));
    },
  };
}

/**
 * The fields of one group, such as a person's names. Each write replaces the group (D6). It is absent if all are empty.
 */
function groupInput(field, changed) {
  const inputs = field.fields.map((inner) => inputFor({ ...inner, removable: true }, changed));
  const errors = h("ul", { class: "field-error" });
  const element = h(
    "fieldset",
    { class: "stack tight", dataset: { field: field.path.join(".") } },
    h("legend", { class: "label" }, h("code", {}, field.name)),
    h(
      "div",
      { class: "two" },
      inputs.map((input) => input.element),
    ),
    errors,
  );
  const own = (path, at) => path[field.path.length] === field.fields[at].name;
  let rest = {};
  let odd;
  return {
    element,
    control: inputs[0].control,
    get() {
      if (odd !== undefined) return odd.value;
      const value = { ...rest };
      inputs.forEach((input, at) => {
        const one = input.get();
        if (one !== undefined) value[field.fields[at].name] = one;
      });
      return Object.values(value).every((one) => one === "") ? undefined : value;
    },
    set(value) {
      const known = value === undefined || value === null || (typeof value === "object" && !Array.isArray(value));
      odd = known ? undefined : { value };
      rest = known
        ? Object.fromEntries(
            Object.entries(value ?? {}).filter(([name]) => field.fields.every((inner) => inner.name !== name)),
          )
        : {};
      for (const [at, input] of inputs.entries()) input.set(known ? value?.[field.fields[at].name] : undefined);
    },
    problems: () => inputs.flatMap((input) => input.problems()),
    mark(issues) {
      for (const [at, input] of inputs.entries()) input.mark(issues.filter(({ path }) => own(path, at)));
      const others = issues.filter(({ path }) => !field.fields.some((_, at) => own(path, at)));
      errors.replaceChildren(...others.map((issue) => h("li", {}, brief(issue))));
    },
  };
}
