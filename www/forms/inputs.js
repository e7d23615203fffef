// The inputs of a form, one for each kind of field of the schema. A value that an input cannot show is kept unchanged,
// to be edited as JSON.

import { describeIssue } from "../model/wording.js";
import { h } from "../widgets/dom.js";
import { isAbsent } from "./input.js";
import { listInput, pairInput } from "./list-inputs.js";
import { objectsTable } from "./objects-table.js";
import { booleanInput, jsonInput, lineInput, textInput } from "./value-inputs.js";

/** @import { GroupKind, Path } from "../model/schema.js" */
/** @import { FormField, Input, PathIssue } from "./input.js" */

const DATE_HINT = "In UTC: 2026-01-31T23:59:59.999Z";

/**
 * Creates the input of a field. `changed()` is called after typing. A field of an unknown kind is edited as JSON.
 * @param {FormField} field
 * @param {() => void} changed
 * @returns {Input}
 */
export function inputFor(field, changed) {
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
      return objectsTable(field, changed);
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
 * @implements {Input}
 */
class Group {
  #path;
  /** @type {{ name: string, input: Input }[]} */
  #inputs;
  #errors = h("ul", { class: "field-error" });
  /**
   * The members that no input shows.
   * @type {{ [name: string]: unknown }}
   */
  #rest = {};
  /**
   * A value that is not a group.
   * @type {{ value: unknown } | undefined}
   */
  #kept;

  /**
   * @param {FormField & GroupKind} field
   * @param {() => void} changed
   */
  constructor(field, changed) {
    this.#path = field.path;
    this.#inputs = field.fields.map((part) => ({
      name: part.name,
      input: inputFor({ ...part, removable: true }, changed),
    }));
    const elements = this.#inputs.map(({ input }) => input.element);
    this.element = h(
      "fieldset",
      { class: "stack tight", dataset: { field: field.path.join(".") } },
      h("legend", { class: "label" }, h("code", {}, field.name)),
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

  /** @param {unknown} value */
  set(value) {
    const isKnown = isAbsent(value) || (typeof value === "object" && !Array.isArray(value));
    this.#kept = isKnown ? undefined : { value };
    const parts = /** @type {{ [name: string]: unknown }} */ (isKnown ? (value ?? {}) : {});
    this.#rest = Object.fromEntries(
      Object.entries(parts).filter(([name]) => this.#inputs.every((one) => one.name !== name)),
    );
    for (const { name, input } of this.#inputs) input.set(parts[name]);
  }

  problems() {
    return this.#inputs.flatMap(({ input }) => input.problems());
  }

  /** @param {readonly PathIssue[]} issues */
  mark(issues) {
    const isOf = (/** @type {Path} */ path, /** @type {string} */ name) => path[this.#path.length] === name;
    for (const { name, input } of this.#inputs) input.mark(issues.filter(({ path }) => isOf(path, name)));
    const others = issues.filter(({ path }) => !this.#inputs.some(({ name }) => isOf(path, name)));
    this.#errors.replaceChildren(...others.map((issue) => h("li", {}, describeIssue(issue))));
  }
}
