// Updating a resource by actions: validated during typing, previewed as JSON, and sent in order.

import { ActionList, type Action } from "../forms/action-list.js";
import { saveOrResolve } from "../forms/conflict.js";
import { editorPage, type Edited } from "../forms/editor.js";
import type { PathIssue } from "../forms/inputs/input.js";
import { newerNotice } from "../forms/newer.js";
import type { ResourceModel } from "../model/fields.js";
import { applyActions } from "../model/edit/merge.js";
import { same, valueAt } from "../model/schema.js";
import type { Resource, ResourceClient, ResourceUpdate } from "../pkg/browser.js";
import { go, leaveTo } from "../state/address.js";
import { draftPlace } from "../state/drafts.js";
import { h, toast } from "../widgets/base/dom.js";
import { plural } from "../widgets/base/format.js";
import type { ResourceContext } from "./context.js";

type Saved = Resource & { unsent?: boolean };

/** A page that updates the given version of a resource by actions. */
export function actionsView({ client, project, model, resource, onNewer }: ResourceContext) {
  const { id } = resource;
  const title = model.nameOf(resource);
  return editorPage({
    title: "Update actions",
    subject: `The list of actions for ${title}`,
    lead:
      `${title} · version ${resource.version}. Actions run in this order, all ` +
      "or none. Alt+↑ and Alt+↓ move the focused action.",
    resource,
    back: { project, id },
    place: draftPlace<{ actions: readonly Action[]; seen?: Resource }>(project, `actions ${id}`),
    form: (changed, seen) => new ActionsForm(model, seen, changed),
    action: ({ length }) => (length === 0 ? "Send" : `Send ${plural(length, "action")}`),
    newer: (isChanged) =>
      newerNotice({
        resource,
        fields: model.editableFields,
        onNewer,
        isChanged,
        open: () => go({ project, id, view: "actions" }),
      }),
    unchanged: ({ length }) => (length === 0 ? "Add at least one action." : undefined),
    save: (actions, seen, shown) => sendUpdate({ client, model, seen, actions, shown }),
    saved: ({ unsent, ...saved }: Saved, shown) => {
      const name = model.nameOf(saved);
      if (unsent) toast(`There was nothing left to send. ${name} remains at version ${saved.version}.`);
      else toast(`Updated ${name}, version ${saved.version}.`, "success");
      if (shown) leaveTo({ project, id });
    },
  });
}

/** The list of actions, with what would be sent. */
class ActionsForm implements Edited<readonly Action[], { actions: readonly Action[] }> {
  element;
  #model;
  #seen;
  #list;
  #preview = h("pre", { class: "preview", tabindex: 0, "aria-label": "The body as JSON" });

  constructor(model: ResourceModel, seen: Resource, changed: () => void) {
    this.#model = model;
    this.#seen = seen;
    this.#list = new ActionList(model, () => {
      changed();
      this.#mark();
    });
    const preview = h("details", { class: "card" }, h("summary", "Request body"), this.#preview);
    this.element = h("div", { class: "stack" }, this.#list.element, preview);
    this.#mark();
  }

  get value() {
    return this.#list.actions;
  }

  state() {
    return this.value.length === 0 ? undefined : { actions: this.value };
  }

  restore({ actions }: { actions: readonly Action[] }) {
    this.#list.set(actions);
    this.#mark();
  }

  check() {
    const isValid = this.#mark();
    if (!isValid) this.#list.focusProblem();
    return isValid;
  }

  fail(issues: readonly PathIssue[]) {
    this.#list.mark(issues);
    this.#list.focusProblem();
  }

  /** Shows what would be sent and its issues. Returns whether there are no issues. */
  #mark() {
    const body = { version: this.#seen.version, actions: this.value };
    this.#preview.textContent = JSON.stringify(body, null, 2);
    const result = this.#model.validate("update", body);
    return this.#list.mark(result.valid ? [] : result.issues);
  }
}

type Update = {
  client: ResourceClient;
  model: ResourceModel;
  seen: Resource;
  actions: readonly Action[];
  shown: () => boolean;
};

/**
 * Sends actions on the seen version. After a conflict, sends the actions that are still wanted on the newer version.
 */
function sendUpdate({ client, model, seen, actions, shown }: Update): Promise<Saved | undefined> {
  const mine = applyActions(seen, actions);
  const save = () => client.updateById(seen.id, bodyOf(seen, actions));
  const send = (merged: Action, theirs: Resource) => {
    const wanted = model.isDeclared
      ? chosenActions(model, actions, merged, theirs)
      : // Leave out an action if its outcome was not chosen.
        actions.filter(({ [model.tag]: name, ...set }) =>
          Object.keys(set).every((field) => same(merged[field], mine[field])),
        );
    return wanted.length === 0 ? { ...theirs, unsent: true } : client.updateById(seen.id, bodyOf(theirs, wanted));
  };
  const fields = model.editableFields.filter(({ name }) => name !== "id");
  return saveOrResolve<Saved>({ client, model, fields, base: seen, mine, save, send, shown });
}

/** Returns actions that set the fields of other actions to the values that were chosen, if theirs differ. */
function chosenActions(model: ResourceModel, actions: readonly Action[], merged: Action, theirs: Resource) {
  const names = new Set(actions.flatMap(({ [model.tag]: name, ...set }) => Object.keys(set)));
  const different = [...names].filter((name) => !same(merged[name], valueAt(theirs, [name])));
  return different.flatMap((name) => {
    const setter = Object.keys(model.actions).find(
      (one) => one.startsWith("set") && model.actions[one]?.[0]?.name === name,
    );
    return setter === undefined ? [] : [{ [model.tag]: setter, [name]: merged[name] ?? null }];
  });
}

/** Returns the body of an update. The list has validated its actions. */
const bodyOf = ({ version }: Resource, actions: readonly Action[]) =>
  ({ version, actions }) as unknown as ResourceUpdate;
