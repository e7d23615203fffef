// The form of a body: its fields and its JSON show the same value, which the package's validator checks during typing.
// Members that no field shows (a misspelled name in the JSON) remain in the value and are reported like other issues.

import type { ResourceModel } from "../model/fields.js";
import { parseObject } from "../model/json.js";
import { same, valueAt, withValue, type Field, type Path } from "../model/schema.js";
import { sentenceOf } from "../model/wording.js";
import { h, radios } from "../widgets/base/dom.js";
import { systemFold } from "../widgets/values/record.js";
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

const PARTS = { form: "Fields", json: "JSON" };
type BodyPart = keyof typeof PARTS;

interface BodyFormOptions {
  model: ResourceModel;
  value: Value;
  without?: readonly string[];
  focused?: string | undefined;
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
   * `without` lists the fields that it does not offer; `focused` is the path of the one that gets the focus;
   * `more(value)` returns issues in addition to the validator's; `isKept(name, value)` returns whether saving leaves a
   * field as it is stored, whatever its rules are now; `changed()` is called after typing.
   */
  constructor({ model, value, without = [], focused, more, isKept, changed }: BodyFormOptions) {
    this.#model = model;
    this.#more = more ?? (() => []);
    this.#isKept = isKept ?? (() => false);
    this.#changed = changed;
    this.#inputs = [...new Set([...model.page, ...model.editableFields])]
      .filter(({ name }) => !without.includes(name))
      .map((field) => {
        const removable = model.isDeclared && model.content.includes(field);
        const input = inputFor({ ...field, removable }, () => this.#typed(field.path, input.get()));
        return { field, input };
      });
    this.#json = new JsonEditor({
      label: "The whole body as JSON",
      check: (text) => [...this.#check(text, parseObject(text)), ...this.#serviceIssues].map(this.#sentence),
      changed: () => this.#typedJson(),
    });
    this.#parts = {
      form: h("div", { class: "stack" }, this.#sections()),
      json: h("div", { class: "card", hidden: true }, this.#json.element),
    };
    this.#put(value);
    if (focused !== undefined) this.#controlAt(focused.split("."))?.setAttribute("autofocus", "");
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

  /** The fields of the page, and folded those of the system. */
  #sections() {
    const { page } = this.#model;
    const elements = (isOnPage: boolean) =>
      this.#inputs.filter(({ field }) => page.includes(field) === isOnPage).map(({ input }) => input.element);
    const others = elements(false);
    return [
      h("section", { class: "card record", "aria-label": this.#model.label }, elements(true)),
      others.length > 0 && systemFold(h("div", { class: "record" }, others)),
    ];
  }

  /** Returns an issue with its sentence for people. */
  #sentence = <Issue extends PathIssue>(issue: Issue): Issue => ({
    ...issue,
    message: sentenceOf(this.#model.editableFields, issue),
  });

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
      // What cannot be read is no value: it would also be an absent one.
      const ofValue = [...this.#check(this.#value, this.#value), ...this.#serviceIssues].filter(
        ({ path }) => !ofNotation.some((unread) => isWithin(path, unread.path)),
      );
      this.#issues = this.#inOrder([...ofValue, ...ofNotation]);
      for (const { field, input } of this.#inputs)
        input.mark(this.#issues.filter(({ path }) => isWithin(path, field.path)));
      for (const fold of this.#parts.form.querySelectorAll("details"))
        fold.open ||= fold.querySelector("[aria-invalid=true]") !== null;
    }
    if (this.#summary.shown) this.#showSummary();
  }

  /** Returns issues in the order of the fields. Those that no field shows are the last ones. */
  #inOrder(issues: PathIssue[]) {
    const fields = this.#inputs.map(({ field }) => field.path);
    const placeOf = ({ path }: PathIssue) => fields.findIndex((field) => isWithin(path, field)) + 1 || Infinity;
    return issues.sort((a, b) => placeOf(a) - placeOf(b));
  }

  #showSummary() {
    if (this.#issues.length === 0) this.#summary.hide();
    else {
      const title = `${plural(this.#issues.length, "problem")} to correct before saving`;
      this.#summary.show(title, this.#inJson ? this.#issues : this.#issues.map(this.#sentence));
    }
  }

  #controlAt(path: Path) {
    const input = this.#inputs.find(({ field }) => isWithin(path, field.path))?.input;
    return input?.controlAt?.(path) ?? input?.control;
  }

  /** Focuses an issue: its field, or its place in the JSON. */
  #lead(issue: PathIssue) {
    const control = this.#controlAt(issue.path);
    if (!this.#inJson && control !== undefined) return control.focus();
    this.#show("json");
    const place = this.#json.check().find(({ reason, path }) => reason === issue.reason && same(path, issue.path));
    this.#json.select(place ?? { from: 0, to: 0 });
  }
}

const isWithin = (path: Path, above: Path) => above.every((name, at) => path[at] === name);
