// The form of a body: its fields and its JSON show the same value, which the package's validator checks during typing.
// Members that no field shows (a misspelled name in the JSON) remain in the value and are reported like other issues.

import { validate } from "../pkg/browser.js";
import { h } from "../widgets/dom.js";
import { plural } from "../widgets/common.js";
import { fields as every } from "../model/fields.js";
import { same, valueAt, withValue } from "../model/schema.js";
import { inputFor } from "./inputs.js";
import { JsonEditor } from "./json-editor.js";
import { summaryBox } from "./issue-summary.js";
import { tabs } from "../widgets/tabs.js";

const GROUPS = [
  { title: "Names", kinds: ["name"] },
  { title: "Arrays", kinds: ["numbers", "texts", "objects"] },
  { title: "Texts", kinds: ["text"] },
  { title: "People", kinds: ["group"] },
];

/** The fields that a person fills in. The service sets versions and timestamps. */
export const formFields = every.filter(({ kind }) => GROUPS.some(({ kinds }) => kinds.includes(kind)));

/** A form for a body. */
export class BodyForm {
  #kind;
  #more;
  #changed;
  #value;
  #issues = [];
  // The service's issues of the value, until the value changes.
  #told = [];
  #inputs;
  #json;
  #faces;
  #summary = summaryBox((issue) => this.#lead(issue));

  /**
   * `without` lists the fields that it does not offer; `more(value)` returns issues in addition to the validator's;
   * `changed()` is called after typing.
   */
  constructor({ kind, value, without = [], more = (/** @type {unknown} */ _value) => [], changed }) {
    this.#kind = kind;
    this.#more = more;
    this.#changed = changed;
    this.#inputs = formFields
      .filter(({ name }) => !without.includes(name))
      .map((field) => ({ field, input: inputFor(field, () => this.#typed(field)) }));
    this.#json = new JsonEditor({
      label: "The whole body as JSON",
      judge: (text) => [...this.#judge(text, parsed(text)), ...this.#told],
      changed: () => this.#typedJson(),
    });
    const list = [
      { name: "form", label: "Form", content: h("div", { class: "stack" }, this.#sections()) },
      {
        name: "json",
        label: "JSON",
        content: h("div", { class: "card" }, this.#json.element),
        leave: () => this.#leaveJson(),
      },
    ];
    this.#faces = tabs("How to edit", list, (name) => this.#turn(name));
    this.#put(value);
    this.element = h("div", { class: "stack" }, this.#summary.element, this.#faces.element);
  }

  get value() {
    return this.#value;
  }

  /** Returns the typed input, to be kept. */
  state() {
    return { value: this.#value, text: this.#inJson ? this.#json.text : undefined };
  }

  restore({ value, text }) {
    this.#put(value);
    if (text !== undefined) {
      this.#faces.show("json");
      this.#json.text = text;
    }
    this.#mark();
  }

  /** Returns whether there are no issues. If there are, shows them and focuses the first. */
  check() {
    if (this.#inJson) this.#json.flush();
    this.#mark();
    if (this.#issues.length === 0) return true;
    this.#tell();
    this.#summary.element.focus();
    return false;
  }

  /** Shows the service's issues of the value. */
  fail(issues) {
    this.#told = issues;
    this.#mark();
    this.#tell();
    this.#summary.element.focus();
  }

  get #inJson() {
    return this.#faces.current === "json";
  }

  #sections() {
    return GROUPS.map(({ title, kinds }) => {
      const inside = this.#inputs.filter(({ field }) => kinds.includes(field.kind)).map(({ input }) => input.element);
      return (
        inside.length > 0 &&
        h(
          "section",
          { class: "card stack", "aria-label": title },
          h("h2", {}, title),
          h("div", { class: "form-grid" }, inside),
        )
      );
    });
  }

  #judge(input, value) {
    return [...(validate(this.#kind, input).issues ?? []), ...(value === undefined ? [] : this.#more(value))];
  }

  #typed(field) {
    const { input } = this.#inputs.find((one) => one.field === field);
    this.#value = withValue(this.#value, field.path, input.get());
    this.#touched();
  }

  #typedJson() {
    this.#value = parsed(this.#json.text) ?? this.#value;
    this.#touched();
  }

  #touched() {
    this.#told = [];
    this.#mark();
    this.#changed();
  }

  /** Switches between fields and JSON. */
  #turn(name) {
    if (name === "json") this.#json.text = JSON.stringify(this.#value, null, 2);
    else this.#put(this.#value);
    this.#mark();
  }

  /** Leaves the JSON if the fields can show its value. */
  #leaveJson() {
    this.#json.flush();
    const found = this.#json.check();
    const unreadable = parsed(this.#json.text) === undefined || found.some(({ reason }) => reason === "duplicate");
    if (!unreadable) return true;
    this.#summary.tell("The form cannot show this JSON yet", found);
    return false;
  }

  #put(value) {
    this.#value = value;
    for (const { field, input } of this.#inputs) input.set(valueAt(value, field.path));
  }

  #mark() {
    if (this.#inJson) this.#issues = this.#json.check();
    else {
      const writing = this.#inputs.flatMap(({ input }) => input.problems());
      this.#issues = [...this.#judge(this.#value, this.#value), ...this.#told, ...writing];
      for (const { field, input } of this.#inputs)
        input.mark(this.#issues.filter(({ path }) => isWithin(path, field.path)));
    }
    if (this.#summary.shown) this.#tell();
  }

  #tell() {
    if (this.#issues.length === 0) this.#summary.hide();
    else this.#summary.tell(`${plural(this.#issues.length, "problem")} to put right before saving`, this.#issues);
  }

  /** Focuses an issue: its field, or its place in the JSON. */
  #lead(issue) {
    const found = this.#inputs.find(({ field }) => isWithin(issue.path, field.path));
    if (!this.#inJson && found !== undefined) return found.input.control.focus();
    this.#faces.show("json");
    const place = this.#json.check().find(({ reason, path }) => reason === issue.reason && same(path, issue.path));
    this.#json.select(place ?? { from: 0, to: 0 });
  }
}

const isWithin = (path, above) => above.every((name, at) => path[at] === name);

/** Parses a JSON object. Returns `undefined` for any other text. */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
