// Pages that create and edit a resource.

import { BodyForm, type FormState, type Value } from "../forms/body-form.js";
import { saveOrResolve } from "../forms/conflict.js";
import { editorPage } from "../forms/editor.js";
import type { PathIssue } from "../forms/inputs/input.js";
import { newerNotice } from "../forms/newer.js";
import type { ResourceModel } from "../model/fields.js";
import { editablePart, saveChanges } from "../model/edit/merge.js";
import { repeatable } from "../model/repeat.js";
import { same, valueAt, type Field } from "../model/schema.js";
import type { Resource, ResourceDraft } from "../pkg/browser.js";
import { go, leaveTo, listOf } from "../state/address.js";
import { draftPlace } from "../state/drafts.js";
import { toast } from "../widgets/base/dom.js";
import type { ResourceContext, ViewContext } from "./context.js";

// Fields that the service keeps from the creation of a resource.
const FIXED = ["id", "createdBy"];

/** A page that creates a resource. */
export function createView({ client, project, model }: ViewContext) {
  // The form has validated the value.
  const create = repeatable((value: Value, idempotencyKey) =>
    client.create(value as unknown as ResourceDraft, { idempotencyKey }),
  );
  return editorPage({
    title: `New ${model.name}`,
    lead: leadOf(model),
    resource: undefined,
    back: listOf(project),
    place: draftPlace<FormState>(project, "create"),
    action: () => "Create",
    form: (changed) => new BodyForm({ model, value: model.draft(), changed }),
    save: (value) => create(value),
    saved(resource, shown) {
      report("Created", model, resource);
      if (shown) leaveTo({ project, id: resource.id });
    },
    issuesOf: (error, value) => (error.status === 412 ? [inUse(value)] : undefined),
  });
}

const leadOf = ({ content }: ResourceModel) =>
  content.some(({ required }) => required) ? "Fields with * are required." : "All fields are optional.";

const inUse = ({ id, key }: Value): PathIssue => {
  const name = id !== undefined ? "id" : "key";
  return {
    path: [name],
    message:
      `Another resource already has the ${name === "id" ? "ID" : "key"} '${id ?? key}'. Choose another, ` +
      "or edit that resource.",
  };
};

/** A page that edits the given version of a resource. */
export function editView({ client, project, model, resource, focused, onNewer }: ResourceContext) {
  const { id } = resource;
  const fields = model.editableFields.filter(({ name }) => !FIXED.includes(name));
  return editorPage({
    title: model.nameOf(resource),
    lead: leadOf(model),
    resource,
    back: { project, id },
    place: draftPlace<FormState & { seen?: Resource }>(project, `edit ${id}`),
    action: () => "Save",
    form: (changed, seen) =>
      new BodyForm({
        model,
        value: editablePart(fields, seen),
        without: FIXED,
        focused,
        more: (value) => unchangeable(value, seen, fields),
        isKept: (name, value) => model.isDeclared && same(value[name], valueAt(seen, [name])),
        changed,
      }),
    newer: (isChanged) =>
      newerNotice({ resource, fields, onNewer, isChanged, open: () => go({ project, id, view: "edit" }) }),
    unchanged: (value, seen) => (same(value, editablePart(fields, seen)) ? "There are no changes to save." : undefined),
    // After a conflict, a person merges the value with the newer version.
    save: (value, seen, shown) => {
      const send = (merged: Value, theirs: Resource) => saveChanges(client, model, fields, theirs, merged);
      return saveOrResolve({
        client,
        model,
        fields,
        base: seen,
        mine: value,
        save: () => send(value, seen),
        send,
        shown,
      });
    },
    saved(saved, shown) {
      report("Saved", model, saved);
      if (shown) leaveTo({ project, id }, listOf(project));
    },
  });
}

/**
 * Returns the issues of changes that an edit cannot make. If a member that the service sets differs, the JSON was
 * pasted from another resource or version. A key can change but cannot be removed (D11).
 */
function unchangeable(value: Value, seen: Resource, fields: readonly Field[]): PathIssue[] {
  const removed = fields.flatMap(({ kind, path }) => {
    const before = valueAt(seen, path);
    if (kind !== "name" || before == null || valueAt(value, path) != null) return [];
    const message = `This cannot be removed. Expected ${JSON.stringify(before)} or another value.`;
    return [{ path, message }];
  });
  const others = ["id", "version", "createdAt", "createdBy", "lastModifiedAt"].flatMap((name) => {
    const before = valueAt(seen, [name]);
    if (value[name] === undefined || value[name] === null || same(value[name], before)) return [];
    const message =
      `The field '${name}' cannot be changed here. ` +
      `Expected ${JSON.stringify(before) ?? "no value"}, or leave it out.`;
    return [{ path: [name], message }];
  });
  return [...removed, ...others];
}

const report = (what: string, model: ResourceModel, resource: Resource) =>
  toast(`${what} ${model.nameOf(resource)}, version ${resource.version}.`, "success");
