// Updating a resource by actions: validated during typing, previewed as JSON, and sent in order.

import { validate } from "../pkg/browser.js";
import { h, hold, presence, toast } from "../widgets/dom.js";
import { go } from "../state/address.js";
import { ActionList, tag } from "../forms/action-list.js";
import { resolveConflict } from "../forms/conflict.js";
import { failure } from "../widgets/failure.js";
import { formFields } from "../forms/body-form.js";
import { draftPlace } from "../state/drafts.js";
import { afterActions } from "../model/merge.js";
import { plural } from "../widgets/common.js";
import { same } from "../model/schema.js";

/** A page that updates the given version of a resource by actions. */
export function actionsView(context) {
  return new ActionsPage(context).element;
}

class ActionsPage {
  #context;
  #place;
  // A list belongs to the version on which it was begun.
  #seen;
  #list;
  #status = h("p", { class: "muted small", role: "status" });
  #problem = h("div", {});
  #preview = h("pre", { class: "preview", tabindex: 0, "aria-label": "The body as JSON" });
  #send = h("button", { class: "button primary", type: "submit" });

  constructor(context) {
    this.#context = context;
    const { project, resource } = context;
    this.#place = draftPlace(project, `actions ${resource.id}`);
    const kept = this.#place.restore();
    if (kept !== undefined) this.#status.textContent = "Here is the list that you began and did not send.";
    this.#seen = kept?.seen ?? resource;
    this.#list = new ActionList(kept?.actions ?? [], () => this.#changed());
    const lead = `${resource.key ?? resource.id} · version ${resource.version}. Performed in this order, all or none. Alt with ↑ or ↓ moves the one that has the focus.`;
    const back = h(
      "button",
      { class: "button", type: "button", onclick: () => go({ project, id: resource.id }) },
      "Back",
    );
    this.element = h(
      "form",
      {
        class: "stack edit",
        novalidate: true,
        onsubmit: (event) => this.#submit(event),
        onkeydown: (event) => this.#shortcut(event),
      },
      h("div", {}, h("h1", {}, "Update actions"), h("p", { class: "muted" }, lead)),
      this.#list.element,
      this.#problem,
      h("details", { class: "card" }, h("summary", {}, "What is sent"), this.#preview),
      h("div", { class: "toolbar save-bar" }, this.#send, back, this.#status),
    );
    this.#judge();
  }

  #changed() {
    const { actions } = this.#list;
    if (actions.length === 0) this.#place.drop();
    else if (!this.#place.keep({ actions, seen: this.#seen }))
      this.#status.textContent = "This list is too large to survive a reload.";
    this.#judge();
  }

  /** Shows what would be sent and its issues. Returns whether there are no issues. */
  #judge() {
    const { actions } = this.#list;
    const body = { version: this.#seen.version, actions };
    this.#preview.textContent = JSON.stringify(body, null, 2);
    this.#send.textContent = actions.length === 0 ? "Send" : `Send ${plural(actions.length, "action")}`;
    this.#problem.replaceChildren();
    const { valid, issues = [] } = validate("resourceUpdate", body);
    this.#list.mark(issues);
    return valid;
  }

  #shortcut(event) {
    if ((event.ctrlKey || event.metaKey) && ["s", "Enter"].includes(event.key)) this.#submit(event);
  }

  async #submit(event) {
    event.preventDefault();
    const { actions } = this.#list;
    if (this.#send.getAttribute("aria-busy") === "true") return;
    if (actions.length === 0) {
      this.#status.textContent = "Add an action first: without one nothing would happen.";
      return;
    }
    if (!this.#judge()) return this.#list.focusProblem();
    const shown = presence(this.element);
    const stamp = this.#place.stamp();
    const release = hold(this.#send, this.#list.element);
    try {
      const saved = await updated({ client: this.#context.client, seen: this.#seen, actions, shown });
      if (saved === undefined) return;
      this.#place.drop(stamp);
      this.#done(saved, shown());
    } catch (error) {
      if (shown()) this.#problem.replaceChildren(failure(error));
      else
        toast(
          `The actions for ${this.#seen.key ?? this.#seen.id} were not sent, and are kept. ${error.message}`,
          "error",
        );
    } finally {
      release();
    }
  }

  #done({ unsent, ...saved }, shown) {
    const { project } = this.#context;
    const name = saved.key ?? saved.id;
    if (unsent) toast(`Nothing was left to send: ${name} stays at version ${saved.version}.`);
    else toast(`Updated ${name}, version ${saved.version}.`, "success");
    if (shown) go({ project, id: saved.id });
  }
}

/**
 * Sends actions on the seen version. After a conflict, sends the actions that are still wanted on the newer version.
 */
async function updated({ client, seen, actions, shown }) {
  try {
    return await client.updateById(seen.id, { version: seen.version, actions });
  } catch (error) {
    if (error.status !== 409 && error.status !== 404) throw error;
    const send = (merged, theirs) => {
      // Leave out an action if its outcome was not chosen.
      const wanted = actions.filter(({ [tag]: name, ...set }) =>
        Object.keys(set).every((field) => same(merged[field], afterActions(seen, actions)[field])),
      );
      return wanted.length === 0
        ? { ...theirs, unsent: true }
        : client.updateById(seen.id, { version: theirs.version, actions: wanted });
    };
    return resolveConflict({
      client,
      fields: formFields.filter(({ name }) => name !== "id"),
      base: seen,
      mine: afterActions(seen, actions),
      send,
      shown,
      error,
    });
  }
}
