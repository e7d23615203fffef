// The sign-in, the shown project, and the client that sends all requests. A token is kept only for the tab
// (sessionStorage). A client secret is kept only in this module's memory, to get the next token.

import { isProject } from "./address.js";
import { forgetCalls, NotedClient } from "./client.js";
import { forget, recording } from "./request-log.js";
import { forgetDrafts } from "./drafts.js";

export { changes, exchanges, onExchange } from "./request-log.js";

const STORE = "resource-edge";
const TRY_MS = 30_000;
// Renew tokens this long before they expire.
const MARGIN_MS = 30_000;

let send = recording(TRY_MS);
/**
 * `{ clientId, tokens: { [project]: { token, end, scope } }, projects }`. A project may be named `constructor`.
 * @type {{
 *   clientId?: string,
 *   tokens: Record<string, { token: string, end?: number, scope?: string }>,
 *   projects: string[],
 * }}
 */
let state = restored();
let secret;
let current;
// Incremented on sign-out, so that responses to earlier requests are ignored.
let era = 0;
const clients = new Map();
let askAgain;
// The projects with an open sign-in dialog, each with its promise.
const asking = new Map();

/** A failed sign-in. `code` is the service's, such as `invalid_client` or `invalid_scope`. */
class SignInError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * Sets the function that asks for credentials after a token expired. It receives the project and resolves after a
 * sign-in.
 */
export function setAskAgain(ask) {
  askAgain = ask;
}

export const signedIn = () => Object.keys(state.tokens).length > 0;
/** The ID of the signed-in client; undefined for a pasted token. */
export const clientId = () => state.clientId;
/** The opened projects, the last one first. */
export const projects = () => state.projects;
/** The shown project. */
export const project = () => current;
/** Whether the token of the shown project allows writes. */
export const mayWrite = () => /(^| )manage_test:/.test(state.tokens[current]?.scope ?? "manage_test:");

/** Fetches a project's token if there is none. */
export async function open(name) {
  if (state.tokens[name] !== undefined) return;
  if (secret === undefined) throw new SignInError(`Sign in again to open ${name}.`, "no_credentials");
  await exchange(state.clientId, secret, name);
}

/** Shows an opened project. */
export function enter(name) {
  if (current === name) return;
  current = name;
  state.projects = [name, ...state.projects.filter((other) => other !== name)];
  store();
}

/** The client of the shown project. */
export function client() {
  const name = current;
  if (!clients.has(name)) {
    const mine = era;
    const token = ({ refresh }) => tokenFor(name, refresh, mine);
    // `send` limits each attempt. A whole call has no limit, because it may wait for a person to sign in again.
    clients.set(
      name,
      new NotedClient({ baseUrl: location.origin, projectKey: name, token, fetch: send, timeout: Infinity }),
    );
  }
  return clients.get(name);
}

/** Returns the status of the shown project (`GET /{projectKey}/status`). */
export async function projectStatus() {
  const [name, mine] = [current, era];
  const ask = async (refresh) => {
    const { token } = await tokenFor(name, refresh, mine);
    return send(`${location.origin}/${name}/status`, { method: "GET", headers: { Authorization: `Bearer ${token}` } });
  };
  const first = await ask(false);
  const response = first.status === 401 ? await ask(true) : first;
  const answer = parsed(await response.text());
  if (!response.ok)
    throw Object.assign(new Error(answer?.message ?? `The service answered ${response.status}.`), {
      status: response.status,
    });
  return answer;
}

/** Signs in with a client's ID and secret. */
export async function signIn(id, key, name) {
  const mine = era;
  await exchange(id, key, name);
  sameEra(mine);
  secret = key;
}

/**
 * Signs in with a token of any issuer. Without a project, opens all projects that the token names. Returns the
 * projects.
 */
export function signInWithToken(token, name) {
  const claims = claimsOf(token);
  const scope = typeof claims?.scope === "string" ? claims.scope : undefined;
  const end = typeof claims?.exp === "number" ? claims.exp * 1000 : undefined;
  if (end !== undefined && end <= Date.now())
    throw new SignInError("This token has ended. Paste a newer one.", "expired");
  const opened = name === undefined ? projectsOf(scope) : [name];
  if (opened.length === 0) throw new SignInError("The token names no project: name it here.", "no_project");
  for (const project of opened) keep(project, { token, end, scope: scopeOf(scope, project) });
  return opened;
}

/** Removes tokens, the secret, and everything that was recorded. */
export function signOut() {
  era += 1;
  secret = undefined;
  current = undefined;
  state = { tokens: tokensOf(), projects: [] };
  clients.clear();
  // Remove the tab's drafts too: another person may use the page next.
  sessionStorage.clear();
  forget();
  // Running requests continue with the former function, which no longer records.
  send = recording(TRY_MS);
  forgetCalls();
  forgetDrafts();
}

/** Throws if the person has signed out since a request started. */
function sameEra(mine) {
  if (mine !== era) throw new SignInError("You signed out.", "signed_out");
}

/** Returns a valid token. If there is none, asks for credentials and waits. */
async function tokenFor(name, refresh, mine) {
  sameEra(mine);
  const held = state.tokens[name];
  if (held !== undefined && !refresh && !(held.end <= Date.now() + MARGIN_MS)) return given(held);
  if (secret !== undefined) {
    try {
      return given(await exchange(state.clientId, secret, name));
    } catch (error) {
      // If the secret is no longer valid, ask for credentials. Other errors fail the call.
      if (error.code !== "invalid_client") throw error;
    }
  }
  if (asking.size > 0 && !asking.has(name)) {
    // One dialog at a time: the credentials of the first may also be valid for this project.
    await Promise.allSettled(asking.values());
    return tokenFor(name, refresh, mine);
  }
  if (!asking.has(name))
    asking.set(
      name,
      askAgain(name).finally(() => asking.delete(name)),
    );
  await asking.get(name);
  sameEra(mine);
  return given(state.tokens[name]);
}

/** @param {{ token: string, end?: number }} held */
function given({ token, end }) {
  return { token, expiresIn: end === undefined ? undefined : Math.max((end - Date.now()) / 1000, 1) };
}

/** Fetches a token for the project: with write access, or otherwise read access. */
async function exchange(id, key, name) {
  try {
    return await request(id, key, name, "manage_test");
  } catch (error) {
    if (error.code !== "invalid_scope") throw error;
    return request(id, key, name, "view_test");
  }
}

async function request(id, key, name, permission) {
  const mine = era;
  const headers = {
    Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(key)}`)}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: `${permission}:${name}` }).toString();
  const response = await send(`${location.origin}/oauth/token`, { method: "POST", headers, body }).catch(() => {
    throw new SignInError("The service was not reached. Is it running?", "network");
  });
  const answer = parsed(await response.text());
  sameEra(mine);
  if (!response.ok)
    throw new SignInError(
      answer?.message ?? `The service answered ${response.status}.`,
      answer?.error ?? String(response.status),
    );
  state.clientId = id;
  return keep(name, { token: answer.access_token, end: Date.now() + answer.expires_in * 1000, scope: answer.scope });
}

function keep(name, held) {
  state.tokens[name] = held;
  if (!state.projects.includes(name)) state.projects.push(name);
  store();
  return held;
}

function store() {
  sessionStorage.setItem(STORE, JSON.stringify(state));
}

function restored() {
  const { clientId, tokens, projects = [] } = parsed(sessionStorage.getItem(STORE) ?? "") ?? {};
  return { clientId, tokens: tokensOf(tokens), projects };
}

/** Returns a copy without a prototype, so that every project name is safe. */
function tokensOf(tokens) {
  return Object.assign(Object.create(null), tokens);
}

/** Returns a token's claims if they are readable. The service verifies them. */
function claimsOf(token) {
  const [, payload] = token.split(".");
  if (payload === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return parsed(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the projects that a scope names. */
function projectsOf(scope = "") {
  const named = scope.split(" ").map((part) => /^(?:manage|view)_test:(.*)$/.exec(part)?.[1]);
  return [...new Set(named)].filter((project) => project !== undefined && isProject(project));
}

/** Returns the part of a scope that belongs to the project; it may be empty. Undefined if the token has no scope. */
function scopeOf(scope, name) {
  return scope
    ?.split(" ")
    .filter((part) => part.endsWith(`:${name}`))
    .join(" ");
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
