// Creating a resource and editing one: the form, the draft kept over a reload, and what the service answers.

import { h, toast } from "./dom.js";
import { go } from "./address.js";
import { failure } from "./failure.js";
import { bodyForm, formFields } from "./form.js";
import { draftPlace } from "./keep.js";
import { clockTime } from "./parts.js";
import { overwriteBody } from "./merge.js";
import { resolveConflict } from "./conflict.js";
import { same, valueAt, withValue } from "./schema.js";

// Makes a POST a creation and nothing else: 412 where the name is taken (D20).
const ABSENT = { headers: { "If-None-Match": "*" } };

/** A page that creates a resource. */
export function createView({ client, project, onSaved }) {
  const form = (changed) => bodyForm({ kind: "resourceDraft", value: { objectTypeProperty: {} }, changed });
  return page({
    title: "New resource",
    lead: "Leave out what you do not need. Without an id the service gives one.",
    place: draftPlace(project, "new"),
    form,
    action: "Create",
    back: { project },
    save: (value) => client.createOrUpdate(value, ABSENT),
    saved: (resource) => done({ project, onSaved, resource, what: "Created" }),
    retell: (error, value) => (error.status === 412 ? [taken(value)] : undefined),
  });
}

const taken = ({ id, key }) => {
  const name = id !== undefined ? "id" : "key";
  return { path: [name], message: `A resource with the ${name} '${id ?? key}' is there already. Choose another, or open that one and edit it.` };
};

/** A page that edits a resource, on the version that is given. */
export function editView({ client, project, resource, onSaved }) {
  const fields = formFields.filter(({ name }) => name !== "id" && name !== "createdBy");
  const place = draftPlace(project, resource.id);
  // A draft belongs to the version that it was begun on: newer ones are merged when it is saved.
  let seen = place.restore()?.seen ?? resource;
  const more = (value) => fixed(value, seen);
  return page({
    title: resource.key ?? resource.id,
    lead: `Version ${resource.version} · ${resource.id}`,
    about: () => (seen.version === resource.version ? "" : ` You began on version ${seen.version}: what changed since is put together with yours when you save.`),
    place,
    form: (changed) => bodyForm({ kind: "resourceDraft", value: editable(fields, seen), without: ["id", "createdBy"], more, changed }),
    extra: () => ({ seen }),
    action: "Save",
    back: { project, id: resource.id },
    forget: () => (seen = resource),
    unchanged: (value) => same(value, editable(fields, seen)),
    async save(value) {
      try {
        return await client.overwrite(overwriteBody(fields, seen, value));
      } catch (error) {
        if (error.status !== 409 && error.status !== 404) throw error;
        const send = (merged, theirs) => client.overwrite(overwriteBody(fields, theirs, merged));
        return resolveConflict({ client, fields, base: seen, mine: value, send });
      }
    },
    saved: (saved) => done({ project, onSaved, resource: saved, what: "Saved" }),
  });
}

/** What of a resource a person edits. */
function editable(fields, resource) {
  return fields.reduce((value, { path }) => (valueAt(resource, path) === undefined ? value : withValue(value, path, valueAt(resource, path))), {});
}

/** Issues of what an edit does not change: pasted from elsewhere it would be about another resource, or another version. */
function fixed(value, seen) {
  return ["id", "version", "createdAt", "createdBy", "lastModifiedAt"].flatMap((name) => {
    if (value[name] === undefined || value[name] === null || same(value[name], seen[name])) return [];
    return [{ path: [name], message: `The field '${name}' is not changed here: expected ${JSON.stringify(seen[name]) ?? "none"}, or leave it out.` }];
  });
}

function done({ project, onSaved, resource, what }) {
  toast(`${what} ${resource.key ?? resource.id}, version ${resource.version}.`, "success");
  if (onSaved !== undefined) onSaved(resource);
  else go({ project, id: resource.id });
}

/** The page around a form: its draft, its buttons, and what went wrong. */
function page({ title, lead, about = () => "", place, form: make, extra = () => ({}), action, back, forget, unchanged = () => false, save, saved, retell = () => undefined }) {
  const status = h("p", { class: "muted small", role: "status" });
  const problem = h("div", {});
  const keep = () => {
    problem.replaceChildren();
    status.textContent = place.keep({ ...form.state(), ...extra() }) ? "Not saved yet. Kept in this tab until then." : "Not saved yet, and too large to survive a reload.";
  };
  let form = make(keep);
  const holder = h("div", {}, form.element);
  const kept = place.restore();
  const note = h("div", { class: "notice row", hidden: true });
  if (kept !== undefined) {
    form.restore(kept);
    const discard = h("button", { class: "button small", type: "button" }, "Discard it");
    discard.addEventListener("click", () => {
      place.drop();
      forget?.();
      form = make(keep);
      holder.replaceChildren(form.element);
      note.hidden = true;
      status.textContent = "";
    });
    note.append(h("p", {}, `Here is what you typed at ${clockTime(new Date(kept.at))} and did not save.${about()}`), discard);
    note.hidden = false;
  }
  const button = h("button", { class: "button primary", type: "submit" }, action);
  const cancel = h("button", { class: "button", type: "button", onclick: () => go(back) }, "Back");
  const element = h("form", { class: "stack edit", novalidate: true, autocomplete: "off" }, h("div", {}, h("h1", {}, title), h("p", { class: "muted" }, lead)), note, holder, problem, h("div", { class: "toolbar save-bar" }, button, cancel, status));

  async function submit() {
    if (button.getAttribute("aria-busy") === "true") return;
    if (!form.check()) return;
    if (unchanged(form.value)) {
      status.textContent = "Nothing is changed, so there is nothing to save.";
      return;
    }
    button.setAttribute("aria-busy", "true");
    problem.replaceChildren();
    const sent = form.value;
    try {
      const resource = await save(sent);
      if (resource === undefined) return;
      place.drop();
      saved(resource);
    } catch (error) {
      const found = retell(error, sent) ?? atFields(error);
      if (found.length > 0) form.fail(found);
      else problem.replaceChildren(failure(error));
    } finally {
      button.removeAttribute("aria-busy");
    }
  }
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  element.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || !["s", "Enter"].includes(event.key)) return;
    event.preventDefault();
    submit();
  });
  return element;
}

/** What the service said of fields of the body, where it did. */
function atFields({ errors = [] }) {
  return errors.flatMap(({ path, field, message }) => {
    if (path !== undefined && path !== "") return [{ message, path: path.slice(1).split("/").map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~")) }];
    return field === undefined ? [] : [{ message, path: [field] }];
  });
}
