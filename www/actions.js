// Update actions as a list: added, put in order, taken out, judged while somebody types, and sent in that order.

import { validate } from "./pkg/browser.js";
import { numberOf, types } from "./pkg/accept.js";
import { h, toast, uniqueId } from "./dom.js";
import { go } from "./address.js";
import { resolveConflict } from "./conflict.js";
import { failure } from "./failure.js";
import { brief } from "./inputs.js";
import { formFields } from "./form.js";
import { draftPlace } from "./keep.js";
import { afterActions } from "./merge.js";
import { plural } from "./parts.js";
import { describe, same } from "./schema.js";

const { path, variants, tag } = describe(types[numberOf("resourceUpdate")]).find(({ kind }) => kind === "actions");

/** The fields of an action beside its name. */
const fieldsOfAction = (action) => Object.keys(variants[action] ?? {}).filter((name) => name !== tag);
const emptyAction = (action) => Object.fromEntries([[tag, action], ...fieldsOfAction(action).map((name) => [name, ""])]);

/** A page that updates a resource by actions, on the version that is given. */
export function actionsView({ client, project, resource, onSaved }) {
  const place = draftPlace(project, `${resource.id} actions`);
  const kept = place.restore();
  // A list belongs to the version that it was begun on.
  const seen = kept?.seen ?? resource;
  const list = actionList(kept?.actions ?? [], () => {
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
      toast(`Updated ${saved.key ?? saved.id}, version ${saved.version}.`, "success");
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
      return wanted.length === 0 ? theirs : client.updateById(seen.id, { version: theirs.version, actions: wanted });
    };
    return resolveConflict({ client, fields: formFields.filter(({ name }) => name !== "id"), base: seen, mine: afterActions(seen, actions), send });
  }
}

/** The list itself: `actions`, `mark(issues)`, `focusProblem()`. */
function actionList(start, changed) {
  const actions = [...start];
  const items = h("ol", { class: "actions stack" });
  const said = h("p", { class: "visually-hidden", role: "status" });
  const choice = h("select", { "aria-label": "Action to add" }, Object.keys(variants).map((name) => h("option", { value: name }, name)));
  const add = h("button", { class: "button", type: "button" }, "Add");
  const errors = h("ul", { class: "field-error" });
  const element = h("div", { class: "stack" }, items, said, errors, h("div", { class: "toolbar" }, choice, add));
  let marks = [];

  function draw() {
    marks = [];
    const empty = h("li", { class: "muted" }, "No action yet. Choose one below.");
    items.replaceChildren(...(actions.length === 0 ? [empty] : actions.map(itemView)));
  }
  function focus(at, what = "[data-first]") {
    const item = items.children[at];
    (item?.querySelector(what) ?? item?.querySelector("button") ?? add).focus();
  }
  function move(from, to, what) {
    if (to < 0 || to >= actions.length) return;
    actions.splice(to, 0, ...actions.splice(from, 1));
    draw();
    changed();
    focus(to, what);
    said.textContent = `Action ${from + 1} is number ${to + 1} of ${actions.length} now.`;
  }
  function itemView(action, at) {
    const name = action[tag];
    const button = (text, label, run, data, disabled) => h("button", { class: "button quiet small", type: "button", "aria-label": label, dataset: { do: data }, disabled, onclick: run }, text);
    const remove = () => {
      actions.splice(at, 1);
      draw();
      changed();
      focus(Math.min(at, actions.length - 1));
      said.textContent = `Action ${at + 1} is taken out.`;
    };
    const item = h(
      "li",
      { class: "card action", "aria-label": `Action ${at + 1}: ${name}` },
      h("div", { class: "row" }, h("span", {}, h("span", { class: "badge numeric" }, at + 1), " ", h("code", {}, name)), h("span", { class: "toolbar" }, button("↑", `Move action ${at + 1} up`, () => move(at, at - 1, '[data-do="up"]'), "up", at === 0), button("↓", `Move action ${at + 1} down`, () => move(at, at + 1, '[data-do="down"]'), "down", at === actions.length - 1), button("✕", `Take out action ${at + 1}`, remove, "remove"))),
      fieldsOfAction(name).map((field) => fieldView(action, field, at)),
    );
    item.addEventListener("keydown", (event) => {
      const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
      if (step === undefined) return;
      event.preventDefault();
      move(at, at + step, event.target.dataset.do === undefined ? undefined : `[data-do="${event.target.dataset.do}"]`);
    });
    return item;
  }
  function fieldView(action, field, at) {
    const id = uniqueId("action");
    const control = h("textarea", { id, rows: 1, class: "grow", value: action[field] ?? "", "aria-describedby": `${id}-error`, dataset: { first: "" } });
    const error = h("p", { class: "field-error", id: `${id}-error`, "aria-live": "polite" });
    control.addEventListener("input", () => {
      action[field] = control.value;
      changed();
    });
    marks.push({ path: [...path, at, field], control, error });
    return h("div", { class: "field" }, h("label", { for: id }, h("code", {}, field)), control, error);
  }
  add.addEventListener("click", () => {
    actions.push(emptyAction(choice.value));
    draw();
    changed();
    focus(actions.length - 1);
  });
  draw();
  return {
    element,
    actions,
    mark(issues) {
      const others = issues.filter((issue) => !marks.some((mark) => same(mark.path, issue.path)));
      for (const { path: at, control, error } of marks) {
        const issue = issues.find((one) => same(one.path, at));
        error.textContent = issue === undefined ? "" : brief(issue.message);
        if (issue === undefined) control.removeAttribute("aria-invalid");
        else control.setAttribute("aria-invalid", "true");
      }
      errors.replaceChildren(...others.map(({ message }) => h("li", {}, message)));
    },
    focusProblem: () => (element.querySelector('[aria-invalid="true"]') ?? choice).focus(),
  };
}
