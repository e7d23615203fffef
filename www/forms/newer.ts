// The notice above a form whose resource another person has changed meanwhile.

import { same, valueAt, type Field } from "../model/schema.js";
import { labelOf } from "../model/wording.js";
import type { Resource } from "../pkg/browser.js";
import { ago } from "../widgets/base/ago.js";
import { button, h, mount } from "../widgets/base/dom.js";

interface NoticeOptions {
  /** The resource as the form shows it. */
  resource: Resource;
  /** The fields that the notice compares. */
  fields: readonly Field[];
  /** Calls the function with each newer version of the resource; `undefined` if it was deleted. */
  onNewer: (show: (newest: Resource | undefined) => void) => void;
  /** Returns whether the person has changed the form. */
  isChanged: () => boolean;
  /** Opens the form again. */
  open: () => void;
}

/**
 * Returns the place of the notice. It offers what saving leads to anyway: the comparison with the newer version. A form
 * without changes is opened again instead.
 */
export function newerNotice({ resource, fields, onNewer, isChanged, open }: NoticeOptions) {
  const place = h("div", { class: "newer", role: "status" });
  const merge = () => (isChanged() ? place.closest("form")?.requestSubmit() : open());
  onNewer((newest) => {
    // The form may be about to save what has changed.
    const isSaving = place.closest("form")?.querySelector("[type=submit][aria-busy=true]") != null;
    if (newest?.version === resource.version || isSaving) return;
    const changed = fields.filter(({ path }) => !same(valueAt(newest, path), valueAt(resource, path)));
    const names = changed.map(labelOf).join(", ") || "no field";
    const text =
      newest === undefined
        ? "Another person deleted this resource. If you save, you can create it again."
        : ["Saved ", ago(newest.lastModifiedAt), ` by another person: ${names} changed.`];
    const shown = String(newest?.version);
    if (place.dataset.version === shown) return;
    place.dataset.version = shown;
    mount(place, h("div", { class: "notice row" }, h("p", text), newest && button("Merge now", merge, "small")));
  });
  return place;
}
