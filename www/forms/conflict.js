// Resolves a conflict: another person saved first. Shows mine, theirs, and the result side by side. A field that only
// one side changed is merged; a person chooses for a field that both changed. The result is saved on their version. If
// that version is outdated too, the comparison restarts with the next one.

import { resultOf, combine, compare, countOf, mergeRows, take, findUndecided } from "../model/merge.js";
import { withValue } from "../model/schema.js";
import { validate } from "../pkg/browser.js";
import { dialog, h, uniqueId } from "../widgets/dom.js";
import { failure, failureOf } from "../widgets/failure.js";
import { plural } from "../widgets/format.js";

/** @import { Resource, ResourceClient, ResourceDraft } from "../pkg/browser.js" */
/** @import { Choice, Row } from "../model/merge.js" */
/** @import { Field } from "../model/schema.js" */
/** @import { Value } from "./body-form.js" */

/** @typedef {{ base: Resource, mine: Value, theirs: Resource }} Versions */

const ITEMS = 60;

/**
 * Resolves with the saved resource, or `undefined` if the person went back to editing. `fields` are compared, `base` is
 * the seen resource, `mine` is the wanted value, and `send(merged, theirs)` saves a value on the version of `theirs`.
 * If the person has left the page (`shown()` is false), no dialog opens and `error`, the cause of the conflict, is
 * thrown.
 * @template {object} Saved
 * @param {{
 *   client: ResourceClient,
 *   fields: readonly Field[],
 *   base: Resource,
 *   mine: Value,
 *   send: (merged: Value, theirs: Resource) => Promise<Saved> | Saved,
 *   shown: () => boolean,
 *   error: unknown,
 * }} options
 * @returns {Promise<Saved | Resource | undefined>}
 */
export async function resolveConflict({ client, fields, base, mine, send, shown, error: conflict }) {
  const fresh = () => client.getById(base.id, undefined, { fresh: true });
  /** @type {Resource | undefined} */
  let theirs;
  try {
    theirs = await fresh();
  } catch (error) {
    if (failureOf(error).status !== 404) throw error;
  }
  if (!shown()) throw conflict;
  if (theirs === undefined) return recreate(client, base.id, mine);
  const view = new Comparison(fields, { base, mine, theirs });
  const save = async () => (view.ready() ? send(view.result(), view.theirs) : undefined);
  const fail = async (/** @type {unknown} */ error) => {
    if (failureOf(error).status !== 409) view.fail(error);
    else
      await fresh().then(
        (newer) => view.renew(newer),
        (failed) => view.fail(failed),
      );
  };
  return savingDialog("Another person changed this resource", view.element, { label: "Save the result", save, fail });
}

/**
 * A dialog that saves. Resolves with the result of `save()`, or `undefined` if it was left before saving. Leaving it
 * during saving does not cancel the save: the result is still returned, and an error is still thrown.
 * @template {object} Saved
 * @param {string} title
 * @param {HTMLElement} content
 * @param {{
 *   label: string,
 *   save: () => Promise<Saved | undefined>,
 *   fail: (error: unknown) => Promise<unknown> | unknown,
 * }} options
 */
async function savingDialog(title, content, { label, save, fail }) {
  let left = false;
  /** @type {Promise<boolean> | undefined} */
  let saving;
  /** @type {Saved | undefined} */
  let saved;
  /** @type {unknown} */
  let late;
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

/**
 * Offers to create a deleted resource again, with the same ID.
 * @param {ResourceClient} client
 * @param {string} id
 * @param {Value} mine
 */
async function recreate(client, id, mine) {
  const problem = h("div", {});
  const content = h(
    "div",
    { class: "stack" },
    h("p", {}, "You can create it again with your values and the same ID, or go back and keep them as a draft."),
    problem,
  );
  const save = () =>
    client.createOrUpdate(/** @type {ResourceDraft} */ ({ ...mine, id }), { headers: { "If-None-Match": "*" } });
  const fail = (/** @type {unknown} */ error) => problem.replaceChildren(failure(error));
  return savingDialog("Another person deleted this resource", content, { label: "Create it again", save, fail });
}

/** The three columns and the choices in them. */
class Comparison {
  #fields;
  #versions;
  /** @type {Row[]} */
  #rows = [];
  #again = false;
  #lead = h("p", { "aria-live": "polite" });
  #problem = h("div", { role: "alert" });
  #table = h("div", { class: "conflict" });

  /**
   * @param {readonly Field[]} fields
   * @param {Versions} versions
   */
  constructor(fields, versions) {
    this.#fields = fields;
    this.#versions = versions;
    this.element = h("div", { class: "stack conflict-view" }, this.#lead, this.#table, this.#problem);
    this.#compare(versions);
  }

  get theirs() {
    return this.#versions.theirs;
  }

  result() {
    return mergeRows(this.#rows);
  }

  /** Returns whether everything is chosen. If not, focuses the first missing choice. */
  ready() {
    const open = findUndecided(this.#rows);
    const [first] = open;
    if (first === undefined) return true;
    this.#problem.replaceChildren(
      h("p", { class: "field-error" }, `Choose what is saved for ${open.map(({ field }) => field.name).join(", ")}.`),
    );
    const input = this.#table.querySelector(`[data-field="${first.field.path.join(".")}"] input`);
    if (input instanceof HTMLElement) input.focus();
    return false;
  }

  /** @param {unknown} error */
  fail(error) {
    this.#problem.replaceChildren(failure(error));
  }

  /**
   * Compares with their newest version: the merged value is now mine, and their previous version is the base.
   * @param {Resource} theirs
   */
  renew(theirs) {
    this.#again = true;
    this.#compare({ base: this.#versions.theirs, mine: this.result(), theirs });
  }

  /** @param {Versions} versions */
  #compare(versions) {
    this.#versions = versions;
    this.#rows = compare(this.#fields, versions.base, versions.mine, versions.theirs);
    const changed = this.#rows.filter(({ change }) => change !== "none");
    const same = this.#rows.length - changed.length;
    const head = h(
      "div",
      { class: "conflict-row head", "aria-hidden": "true" },
      ["Field", "Yours", "Theirs", "Result"].map((text) => h("div", {}, text)),
    );
    this.#lead.textContent = this.#summary();
    this.#problem.replaceChildren();
    this.#table.replaceChildren(
      head,
      ...changed.map(rowView),
      h("p", { class: "muted small" }, `${plural(same, "other field")} ${same === 1 ? "is" : "are"} the same.`),
    );
  }

  #summary() {
    const { base, theirs } = this.#versions;
    const open = findUndecided(this.#rows).length;
    const again = this.#again ? "It changed again while you chose. " : "";
    const begun = `You started with version ${base.version}. The resource now has version ${theirs.version}. `;
    const rest =
      open === 0
        ? "The result combines your changes and theirs as shown."
        : `${plural(open, "field")} ${open === 1 ? "was" : "were"} changed by both: choose what is saved.`;
    return again + begun + rest;
  }
}

/**
 * One field: both values to choose from, and the result.
 * @param {Row} row
 */
function rowView(row) {
  const { field, base, mine, theirs, change } = row;
  const name = uniqueId("choice");
  const out = h("div", { class: "conflict-value result" });
  const show = () =>
    out.replaceChildren(
      label("Result"),
      row.choice === undefined ? h("p", { class: "field-error" }, "Choose") : valueView(resultOf(row), base),
    );
  const pick = (/** @type {Choice} */ choice, /** @type {string} */ text) => {
    const radio = h("input", {
      type: "radio",
      name,
      value: choice,
      checked: row.choice === choice,
      "aria-label": `${field.name}: ${text}`,
    });
    radio.addEventListener("change", () => {
      row.choice = choice;
      show();
    });
    return radio;
  };
  const column = (/** @type {Choice} */ choice, /** @type {string} */ text, /** @type {unknown} */ value) =>
    h("label", { class: "conflict-value" }, pick(choice, text), h("div", {}, label(text), valueView(value, base)));
  show();
  const note = {
    none: "",
    mine: "You changed it",
    theirs: "They changed it",
    same: "Both made the same change",
    both: "Both changed it",
  }[change];
  const both =
    change === "both" &&
    combines(row) &&
    h(
      "label",
      { class: "small combine" },
      pick("both", "both"),
      " Both: with all added items, without all removed items",
    );
  const title = h(
    "div",
    { class: "stack tight" },
    h("code", {}, field.name),
    h("span", { class: `badge ${change === "both" ? "warning" : ""}` }, note),
    both,
  );
  return h(
    "fieldset",
    { class: "conflict-row", dataset: { field: field.path.join(".") } },
    h("legend", { class: "visually-hidden" }, field.name),
    title,
    column("mine", "Yours", mine),
    column("theirs", "Theirs", theirs),
    out,
  );
}

/** @param {string} text */
const label = (text) => h("span", { class: "conflict-label muted small" }, text);

/**
 * Returns whether both changes of an array can be combined into a valid value.
 * @param {Row} row
 */
function combines({ field, base, mine, theirs }) {
  if (!Array.isArray(mine) || !Array.isArray(theirs)) return false;
  const body = withValue({ objectTypeProperty: {} }, field.path, combine(base, mine, theirs));
  return validate("resourceDraft", body).valid;
}

/**
 * Shows a value, with marks on what was added to the base and what was removed from it.
 * @param {unknown} value
 * @param {unknown} base
 */
function valueView(value, base) {
  if (value === undefined || value === null) return h("p", { class: "muted" }, "absent");
  if (value === "") return h("p", { class: "muted" }, "empty text");
  if (!Array.isArray(value))
    return h("p", { class: "value mono" }, typeof value === "string" ? value : JSON.stringify(value));
  const known = countOf(base);
  const here = countOf(value);
  /** @type {unknown[]} */
  const items = value;
  const gone = (Array.isArray(base) ? base : []).filter((item) => !take(here, item));
  const marked = items.map((item) => ({ item, isOld: take(known, item) }));
  // Shorten a long list to its differences.
  const long = value.length + gone.length > ITEMS;
  const shown = marked.filter(({ isOld }) => !long || !isOld);
  const parts = [
    ...shown.slice(0, ITEMS).map(({ item, isOld }) => h(isOld ? "span" : "ins", { class: "item" }, textOf(item))),
    ...gone.slice(0, ITEMS).map((item) => h("del", { class: "item" }, textOf(item))),
  ];
  const hidden = value.length + gone.length - parts.length;
  if (value.length === 0 && gone.length === 0) return h("p", { class: "muted" }, "no items");
  return h(
    "div",
    { class: "value mono items" },
    parts,
    hidden > 0 && h("span", { class: "muted" }, `and ${plural(hidden, "more item")}`),
  );
}

/** @param {unknown} item */
const textOf = (item) => (typeof item === "string" ? item : JSON.stringify(item));
