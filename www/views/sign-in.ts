// Signing in: with a client's ID and secret, or with an existing token.

import { go, isProject, PROJECT, PROJECT_RULE } from "../state/address.js";
import * as session from "../state/session.js";
import { dialog } from "../widgets/base/dialog.js";
import { busy, h, mount, radios } from "../widgets/base/dom.js";
import { labeled } from "../widgets/base/labeled.js";

const METHODS = { credentials: "Client credentials", token: "Token" };
type Method = keyof typeof METHODS;
type Fields = ReturnType<typeof fieldsFor>;
type Refuse = (which: keyof Fields, text: string) => undefined;

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
      class: "card stack wide-gap narrow",
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        return busy(button, async () => {
          const opened = await form.submit();
          if (opened !== undefined) arrive(opened, project);
        });
      },
    },
    h(
      "div",
      { class: "stack tight" },
      h("h1", "Sign in"),
      h(
        "p",
        { class: "muted" },
        "Use the API client that ",
        h("code", "npm run dev"),
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

function fieldsFor(project: string | undefined, fixed: boolean) {
  const id = h("input", {
    name: "client-id",
    autocomplete: "username",
    value: session.clientId() ?? "",
    spellcheck: "false",
    autocapitalize: "none",
    autofocus: true,
  });
  const secret = h("input", { name: "client-secret", type: "password", autocomplete: "off" });
  const token = h("textarea", { name: "token", rows: 4, class: "mono", spellcheck: "false", autocomplete: "off" });
  return {
    id: labeled("Client ID", id),
    secret: labeled("Client secret", secret, { hint: "Kept in this page's memory only, until you leave the page." }),
    token: labeled("Token", token, { hint: "Kept for this tab only." }),
    project: labeled("Project", projectInput(project ?? "demo", fixed), {
      hint: fixed ? undefined : "Any unused name is an empty project. Its first resource creates it.",
    }),
    // A token contains its projects.
    tokenProject: labeled("Project", projectInput(project ?? "", fixed), {
      hint: fixed ? undefined : "Leave it empty to open all projects of the token.",
    }),
  };
}

/** The fields, and `submit`, which resolves with the opened projects, or `undefined` if it failed. */
function credentialsForm({ project, fixed = false }: { project: string | undefined; fixed?: boolean }) {
  const fields = fieldsFor(project, fixed);
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
  const methods = radios("How to sign in", METHODS, choose, { class: "segments", isHidden: true });
  const element = h("div", { class: "stack" }, methods, body);
  return { element, submit: () => submit(how, fields) };
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

async function submit(how: Method, fields: Fields) {
  for (const { error } of Object.values(fields)) error();
  const refuse: Refuse = (which, text) => {
    fields[which].error(text);
    fields[which].control.focus();
    return undefined;
  };
  const textOf = (which: keyof Fields) => fields[which].control.value.trim();
  if (how === "token") return submitToken(textOf("token"), textOf("tokenProject"), refuse);
  const name = textOf("project");
  if (!isProject(name)) return refuse("project", PROJECT_RULE);
  const id = textOf("id");
  const secret = textOf("secret");
  if (id === "") return refuse("id", "Enter the client ID.");
  if (secret === "") return refuse("secret", "Enter the client secret.");
  try {
    await session.signIn(id, secret, name);
    fields.secret.control.value = "";
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
