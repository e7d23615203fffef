// The sign-in, the shown project, and the client that sends all requests. A token is kept only for the tab
// (sessionStorage). A client secret is kept only in this module's memory, to get the next token.

import { parseJson } from "../model/json.js";
import { isProject } from "./address.js";
import { clearCalls, RecordedClient } from "./client.js";
import { clearDrafts } from "./drafts.js";
import { clearRequestLog, recording } from "./request-log.js";
import { ServiceError } from "./service-error.js";

/** @import { FetchResponse } from "../pkg/browser.js" */

export { changes, exchanges, onExchange } from "./request-log.js";

/**
 * A project's token. `end` is the time when it expires.
 * @typedef {{ token: string, end?: number | undefined, scope?: string | undefined }} HeldToken
 */

const STORE = "resource-edge";
const ATTEMPT_MS = 30_000;
// Renew tokens this long before they expire.
const MARGIN_MS = 30_000;

let send = recording(ATTEMPT_MS);
/**
 * A project may be named `constructor`, so `tokens` has no prototype.
 * @type {{ clientId?: string | undefined, tokens: { [project: string]: HeldToken | undefined }, projects: string[] }}
 */
let state = restoreState();
/** @type {string | undefined} */
let secret;
/** @type {string | undefined} */
let current;
// Incremented on sign-out, so that responses to earlier requests are ignored.
let era = 0;
/** @type {Map<string, RecordedClient>} */
const clients = new Map();
/** @type {(project: string) => Promise<void>} */
let askForSignIn = async () => {};
/**
 * The projects with an open sign-in dialog, each with its promise.
 * @type {Map<string, Promise<void>>}
 */
const asking = new Map();

/** A failed sign-in. `code` is the service's, such as `invalid_client` or `invalid_scope`. */
export class SignInError extends Error {
  /**
   * @param {string} message
   * @param {string} code
   */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * Sets the function that asks for credentials after a token expired. It receives the project and resolves after a
 * sign-in.
 * @param {(project: string) => Promise<void>} ask
 */
export function setAskForSignIn(ask) {
  askForSignIn = ask;
}

export const isSignedIn = () => Object.keys(state.tokens).length > 0;
/** The ID of the signed-in client; undefined for a pasted token. */
export const clientId = () => state.clientId;
/** The opened projects, the last one first. */
export const projects = () => state.projects;
/** The shown project. */
export const project = () => current;
/** Whether the token of the shown project allows writes. If the token has no scope, the service decides. */
export const mayWrite = () => /(^| )manage_test:/.test(state.tokens[current ?? ""]?.scope ?? "manage_test:");

/**
 * Fetches a project's token if there is none.
 * @param {string} name
 */
export async function open(name) {
  if (state.tokens[name] !== undefined) return;
  if (secret === undefined || state.clientId === undefined)
    throw new SignInError(`Sign in again to open ${name}.`, "no_credentials");
  await fetchToken(state.clientId, secret, name);
}

/**
 * Shows an opened project.
 * @param {string} name
 */
export function enter(name) {
  if (current === name) return;
  current = name;
  state.projects = [name, ...state.projects.filter((other) => other !== name)];
  store();
}

/** The client of the shown project. */
export function client() {
  const name = shownProject();
  const known = clients.get(name);
  if (known !== undefined) return known;
  const mine = era;
  const created = new RecordedClient({
    baseUrl: location.origin,
    projectKey: name,
    token: ({ refresh }) => tokenFor(name, refresh, mine),
    // `send` limits each attempt. A whole call has no limit, because it may wait for a person to sign in again.
    fetch: send,
    timeout: Infinity,
  });
  clients.set(name, created);
  return created;
}

function shownProject() {
  if (current === undefined) throw new Error("No project is open.");
  return current;
}

/**
 * Sends a request of the shown project that is not an operation of the client, such as `status`. Returns its successful
 * response. Throws a {@link ServiceError} otherwise.
 * @param {string} path
 * @param {{ method?: string, headers?: { [name: string]: string }, body?: string, signal?: AbortSignal | undefined }}
 *   [request]
 * @returns {Promise<FetchResponse>}
 */
export async function sendToProject(path, { method = "GET", headers, body, signal } = {}) {
  const [name, mine] = [shownProject(), era];
  // The request log counts the attempts of a call by its signal.
  const mySignal = AbortSignal.any(signal === undefined ? [] : [signal]);
  const attempt = async (/** @type {boolean} */ refresh) => {
    const { token } = await tokenFor(name, refresh, mine);
    const init = { method, headers: { ...headers, Authorization: `Bearer ${token}` }, signal: mySignal };
    return send(`${location.origin}/${name}/${path}`, body === undefined ? init : { ...init, body });
  };
  let response;
  try {
    response = await attempt(false);
    if (response.status === 401) response = await attempt(true);
  } catch (error) {
    if (error instanceof SignInError || signal?.aborted) throw error;
    throw ServiceError.unreachable(error);
  }
  if (response.ok) return response;
  throw ServiceError.ofResponse(response, parseJson(await response.text()));
}

/**
 * Signs in with a client's ID and secret.
 * @param {string} id
 * @param {string} key
 * @param {string} name
 */
export async function signIn(id, key, name) {
  const mine = era;
  await fetchToken(id, key, name);
  checkSignedIn(mine);
  secret = key;
}

/**
 * Signs in with a token of any issuer. Without a project, opens all projects in the token's scope. Returns the
 * projects.
 * @param {string} token
 * @param {string} [name]
 */
export function signInWithToken(token, name) {
  const claims = claimsOf(token);
  const scope = typeof claims?.scope === "string" ? claims.scope : undefined;
  const end = typeof claims?.exp === "number" ? claims.exp * 1000 : undefined;
  if (end !== undefined && end <= Date.now())
    throw new SignInError("This token has expired. Paste a newer one.", "expired");
  const opened = name === undefined ? projectsOf(scope) : [name];
  if (opened.length === 0) throw new SignInError("The token names no project. Enter the project here.", "no_project");
  for (const project of opened) keep(project, { token, end, scope: scopeOf(scope, project) });
  return opened;
}

/** Removes tokens, the secret, and everything that was recorded. */
export function signOut() {
  era += 1;
  secret = undefined;
  current = undefined;
  state = { tokens: tokensOf({}), projects: [] };
  clients.clear();
  // Remove the tab's drafts too: another person may use the page next.
  sessionStorage.clear();
  clearRequestLog();
  // Running requests continue with the former function, which no longer records.
  send = recording(ATTEMPT_MS);
  clearCalls();
  clearDrafts();
}

/**
 * Throws if the person has signed out since a request started.
 * @param {number} mine
 */
function checkSignedIn(mine) {
  if (mine !== era) throw new SignInError("You signed out.", "signed_out");
}

/**
 * Returns a valid token. If there is none, asks for credentials and waits.
 * @param {string} name
 * @param {boolean} refresh
 * @param {number} mine
 * @returns {Promise<{ token: string, expiresIn?: number }>}
 */
async function tokenFor(name, refresh, mine) {
  checkSignedIn(mine);
  const held = state.tokens[name];
  if (held !== undefined && !refresh && !isExpiring(held)) return toClientToken(held);
  if (secret !== undefined && state.clientId !== undefined) {
    try {
      return toClientToken(await fetchToken(state.clientId, secret, name));
    } catch (error) {
      // If the secret is no longer valid, ask for credentials. Other errors fail the call.
      if (!(error instanceof SignInError) || error.code !== "invalid_client") throw error;
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
      askForSignIn(name).finally(() => asking.delete(name)),
    );
  await asking.get(name);
  checkSignedIn(mine);
  const next = state.tokens[name];
  if (next === undefined) throw new SignInError(`Sign in again to open ${name}.`, "no_credentials");
  return toClientToken(next);
}

/** @param {HeldToken} held */
const isExpiring = ({ end }) => end !== undefined && end <= Date.now() + MARGIN_MS;

/** @param {HeldToken} held */
function toClientToken({ token, end }) {
  return end === undefined ? { token } : { token, expiresIn: Math.max((end - Date.now()) / 1000, 1) };
}

/**
 * Fetches a token for the project: with write access, or otherwise read access.
 * @param {string} id
 * @param {string} key
 * @param {string} name
 */
async function fetchToken(id, key, name) {
  try {
    return await requestToken(id, key, name, "manage_test");
  } catch (error) {
    if (!(error instanceof SignInError) || error.code !== "invalid_scope") throw error;
    return requestToken(id, key, name, "view_test");
  }
}

/**
 * @param {string} id
 * @param {string} key
 * @param {string} name
 * @param {"manage_test" | "view_test"} permission
 */
async function requestToken(id, key, name, permission) {
  const mine = era;
  const headers = {
    Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(key)}`)}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: `${permission}:${name}` }).toString();
  const response = await send(`${location.origin}/oauth/token`, { method: "POST", headers, body }).catch(() => {
    throw new SignInError("The service is not reachable. Check that it is running.", "network");
  });
  const answer = parseJson(await response.text());
  checkSignedIn(mine);
  if (!response.ok)
    throw new SignInError(
      answer?.message ?? `The service returned status ${response.status}.`,
      answer?.error ?? String(response.status),
    );
  state.clientId = id;
  return keep(name, { token: answer.access_token, end: Date.now() + answer.expires_in * 1000, scope: answer.scope });
}

/**
 * @param {string} name
 * @param {HeldToken} held
 */
function keep(name, held) {
  state.tokens[name] = held;
  if (!state.projects.includes(name)) state.projects.push(name);
  store();
  return held;
}

function store() {
  sessionStorage.setItem(STORE, JSON.stringify(state));
}

function restoreState() {
  const { clientId, tokens, projects = [] } = parseJson(sessionStorage.getItem(STORE) ?? "") ?? {};
  return { clientId, tokens: tokensOf(tokens), projects };
}

/**
 * Returns a copy without a prototype, so that every project name is safe.
 * @param {{ [project: string]: HeldToken }} tokens
 * @returns {{ [project: string]: HeldToken | undefined }}
 */
function tokensOf(tokens) {
  return Object.assign(Object.create(null), tokens);
}

/**
 * Returns a token's claims if they are readable. The service verifies them.
 * @param {string} token
 * @returns {{ scope?: unknown, exp?: unknown } | undefined}
 */
function claimsOf(token) {
  const [, payload] = token.split(".");
  if (payload === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return parseJson(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the projects in a scope. */
function projectsOf(scope = "") {
  const named = scope.split(" ").map((part) => /^(?:manage|view)_test:(.*)$/.exec(part)?.[1] ?? "");
  return [...new Set(named)].filter(isProject);
}

/**
 * Returns the part of a scope that belongs to the project; it may be empty. Undefined if the token has no scope.
 * @param {string | undefined} scope
 * @param {string} name
 */
function scopeOf(scope, name) {
  return scope
    ?.split(" ")
    .filter((part) => part.endsWith(`:${name}`))
    .join(" ");
}
