// Creates deleted resources again, as the page still has them.

import type { ResourceModel } from "../../model/fields.js";
import { editablePart } from "../../model/merge.js";
import type { Resource, ResourceClient, ResourceDraft } from "../../pkg/browser.js";
import type { ToastAction } from "../base/dom.js";
import { report, writeEach } from "./write-each.js";

interface UndoOptions {
  client: ResourceClient;
  model: ResourceModel;
  deleted: readonly Resource[];
  done: () => unknown;
}

/** Returns the button that creates deleted resources again, with their IDs and keys. `done` is called after that. */
export const undoDeletion = ({ client, model, deleted, done }: UndoOptions): ToastAction => ({
  label: "Undo",
  async run() {
    const failed = await writeEach(deleted, (resource) =>
      client.create(editablePart(model.editableFields, resource) as unknown as ResourceDraft),
    );
    done();
    await report(model, "restored", deleted.length, failed);
  },
});
