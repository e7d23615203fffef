// Updating a resource by actions: judged while somebody types, shown as what is sent, and sent in their order.

import { validate } from "./pkg/browser.js";
import { h, toast } from "./dom.js";
import { go } from "./address.js";
import { ActionList, tag } from "./action-list.js";
import { resolveConflict } from "./conflict.js";
import { failure } from "./failure.js";
import { formFields } from "./form.js";
import { draftPlace } from "./keep.js";
import { afterActions } from "./merge.js";
import { plural } from "./parts.js";
import { same } from "./schema.js";

/** A page that updates a resource by actions, on the version that is given. */
export function actionsView({ client, project, resource, onSaved }) {
  const place = draftPlace(project, `${resource.id} actions`);
  const kept = place.restore();
  // A list belongs to the version that it was begun on.
  const seen = kept?.seen ?? resource;
  const list = new ActionList(kept?.actions ?? [], () => {
    if (list.actions.length === 0) place.drop();
    else place.keep({ actions: list.actions, seen });
    draw();
  });
  const status = h("p", { class: "muted small", role: "status" }, kept === undefined ? "" : "Here is the list that you began and did not send.");
  const problem = h("div", {});
  const preview = h("pre", { class: "preview", tabindex: 0, "aria-label": "The body as JSON" });
  const send = h("button", { class: "button primary", type: "submit" });
  const body = () => ({ version: seen.version, actions: list.actions });
  function draw() {
    preview.textContent = JSON.stringify(body(), null, 2);
    send.textContent = list.actions.length === 0 ? "Send" : `Send ${plural(list.actions.length, "action")}`;
    problem.replaceChildren();
    const result = validate("resourceUpdate", body());
    list.mark(result.valid ? [] : result.issues);
    return result;
  }
  async function submit() {
    if (send.getAttribute("aria-busy") === "true") return;
    if (list.actions.length === 0) {
      status.textContent = "Add an action first: without one nothing would happen.";
      return;
    }
    if (!draw().valid) return list.focusProblem();
    send.setAttribute("aria-busy", "true");
    try {
      const saved = await updated({ client, seen, actions: list.actions });
      if (saved === undefined) return;
      place.drop();
      const name = saved.key ?? saved.id;
      if (saved.unsent) toast(`Nothing was left to send: ${name} stays at version ${saved.version}.`);
      else toast(`Updated ${name}, version ${saved.version}.`, "success");
      if (onSaved !== undefined) onSaved(saved);
      else go({ project, id: saved.id });
    } catch (error) {
      problem.replaceChildren(failure(error));
    } finally {
      send.removeAttribute("aria-busy");
    }
  }
  const form = h(
    "form",
    { class: "stack edit", novalidate: true },
    h("div", {}, h("h1", {}, "Update actions"), h("p", { class: "muted" }, `${resource.key ?? resource.id} · version ${resource.version}. Performed in this order, all or none. Alt with ↑ or ↓ moves the one that has the focus.`)),
    list.element,
    problem,
    h("details", { class: "card" }, h("summary", {}, "What is sent"), preview),
    h("div", { class: "toolbar save-bar" }, send, h("button", { class: "button", type: "button", onclick: () => go({ project, id: resource.id }) }, "Back"), status),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "Enter") return;
    event.preventDefault();
    submit();
  });
  draw();
  return form;
}

/** Sends actions on the version that was seen; where it is overtaken, those that are still wanted on the newer one. */
async function updated({ client, seen, actions }) {
  try {
    return await client.updateById(seen.id, { version: seen.version, actions });
  } catch (error) {
    if (error.status !== 409 && error.status !== 404) throw error;
    const send = (merged, theirs) => {
      // An action whose outcome was not chosen is left out.
      const wanted = actions.filter(({ [tag]: name, ...set }) => Object.keys(set).every((field) => same(merged[field], afterActions(seen, actions)[field])));
      return wanted.length === 0 ? { ...theirs, unsent: true } : client.updateById(seen.id, { version: theirs.version, actions: wanted });
    };
    return resolveConflict({ client, fields: formFields.filter(({ name }) => name !== "id"), base: seen, mine: afterActions(seen, actions), send });
  }
}
