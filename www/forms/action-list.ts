// A list of update actions that a person adds, removes, and reorders by mouse or keyboard.

import type { ResourceModel } from "../model/fields.js";
import { moved, type Path } from "../model/schema.js";
import { button, h } from "../widgets/base/dom.js";
import type { FormField, Input, PathIssue } from "./inputs/input.js";
import { inputFor } from "./inputs/input-for.js";
import { OrderedList } from "./inputs/ordered-list.js";

/** An action, with its name in the member that the model calls its tag. */
export type Action = { [name: string]: unknown };

/** The list: `element`, and `actions` as they are sent. */
export class ActionList {
  element;
  #model;
  #changed;
  #list: OrderedList<Action>;
  #errors = h("ul", { class: "field-error" });
  #choice;
  #add = button("Add", () => this.#append());
  /** Each shown field, with its path in the body. */
  #fields: { path: Path; input: Input }[] = [];

  constructor(model: ResourceModel, changed: () => void) {
    this.#model = model;
    this.#changed = changed;
    this.#choice = h(
      "select",
      { "aria-label": "Action to add" },
      Object.keys(model.actions).map((name) => h("option", { value: name }, name)),
    );
    this.#list = new OrderedList<Action>({
      name: (number) => `action ${number}`,
      empty: "No actions yet. Choose one below.",
      view: (action, at) => this.#view(action, at),
      changed,
      add: this.#add,
    });
    this.element = h(
      "div",
      { class: "stack" },
      this.#list.element,
      this.#errors,
      h("div", { class: "toolbar" }, this.#choice, this.#add),
    );
  }

  get actions(): readonly Action[] {
    return this.#list.items;
  }

  set(actions: readonly Action[]) {
    this.#list.set(actions);
  }

  /** Marks the issues. Issues that belong to no field are shown below the list. Returns whether there are none. */
  mark(issues: readonly PathIssue[]) {
    // Fields of actions that were removed are no longer on the page.
    this.#fields = this.#fields.filter(({ input }) => this.element.contains(input.element));
    const all = [...issues, ...this.#fields.flatMap(({ input }) => input.problems())];
    const isOf = (issue: PathIssue, path: Path) => path.every((name, at) => issue.path[at] === name);
    for (const { path, input } of this.#fields) input.mark(all.filter((issue) => isOf(issue, path)));
    const others = all.filter((issue) => !this.#fields.some(({ path }) => isOf(issue, path)));
    this.#errors.replaceChildren(...others.map(({ message }) => h("li", message)));
    return all.length === 0;
  }

  focusProblem() {
    const invalid = this.element.querySelector<HTMLElement>('[aria-invalid="true"]');
    (invalid ?? this.#choice).focus();
  }

  /** Returns the fields of an action. */
  #fieldsOf(name: unknown) {
    const { actions } = this.#model;
    return typeof name === "string" && Object.hasOwn(actions, name) ? (actions[name] ?? []) : [];
  }

  /** Returns the value of a field that a person has not filled in. Null removes a value; the interface has texts. */
  #absent() {
    return this.#model.isDeclared ? null : "";
  }

  #append() {
    const name = this.#choice.value;
    const fields = this.#fieldsOf(name).map((field) => [field.name, this.#absent()]);
    this.#list.append(Object.fromEntries([[this.#model.tag, name], ...fields]));
  }

  #view(action: Action, at: number) {
    const name = String(action[this.#model.tag]);
    return {
      head: h("span", h("span", { class: "badge numeric" }, at + 1), " ", h("code", name)),
      label: `Action ${at + 1}: ${name}`,
      body: this.#fieldsOf(name).map((field) => this.#field(action, field, ["actions", at, field.name])),
    };
  }

  #field(action: Action, known: FormField, path: Path) {
    const { name, required } = known;
    const isDeclared = this.#model.isDeclared;
    const input = inputFor({ ...moved(known, path), removable: isDeclared }, () => {
      action[name] = input.get() ?? this.#absent();
      this.#changed();
    });
    input.set(action[name]);
    this.#fields.push({ path, input });
    const hint = "Without a value, the action removes the field's value.";
    return [input.element, isDeclared && !required && h("p", { class: "muted small" }, hint)];
  }
}
