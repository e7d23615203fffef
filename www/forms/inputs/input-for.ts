// The inputs of a form, one for each kind of field of the schema. A value that an input cannot show is kept unchanged,
// to be edited as JSON.

import type { GroupKind, Path } from "../../model/schema.js";
import { describeIssue } from "../../model/wording.js";
import { h } from "../../widgets/base/dom.js";
import { isAbsent, type FormField, type Input, type PathIssue } from "./input.js";
import { listInput, pairInput } from "./list-inputs.js";
import { ObjectsInput } from "./objects-table.js";
import { booleanInput, jsonInput, lineInput, textInput } from "./value-inputs.js";

const DATE_HINT = "In UTC: 2026-01-31T23:59:59.999Z";

/** Creates the input of a field. `changed()` is called after typing. A field of an unknown kind is edited as JSON. */
export function inputFor(field: FormField, changed: () => void): Input {
  switch (field.kind) {
    case "group":
      return new Group(field, changed);
    case "numbers":
      return field.pair ? pairInput(field, changed) : listInput(field, changed);
    case "texts":
    case "booleans":
    case "dates":
      return listInput(field, changed);
    case "objects":
      return new ObjectsInput(field, changed);
    case "number":
      return lineInput(field, changed, { mode: "decimal", hint: field.whole ? "A whole number" : "A number" });
    case "date":
      return lineInput(field, changed, { mode: "text", hint: DATE_HINT });
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
 * The fields of one group, such as a person's names. Each write replaces the group (D6). It is absent if all are empty.
 */
class Group implements Input {
  element;
  #path;
  #inputs: { name: string; input: Input }[];
  #errors = h("ul", { class: "field-error" });
  /** The members that no input shows. */
  #rest: { [name: string]: unknown } = {};
  /** A value that is not a group. */
  #kept: { value: unknown } | undefined;

  constructor(field: FormField & GroupKind, changed: () => void) {
    this.#path = field.path;
    this.#inputs = field.fields.map((part) => ({
      name: part.name,
      input: inputFor({ ...part, removable: true }, changed),
    }));
    const elements = this.#inputs.map(({ input }) => input.element);
    this.element = h(
      "fieldset",
      { class: "stack tight", dataset: { field: field.path.join(".") } },
      h("legend", { class: "label" }, h("code", field.name)),
      h("div", { class: "two" }, elements),
      this.#errors,
    );
  }

  get control() {
    return this.#inputs[0]?.input.control ?? this.element;
  }

  get() {
    if (this.#kept !== undefined) return this.#kept.value;
    const value = { ...this.#rest };
    for (const { name, input } of this.#inputs) {
      const one = input.get();
      if (one !== undefined) value[name] = one;
    }
    return Object.values(value).every((one) => one === "") ? undefined : value;
  }

  set(value: unknown) {
    const isKnown = isAbsent(value) || (typeof value === "object" && !Array.isArray(value));
    this.#kept = isKnown ? undefined : { value };
    const parts = (isKnown ? (value ?? {}) : {}) as { [name: string]: unknown };
    this.#rest = Object.fromEntries(
      Object.entries(parts).filter(([name]) => this.#inputs.every((one) => one.name !== name)),
    );
    for (const { name, input } of this.#inputs) input.set(parts[name]);
  }

  problems() {
    return this.#inputs.flatMap(({ input }) => input.problems());
  }

  mark(issues: readonly PathIssue[]) {
    const isOf = (path: Path, name: string) => path[this.#path.length] === name;
    for (const { name, input } of this.#inputs) input.mark(issues.filter(({ path }) => isOf(path, name)));
    const others = issues.filter(({ path }) => !this.#inputs.some(({ name }) => isOf(path, name)));
    this.#errors.replaceChildren(...others.map((issue) => h("li", describeIssue(issue))));
  }
}
