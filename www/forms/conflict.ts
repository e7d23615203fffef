// Resolves a conflict: another person saved first. Shows mine, theirs, and the result side by side. A field that only
// one side changed is merged; a person chooses for a field that both changed. The result is saved on their version. If
// that version is outdated too, the comparison restarts with the next one.

import type { ResourceModel } from "../model/fields.js";
import { editablePart } from "../model/edit/merge.js";
import { hasValue, valueAt, type Field, type Path } from "../model/schema.js";
import { placeOf } from "../model/wording.js";
import { merge, type MergeChange, type MergeChoice } from "../pkg/browser.js";
import type { Resource, ResourceClient, ResourceDraft } from "../pkg/browser.js";
import { dialog } from "../widgets/base/dialog.js";
import { h } from "../widgets/base/dom.js";
import { failure, failureOf } from "../widgets/base/failure.js";
import { plural } from "../widgets/base/format.js";
import type { Value } from "./body-form.js";
import { rowView } from "./conflict-row.js";

type Versions = { base: Resource; mine: Value; theirs: Resource };

interface Conflict<Saved> {
  client: ResourceClient;
  model: ResourceModel;
  fields: readonly Field[];
  base: Resource;
  mine: Value;
  save: () => Promise<Saved>;
  send: (merged: Value, theirs: Resource) => Promise<Saved> | Saved;
  shown: () => boolean;
}

/** Returns the result of `save()`. If the resource has changed or is gone meanwhile, resolves the conflict. */
export async function saveOrResolve<Saved extends object>(conflict: Conflict<Saved>) {
  try {
    return await conflict.save();
  } catch (error) {
    if (![404, 409].includes(failureOf(error).status ?? 0)) throw error;
    return resolveConflict(conflict, error);
  }
}

/**
 * Resolves with the saved resource, or `undefined` if the person went back to editing. `fields` are compared, `base` is
 * the seen resource, `mine` is the wanted value, and `send(merged, theirs)` saves a value on the version of `theirs`.
 * If the person has left the page (`shown()` is false), no dialog opens, and the function throws the cause of the
 * conflict.
 */
async function resolveConflict<Saved extends object>(
  { client, model, fields, base, mine, send, shown }: Conflict<Saved>,
  cause: unknown,
): Promise<Saved | Resource | undefined> {
  const fresh = () => client.getById(base.id, undefined, { fresh: true });
  let theirs: Resource | undefined;
  try {
    theirs = await fresh();
  } catch (error) {
    if (failureOf(error).status !== 404) throw error;
  }
  if (!shown()) throw cause;
  if (theirs === undefined) return recreate(client, base.id, mine);
  const view = new Comparison(model, fields, { base, mine, theirs });
  const save = async () => (view.ready() ? send(view.result(), view.theirs) : undefined);
  const fail = async (error: unknown) => {
    if (failureOf(error).status !== 409) view.fail(error);
    else
      await fresh().then(
        (newer) => view.renew(newer),
        (failed) => view.fail(failed),
      );
  };
  return savingDialog("Another person changed this resource", view.element, { label: "Save the result", save, fail });
}

type Saving<Saved> = { label: string; save: () => Promise<Saved | undefined>; fail: (error: unknown) => unknown };

/**
 * A dialog that saves. Resolves with the result of `save()`, or `undefined` if it was left before saving. Leaving it
 * during saving does not cancel the save: the result is still returned, and an error is still thrown.
 */
async function savingDialog<Saved extends object>(
  title: string,
  content: HTMLElement,
  { label, save, fail }: Saving<Saved>,
) {
  let left = false;
  let saving: Promise<boolean> | undefined;
  let saved: Saved | undefined;
  let late: unknown;
  const attempt = async () => {
    try {
      saved = await save();
    } catch (error) {
      if (!left) await fail(error);
      if (left) late = error;
    }
    return saved !== undefined;
  };
  await dialog(title, content, [
    { label: "Back to my edits" },
    { label, kind: "primary", check: () => (saving = attempt()), value: true },
  ]);
  left = true;
  await saving;
  if (late !== undefined) throw late;
  return saved;
}

/** Offers to create a deleted resource again, with the same ID. */
async function recreate(client: ResourceClient, id: string, mine: Value) {
  const problem = h("div");
  const content = h(
    "div",
    { class: "stack" },
    h("p", "You can create it again with your values and the same ID, or go back and keep them as a draft."),
    problem,
  );
  const save = () => client.create({ ...mine, id } as ResourceDraft);
  const fail = (error: unknown) => problem.replaceChildren(failure(error));
  return savingDialog("Another person deleted this resource", content, { label: "Create it again", save, fail });
}

/** The table of the three columns, with the choices. */
class Comparison {
  element;
  #model;
  #fields;
  #versions;
  #choices: { [path: string]: MergeChoice } = {};
  #again = false;
  #lead = h("p", { "aria-live": "polite" });
  #problem = h("div", { role: "alert" });
  #table = h("div");

  constructor(model: ResourceModel, fields: readonly Field[], versions: Versions) {
    this.#model = model;
    this.#fields = fields;
    this.#versions = versions;
    this.element = h("div", { class: "stack conflict-view" }, this.#lead, this.#table, this.#problem);
    this.#compare(versions);
  }

  get theirs() {
    return this.#versions.theirs;
  }

  result() {
    return this.#merge().value;
  }

  /** Returns whether everything is chosen. If not, focuses the first missing choice. */
  ready() {
    const open = this.#merge().conflicts.map(({ path }) => pathOf(path));
    const [first] = open;
    if (first === undefined) return true;
    const names = open.map((path) => this.#nameOf(path)).join(", ");
    this.#problem.replaceChildren(h("p", { class: "field-error" }, `Choose a value to save for ${names}.`));
    this.#table.querySelector<HTMLElement>(`[data-field="${first.join(".")}"] input`)?.focus();
    return false;
  }

  fail(error: unknown) {
    this.#problem.replaceChildren(failure(error));
  }

  /** Compares with their newest version: the merged value is now mine, and their previous version is the base. */
  renew(theirs: Resource) {
    this.#again = true;
    this.#compare({ base: this.#versions.theirs, mine: this.result(), theirs });
  }

  /** Merges what a person edits. `more` are choices to try. */
  #merge(more: { [path: string]: MergeChoice } = {}) {
    const { base, mine, theirs } = this.#versions;
    const [before, after] = [base, theirs].map((side) => editablePart(this.#fields, side));
    return merge(before ?? {}, mine, after ?? {}, { ...this.#choices, ...more });
  }

  #nameOf(path: Path) {
    return placeOf(this.#fields, path)?.label ?? path.join(".");
  }

  #rowOf({ path: place, ...change }: MergeChange) {
    const path = pathOf(place);
    const isOpen = change.change === "both";
    return rowView({
      name: this.#nameOf(path),
      path,
      ...change,
      choice: isOpen ? undefined : change.change === "mine" ? "mine" : "theirs",
      combines: this.#combines(place, change),
      choose: (choice) => (this.#choices[place] = choice),
      result: () => valueAt(this.result(), path),
    });
  }

  /** Returns whether both changes of a list can be combined into a valid value. */
  #combines(place: string, { mine, theirs }: Pick<MergeChange, "mine" | "theirs">) {
    if (!Array.isArray(mine) || !Array.isArray(theirs)) return false;
    const name = pathOf(place)[0] ?? "";
    // With a version, only the fields that it has are checked.
    const body = {
      ...this.#model.emptyBody,
      version: 0,
      [name]: valueAt(this.#merge({ [place]: "both" }).value, [name]),
    };
    return this.#model.validate("draft", body).valid;
  }

  #compare(versions: Versions) {
    this.#versions = versions;
    this.#choices = {};
    const { changes, conflicts } = this.#merge();
    const isSame = ({ path }: Field) => !changes.some((one) => `${one.path}/`.startsWith(`/${path.join("/")}/`));
    // A field that nobody has says nothing.
    const same = this.#fields.filter((field) => hasValue(versions.theirs, field) && isSame(field)).length;
    const head = h(
      "div",
      { class: "conflict-row head", "aria-hidden": "true" },
      ["Field", "Yours", "Theirs", "Result"].map((text) => h("div", text)),
    );
    this.#lead.textContent = this.#summary(conflicts.length);
    this.#problem.replaceChildren();
    this.#table.replaceChildren(
      head,
      ...changes.map((change) => this.#rowOf(change)),
      same > 0
        ? h("p", { class: "muted small" }, `${plural(same, "other field")} ${same === 1 ? "is" : "are"} the same.`)
        : "",
    );
  }

  #summary(open: number) {
    const { base, theirs } = this.#versions;
    const again = this.#again ? "It changed again while you chose. " : "";
    const begun = `You started with version ${base.version}. The resource now has version ${theirs.version}. `;
    const rest =
      open === 0
        ? "The result combines your changes and theirs as shown."
        : open === 1
          ? "1 field was changed by both: choose the value to save."
          : `${open} fields were changed by both: choose the value to save for each.`;
    return again + begun + rest;
  }
}

/** Returns the names in the place of a change. */
const pathOf = (place: string) => place.split("/").slice(1);
