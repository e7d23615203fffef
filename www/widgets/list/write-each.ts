// Writes to several resources, one after another. What fails is reported, and does not keep the others.

import type { ResourceModel } from "../../model/fields.js";
import type { Resource } from "../../pkg/browser.js";
import { dialog } from "../base/dialog.js";
import { h, toast, type ToastAction } from "../base/dom.js";
import { failureOf } from "../base/failure.js";
import { plural } from "../base/format.js";

/** A resource that was not written, and why. */
type Unwritten = { resource: Resource; why: string };

/** Writes to each resource, in the version that the person sees. Returns those that were not written. */
export async function writeEach(
  chosen: readonly Resource[],
  write: (resource: Resource) => Promise<unknown>,
  progress: (done: number) => unknown = () => {},
): Promise<Unwritten[]> {
  const failed: Unwritten[] = [];
  for (const [at, resource] of chosen.entries()) {
    try {
      await write(resource);
    } catch (error) {
      const { status, message } = failureOf(error);
      const why = status === 409 ? "Somebody has changed it since." : status === 404 ? "It does not exist." : message;
      failed.push({ resource, why });
    }
    progress(at + 1);
  }
  return failed;
}

/**
 * Says how many were written, and names those that were not. `verb` is a participle, such as "deleted". `undo` is
 * offered beside what was written.
 */
export async function report(
  model: ResourceModel,
  verb: string,
  total: number,
  failed: readonly Unwritten[],
  undo?: ToastAction | undefined,
) {
  const done = total - failed.length;
  if (done > 0) toast(`${plural(done, "resource")} ${verb}.`, "success", undo);
  if (failed.length === 0) return;
  const rows = failed.map(({ resource, why }) => h("li", h("strong", model.nameOf(resource)), `: ${why}`));
  await dialog(`${plural(failed.length, "resource")} not ${verb}`, h("ul", { class: "stack tight long-list" }, rows), [
    { label: "Close", kind: "primary" },
  ]);
}
