// Sets one field of several resources.

import type { ResourceModel } from "../model/fields.js";
import { waysOf, type Way } from "../model/edit/bulk-ways.js";
import { editablePart, saveChanges } from "../model/edit/merge.js";
import { innermost, withValue, type Field } from "../model/schema.js";
import { aboutOf, describeIssue, placeOf } from "../model/wording.js";
import type { Resource, ResourceClient } from "../pkg/browser.js";
import { dialog } from "../widgets/base/dialog.js";
import { h, mount } from "../widgets/base/dom.js";
import { plural } from "../widgets/base/format.js";
import { labeled } from "../widgets/base/labeled.js";
import { progressBar } from "../widgets/files/progress.js";
import { undoEdit, type Written } from "../widgets/list/undo.js";
import { report, writeEach } from "../widgets/list/write-each.js";
import type { Input } from "./inputs/input.js";
import { inputFor } from "./inputs/input-for.js";

interface BulkEditOptions {
  client: ResourceClient;
  model: ResourceModel;
  chosen: readonly Resource[];
  /** Called after an edit was undone. */
  done: () => unknown;
}

/** Asks for a field and its value, and sets it in each resource. Resolves with whether it has written. */
export async function bulkEdit({ client, model, chosen, done }: BulkEditOptions) {
  const choice = new Choice(model);
  const bar = progressBar("Writing");
  bar.element.hidden = true;
  let result: (() => Promise<void>) | undefined;
  const check = async () => {
    if (!choice.isValid()) return false;
    bar.element.hidden = false;
    const written: Written[] = [];
    const write = async (before: Resource) => {
      written.push({ before, after: await choice.write(client, before) });
    };
    const failed = await writeEach(chosen, write, (count) => bar.set(count, chosen.length, "resources"));
    result = () => report(model, "changed", chosen.length, failed, undoEdit({ client, model, written, done }));
    return true;
  };
  await dialog(
    `Edit ${plural(chosen.length, "resource")}`,
    [choice.element, bar.element],
    [{ label: "Cancel" }, { label: "Save", kind: "primary", check, value: true }],
  );
  await result?.();
  return result !== undefined;
}

/** The choice of a field, of the way in which it changes, and of a value. */
class Choice {
  element;
  #model;
  #fields;
  #field: Field | undefined;
  #ways: readonly Way[] = [];
  #way: Way | undefined;
  #input: Input | undefined;
  #select = h("select", { onchange: ({ currentTarget }) => this.#put(currentTarget.selectedIndex) });
  #how = h("select", { onchange: ({ currentTarget }) => this.#take(currentTarget.selectedIndex) });
  #change = labeled("Change", this.#how).element;
  #place = h("div");
  #note = h("p", { class: "muted small" });

  constructor(model: ResourceModel) {
    this.#model = model;
    this.#fields = innermost(model.content)
      .filter(({ schema }) => schema["x-unique"] !== true)
      .map((field) => ({ field, label: placeOf(model.fields, field.path)?.label ?? field.name }));
    this.#select.append(...this.#fields.map(({ label }) => h("option", label)));
    this.element = h(
      "div",
      { class: "stack" },
      labeled("Field", this.#select).element,
      this.#change,
      this.#place,
      this.#note,
    );
    this.#put(0);
  }

  #put(at: number) {
    this.#field = this.#fields[at]?.field;
    const numbers = this.#fields.filter(({ field }) => field.kind === "number");
    this.#ways = this.#field === undefined ? [] : waysOf(this.#field, numbers);
    this.#how.replaceChildren(...this.#ways.map(({ label }) => h("option", label)));
    this.#change.hidden = this.#ways.length < 2;
    this.#take(0);
  }

  #take(at: number) {
    this.#way = this.#ways[at];
    this.#input = this.#way && inputFor(this.#way.input, () => {});
    // An input shows what it offers once it has a value.
    this.#input?.set(undefined);
    mount(this.#place, this.#input?.element);
    const about = this.#way?.isWhole && !this.#way.input.required ? " An empty value removes the value." : "";
    this.#note.textContent = `Each is written if nobody has changed it since.${about}`;
  }

  isValid() {
    const [way, input] = [this.#way, this.#input];
    return way !== undefined && input !== undefined && isValid(this.#model, way, input);
  }

  write(client: ResourceClient, resource: Resource) {
    const fields = this.#model.editableFields;
    const path = this.#field?.path ?? [];
    const value = this.#way?.value(resource, this.#input?.get());
    return saveChanges(client, this.#model, fields, resource, withValue(editablePart(fields, resource), path, value));
  }
}

/** Returns whether the value of an input fits its field. If not, marks the input. */
function isValid(model: ResourceModel, { input: field, isWhole }: Way, input: Input) {
  const value = input.get();
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  const isMissing = isEmpty && (field.required || !isWhole);
  const missing = isMissing ? [{ path: field.path, message: "This field is required." }] : [];
  const problems = [...input.problems(), ...missing].slice(0, 1);
  // With a version, only the fields that the body has are checked.
  const body = withValue({ ...model.emptyBody, version: 0 }, field.path, value);
  const verdict = !isWhole || problems.length > 0 || value === undefined ? undefined : model.validate("draft", body);
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
