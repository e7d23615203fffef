// Who is signed in, for which project, and the client that everything is sent with. A token is kept for the tab only
// (sessionStorage); a client's secret only in this module's memory, for the next token, and nowhere else.

import { isProject } from "./address.js";
import { forgetCalls, NotedClient } from "./calls.js";
import { forget, recording } from "./exchanges.js";
import { forgetDrafts } from "./keep.js";

export { changes, exchanges, onExchange } from "./exchanges.js";

const STORE = "resource-edge";
const TRY_MS = 30_000;
// Tokens are renewed this long before their end.
const MARGIN_MS = 30_000;

let send = recording(TRY_MS);
/**
 * `{ clientId, tokens: { [project]: { token, end, scope } }, projects }`; a project may be named `constructor`.
 * @type {{
 *   clientId?: string,
 *   tokens: Record<string, { token: string, end?: number, scope?: string }>,
 *   projects: string[],
 * }}
 */
let state = restored();
let secret;
let current;
// Raised by signing out: what was begun before is no part of what comes after.
let era = 0;
const clients = new Map();
let askAgain;
// The projects that somebody is asked to sign in to again, each with its promise.
const asking = new Map();

/** Why signing in failed: `code` is the service's, such as `invalid_client` or `invalid_scope`. */
class SignInError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/** What asks for credentials again when a token has ended: given the project, it resolves once somebody signed in. */
export function setAskAgain(ask) {
  askAgain = ask;
}

export const signedIn = () => Object.keys(state.tokens).length > 0;
/** The client's id that was signed in with; undefined for a pasted token. */
export const clientId = () => state.clientId;
/** The projects that were opened, the last one first. */
export const projects = () => state.projects;
/** The project that is shown. */
export const project = () => current;
/** Whether the token of the shown project allows writes. */
export const mayWrite = () => /(^| )manage_test:/.test(state.tokens[current]?.scope ?? "manage_test:");

/** Fetches the token of a project where there is none. */
export async function open(name) {
  if (state.tokens[name] !== undefined) return;
  if (secret === undefined) throw new SignInError(`Sign in again to open ${name}.`, "no_credentials");
  await exchange(state.clientId, secret, name);
}

/** Makes a project that was opened the one that is shown. */
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
    // Each try is bounded by `send`; a call as a whole is not, since it may wait for a person to sign in again.
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

/** Signs in with a client's id and secret. */
export async function signIn(id, key, name) {
  const mine = era;
  await exchange(id, key, name);
  sameEra(mine);
  secret = key;
}

/** Signs in with a token of any issuer; without a project, all that it names are opened. Returns the projects. */
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

/** Forgets tokens, the secret and all that was recorded. */
export function signOut() {
  era += 1;
  secret = undefined;
  current = undefined;
  state = { tokens: tokensOf(), projects: [] };
  clients.clear();
  // Drafts that the tab keeps go too: another person may sit here next.
  sessionStorage.clear();
  forget();
  // What is under way goes on with the former one, which notes nothing any more.
  send = recording(TRY_MS);
  forgetCalls();
  forgetDrafts();
}

/** Ends what was begun before somebody signed out. */
function sameEra(mine) {
  if (mine !== era) throw new SignInError("You signed out.", "signed_out");
}

/** A token that holds; asks for credentials where there is none, and waits until there is. */
async function tokenFor(name, refresh, mine) {
  sameEra(mine);
  const held = state.tokens[name];
  if (held !== undefined && !refresh && !(held.end <= Date.now() + MARGIN_MS)) return given(held);
  if (secret !== undefined) {
    try {
      return given(await exchange(state.clientId, secret, name));
    } catch (error) {
      // A secret that is no longer taken is asked for again; anything else is the call's failure.
      if (error.code !== "invalid_client") throw error;
    }
  }
  if (asking.size > 0 && !asking.has(name)) {
    // One question at a time: what is answered to the first may do for this project too.
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

/** A token for the project: one that may write, or else one that may read. */
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

/** A copy that inherits nothing, so that every project's name is a name. */
function tokensOf(tokens) {
  return Object.assign(Object.create(null), tokens);
}

/** A token's claims, as far as they can be read; the service checks them. */
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

/** The projects that a scope names. */
function projectsOf(scope = "") {
  const named = scope.split(" ").map((part) => /^(?:manage|view)_test:(.*)$/.exec(part)?.[1]);
  return [...new Set(named)].filter((project) => project !== undefined && isProject(project));
}

/** The part of a scope that is about the project, which may be none; undefined where the token tells no scope. */
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
