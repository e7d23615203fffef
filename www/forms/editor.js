// The page around a form: the draft that survives a reload, the buttons, and the service's responses.

import { h, hold, presence, toast } from "../widgets/dom.js";
import { go } from "../state/address.js";
import { failure } from "../widgets/failure.js";
import { clockTime } from "../widgets/common.js";

/**
 * The page's element.
 *
 * Options:
 * - `title` and `lead`
 * - `action`: the button's text
 * - `back`: an address
 * - `place`: the draft's place
 * - `form(changed)`: returns a new form
 * - `save(value, shown)`: returns the saved resource, or `undefined` if nothing was saved
 * - `saved(resource, shown)`: called after saving
 * - `shown()`: returns whether the person is still on the page
 *
 * Optional:
 * - `extra()`: kept with the draft
 * - `about()`: a text about a kept draft
 * - `forget()`: called when the draft is discarded
 * - `unchanged(value)`: whether there is nothing to save
 * - `retell(error, value)`: converts a failure to issues
 */
export function editorPage(options) {
  return new Editor(options).element;
}

class Editor {
  #options;
  #form;
  #holder = h("div", {});
  // The part that cannot be changed during saving.
  #content = h("div", { class: "stack" });
  #problem = h("div", {});
  #status = h("p", { class: "muted small", role: "status" });
  #button;

  constructor(options) {
    this.#options = { about: () => "", extra: () => ({}), unchanged: () => false, retell: () => undefined, ...options };
    const { title, lead, action, back } = options;
    this.#button = h("button", { class: "button primary", type: "submit" }, action);
    const leave = h("button", { class: "button", type: "button", onclick: () => go(back) }, "Back");
    this.#renew();
    this.#content.append(...[this.#kept(), this.#holder].filter(Boolean));
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
      this.#content,
      this.#problem,
      h("div", { class: "toolbar save-bar" }, this.#button, leave, this.#status),
    );
  }

  /** A new form without typed input. */
  #renew() {
    this.#form = this.#options.form(() => this.#keep());
    this.#holder.replaceChildren(this.#form.element);
  }

  #keep() {
    const { place, extra } = this.#options;
    this.#problem.replaceChildren();
    const kept = place.keep({ ...this.#form.state(), ...extra() });
    this.#status.textContent = kept
      ? "Not saved yet. Kept in this tab until then."
      : "Not saved yet, and too large to survive a reload.";
  }

  /** Restores the kept draft and reports it. */
  #kept() {
    const { place, about, forget } = this.#options;
    const draft = place.restore();
    if (draft === undefined) return undefined;
    this.#form.restore(draft);
    const discard = () => {
      place.drop();
      forget?.();
      this.#renew();
      note.remove();
      this.#status.textContent = "";
      this.#holder.querySelector("input, textarea").focus();
    };
    const text = `Here is what you typed at ${clockTime(new Date(draft.at))} and did not save.${about()}`;
    const note = h(
      "div",
      { class: "notice row" },
      h("p", {}, text),
      h("button", { class: "button small", type: "button", onclick: discard }, "Discard it"),
    );
    return note;
  }

  #shortcut(event) {
    if ((event.ctrlKey || event.metaKey) && ["s", "Enter"].includes(event.key)) this.#submit(event);
  }

  async #submit(event) {
    event.preventDefault();
    if (this.#button.getAttribute("aria-busy") === "true" || !this.#form.check()) return;
    const { value } = this.#form;
    if (this.#options.unchanged(value)) {
      this.#status.textContent = "Nothing is changed, so there is nothing to save.";
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
      else toast(`${this.#options.title}: it was not saved, and what you typed is kept. ${error.message}`, "error");
    }
  }

  #fail(error, value) {
    const found = this.#options.retell(error, value) ?? atFields(error);
    if (found.length > 0) this.#form.fail(found);
    else this.#problem.replaceChildren(failure(error));
  }
}

/** Returns the service's issues that belong to fields of the body, if any. */
function atFields({ errors = [] }) {
  return errors.flatMap(({ path, field, message }) => {
    if (path !== undefined && path !== "")
      return [
        {
          message,
          path: path
            .slice(1)
            .split("/")
            .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~")),
        },
      ];
    return field === undefined ? [] : [{ message, path: [field] }];
  });
}
