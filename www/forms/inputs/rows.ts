// The input of a list of objects: the inputs of each, which a person adds, moves, and removes.

import { isList, moved, type Field, type ObjectsKind, type Path } from "../../model/schema.js";
import { describeIssue, hintOf, labelOf } from "../../model/wording.js";
import { button, h } from "../../widgets/base/dom.js";
import { plural } from "../../widgets/base/format.js";
import { fieldLabel, labeled } from "../../widgets/base/labeled.js";
import { OrderedList } from "./ordered-list.js";
import { Group, type MakeInput } from "./group.js";
import type { FormField, Input, PathIssue } from "./input.js";
import { isEmptyList, itemsOf } from "./list-inputs.js";
import { isShort } from "./table.js";
import { jsonInput } from "./value-inputs.js";

/** How many values of an item fit into a line. */
const COLUMNS = 5;

type RowsField = FormField & ObjectsKind;

/**
 * A list of objects, each a line if it has only a few single values. One that is too long, or that has something else,
 * is edited as JSON.
 */
export class Rows implements Input {
  element;
  #field;
  #make;
  #changed;
  #groups: Group[] = [];
  #list: OrderedList<unknown>;
  #frame;
  #tally = h("span", { class: "muted small numeric" });
  #add = button("Add an item", () => this.#append(), "small");
  #json;
  #wasEmpty = false;

  constructor(field: RowsField, changed: () => void, make: MakeInput) {
    this.#field = field;
    this.#make = make;
    this.#changed = changed;
    this.#json = jsonInput(field, changed);
    this.#list = new OrderedList<unknown>({
      name: (number) => `item ${number} of ${labelOf(field)}`,
      empty: "No items.",
      view: (item, at) => this.#row(item, at),
      changed: () => this.#rowsChanged(),
      add: this.#add,
    });
    const isFlat = field.fields.length <= COLUMNS && field.fields.every(isSingle);
    const head = isFlat && h("div", { class: "flat-head", "aria-hidden": "true" }, field.fields.map(titleOf));
    this.element = h("div", {
      class: isFlat ? "wide flat" : "wide",
      vars: { "--columns": String(field.fields.length) },
    });
    const box = h("div", { class: "stack tight", role: "group" }, head, this.#list.element, h("div", this.#add));
    this.#frame = labeled(field, box, { hint: hintOf(field), aside: this.#tally, isGroup: true });
    this.set(undefined);
  }

  get control() {
    return this.#isJson ? this.#json.control : (this.#groups[0]?.control ?? this.#add);
  }

  controlAt(path: Path) {
    return this.#groups[Number(path[this.#field.path.length])]?.controlAt(path) ?? this.control;
  }

  get() {
    return this.#isJson ? this.#json.get() : itemsOf(this.#field, [...this.#list.items], this.#wasEmpty);
  }

  set(value: unknown) {
    const isShown = isShort(value ?? []) && [value ?? []].flat().every(isObject);
    this.#wasEmpty = isEmptyList(value);
    this.#groups = [];
    this.#list.set(isShown && Array.isArray(value) ? value : []);
    this.#json.set(isShown ? undefined : value);
    this.element.replaceChildren(isShown ? this.#frame.element : this.#json.element);
    this.#count();
  }

  problems() {
    return this.#isJson ? this.#json.problems() : this.#groups.flatMap((group) => group.problems());
  }

  mark(issues: readonly PathIssue[]) {
    if (this.#isJson) return this.#json.mark(issues);
    const depth = this.#field.path.length;
    for (const [at, group] of this.#groups.entries()) group.mark(issues.filter(({ path }) => path[depth] === at));
    const others = issues.filter(({ path }) => this.#groups[Number(path[depth])] === undefined);
    this.#frame.mark(others.map((issue) => ({ text: describeIssue(issue) })));
  }

  get #isJson() {
    return !this.element.contains(this.#frame.element);
  }

  #row(item: unknown, at: number) {
    const name = `${labelOf(this.#field)} ${at + 1}`;
    const field = moved(this.#field, [...this.#field.path, at]);
    const schema = { title: name };
    const object = { ...field, kind: "group", required: false, schema } as FormField & { kind: "group" };
    const group = new Group(object, () => this.#typed(at), { make: this.#make, isHidden: true });
    group.set(item);
    this.#groups[at] = group;
    return { head: h("span", { class: "badge numeric" }, at + 1), label: name, body: group.element };
  }

  #typed(at: number) {
    this.#list.items[at] = this.#groups[at]?.get() ?? {};
    this.#changed();
  }

  #append() {
    this.#list.append({});
  }

  #rowsChanged() {
    this.#groups.length = this.#list.items.length;
    this.#count();
    this.#changed();
  }

  #count() {
    this.#tally.textContent = plural(this.#list.items.length, "item");
  }
}

/** Returns whether a field has one value. */
const isSingle = (field: Field) => !isList(field) && !["group", "json"].includes(field.kind);
const titleOf = (field: Field) => h("span", fieldLabel(field));
const isObject = (item: unknown) => typeof item === "object" && item !== null && !Array.isArray(item);
