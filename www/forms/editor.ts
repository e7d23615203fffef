// The page around a form: the draft that survives a reload, the buttons, and the service's responses.

import { pathOf } from "../model/json.js";
import type { Resource } from "../pkg/browser.js";
import { go, type AddressParts } from "../state/address.js";
import type { DraftPlace } from "../state/drafts.js";
import { button, h, hold, presence, toast } from "../widgets/dom.js";
import { failure, failureOf, type Failure } from "../widgets/failure.js";
import { clockTime } from "../widgets/format.js";
import type { BodyForm, FormState, Value } from "./body-form.js";
import type { PathIssue } from "./input.js";

/**
 * The options of a page that edits a body.
 *
 * - `action`: the button's text
 * - `form(changed)`: returns a new form
 * - `save(value, shown)`: returns the saved resource, or `undefined` if nothing was saved; `shown()` returns whether
 *   the person is still on the page
 * - `saved(resource, shown)`: called after saving
 * - `newer`: the place of a notice about a newer version
 * - `extra()`: returns members to keep with the draft
 * - `about()`: returns a text about a kept draft
 * - `discarded()`: called when the draft is discarded
 * - `unchanged(value)`: returns whether there is nothing to save
 * - `issuesOf(error, value)`: returns the issues of an error for which the service lists none
 */
interface EditorOptions {
  title: string;
  lead: string;
  action: string;
  back: AddressParts;
  place: DraftPlace<FormState & { seen?: Resource }>;
  form: (changed: () => void) => BodyForm;
  save: (value: Value, shown: () => boolean) => Promise<Resource | undefined>;
  saved: (resource: Resource, shown: boolean) => void;
  newer?: HTMLElement;
  extra?: () => { seen?: Resource };
  about?: () => string;
  discarded?: () => void;
  unchanged?: (value: Value) => boolean;
  issuesOf?: (error: Failure, value: Value) => PathIssue[] | undefined;
}

/** Returns the page's element. */
export function editorPage(options: EditorOptions) {
  return new Editor(options).element;
}

class Editor {
  element;
  #options;
  #form;
  #holder = h("div", {});
  // The part that cannot be changed during saving.
  #content = h("div", { class: "stack" });
  #problem = h("div", {});
  #status = h("p", { class: "muted small", role: "status" });
  #button;

  constructor(options: EditorOptions) {
    this.#options = options;
    const { title, lead, action, back, newer } = options;
    this.#button = h("button", { class: "button primary", type: "submit" }, action);
    const leave = button("Back", () => go(back));
    this.#form = this.#renew();
    this.#content.append(...[this.#kept() ?? "", this.#holder]);
    this.element = h(
      "form",
      {
        class: "stack edit",
        novalidate: true,
        autocomplete: "off",
        onsubmit: (event) => this.#submit(event),
        onkeydown: (event) => this.#shortcut(event),
      },
      h("div", {}, h("h1", {}, title), h("p", { class: "muted" }, lead)),
      newer,
      this.#content,
      this.#problem,
      h("div", { class: "toolbar save-bar" }, this.#button, leave, this.#status),
    );
  }

  /** A new form without typed input. */
  #renew() {
    const form = this.#options.form(() => this.#keep());
    this.#holder.replaceChildren(form.element);
    return form;
  }

  #keep() {
    const { place, extra } = this.#options;
    this.#problem.replaceChildren();
    const kept = place.keep({ ...this.#form.state(), ...extra?.() });
    this.#status.textContent = kept
      ? "Not saved yet. This tab keeps a draft."
      : "Not saved yet. The draft is too large to survive a reload.";
  }

  /** Restores the kept draft and shows a note about it. */
  #kept() {
    const { place, about, discarded } = this.#options;
    const draft = place.restore();
    if (draft === undefined) return undefined;
    this.#form.restore(draft);
    const discard = () => {
      place.drop();
      discarded?.();
      this.#form = this.#renew();
      note.remove();
      this.#status.textContent = "";
      this.#holder.querySelector<HTMLElement>("input, textarea")?.focus();
    };
    const text = `This is your unsaved draft from ${clockTime(new Date(draft.at))}.${about?.() ?? ""}`;
    const note: HTMLElement = h(
      "div",
      { class: "notice row" },
      h("p", {}, text),
      button("Discard draft", discard, "small"),
    );
    return note;
  }

  #shortcut(event: KeyboardEvent) {
    if ((event.ctrlKey || event.metaKey) && ["s", "Enter"].includes(event.key)) void this.#submit(event);
  }

  async #submit(event: Event) {
    event.preventDefault();
    if (this.#button.getAttribute("aria-busy") === "true" || !this.#form.check()) return;
    const { value } = this.#form;
    if (this.#options.unchanged?.(value)) {
      this.#status.textContent = "There are no changes to save.";
      return;
    }
    const { place, save, saved } = this.#options;
    const shown = presence(this.element);
    const stamp = place.stamp();
    const release = hold(this.#button, this.#content);
    this.#problem.replaceChildren();
    try {
      const resource = await save(value, shown);
      release();
      if (resource === undefined) return;
      place.drop(stamp);
      saved(resource, shown());
    } catch (error) {
      release();
      if (shown()) this.#fail(error, value);
      else toast(`${this.#options.title} was not saved. Your draft is kept. ${failureOf(error).message}`, "error");
    }
  }

  #fail(thrown: unknown, value: Value) {
    const error = failureOf(thrown);
    const found = this.#options.issuesOf?.(error, value) ?? atFields(error);
    if (found.length > 0) this.#form.fail(found);
    else this.#problem.replaceChildren(failure(error));
  }
}

/** Returns the service's issues that belong to fields of the body, if any. */
function atFields({ errors = [] }: Failure): PathIssue[] {
  return errors.flatMap(({ path, field, message }) => {
    if (path !== undefined && path !== "") return [{ message, path: pathOf(path) }];
    return field === undefined ? [] : [{ message, path: [field] }];
  });
}
