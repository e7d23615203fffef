// A list of update actions that a person adds, removes, and reorders by mouse or keyboard.

import { fields as resourceFields } from "../model/fields.js";
import { describe, type Path } from "../model/schema.js";
import { getFields } from "../pkg/browser.js";
import { resourceUpdate } from "../pkg/json-schema.js";
import { button, h } from "../widgets/base/dom.js";
import type { FormField, Input, PathIssue } from "./inputs/input.js";
import { inputFor } from "./inputs/input-for.js";

/** An action, with its name in the member `tag`. */
export type Action = { [name: string]: unknown };

const list = describe(resourceUpdate).find((field) => field.kind === "actions");
if (list === undefined) throw new Error("The schema of an update has no actions.");
const { path: place, actions: known } = list;

/** The member that contains an action's name. */
export const { tag } = list;

/** Returns the other fields of an action. */
const fieldsOf = (name: unknown) => (typeof name === "string" && Object.hasOwn(known, name) ? (known[name] ?? []) : []);

/** Returns the own field with the name (D37). Its value has a type; the other fields of actions are texts. */
const ownField = (name: string) =>
  getFields().some((own) => own.name === name) ? resourceFields.find((field) => field.name === name) : undefined;

/** Returns the value of a field of an action that a person has not filled in. */
const absent = (name: string) => (ownField(name) === undefined ? "" : null);

/** The list: `element`, and `actions` as they are sent. */
export class ActionList {
  actions: Action[] = [];
  element;
  #changed;
  #items = h("ol", { class: "actions stack" });
  #announcement = h("p", { class: "visually-hidden", role: "status" });
  #errors = h("ul", { class: "field-error" });
  #choice = h(
    "select",
    { "aria-label": "Action to add" },
    Object.keys(known).map((name) => h("option", { value: name }, name)),
  );
  #add = button("Add", () => this.#append());
  /** Each shown field, with its path in the body. */
  #fields: { path: Path; input: Input }[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
    this.element = h(
      "div",
      { class: "stack" },
      this.#items,
      this.#announcement,
      this.#errors,
      h("div", { class: "toolbar" }, this.#choice, this.#add),
    );
    this.#draw();
  }

  set(actions: readonly Action[]) {
    this.actions = [...actions];
    this.#draw();
  }

  /** Marks the issues. Issues that belong to no field are shown below the list. Returns whether there are none. */
  mark(issues: readonly PathIssue[]) {
    const all = [...issues, ...this.#fields.flatMap(({ input }) => input.problems())];
    // Those of the service have indexes as texts.
    const isOf = (issue: PathIssue, path: Path) => path.every((name, at) => String(issue.path[at]) === String(name));
    for (const { path, input } of this.#fields) input.mark(all.filter((issue) => isOf(issue, path)));
    const others = all.filter((issue) => !this.#fields.some(({ path }) => isOf(issue, path)));
    this.#errors.replaceChildren(...others.map(({ message }) => h("li", message)));
    return all.length === 0;
  }

  focusProblem() {
    const invalid = this.element.querySelector<HTMLElement>('[aria-invalid="true"]');
    (invalid ?? this.#choice).focus();
  }

  #draw() {
    this.#fields = [];
    const empty = h("li", { class: "muted" }, "No actions yet. Choose one below.");
    this.#items.replaceChildren(
      ...(this.actions.length === 0 ? [empty] : this.actions.map((action, at) => this.#item(action, at))),
    );
  }

  /**
   * Draws the list, reports a change, and focuses the element `what` of an item, or the item's first enabled button.
   */
  #update(at: number, announcement: string, what = "textarea, input, select") {
    this.#draw();
    this.#changed();
    const item = this.#items.children[at];
    const target = item?.querySelector<HTMLElement>(what) ?? item?.querySelector<HTMLElement>("button:enabled");
    (target ?? this.#add).focus();
    this.#announcement.textContent = announcement;
  }

  #append() {
    const name = this.#choice.value;
    this.actions.push(Object.fromEntries([[tag, name], ...fieldsOf(name).map((field) => [field, absent(field)])]));
    this.#update(this.actions.length - 1, `Action ${this.actions.length} was added.`);
  }

  #move(from: number, to: number, what?: string) {
    if (to < 0 || to >= this.actions.length) return;
    this.actions.splice(to, 0, ...this.actions.splice(from, 1));
    this.#update(to, `Action ${from + 1} is now number ${to + 1} of ${this.actions.length}.`, what);
  }

  #remove(at: number) {
    this.actions.splice(at, 1);
    this.#update(Math.min(at, this.actions.length - 1), `Action ${at + 1} was removed.`);
  }

  #item(action: Action, at: number) {
    const name = String(action[tag]);
    return h(
      "li",
      {
        class: "card stack near action",
        "aria-label": `Action ${at + 1}: ${name}`,
        onkeydown: (event) => this.#shortcut(event, at),
      },
      h(
        "div",
        { class: "row" },
        h("span", h("span", { class: "badge numeric" }, at + 1), " ", h("code", name)),
        h("span", { class: "toolbar" }, this.#buttons(at)),
      ),
      fieldsOf(name).map((field) => this.#field(action, field, at)),
    );
  }

  /** The buttons of an action. */
  #buttons(at: number) {
    const number = at + 1;
    const one = (sign: string, what: string, label: string, run: () => void, disabled = false) =>
      button(sign, run, "quiet small", { "aria-label": label, dataset: { do: what }, disabled });
    const move = (sign: string, what: string, to: number) => {
      const run = () => this.#move(at, to, `[data-do="${what}"]:enabled`);
      return one(sign, what, `Move action ${number} ${what}`, run, to < 0 || to >= this.actions.length);
    };
    const remove = one("✕", "remove", `Remove action ${number}`, () => this.#remove(at));
    return [move("↑", "up", at - 1), move("↓", "down", at + 1), remove];
  }

  #shortcut(event: KeyboardEvent, at: number) {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
    if (!event.altKey || step === undefined || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    const { do: what } = event.target.dataset;
    this.#move(at, at + step, what === undefined ? undefined : `[data-do="${what}"]:enabled`);
  }

  #field(action: Action, name: string, at: number) {
    const path = [...place, at, name];
    const own = ownField(name);
    const text = { name, kind: "text" } as const;
    const field: FormField = { ...(own ?? text), path: path.map(String), removable: own !== undefined };
    const input: Input = inputFor(field, () => {
      action[name] = input.get() ?? absent(name);
      this.#changed();
    });
    input.set(action[name]);
    this.#fields.push({ path, input });
    const hint = "Without a value, the action removes the field's value.";
    return [input.element, own && h("p", { class: "muted small" }, hint)];
  }
}
