// Updating a resource by actions: validated during typing, previewed as JSON, and sent in order.

import { ActionList, tag, type Action } from "../forms/action-list.js";
import { resolveConflict } from "../forms/conflict.js";
import { newerNotice } from "../forms/newer.js";
import { editableFields } from "../model/fields.js";
import { applyActions } from "../model/merge.js";
import { same } from "../model/schema.js";
import { validate, type Resource, type ResourceClient, type ResourceUpdate } from "../pkg/browser.js";
import { go } from "../state/address.js";
import { draftPlace, type DraftPlace } from "../state/drafts.js";
import { button, h, hold, presence, toast } from "../widgets/dom.js";
import { failure, failureOf } from "../widgets/failure.js";
import { plural } from "../widgets/format.js";
import type { ResourceContext } from "./index.js";

type Saved = Resource & { unsent?: boolean };

/** A page that updates the given version of a resource by actions. */
export function actionsView(context: ResourceContext) {
  return new ActionsPage(context).element;
}

class ActionsPage {
  element;
  #context;
  #place: DraftPlace<{ actions: Action[]; seen: Resource }>;
  // A list belongs to the version on which it is based.
  #seen;
  #list;
  #status = h("p", { class: "muted small", role: "status" });
  #problem = h("div", {});
  #preview = h("pre", { class: "preview", tabindex: 0, "aria-label": "The body as JSON" });
  #send = h("button", { class: "button primary", type: "submit" });

  constructor(context: ResourceContext) {
    this.#context = context;
    const { project, resource, onChange } = context;
    this.#place = draftPlace(project, `actions ${resource.id}`);
    const kept = this.#place.restore();
    if (kept !== undefined) this.#status.textContent = "This is your unsent list of actions.";
    this.#seen = kept?.seen ?? resource;
    this.#list = new ActionList(kept?.actions ?? [], () => this.#changed());
    const lead =
      `${resource.key ?? resource.id} · version ${resource.version}. Actions run in this order, all ` +
      "or none. Alt+↑ and Alt+↓ move the focused action.";
    const newer = newerNotice({
      resource,
      fields: editableFields,
      onChange,
      isChanged: () => this.#list.actions.length > 0,
      open: () => go({ project, id: resource.id, view: "actions" }),
    });
    const back = button("Back", () => go({ project, id: resource.id }));
    this.element = h(
      "form",
      {
        class: "stack edit",
        novalidate: true,
        onsubmit: (event) => this.#submit(event),
        onkeydown: (event) => this.#shortcut(event),
      },
      h("div", {}, h("h1", {}, "Update actions"), h("p", { class: "muted" }, lead)),
      newer,
      this.#list.element,
      this.#problem,
      h("details", { class: "card" }, h("summary", {}, "Request body"), this.#preview),
      h("div", { class: "toolbar save-bar" }, this.#send, back, this.#status),
    );
    this.#check();
  }

  #changed() {
    const { actions } = this.#list;
    if (actions.length === 0) this.#place.drop();
    else if (!this.#place.keep({ actions, seen: this.#seen }))
      this.#status.textContent = "The list is too large to survive a reload.";
    this.#check();
  }

  /** Shows what would be sent and its issues. Returns whether there are no issues. */
  #check() {
    const { actions } = this.#list;
    const body = { version: this.#seen.version, actions };
    this.#preview.textContent = JSON.stringify(body, null, 2);
    this.#send.textContent = actions.length === 0 ? "Send" : `Send ${plural(actions.length, "action")}`;
    this.#problem.replaceChildren();
    const result = validate("resourceUpdate", body);
    return this.#list.mark(result.valid ? [] : result.issues);
  }

  #shortcut(event: KeyboardEvent) {
    if ((event.ctrlKey || event.metaKey) && ["s", "Enter"].includes(event.key)) void this.#submit(event);
  }

  async #submit(event: Event) {
    event.preventDefault();
    const { actions } = this.#list;
    if (this.#send.getAttribute("aria-busy") === "true") return;
    if (actions.length === 0) {
      this.#status.textContent = "Add at least one action.";
      return;
    }
    if (!this.#check()) return this.#list.focusProblem();
    const shown = presence(this.element);
    const stamp = this.#place.stamp();
    const release = hold(this.#send, this.#list.element);
    try {
      const saved = await sendUpdate({ client: this.#context.client, seen: this.#seen, actions, shown });
      if (saved === undefined) return;
      this.#place.drop(stamp);
      this.#done(saved, shown());
    } catch (error) {
      if (shown()) this.#problem.replaceChildren(failure(error));
      else
        toast(
          `The actions for ${this.#seen.key ?? this.#seen.id} failed. Your list is kept. ${failureOf(error).message}`,
          "error",
        );
    } finally {
      release();
    }
  }

  #done({ unsent, ...saved }: Saved, shown: boolean) {
    const { project } = this.#context;
    const name = saved.key ?? saved.id;
    if (unsent) toast(`There was nothing left to send. ${name} remains at version ${saved.version}.`);
    else toast(`Updated ${name}, version ${saved.version}.`, "success");
    if (shown) go({ project, id: saved.id });
  }
}

type Update = { client: ResourceClient; seen: Resource; actions: readonly Action[]; shown: () => boolean };

/**
 * Sends actions on the seen version. After a conflict, sends the actions that are still wanted on the newer version.
 */
async function sendUpdate({ client, seen, actions, shown }: Update): Promise<Saved | undefined> {
  try {
    return await client.updateById(seen.id, bodyOf(seen, actions));
  } catch (error) {
    if (![404, 409].includes(failureOf(error).status ?? 0)) throw error;
    const send = (merged: Action, theirs: Resource) => {
      // Leave out an action if its outcome was not chosen.
      const wanted = actions.filter(({ [tag]: name, ...set }) =>
        Object.keys(set).every((field) => same(merged[field], applyActions(seen, actions)[field])),
      );
      return wanted.length === 0 ? { ...theirs, unsent: true } : client.updateById(seen.id, bodyOf(theirs, wanted));
    };
    return resolveConflict({
      client,
      fields: editableFields.filter(({ name }) => name !== "id"),
      base: seen,
      mine: applyActions(seen, actions),
      send,
      shown,
      error,
    });
  }
}

/** Returns the body of an update. The list has validated its actions. */
const bodyOf = ({ version }: Resource, actions: readonly Action[]) =>
  ({ version, actions }) as unknown as ResourceUpdate;
