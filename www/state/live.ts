// What the shown view follows, so that it shows what others write, and the switch that pauses this.

import { storeChoice, storedChoice } from "../model/stored.js";
import type { ResourceClient, ResourceError } from "../pkg/browser.js";
import { live, type LiveOptions, type LivePage, type LiveReading, type LiveSnapshot } from "../pkg/live.js";
import { follower, SignInError } from "./session.js";

/** What a view follows. */
export interface Followed<Page extends LivePage> extends Pick<LiveReading<Page>, "concerns"> {
  /** What the view is loading, and shows itself. */
  first: Promise<Page>;
  /** Reads the same again, after a change. */
  read: (client: ResourceClient, signal: AbortSignal) => Promise<Page>;
  /** Shows it. */
  show: (page: Page) => unknown;
  onChange?: LiveOptions["onChange"];
}

/** Follows what a view shows, until the view follows something else, is left, or calls the returned function. */
export type Follow = <Page extends LivePage>(followed: Followed<Page>) => () => void;

/** The state of what is followed. `off`: nothing is. */
export type Connection = "off" | "signed out" | LiveSnapshot["status"];

const STORED = "live";

let isPaused = storedChoice(STORED) === "off";
let current: { adjust: () => void; stop: () => void } | undefined;
let state: Connection = "off";
const listeners = new Set<(connection: Connection) => void>();

/** Calls the listener with the state of what is followed, now and when it changes. */
export function onConnection(listener: (connection: Connection) => void) {
  listeners.add(listener);
  report();
}

export const follow: Follow = ({ first, read, show, concerns, onChange }) => {
  let loading: typeof first | undefined = first;
  // The page that began it shows the failure, also if the view never takes it up.
  first.catch(() => {});
  const client = follower();
  const readNext = ({ signal }: { signal: AbortSignal }) => {
    const page = loading ?? read(client, signal);
    loading = undefined;
    return page;
  };
  const view = live(client, { read: readNext, concerns }, { onChange });
  const adjust = () => {
    if (!isPaused && !document.hidden) return view.resume();
    // The first page will be too old when the view continues.
    loading = undefined;
    view.pause();
  };
  const stop = () => {
    unsubscribe();
    if (current !== mine) return;
    current = undefined;
    report("off");
  };
  const [before, mine] = [current, { adjust, stop }];
  current = mine;
  before?.stop();
  adjust();
  let shown: unknown;
  const unsubscribe = view.subscribe(({ status, page, error }) => {
    report(status === "error" && isSignOut(error) ? "signed out" : status);
    if (page !== undefined && page !== shown) void show((shown = page) as Awaited<typeof first>);
  });
  return stop;
};

/** Follows nothing any longer. */
export const leave = () => current?.stop();

/** Continues after a new sign-in. */
export const resume = () => current?.adjust();

/** Pauses, or continues. The choice is kept for the next visit. */
export function setPaused(paused: boolean) {
  isPaused = paused;
  storeChoice(STORED, paused ? "off" : undefined);
  resume();
  report();
}

/** Returns whether an error means that there is no valid token. */
const isSignOut = ({ status = 0, cause }: Partial<ResourceError> = {}) =>
  cause instanceof SignInError ? cause.code !== "network" : [401, 403].includes(status);

function report(next = state) {
  state = next;
  // Nobody sees that a hidden page follows nothing.
  if (!document.hidden) for (const listener of listeners) listener(isPaused ? "paused" : state);
}

document.addEventListener("visibilitychange", resume);
