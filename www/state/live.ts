// Follows the changes of the shown project, so that pages show what others write. The feed only names IDs: a page reads
// what it shows, because only the service filters, sorts, and counts.

import { storeChoice, storedChoice } from "../model/stored.js";
import type { ResourceClient, ResourceError } from "../pkg/browser.js";
import { watch } from "../pkg/live.js";
import { follower, SignInError } from "./session.js";

/** What happened to resources, by ID. `undefined`: anything may have changed. */
export type Changes = ReadonlyMap<string, "changed" | "deleted"> | undefined;
/** Shows changes. `client` is for the reads that this needs. */
export type Refresh = (changes: Changes, client: ResourceClient) => Promise<unknown>;
/** The state of the feed. `off`: no project is shown. */
export type Connection = "off" | "connecting" | "live" | "reconnecting" | "paused" | "signed out";

// No resource matches, so the feed has no bodies.
const NO_MATCH = "version < 1";
/** The shortest time between two refreshes of a page, in milliseconds. */
const REFRESH_MS = 1000;
/** The pause after an error that the client does not retry, in milliseconds. */
const RETRY_MS = 5000;
const STORED = "live";

let followed: string | undefined;
let connection: Connection = "off";
let isPaused = storedChoice(STORED) === "off";
/** The feed that runs, with the client that it uses. */
let feed: { client: ResourceClient; ended: AbortController } | undefined;
let retry = 0;
const pages = new Set<(changes: Changes) => void>();
const listeners = new Set<(connection: Connection) => void>();

/** Calls the listener with the state of the feed, now and when it changes. */
export function onConnection(listener: (connection: Connection) => void) {
  listeners.add(listener);
  listener(connection);
}

/** Follows the shown project, or none. */
export function follow(project: string | undefined) {
  if (project === followed && connection !== "signed out") return;
  followed = project;
  restart();
}

/** Pauses, or continues. The choice is kept for the next visit. */
export function setPaused(paused: boolean) {
  isPaused = paused;
  storeChoice(STORED, paused ? "off" : undefined);
  restart();
}

/**
 * Calls `refresh` after changes, one call at a time and at most one in a second. Returns a function that ends this. If
 * a call fails, the feed starts again, and then anything may have changed.
 */
export function onChange(refresh: Refresh) {
  /** The changes to show. `none`: there are none. */
  let due: Changes | "none" = "none";
  let isBusy = false;
  const work = async () => {
    isBusy = true;
    while (due !== "none" && pages.has(add) && feed !== undefined) {
      const [changes, { client, ended }] = [due, feed];
      due = "none";
      // If the call is aborted, the page reads again what it shows.
      await refresh(changes, client).catch((error: ResourceError) => error.kind !== "aborted" && lose(ended, error));
      await new Promise((next) => setTimeout(next, REFRESH_MS));
    }
    isBusy = false;
  };
  const add = (changes: Changes) => {
    due = due === "none" ? changes : due && changes && new Map([...due, ...changes]);
    if (!isBusy) void work();
  };
  pages.add(add);
  return () => void pages.delete(add);
}

/** Starts to follow what happens from now on. A hidden page follows nothing: it starts again when it is shown. */
function restart() {
  clearTimeout(retry);
  end();
  if (followed === undefined || isPaused) return setConnection(isPaused && followed !== undefined ? "paused" : "off");
  if (document.hidden) return;
  setConnection("connecting");
  const ended = new AbortController();
  const client = follower({
    onRetry: () => set("reconnecting"),
    onResponse: ({ status }) => {
      if (status >= 500) set("reconnecting");
      else if (connection === "reconnecting") set("live");
    },
  });
  const set = (next: Connection) => void (ended.signal.aborted || setConnection(next));
  feed = { client, ended };
  run(feed).catch((error) => lose(ended, error));
}

async function run({ client, ended: { signal } }: NonNullable<typeof feed>) {
  let changes: Map<string, "changed" | "deleted"> | undefined;
  for await (const change of watch(client, { after: "now", where: NO_MATCH, signal })) {
    if (change.type === "ready") {
      setConnection("live");
      for (const add of pages) add(changes);
      changes = new Map();
    } else if (change.type === "reset") changes = undefined;
    else changes?.set(change.id, change.type === "delete" ? "deleted" : "changed");
  }
}

function end() {
  feed?.ended.abort();
  feed?.client.close();
  feed = undefined;
}

/** Ends a feed that has failed. Without a token it stays ended, otherwise it starts again after a while. */
function lose({ signal }: AbortController, error: Partial<ResourceError>) {
  // A fault of the page, which would repeat. `app.ts` shows it.
  if (error.kind === undefined) throw error;
  if (signal.aborted) return;
  end();
  const { cause, status = 0 } = error;
  const isSignedOut = cause instanceof SignInError ? cause.code !== "network" : [401, 403].includes(status);
  setConnection(isSignedOut ? "signed out" : "reconnecting");
  if (!isSignedOut) retry = window.setTimeout(restart, RETRY_MS);
}

function setConnection(next: Connection) {
  connection = next;
  for (const listener of listeners) listener(next);
}

document.addEventListener("visibilitychange", restart);
// A request that waits may not end with the connection.
for (const type of ["offline", "online"]) addEventListener(type, restart);
