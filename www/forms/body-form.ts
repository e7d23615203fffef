// The form of a body: its fields and its JSON show the same value, which the package's validator checks during typing.
// Members that no field shows (a misspelled name in the JSON) remain in the value and are reported like other issues.

import type { ResourceModel } from "../model/fields.js";
import { parseObject } from "../model/json.js";
import { isList, same, valueAt, withValue, type Field, type Path } from "../model/schema.js";
import { h, radios } from "../widgets/base/dom.js";
import { plural } from "../widgets/base/format.js";
import type { Edited } from "./editor.js";
import type { Input, PathIssue } from "./inputs/input.js";
import { inputFor } from "./inputs/input-for.js";
import { issueSummary } from "./issue-summary.js";
import { JsonEditor } from "./json-editor.js";

/** The value of a form: a JSON object. */
export type Value = { [name: string]: unknown };

/** The typed input of a form. `text` is the JSON text, if it is shown. */
export type FormState = { value: Value; text: string | undefined };

const PARTS = { form: "Form", json: "JSON" };
type BodyPart = keyof typeof PARTS;

const GROUPS: { title: string; has: (field: Field) => boolean }[] = [
  { title: "Names", has: ({ kind }) => kind === "name" },
  { title: "Arrays", has: isList },
  { title: "Texts", has: ({ kind }) => kind === "text" },
  { title: "Values", has: ({ kind }) => kind === "number" || kind === "boolean" || kind === "date" },
  { title: "People", has: ({ kind }) => kind === "group" },
  { title: "Other fields", has: () => true },
];

interface BodyFormOptions {
  model: ResourceModel;
  value: Value;
  without?: readonly string[];
  more?: (value: Value) => PathIssue[];
  isKept?: (name: string, value: Value) => boolean;
  changed: () => void;
}

/** A form for a body. */
export class BodyForm implements Edited<Value, FormState> {
  element;
  #model;
  #more;
  #isKept;
  #changed;
  #value: Value = {};
  #issues: readonly PathIssue[] = [];
  /** The service's issues of the value, until the value changes. */
  #serviceIssues: readonly PathIssue[] = [];
  #inputs: { field: Field; input: Input }[];
  #json;
  /** What is shown: the fields or the JSON. */
  #parts: { [part in BodyPart]: HTMLElement };
  #choice = radios("How to edit", PARTS, (part) => this.#show(part), { class: "segments start", isHidden: true });
  #summary = issueSummary((issue) => this.#lead(issue));

  /**
   * `without` lists the fields that it does not offer; `more(value)` returns issues in addition to the validator's;
   * `isKept(name, value)` returns whether saving leaves a field as it is stored, whatever its rules are now;
   * `changed()` is called after typing.
   */
  constructor({ model, value, without = [], more = () => [], isKept = () => false, changed }: BodyFormOptions) {
    this.#model = model;
    this.#more = more;
    this.#isKept = isKept;
    this.#changed = changed;
    this.#inputs = model.editableFields
      .filter(({ name }) => !without.includes(name))
      .map((field) => {
        const removable = model.isDeclared && model.content.includes(field);
        const input = inputFor({ ...field, removable }, () => this.#typed(field.path, input.get()));
        return { field, input };
      });
    this.#json = new JsonEditor({
      label: "The whole body as JSON",
      check: (text) => [...this.#check(text, parseObject(text)), ...this.#serviceIssues],
      changed: () => this.#typedJson(),
    });
    this.#parts = {
      form: h("div", { class: "stack" }, this.#sections()),
      json: h("div", { class: "card", hidden: true }, this.#json.element),
    };
    this.#put(value);
    this.element = h(
      "div",
      { class: "stack" },
      this.#summary.element,
      this.#choice,
      this.#parts.form,
      this.#parts.json,
    );
  }

  get value() {
    return this.#value;
  }

  /** Returns the typed input, to be kept. */
  state(): FormState {
    return { value: this.#value, text: this.#inJson ? this.#json.text : undefined };
  }

  restore({ value, text }: FormState) {
    this.#put(value);
    if (text !== undefined) {
      this.#show("json");
      this.#json.text = text;
    }
    this.#mark();
  }

  /** Returns whether there are no issues. If there are, shows them and focuses the first. */
  check() {
    if (this.#inJson) this.#json.flush();
    this.#mark();
    if (this.#issues.length === 0) return true;
    this.#showSummary();
    this.#summary.element.focus();
    return false;
  }

  /** Shows the service's issues of the value. */
  fail(issues: readonly PathIssue[]) {
    this.#serviceIssues = issues;
    this.#mark();
    this.#showSummary();
    this.#summary.element.focus();
  }

  get #inJson() {
    return !this.#parts.json.hidden;
  }

  /** A section for the content of a declared resource, in its order, and one for each group of other fields. */
  #sections() {
    const { isDeclared, content, label } = this.#model;
    const titleOf = (field: Field) =>
      isDeclared && content.includes(field) ? label : GROUPS.find(({ has }) => has(field))?.title;
    const sections = this.#inputs.map(({ field, input }) => ({ title: titleOf(field), element: input.element }));
    return [isDeclared && label, ...GROUPS.map(({ title }) => title)].map((title) => {
      const inside = sections.filter((section) => section.title === title).map(({ element }) => element);
      return (
        typeof title === "string" &&
        inside.length > 0 &&
        h(
          "section",
          { class: "card stack", "aria-label": title },
          h("h2", title),
          h("div", { class: "form-grid" }, inside),
        )
      );
    });
  }

  /** Returns the issues of `input`, a value or a JSON text. */
  #check(input: unknown, value: Value | undefined): PathIssue[] {
    const result = this.#model.validate("draft", input);
    const issues = result.valid ? [] : result.issues;
    if (value === undefined) return [...issues];
    return [...issues.filter(({ path: [name] }) => !this.#isKept(String(name), value)), ...this.#more(value)];
  }

  #typed(path: Path, value: unknown) {
    this.#value = withValue(this.#value, path, value);
    this.#touched();
  }

  #typedJson() {
    this.#value = parseObject(this.#json.text) ?? this.#value;
    this.#touched();
  }

  #touched() {
    this.#serviceIssues = [];
    this.#mark();
    this.#changed();
  }

  /** Shows the fields or the JSON. The JSON stays if the fields cannot show its value. */
  #show(part: BodyPart) {
    const isOther = (part === "json") !== this.#inJson;
    if (isOther && (part === "json" || this.#isJsonReadable())) {
      this.#parts.form.hidden = part === "json";
      this.#parts.json.hidden = part === "form";
      if (part === "json") this.#json.text = JSON.stringify(this.#value, null, 2);
      else this.#put(this.#value);
      this.#mark();
    }
    for (const input of this.#choice.querySelectorAll("input"))
      input.checked = input.value === (this.#inJson ? "json" : "form");
  }

  /** Returns whether the fields can show the value of the JSON. If not, shows why. */
  #isJsonReadable() {
    this.#json.flush();
    const found = this.#json.check();
    const isUnreadable =
      parseObject(this.#json.text) === undefined || found.some(({ reason }) => reason === "duplicate");
    if (!isUnreadable) return true;
    this.#summary.show("The form cannot show this JSON yet", found);
    return false;
  }

  #put(value: Value) {
    this.#value = value;
    for (const { field, input } of this.#inputs) input.set(valueAt(value, field.path));
  }

  #mark() {
    if (this.#inJson) this.#issues = this.#json.check();
    else {
      const ofNotation = this.#inputs.flatMap(({ input }) => input.problems());
      this.#issues = [...this.#check(this.#value, this.#value), ...this.#serviceIssues, ...ofNotation];
      for (const { field, input } of this.#inputs)
        input.mark(this.#issues.filter(({ path }) => isWithin(path, field.path)));
    }
    if (this.#summary.shown) this.#showSummary();
  }

  #showSummary() {
    if (this.#issues.length === 0) this.#summary.hide();
    else {
      const issues = this.#model.isDeclared ? this.#issues.map(withPlace) : this.#issues;
      this.#summary.show(`${plural(issues.length, "problem")} to correct before saving`, issues);
    }
  }

  /** Focuses an issue: its field, or its place in the JSON. */
  #lead(issue: PathIssue) {
    const found = this.#inputs.find(({ field }) => isWithin(issue.path, field.path));
    if (!this.#inJson && found !== undefined)
      return (found.input.controlAt?.(issue.path) ?? found.input.control).focus();
    this.#show("json");
    const place = this.#json.check().find(({ reason, path }) => reason === issue.reason && same(path, issue.path));
    this.#json.select(place ?? { from: 0, to: 0 });
  }
}

const isWithin = (path: Path, above: Path) => above.every((name, at) => path[at] === name);

/** Adds the place to the message of an issue inside of a field, whose message has only the last name. */
function withPlace(issue: PathIssue): PathIssue {
  const place = issue.path.map((part) => (typeof part === "number" ? ` ${part + 1}` : `, ${part}`)).join("");
  return issue.path.length > 1 ? { ...issue, message: `${place.slice(2)}: ${issue.message}` } : issue;
}
