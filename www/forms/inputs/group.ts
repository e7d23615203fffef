// The inputs of an object: those of its fields.

import type { GroupKind, Path } from "../../model/schema.js";
import { describeIssue } from "../../model/wording.js";
import { h } from "../../widgets/base/dom.js";
import { fieldLabel } from "../../widgets/base/labeled.js";
import { isAbsent, type FormField, type Input, type PathIssue } from "./input.js";

/** Creates the input of a field. */
export type MakeInput = (field: FormField, changed: () => void) => Input;

/**
 * The fields of one object, such as a person's names. Each write replaces the object (D6). It is absent if all are
 * empty.
 */
export class Group implements Input {
  element;
  #field;
  #inputs: { name: string; input: Input }[];
  #errors = h("ul", { class: "field-error" });
  /** The members that no input shows. */
  #rest: { [name: string]: unknown } = {};
  /** A value that is not a group. */
  #kept: { value: unknown } | undefined;
  #wasEmpty = false;

  /** With `isHidden`, only screen readers get its name. */
  constructor(
    field: FormField & GroupKind,
    changed: () => void,
    { make, isHidden = false }: { make: MakeInput; isHidden?: boolean },
  ) {
    this.#field = field;
    this.#inputs = field.fields.map((part) => ({
      name: part.name,
      input: make({ ...part, removable: true }, changed),
    }));
    const elements = this.#inputs.map(({ input }) => input.element);
    const { description } = field.schema;
    this.element = h(
      "fieldset",
      { class: `stack ${field.removable ? "snug wide" : "tight"}`, dataset: { field: field.path.join(".") } },
      h("legend", { class: isHidden ? "visually-hidden" : "label" }, fieldLabel(field)),
      description !== undefined && h("p", { class: "muted small" }, description),
      h("div", { class: field.removable ? "record" : "two" }, elements),
      this.#errors,
    );
  }

  get control() {
    return this.#inputs[0]?.input.control ?? this.element;
  }

  controlAt(path: Path) {
    const found = this.#inputs.find(({ name }) => this.#isOf(path, name))?.input;
    return found?.controlAt?.(path) ?? found?.control ?? this.control;
  }

  get() {
    if (this.#kept !== undefined) return this.#kept.value;
    const value = { ...this.#rest };
    for (const { name, input } of this.#inputs) {
      const one = input.get();
      if (one !== undefined) value[name] = one;
    }
    const isStored = this.#field.required || this.#wasEmpty;
    return !isStored && Object.values(value).every((one) => one === "") ? undefined : value;
  }

  set(value: unknown) {
    const isKnown = isAbsent(value) || (typeof value === "object" && !Array.isArray(value));
    this.#kept = isKnown ? undefined : { value };
    const parts = (isKnown ? (value ?? {}) : {}) as { [name: string]: unknown };
    this.#wasEmpty = !isAbsent(value) && Object.keys(parts).length === 0;
    this.#rest = Object.fromEntries(
      Object.entries(parts).filter(([name]) => this.#inputs.every((one) => one.name !== name)),
    );
    for (const { name, input } of this.#inputs) input.set(parts[name]);
  }

  problems() {
    return this.#inputs.flatMap(({ input }) => input.problems());
  }

  mark(issues: readonly PathIssue[]) {
    for (const { name, input } of this.#inputs) input.mark(issues.filter(({ path }) => this.#isOf(path, name)));
    const others = issues.filter(({ path }) => !this.#inputs.some(({ name }) => this.#isOf(path, name)));
    this.#errors.replaceChildren(...others.map((issue) => h("li", describeIssue(issue))));
  }

  #isOf = (path: Path, name: string) => path[this.#field.path.length] === name;
}
