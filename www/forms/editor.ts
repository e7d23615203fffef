// The page around what a person edits: the draft that survives a reload, the buttons, and the service's responses.

import { pathOf } from "../model/json.js";
import type { Resource } from "../pkg/browser.js";
import { leaveTo, listOf, type AddressParts } from "../state/address.js";
import type { DraftPlace } from "../state/drafts.js";
import { button, h, hold, presence, toast } from "../widgets/base/dom.js";
import { crumbs } from "../widgets/values/record.js";
import { failure, failureOf, type Failure } from "../widgets/base/failure.js";
import { clockTime } from "../widgets/base/format.js";
import type { PathIssue } from "./inputs/input.js";

/** What a person edits: the form of a body, or a list of actions. */
export interface Edited<Value, State> {
  readonly element: HTMLElement;
  readonly value: Value;
  /** Returns the typed input, to be kept; `undefined` if there is none. */
  state(): State | undefined;
  restore(state: State): void;
  /** Returns whether there are no issues. If there are, shows them and focuses the first. */
  check(): boolean;
  /** Shows the service's issues of the value. */
  fail(issues: readonly PathIssue[]): void;
}

/**
 * The options of a page that edits something.
 *
 * - `subject`: what is saved, as a sentence begins with it; `title` by default
 * - `resource`: the shown version, on which the input is based; `undefined` if there is none yet
 * - `action(value)`: returns the text of the button
 * - `form(changed, seen)`: returns a new form of the version that the input is based on
 * - `save(value, seen, shown)`: returns the saved resource, or `undefined` if nothing was saved; `shown()` returns
 *   whether the person is still on the page
 * - `saved(resource, shown)`: called after saving
 * - `newer(isChanged)`: returns the place of a notice about a newer version
 * - `unchanged(value, seen)`: returns why there is nothing to save, if there is not
 * - `issuesOf(error, value)`: returns the issues of an error for which the service lists none
 */
interface EditorOptions<Value, State extends object, Seen extends Resource | undefined, Saved> {
  title: string;
  subject?: string;
  lead: string;
  resource: Seen;
  back: AddressParts & { project: string };
  place: DraftPlace<State & { seen?: Seen }>;
  action: (value: Value) => string;
  form: (changed: () => void, seen: Seen) => Edited<Value, State>;
  save: (value: Value, seen: Seen, shown: () => boolean) => Promise<Saved | undefined>;
  saved: (saved: Saved, shown: boolean) => void;
  newer?: (isChanged: () => boolean) => HTMLElement;
  unchanged?: (value: Value, seen: Seen) => string | undefined;
  issuesOf?: (error: Failure, value: Value) => PathIssue[] | undefined;
}

/** Returns the page's element. */
export function editorPage<Value, State extends object, Seen extends Resource | undefined, Saved>(
  options: EditorOptions<Value, State, Seen, Saved>,
) {
  return new Editor(options).element;
}

class Editor<Value, State extends object, Seen extends Resource | undefined, Saved> {
  element;
  #options;
  /** The version on which the input is based. A draft has it. Newer versions are merged when the input is saved. */
  #seen: Seen;
  #form;
  #holder = h("div");
  // The part that cannot be changed during saving.
  #content = h("div", { class: "stack" });
  #problem = h("div");
  #status = h("p", { class: "muted small", role: "status" });
  #button = h("button", { class: "button primary", type: "submit" });

  constructor(options: EditorOptions<Value, State, Seen, Saved>) {
    this.#options = options;
    const { title, lead, back, newer, place, resource } = options;
    this.#seen = place.restore()?.seen ?? resource;
    const leave = button("Back", () => leaveTo(back, listOf(back.project)));
    this.#form = this.#renew();
    this.#content.append(...[this.#kept() ?? "", this.#holder]);
    this.#label();
    this.element = h(
      "form",
      {
        class: "stack edit",
        novalidate: true,
        autocomplete: "off",
        onsubmit: (event) => this.#submit(event),
        onkeydown: (event) => this.#shortcut(event),
      },
      h(
        "div",
        { class: "heading stack tight" },
        crumbs(back.project),
        h("h1", title),
        h("p", { class: "muted" }, lead),
      ),
      newer?.(() => place.restore() !== undefined),
      this.#content,
      // The problem of a long form would be below the window.
      h(
        "div",
        { class: "stack save-bar" },
        this.#problem,
        h("div", { class: "toolbar" }, this.#button, leave, this.#status),
      ),
    );
  }

  /** A new form without typed input. */
  #renew() {
    const form = this.#options.form(() => this.#keep(), this.#seen);
    this.#holder.replaceChildren(form.element);
    return form;
  }

  #label() {
    this.#button.textContent = this.#options.action(this.#form.value);
  }

  #keep() {
    const { place } = this.#options;
    this.#problem.replaceChildren();
    this.#label();
    const state = this.#form.state();
    if (state === undefined) {
      place.drop();
      this.#status.textContent = "";
      return;
    }
    this.#status.textContent = place.keep({ ...state, seen: this.#seen })
      ? "Not saved yet. This tab keeps a draft."
      : "Not saved yet. The draft is too large to survive a reload.";
  }

  /** Restores the kept draft and shows a note about it. */
  #kept() {
    const { place, resource } = this.#options;
    const draft = place.restore();
    if (draft === undefined) return undefined;
    this.#form.restore(draft);
    const discard = () => {
      place.drop();
      this.#seen = resource;
      this.#form = this.#renew();
      this.#label();
      note.remove();
      this.#status.textContent = "";
      this.#holder.querySelector<HTMLElement>("input, textarea, select")?.focus();
    };
    const base = this.#seen?.version;
    const isOlder = base !== resource?.version;
    const about = isOlder ? ` It is based on version ${base}. Newer changes are merged when you save.` : "";
    const text = `This is your unsaved draft from ${clockTime(new Date(draft.at))}.${about}`;
    const note: HTMLElement = h(
      "div",
      { class: "notice row" },
      h("p", text),
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
    const seen = this.#seen;
    const unchanged = this.#options.unchanged?.(value, seen);
    if (unchanged !== undefined) {
      this.#status.textContent = unchanged;
      return;
    }
    const { place, save, saved } = this.#options;
    const shown = presence(this.element);
    const stamp = place.stamp();
    const release = hold(this.#button, this.#content);
    this.#problem.replaceChildren();
    try {
      const resource = await save(value, seen, shown);
      release();
      if (resource === undefined) return;
      place.drop(stamp);
      saved(resource, shown());
    } catch (error) {
      release();
      if (shown()) this.#fail(error, value);
      else {
        const { title, subject = title } = this.#options;
        toast(`${subject} was not saved. Your draft is kept. ${failureOf(error).message}`, "error");
      }
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
  return errors.flatMap<PathIssue>(({ path, message, ...rest }) => {
    const { field } = rest;
    if (path !== undefined && path !== "") return [{ ...rest, message, path: pathOf(path) }];
    return field === undefined ? [] : [{ message, path: [field] }];
  });
}
