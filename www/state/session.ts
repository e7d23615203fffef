// The sign-in, the shown project, and the client that sends all requests. A token is kept only for the tab
// (sessionStorage). A client secret is kept only in this module's memory, to get the next token.

import { ResourceModel, type Declaration } from "../model/fields.js";
import { parseJson, parseObject } from "../model/json.js";
import { init, ResourceClient } from "../pkg/browser.js";
import { loadSyntax } from "../pkg/syntax.js";
import { isProject } from "./address.js";
import { clearCalls, RecordedClient } from "./client.js";
import { clearDrafts } from "./drafts.js";
import { clearRequestLog, recording } from "./request-log.js";

/** A project's token. `end` is the time when it expires. `scope` has the scopes of the project, if that is known. */
type HeldToken = { token: string; end?: number | undefined; scope?: string | undefined; user?: string | undefined };

/** What a person may do: a right of the project's rules, or to operate the project. */
export type Right = "create" | "update" | "delete" | "operate";

/** A project may be named `constructor`, so `tokens` has no prototype. */
type StoredSession = {
  clientId?: string | undefined;
  tokens: { [project: string]: HeldToken | undefined };
  projects: string[];
};

/** The response to a request for a token: the token, or an error. */
type TokenAnswer = { access_token: string; expires_in: number; scope?: string; message?: string; error?: string };

const STORE = "resource-edge";
const ATTEMPT_MS = 30_000;
// Renew tokens this long before they expire.
const MARGIN_MS = 30_000;

let send = recording(ATTEMPT_MS);
let state = restoreState();
let secret: string | undefined;
let current: string | undefined;
// Incremented on sign-out, so that responses to earlier requests are ignored.
let era = 0;
/** The clients of each project: for what a person does, and for what follows. */
const clients = new Map<string, { recorded: RecordedClient; follower: ResourceClient }>();
/** The resources of the opened projects. */
const models = new Map<string, ResourceModel>();
let askForSignIn: (project: string) => Promise<void> = async () => {};
/** The projects with an open sign-in dialog, each with its promise. */
const asking = new Map<string, Promise<void>>();
/** The projects whose token is being renewed: the page's requests and its feed need it at the same time. */
const renewing = new Map<string, Promise<HeldToken>>();

/** A failed sign-in. `code` is the service's, such as `invalid_client` or `invalid_scope`. */
export class SignInError extends Error {
  code;
  /** Whether what follows waits until this is over. Otherwise it ends. */
  retryable;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
    this.retryable = code === "network";
  }
}

/**
 * Sets the function that asks for credentials after a token expired. It receives the project and resolves after a
 * sign-in.
 */
export function setAskForSignIn(ask: (project: string) => Promise<void>) {
  askForSignIn = ask;
}

export const isSignedIn = () => Object.keys(state.tokens).length > 0;
/** The ID of the signed-in client; undefined for a pasted token. */
export const clientId = () => state.clientId;
/** The opened projects, the last one first. */
export const projects = () => state.projects;
/** The shown project. */
export const project = () => current;
/**
 * The user of the shown project's token, whom the project's rules limit; undefined if the token has a scope of the
 * project, or if the project has no rules.
 */
export function user() {
  const { rules = [] } = models.get(current ?? "") ?? {};
  return rules.length > 0 ? state.tokens[current ?? ""]?.user : undefined;
}

/** Whether the token of the shown project gives a right. If its scope is unknown, the service decides. */
export function may(right: Right) {
  if (user() !== undefined) return model().rules.includes(right);
  return (state.tokens[current ?? ""]?.scope ?? "manage_test:").includes("manage_test:");
}

/** Fetches a project's token if there is none, and reads which resource the project has. */
export async function open(name: string) {
  const mine = era;
  if (state.tokens[name] === undefined) {
    if (secret === undefined || state.clientId === undefined)
      throw new SignInError(`Sign in again to open ${name}.`, "no_credentials");
    await fetchToken(state.clientId, secret, name);
  }
  if (models.has(name)) return;
  const read = await readModel(name);
  checkSignedIn(mine);
  models.set(name, read);
}

/** Loads what checks bodies, and what reads schemas and conditions, once. A failed attempt may be repeated. */
export const load = () => Promise.all([init("/pkg/wasm/resource_edge_bg.wasm"), loadSyntax()]);

/** Reads a project's resource from its OpenAPI document. */
async function readModel(name: string) {
  // The document may be cached for some minutes. A new field is needed at once.
  const [response] = await Promise.all([
    fetch(`/${name}/openapi.json`, { credentials: "omit", cache: "no-cache" }),
    load(),
  ]);
  if (!response.ok) throw new Error(`The OpenAPI document of ${name} cannot be read: status ${response.status}.`);
  const { "x-resource": declared }: { "x-resource"?: Declaration } = await response.json();
  const read = new ResourceModel(declared);
  // Sets what reads the schema.
  await init();
  return read;
}

/** Shows an opened project. */
export function enter(name: string) {
  if (current === name) return;
  current = name;
  state.projects = [name, ...state.projects.filter((other) => other !== name)];
  store();
}

/** The resource of the shown project. */
export const model = () => modelOf(shownProject());

function modelOf(name: string) {
  const read = models.get(name);
  if (read === undefined) throw new Error("No project is open.");
  return read;
}

/** The client of the shown project. */
export const client = () => clientsOf(shownProject()).recorded;

/**
 * The client of the shown project for reads that no person started: the request log does not contain them, and they
 * fail with a {@link SignInError} as `cause` instead of asking for credentials.
 */
export const follower = () => clientsOf(shownProject()).follower;

function clientsOf(name: string) {
  const known = clients.get(name);
  if (known !== undefined) return known;
  const mine = era;
  const optionsFor = (mayAsk: boolean) => ({
    baseUrl: location.origin,
    projectKey: name,
    // The console's types are those of the interface's resource: it reads all others by their fields.
    resource: modelOf(name).declared as undefined,
    token: ({ refresh }: { refresh: boolean }) => tokenFor(name, refresh, mine, mayAsk),
  });
  // `send` limits each attempt. A whole call has no limit, because it may wait for a person to sign in again.
  const recorded = new RecordedClient({ ...optionsFor(true), fetch: send, timeout: Infinity });
  const created = { recorded, follower: new ResourceClient(optionsFor(false)) };
  clients.set(name, created);
  return created;
}

/** Asks for credentials of the shown project, because the service or the time has ended its token. */
export const signInAgain = () => tokenFor(shownProject(), true, era);

function shownProject() {
  if (current === undefined) throw new Error("No project is open.");
  return current;
}

/** Signs in with a client's ID and secret. */
export async function signIn(id: string, key: string, name: string) {
  const mine = era;
  await fetchToken(id, key, name);
  checkSignedIn(mine);
  secret = key;
}

/**
 * Signs in with a token of any issuer. Without a project, opens all projects in the token's scope. Returns the
 * projects.
 */
export function signInWithToken(token: string, name?: string) {
  const claims = claimsOf(token);
  const scope = claims && (typeof claims.scope === "string" ? claims.scope : "");
  const end = typeof claims?.exp === "number" ? claims.exp * 1000 : undefined;
  if (end !== undefined && end <= Date.now())
    throw new SignInError("This token has expired. Paste a newer one.", "expired");
  const opened = name === undefined ? projectsOf(scope) : [name];
  if (opened.length === 0) throw new SignInError("The token names no project. Enter the project here.", "no_project");
  for (const project of opened) {
    const own = scopeOf(scope, project);
    keep(project, { token, end, scope: own, user: own === "" ? String(claims?.sub ?? "unknown user") : undefined });
  }
  return opened;
}

/** Removes tokens, the secret, and everything that was recorded. */
export function signOut() {
  era += 1;
  secret = undefined;
  current = undefined;
  state = { tokens: tokensOf(), projects: [] };
  for (const { follower } of clients.values()) follower.close();
  clients.clear();
  models.clear();
  renewing.clear();
  // Remove the tab's drafts too: another person may use the page next.
  sessionStorage.clear();
  clearRequestLog();
  // Running requests continue with the former function, which no longer records.
  send = recording(ATTEMPT_MS);
  clearCalls();
  clearDrafts();
}

/** Throws if the person has signed out since a request started. */
function checkSignedIn(mine: number) {
  if (mine !== era) throw new SignInError("You signed out.", "signed_out");
}

/** Returns a valid token. If there is none, asks for credentials and waits; without `mayAsk`, throws. */
async function tokenFor(
  name: string,
  refresh: boolean,
  mine: number,
  mayAsk = true,
): Promise<{ token: string; expiresIn?: number }> {
  checkSignedIn(mine);
  const held = state.tokens[name];
  if (held !== undefined && !refresh && !isExpiring(held)) return toClientToken(held);
  const [id, key] = [state.clientId, secret];
  if (key !== undefined && id !== undefined) {
    try {
      return toClientToken(await share(renewing, name, () => fetchToken(id, key, name)));
    } catch (error) {
      // If the secret is no longer valid, ask for credentials. Other errors fail the call.
      if (!(error instanceof SignInError) || error.code !== "invalid_client") throw error;
    }
  }
  if (!mayAsk) throw new SignInError(`Sign in again to follow ${name}.`, "no_credentials");
  if (asking.size > 0 && !asking.has(name)) {
    // One dialog at a time: the credentials of the first may also be valid for this project.
    await Promise.allSettled(asking.values());
    return tokenFor(name, refresh, mine);
  }
  await share(asking, name, () => askForSignIn(name));
  checkSignedIn(mine);
  const next = state.tokens[name];
  if (next === undefined) throw new SignInError(`Sign in again to open ${name}.`, "no_credentials");
  return toClientToken(next);
}

/** Returns the running task of the name, or starts it. */
function share<T>(running: Map<string, Promise<T>>, name: string, start: () => Promise<T>) {
  const known = running.get(name);
  if (known !== undefined) return known;
  const task = start().finally(() => running.get(name) === task && running.delete(name));
  running.set(name, task);
  return task;
}

const isExpiring = ({ end }: HeldToken) => end !== undefined && end <= Date.now() + MARGIN_MS;

function toClientToken({ token, end }: HeldToken) {
  return end === undefined ? { token } : { token, expiresIn: Math.max((end - Date.now()) / 1000, 1) };
}

/** Fetches a token for the project: with write access, or otherwise read access. */
async function fetchToken(id: string, key: string, name: string) {
  try {
    return await requestToken(id, key, name, "manage_test");
  } catch (error) {
    if (!(error instanceof SignInError) || error.code !== "invalid_scope") throw error;
    return requestToken(id, key, name, "view_test");
  }
}

async function requestToken(id: string, key: string, name: string, permission: "manage_test" | "view_test") {
  const mine = era;
  const headers = {
    Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(key)}`)}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: `${permission}:${name}` }).toString();
  const response = await send(`${location.origin}/oauth/token`, { method: "POST", headers, body }).catch(() => {
    throw new SignInError("The service is not reachable. Check that it is running.", "network");
  });
  const answer = parseJson<TokenAnswer>(await response.text());
  checkSignedIn(mine);
  if (!response.ok || answer === undefined)
    throw new SignInError(
      answer?.message ?? `The service is not reachable: the response has status ${response.status}.`,
      answer?.error ?? "network",
    );
  state.clientId = id;
  return keep(name, { token: answer.access_token, end: Date.now() + answer.expires_in * 1000, scope: answer.scope });
}

function keep(name: string, held: HeldToken) {
  state.tokens[name] = held;
  if (!state.projects.includes(name)) state.projects.push(name);
  store();
  return held;
}

function store() {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(state));
  } catch {
    // Drafts fill the browser's storage for this page. The sign-in lasts until the page is left.
  }
}

function restoreState(): StoredSession {
  const {
    clientId,
    tokens,
    projects = [],
  } = parseJson<Partial<StoredSession>>(sessionStorage.getItem(STORE) ?? "") ?? {};
  return { clientId, tokens: tokensOf(tokens), projects };
}

/** Returns a copy without a prototype, so that every project name is safe. */
function tokensOf(tokens?: StoredSession["tokens"]): StoredSession["tokens"] {
  return Object.assign(Object.create(null), tokens);
}

/** Returns a token's claims if they are readable. The service verifies them. */
function claimsOf(token: string): { scope?: unknown; exp?: unknown; sub?: unknown } | undefined {
  const [, payload] = token.split(".");
  if (payload === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return parseObject(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the projects in a scope. */
function projectsOf(scope = "") {
  const named = scope.split(" ").map((part) => /^(?:manage|view)_test:(.*)$/.exec(part)?.[1] ?? "");
  return [...new Set(named)].filter(isProject);
}

/** Returns the part of a scope that belongs to the project; it may be empty. Undefined if the scope is unknown. */
function scopeOf(scope: string | undefined, name: string) {
  return scope
    ?.split(" ")
    .filter((part) => part === `manage_test:${name}` || part === `view_test:${name}`)
    .join(" ");
}
