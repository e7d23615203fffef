// Signing in: with a client's ID and secret, or with an existing token.

import { dialog, field, h, mount } from "../widgets/dom.js";
import { go, isProject, PROJECT, PROJECT_RULE } from "../state/address.js";
import * as session from "../state/session.js";

const WORDS = {
  invalid_client: "This id and secret are not known. Check both; the secret is case sensitive.",
  invalid_scope: (project) => `This client may not open the project ${project}.`,
};

/** The page for a person who is not signed in. */
export function signInView({ project }) {
  const form = credentialsForm({ project });
  const button = h("button", { class: "button primary wide", type: "submit" }, "Sign in");
  const element = h(
    "form",
    {
      class: "card stack sign-in",
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        if (button.getAttribute("aria-busy") === "true") return;
        button.setAttribute("aria-busy", "true");
        const opened = await form.submit();
        button.removeAttribute("aria-busy");
        if (opened !== undefined) arrive(opened, project);
      },
    },
    h(
      "div",
      { class: "stack tight" },
      h("h1", {}, "Sign in"),
      h("p", { class: "muted" }, "With the API client that the server printed, or one that you were given."),
    ),
    form.element,
    button,
  );
  return h("div", { class: "centre" }, element);
}

/** Goes to the requested project, or to the only opened one, otherwise to the list. */
function arrive(opened, wanted) {
  if (opened.includes(wanted)) dispatchEvent(new Event("hashchange"));
  else go(opened.length === 1 ? { project: opened[0] } : {});
}

/**
 * Asks for credentials in a dialog over the page, so that the page's state is kept. Resolves after a sign-in or
 * sign-out.
 */
export async function askAgain(project) {
  const form = credentialsForm({ project, fixed: true });
  const leave = await dialog(
    "Sign in again",
    h(
      "div",
      { class: "stack" },
      h("p", { class: "muted" }, "Your sign-in has ended. What is on the page stays, and what was under way goes on."),
      form.element,
    ),
    [
      { label: "Sign out", value: true },
      { label: "Sign in", value: false, kind: "primary", check: async () => (await form.submit()) !== undefined },
    ],
    { dismissable: false },
  );
  if (!leave) return;
  session.signOut();
  go({});
}

/** The fields, and `submit`, which resolves with the opened projects, or `undefined` if it failed. */
function credentialsForm({ project, fixed = false }) {
  const inputs = {
    id: h("input", {
      name: "client-id",
      autocomplete: "username",
      value: session.clientId() ?? "",
      spellcheck: "false",
      autocapitalize: "none",
      autofocus: true,
    }),
    secret: h("input", { name: "client-secret", type: "password", autocomplete: "off" }),
    token: h("textarea", { name: "token", rows: 4, class: "mono", spellcheck: "false", autocomplete: "off" }),
    project: projectInput(project ?? "demo", fixed),
    // A token contains its projects.
    tokenProject: projectInput(project ?? "", fixed),
  };
  const fields = {
    id: field("Client id", inputs.id),
    secret: field("Client secret", inputs.secret, {
      hint: "Stays in this page's memory, and is gone when you leave it.",
    }),
    token: field("Token", inputs.token, { hint: "Kept for this tab only." }),
    project: field("Project", inputs.project, {
      hint: fixed ? undefined : "A project begins with its first resource; any name will do.",
    }),
    tokenProject: field("Project", inputs.tokenProject, {
      hint: fixed ? undefined : "Leave it empty to open all projects that the token names.",
    }),
  };
  let how = "credentials";
  const body = h("div", { class: "stack" });
  const choice = (value, label) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name: "how", value, checked: how === value, onchange: () => choose(value) }),
      h("span", {}, label),
    );
  const choose = (value) => {
    how = value;
    mount(
      body,
      (value === "token" ? [fields.token, fields.tokenProject] : [fields.id, fields.secret, fields.project]).map(
        ({ element }) => element,
      ),
    );
  };
  choose(how);
  const element = h(
    "div",
    { class: "stack" },
    h(
      "fieldset",
      { class: "segments" },
      h("legend", { class: "visually-hidden" }, "How to sign in"),
      choice("credentials", "Client credentials"),
      choice("token", "Token"),
    ),
    body,
  );
  return { element, submit: () => submit(how, inputs, fields) };
}

function projectInput(value, fixed) {
  return h("input", {
    name: "project",
    value,
    pattern: PROJECT,
    spellcheck: "false",
    autocapitalize: "none",
    readonly: fixed,
  });
}

async function submit(how, inputs, fields) {
  for (const { error } of Object.values(fields)) error();
  const wrong = (which, text) => {
    fields[which].error(text);
    inputs[which].focus();
    return undefined;
  };
  if (how === "token") return submitToken(inputs.token.value.trim(), inputs.tokenProject.value.trim(), wrong);
  const name = inputs.project.value.trim();
  if (!isProject(name)) return wrong("project", PROJECT_RULE);
  const id = inputs.id.value.trim();
  const secret = inputs.secret.value.trim();
  if (id === "") return wrong("id", "Enter the client's id.");
  if (secret === "") return wrong("secret", "Enter the client's secret.");
  try {
    await session.signIn(id, secret, name);
    inputs.secret.value = "";
    return [name];
  } catch (error) {
    const words = WORDS[error.code] ?? error.message;
    return wrong(
      error.code === "invalid_scope" ? "project" : "secret",
      typeof words === "function" ? words(name) : words,
    );
  }
}

function submitToken(token, name, wrong) {
  if (name !== "" && !isProject(name)) return wrong("tokenProject", PROJECT_RULE);
  if (!/^[\x21-\x7e]+$/.test(token)) return wrong("token", "Paste a token: printable characters without spaces.");
  try {
    return session.signInWithToken(token, name || undefined);
  } catch (error) {
    return wrong(error.code === "no_project" ? "tokenProject" : "token", error.message);
  }
}
