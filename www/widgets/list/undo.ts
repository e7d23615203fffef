// Takes back what was just done to resources: they get the content again that the page still has.

import type { ResourceModel } from "../../model/fields.js";
import { editablePart, saveChanges } from "../../model/edit/merge.js";
import type { Resource, ResourceClient, ResourceDraft } from "../../pkg/browser.js";
import type { ToastAction } from "../base/dom.js";
import { may } from "../../state/session.js";
import { report, writeEach } from "./write-each.js";

/** `done` is called after the resources were written. */
interface UndoOptions {
  client: ResourceClient;
  model: ResourceModel;
  done: () => unknown;
}

/** A resource before and after a write. */
export type Written = { before: Resource; after: Resource };

/** What the page says before a deletion; nothing if the user may not create what it deletes. */
export const undoableDeletion = () => (may("create") ? " You can undo that right after." : "");

/** Returns the button that creates deleted resources again, with their IDs and keys, if the user may create them. */
export const undoDeletion = ({ deleted, ...options }: UndoOptions & { deleted: readonly Resource[] }) => {
  const { client, model } = options;
  const create = (resource: Resource) =>
    client.create(editablePart(model.editableFields, resource) as unknown as ResourceDraft);
  return may("create") ? undo(options, deleted, create, "restored") : undefined;
};

/** Returns the button that gives changed resources their former content, unless somebody has changed them since. */
export const undoEdit = ({ written, ...options }: UndoOptions & { written: readonly Written[] }) => {
  const { client, model } = options;
  const fields = model.editableFields;
  const former = new Map(written.map(({ before, after }) => [after, editablePart(fields, before)]));
  const write = (after: Resource) => saveChanges(client, model, fields, after, former.get(after) ?? {});
  return undo(options, [...former.keys()], write, "changed back");
};

const undo = (
  { model, done }: UndoOptions,
  resources: readonly Resource[],
  write: (resource: Resource) => Promise<unknown>,
  verb: string,
): ToastAction => ({
  label: "Undo",
  async run() {
    const failed = await writeEach(resources, write);
    done();
    await report(model, verb, resources.length, failed);
  },
});
