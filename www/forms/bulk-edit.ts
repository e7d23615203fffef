// Sets one field of several resources.

import type { ResourceModel } from "../model/fields.js";
import { changesBody, editablePart, overwriteBody } from "../model/merge.js";
import { innermost, withValue, type Field } from "../model/schema.js";
import { aboutOf, describeIssue, placeOf } from "../model/wording.js";
import type { Resource, ResourceClient, ResourceDraft } from "../pkg/browser.js";
import { dialog } from "../widgets/base/dialog.js";
import { h, mount } from "../widgets/base/dom.js";
import { plural } from "../widgets/base/format.js";
import { labeled } from "../widgets/base/labeled.js";
import { progressBar } from "../widgets/files/progress.js";
import { report, writeEach } from "../widgets/list/write-each.js";
import type { Input } from "./inputs/input.js";
import { inputFor } from "./inputs/input-for.js";

interface BulkEditOptions {
  client: ResourceClient;
  model: ResourceModel;
  chosen: readonly Resource[];
}

/** Asks for a field and its value, and sets it in each resource. Resolves with whether it has written. */
export async function bulkEdit({ client, model, chosen }: BulkEditOptions) {
  const fields = innermost(model.content).filter(({ schema }) => schema["x-unique"] !== true);
  const select: HTMLSelectElement = h(
    "select",
    { onchange: () => put(fields[select.selectedIndex]) },
    fields.map((field) => h("option", placeOf(model.fields, field.path)?.label ?? field.name)),
  );
  const place = h("div");
  const bar = progressBar("Writing");
  bar.element.hidden = true;
  let field: Field | undefined;
  let input: Input | undefined;
  const put = (next: Field | undefined) => {
    field = next;
    input = next && inputFor({ ...next, removable: true }, () => {});
    mount(place, input?.element);
  };
  put(fields[0]);
  const check = async () => {
    if (field === undefined || input === undefined || !isValid(model, field, input)) return false;
    const write = writerOf(client, model, field, input.get());
    bar.element.hidden = false;
    const failed = await writeEach(chosen, write, (done) => bar.set(done, chosen.length, "resources"));
    result = () => report(model, "changed", chosen.length, failed);
    return true;
  };
  let result: (() => Promise<void>) | undefined;
  const note = "Each is written if nobody has changed it since. An empty value removes the value.";
  const content = [labeled("Field", select).element, place, h("p", { class: "muted small" }, note), bar.element];
  await dialog(`Edit ${plural(chosen.length, "resource")}`, content, [
    { label: "Cancel" },
    { label: "Save", kind: "primary", check, value: true },
  ]);
  await result?.();
  return result !== undefined;
}

/** Returns the function that sets the value in a resource. */
function writerOf(client: ResourceClient, model: ResourceModel, { path }: Field, value: unknown) {
  return (resource: Resource) => {
    const fields = model.editableFields;
    const next = withValue(editablePart(fields, resource), path, value);
    return model.isDeclared
      ? client.createOrUpdate(changesBody(fields, resource, next) as unknown as ResourceDraft)
      : client.overwrite(overwriteBody(fields, resource, next));
  };
}

/** Returns whether the value of an input fits its field. If not, marks the input. */
function isValid(model: ResourceModel, field: Field, input: Input) {
  const problems = input.problems();
  const value = input.get();
  // With a version, only the fields that the body has are checked.
  const body = withValue({ ...model.emptyBody, version: 0 }, field.path, value);
  const verdict = problems.length > 0 || value === undefined ? undefined : model.validate("draft", body);
  const issues = verdict === undefined || verdict.valid ? [] : verdict.issues;
  const own = issues.filter(({ path }) => field.path.every((name, at) => path[at] === name));
  const marks = [
    ...problems,
    ...own.map((issue) => ({ path: issue.path, message: describeIssue(issue, aboutOf(field)) })),
  ];
  input.mark(marks);
  if (marks.length > 0) input.control.focus();
  return marks.length === 0;
}
