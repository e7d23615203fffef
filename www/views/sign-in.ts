// Signing in: with a client's ID and secret, or with an existing token.

import { go, isProject, PROJECT, PROJECT_RULE } from "../state/address.js";
import * as session from "../state/session.js";
import { dialog } from "../widgets/dialog.js";
import { field, h, mount } from "../widgets/dom.js";

type Method = "credentials" | "token";
type Inputs = ReturnType<typeof inputsFor>;
type Refuse = (which: keyof Inputs, text: string) => undefined;

const MESSAGES: { [code: string]: ((project: string) => string) | undefined } = {
  invalid_client: () => "Unknown ID or wrong secret. Check both. The secret is case sensitive.",
  invalid_scope: (project) => `This client has no access to the project ${project}.`,
};

/** The page for a person who is not signed in. */
export function signInView({ project }: { project: string | undefined }) {
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
      h(
        "p",
        { class: "muted" },
        "Use the API client that ",
        h("code", {}, "npm run dev"),
        " printed, or one that your operator gave you.",
      ),
    ),
    form.element,
    button,
  );
  return h("div", { class: "center" }, element);
}

/** Goes to the requested project, or to the only opened one, otherwise to the list. */
function arrive(opened: readonly string[], wanted: string | undefined) {
  if (wanted !== undefined && opened.includes(wanted)) dispatchEvent(new Event("hashchange"));
  else go(opened.length === 1 ? { project: opened[0] } : {});
}

/**
 * Asks for credentials in a dialog over the page, so that the page's state is kept. Resolves after a sign-in or
 * sign-out.
 */
export async function askForSignIn(project: string) {
  const form = credentialsForm({ project, fixed: true });
  const leave = await dialog(
    "Sign in again",
    h(
      "div",
      { class: "stack" },
      h(
        "p",
        { class: "muted" },
        "Your sign-in has expired. The page keeps its state, and running tasks continue after you sign in.",
      ),
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

function inputsFor(project: string | undefined, fixed: boolean) {
  return {
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
}

/** The fields around the inputs. */
function fieldsFor(inputs: Inputs, fixed: boolean) {
  return {
    id: field("Client ID", inputs.id),
    secret: field("Client secret", inputs.secret, {
      hint: "Kept in this page's memory only, until you leave the page.",
    }),
    token: field("Token", inputs.token, { hint: "Kept for this tab only." }),
    project: field("Project", inputs.project, {
      hint: fixed ? undefined : "Any unused name is an empty project. Its first resource creates it.",
    }),
    tokenProject: field("Project", inputs.tokenProject, {
      hint: fixed ? undefined : "Leave it empty to open all projects of the token.",
    }),
  };
}

/** The fields, and `submit`, which resolves with the opened projects, or `undefined` if it failed. */
function credentialsForm({ project, fixed = false }: { project: string | undefined; fixed?: boolean }) {
  const inputs = inputsFor(project, fixed);
  const fields = fieldsFor(inputs, fixed);
  let how: Method = "credentials";
  const body = h("div", { class: "stack" });
  const choose = (value: Method) => {
    how = value;
    const shown = value === "token" ? [fields.token, fields.tokenProject] : [fields.id, fields.secret, fields.project];
    mount(
      body,
      shown.map(({ element }) => element),
    );
  };
  choose(how);
  const element = h("div", { class: "stack" }, methodChoice(how, choose), body);
  return { element, submit: () => submit(how, inputs, fields) };
}

function methodChoice(how: Method, choose: (value: Method) => void) {
  const choice = (value: Method, label: string) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name: "how", value, checked: how === value, onchange: () => choose(value) }),
      h("span", {}, label),
    );
  return h(
    "fieldset",
    { class: "segments" },
    h("legend", { class: "visually-hidden" }, "How to sign in"),
    choice("credentials", "Client credentials"),
    choice("token", "Token"),
  );
}

function projectInput(value: string, fixed: boolean) {
  return h("input", {
    name: "project",
    value,
    pattern: PROJECT,
    spellcheck: "false",
    autocapitalize: "none",
    readonly: fixed,
  });
}

async function submit(
  how: Method,
  inputs: Inputs,
  fields: { [name in keyof Inputs]: { error(text: string | undefined): void } },
) {
  for (const { error } of Object.values(fields)) error(undefined);
  const refuse: Refuse = (which, text) => {
    fields[which].error(text);
    inputs[which].focus();
    return undefined;
  };
  if (how === "token") return submitToken(inputs.token.value.trim(), inputs.tokenProject.value.trim(), refuse);
  const name = inputs.project.value.trim();
  if (!isProject(name)) return refuse("project", PROJECT_RULE);
  const id = inputs.id.value.trim();
  const secret = inputs.secret.value.trim();
  if (id === "") return refuse("id", "Enter the client ID.");
  if (secret === "") return refuse("secret", "Enter the client secret.");
  try {
    await session.signIn(id, secret, name);
    inputs.secret.value = "";
    return [name];
  } catch (error) {
    if (!(error instanceof session.SignInError)) throw error;
    const { code, message } = error;
    return refuse(code === "invalid_scope" ? "project" : "secret", MESSAGES[code]?.(name) ?? message);
  }
}

function submitToken(token: string, name: string, refuse: Refuse) {
  if (name !== "" && !isProject(name)) return refuse("tokenProject", PROJECT_RULE);
  if (!/^[\x21-\x7e]+$/.test(token))
    return refuse("token", "Paste a token. It has only printable ASCII characters and no spaces.");
  try {
    return session.signInWithToken(token, name || undefined);
  } catch (error) {
    if (!(error instanceof session.SignInError)) throw error;
    return refuse(error.code === "no_project" ? "tokenProject" : "token", error.message);
  }
}
