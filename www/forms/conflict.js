// Resolves a conflict: another person saved first. Shows mine, theirs, and the result side by side. A field that only
// one side changed is merged; a person chooses for a field that both changed. The result is saved on their version. If
// that version is outdated too, the comparison restarts with the next one.

import { dialog, h, uniqueId } from "../widgets/dom.js";
import { failure } from "../widgets/failure.js";
import { plural } from "../widgets/common.js";
import { chosen, combine, compare, countOf, merged, take, undecided } from "../model/merge.js";
import { withValue } from "../model/schema.js";
import { validate } from "../pkg/browser.js";

const ITEMS = 60;

/**
 * Resolves with the saved resource, or `undefined` if the person went back to editing. `fields` are compared, `base` is
 * the seen resource, `mine` is the wanted value, and `send(merged, theirs)` saves a value on the version of `theirs`.
 * If the person has left the page (`shown()` is false), no dialog opens and `error`, the cause of the conflict, is
 * thrown.
 */
export async function resolveConflict({ client, fields, base, mine, send, shown, error: conflict }) {
  const fresh = () => client.getById(base.id, undefined, { fresh: true });
  let theirs;
  try {
    theirs = await fresh();
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  if (!shown()) throw conflict;
  if (theirs === undefined) return recreate(client, base.id, mine);
  const view = new Comparison(fields, { base, mine, theirs });
  const save = async () => (view.ready() ? send(view.result(), view.theirs) : undefined);
  const fail = async (error) => {
    if (error.status !== 409) view.fail(error);
    else
      await fresh().then(
        (newer) => view.renew(newer),
        (failed) => view.fail(failed),
      );
  };
  return savingDialog("Somebody else changed this meanwhile", view.element, { label: "Save the result", save, fail });
}

/**
 * A dialog that saves. Resolves with the result of `save()`, or `undefined` if it was left before saving. Leaving it
 * during saving does not cancel the save: the result is still returned, and an error is still thrown.
 */
async function savingDialog(title, content, { label, save, fail }) {
  let left = false;
  let saving;
  let saved;
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

/** Offers to create a deleted resource again, with the same ID. */
async function recreate(client, id, mine) {
  const problem = h("div", {});
  const content = h(
    "div",
    { class: "stack" },
    h(
      "p",
      {},
      "This resource was deleted meanwhile. You can create it again with your values under the same id, or keep them here.",
    ),
    problem,
  );
  const save = () => client.createOrUpdate({ ...mine, id }, { headers: { "If-None-Match": "*" } });
  const fail = (error) => problem.replaceChildren(failure(error));
  return savingDialog("It was deleted meanwhile", content, { label: "Create it again", save, fail });
}

/** The three columns and the choices in them. */
class Comparison {
  #fields;
  #versions;
  #rows;
  #again = false;
  #lead = h("p", { "aria-live": "polite" });
  #problem = h("div", { role: "alert" });
  #table = h("div", { class: "conflict" });

  constructor(fields, versions) {
    this.#fields = fields;
    this.element = h("div", { class: "stack conflict-view" }, this.#lead, this.#table, this.#problem);
    this.#compare(versions);
  }

  get theirs() {
    return this.#versions.theirs;
  }

  result() {
    return merged(this.#rows);
  }

  /** Returns whether everything is chosen. If not, focuses the first missing choice. */
  ready() {
    const open = undecided(this.#rows);
    if (open.length === 0) return true;
    this.#problem.replaceChildren(
      h("p", { class: "field-error" }, `Choose what is saved for ${open.map(({ field }) => field.name).join(", ")}.`),
    );
    this.#table.querySelector(`[data-field="${open[0].field.path.join(".")}"] input`)?.focus();
    return false;
  }

  fail(error) {
    this.#problem.replaceChildren(failure(error));
  }

  /** Compares with their newest version: the merged value is now mine, and their previous version is the base. */
  renew(theirs) {
    this.#again = true;
    this.#compare({ base: this.#versions.theirs, mine: this.result(), theirs });
  }

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
    this.#lead.textContent = this.#sentence();
    this.#problem.replaceChildren();
    this.#table.replaceChildren(
      head,
      ...changed.map(rowView),
      h("p", { class: "muted small" }, `${plural(same, "other field")} ${same === 1 ? "is" : "are"} the same.`),
    );
  }

  #sentence() {
    const { base, theirs } = this.#versions;
    const open = undecided(this.#rows).length;
    const again = this.#again ? "It changed once more while you chose. " : "";
    const begun = `You began on version ${base.version}; it is version ${theirs.version} now. `;
    const rest =
      open === 0
        ? "Your changes and theirs go together as shown."
        : `${plural(open, "field")} ${open === 1 ? "was" : "were"} changed by both: choose what is saved.`;
    return again + begun + rest;
  }
}

/** One field: both values to choose from, and the result. */
function rowView(row) {
  const { field, base, mine, theirs, change } = row;
  const name = uniqueId("choice");
  const out = h("div", { class: "conflict-value result" });
  const show = () =>
    out.replaceChildren(
      label("Result"),
      row.choice === undefined ? h("p", { class: "field-error" }, "Choose") : valueView(chosen(row), base),
    );
  const pick = (choice, text) => {
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
  const column = (choice, text, value) =>
    h("label", { class: "conflict-value" }, pick(choice, text), h("div", {}, label(text), valueView(value, base)));
  show();
  const note = {
    mine: "You changed it",
    theirs: "They changed it",
    same: "Both, to the same",
    both: "Both changed it",
  }[change];
  const both =
    change === "both" &&
    combines(row) &&
    h(
      "label",
      { class: "small combine" },
      pick("both", "both"),
      " Both: what either added, without what either took away",
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

const label = (text) => h("span", { class: "conflict-label muted small" }, text);

/** Returns whether both changes of an array can be combined into a valid value. */
function combines({ field, base, mine, theirs }) {
  if (!Array.isArray(mine) || !Array.isArray(theirs)) return false;
  const body = withValue({ objectTypeProperty: {} }, field.path, combine(base, mine, theirs));
  return validate("resourceDraft", body).valid;
}

/** Shows a value, with marks on what was added to the base and what was removed from it. */
function valueView(value, base) {
  if (value === undefined || value === null) return h("p", { class: "muted" }, "absent");
  if (value === "") return h("p", { class: "muted" }, "an empty text");
  if (!Array.isArray(value))
    return h("p", { class: "value mono" }, typeof value === "string" ? value : JSON.stringify(value));
  const known = countOf(base);
  const here = countOf(value);
  const gone = (Array.isArray(base) ? base : []).filter((item) => !take(here, item));
  const marked = value.map((item) => [item, take(known, item)]);
  // Shorten a long list to its differences.
  const long = value.length + gone.length > ITEMS;
  const shown = marked.filter(([, old]) => !long || !old);
  const parts = [
    ...shown.slice(0, ITEMS).map(([item, old]) => h(old ? "span" : "ins", { class: "item" }, textOf(item))),
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

const textOf = (item) => (typeof item === "string" ? item : JSON.stringify(item));
