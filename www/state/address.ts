// Addresses of views: `#/p/{project}/{view…}?{state}`, so that reload, back, and links lead to the same view.

import { limits } from "../pkg/browser.js";

/** A project key (D4), as a form's `pattern`. */
export const PROJECT = `[A-Za-z0-9_\\-]{1,${limits.projectKeyChars}}`;
/** The message for a text that is not a project key. */
export const PROJECT_RULE = `A project key has 1 to ${limits.projectKeyChars} of the characters A-Z a-z 0-9 _ -.`;
const whole = new RegExp(`^${PROJECT}$`, "u");

/** Returns whether a text is a project key. */
export const isProject = (text: string) => whole.test(text);

/** The address of a view. Without a project, the view is the list of projects. */
export interface Address {
  project?: string | undefined;
  view?: string | undefined;
  id?: string | undefined;
  params: URLSearchParams;
}

/** The parts of an address. `params` is an object or pairs; empty values are left out. */
export interface AddressParts extends Partial<Omit<Address, "params">> {
  params?: { [name: string]: unknown } | [string, unknown][];
}

/** Parses a hash. */
export function parseAddress(hash: string): Address {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const [p, project, ...rest] = path.split("/").map(decodePart);
  if (p !== "p" || project === undefined || !isProject(project)) return { project: undefined, view: undefined, params };
  if (rest[0] === "r" && rest[1] !== undefined) return { project, view: rest[2] || "resource", id: rest[1], params };
  // The search was once a separate page.
  return { project, view: rest[0] === "search" ? "collection" : rest[0] || "collection", params };
}

/** Returns the hash of an address. */
export function addressOf({ project, view = "collection", id, params = {} }: AddressParts) {
  if (project === undefined) return "#/";
  const parts = ["#", "p", project];
  if (id !== undefined) parts.push("r", encodeURIComponent(id));
  if (view !== "collection" && view !== "resource") parts.push(view);
  const pairs = Array.isArray(params) ? params : Object.entries(params);
  const query = new URLSearchParams(
    pairs
      .filter(([, value]) => value !== undefined && value !== "" && value !== null)
      .map(([name, value]) => [name, String(value)]),
  ).toString();
  return parts.join("/") + (query === "" ? "" : `?${query}`);
}

/** The state of the list of each project, as the person left it. */
const lists = new Map<string, URLSearchParams>();
/** The resource of the page that was shown last. */
let visited: string | undefined;

/** Returns the address of a project's list with its search, filters, and order. */
export const listOf = (project: string) => ({ project, params: [...(lists.get(project) ?? [])] });

/** Returns the resource whose page a person leaves, if the address before had one. */
export const visitedResource = () => visited;

/** Keeps what the way back needs. Each entry of the history has the address before it, unless it was loaded first. */
export function enterAddress({ project, view, id, params }: Address) {
  if (id !== undefined || view !== "collection") visited = id;
  if (project !== undefined && view === "collection") lists.set(project, params);
  if (history.state === null) history.replaceState({ from: before }, "");
  before = location.hash;
}
let before: string | undefined;

/** Goes to an address. Shows the view again if it is the current address. */
export function go(address: AddressParts) {
  const hash = addressOf(address);
  if (location.hash === hash) dispatchEvent(new Event("hashchange"));
  else location.hash = hash;
}

/**
 * Leaves a page that is done: returns to one of the addresses if the person came from there, or puts the first one in
 * its place.
 */
export function leaveTo(address: AddressParts, ...others: AddressParts[]) {
  const hash = addressOf(address);
  if ([address, ...others].some((one) => addressOf(one) === history.state?.from)) history.back();
  else location.replace(hash);
}

/** Writes the address of the current view. With `replace`, adds no entry to the history. */
export function setAddress(address: AddressParts, { replace = false }: { replace?: boolean } = {}) {
  const hash = addressOf(address);
  if (location.hash !== hash) {
    if (replace) history.replaceState(history.state, "", hash);
    else history.pushState(null, "", hash);
  }
  enterAddress(parseAddress(hash));
}

function decodePart(part: string) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
