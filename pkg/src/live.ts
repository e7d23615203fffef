// Follows the changes of a project (src/guide/specification.md, D36). A separate module, so that a page that follows
// nothing does not load it.

import type { CallOptions, QueryParams, Resource, ResourceClient, ResponseEvent } from "./client.js";
import type { ResourceError } from "./errors.js";
import { sleep } from "./waiting.js";

/** Options of `watch`. */
export interface WatchOptions extends Pick<QueryParams, "where" | "var"> {
  /**
   * The position after which to begin: that of an earlier change, or `now` for only what follows. Default: the
   * beginning, so that the first changes are the present state.
   */
  readonly after?: string | undefined;
  /** The maximum number of resources and deletions in one response. Default: 500. */
  readonly limit?: number | undefined;
  /** Ends the iteration, without an error. */
  readonly signal?: CallOptions["signal"];
}

/**
 * What has changed. A program that performs each change has exactly the state of the project, or with `where` exactly
 * the matches, at each `ready`. `position` is the place to continue from once the change is performed: store it, and
 * pass it as `after`.
 *
 * - `set`: the resource is new, or has this newer state.
 * - `delete`: the resource was deleted. You may not have it.
 * - `leave`: the resource has changed and does not match. You may not have it.
 * - `reset`: discard everything. The project was restored, or its data was deleted. Its present state follows.
 * - `ready`: you have everything so far.
 */
export type Change =
  | { readonly type: "set"; readonly id: string; readonly resource: Resource; readonly position: string }
  | { readonly type: "delete"; readonly id: string; readonly version: number; readonly position: string }
  | { readonly type: "leave"; readonly id: string; readonly position: string }
  | { readonly type: "reset"; readonly position: undefined }
  | { readonly type: "ready"; readonly position: string };

type Step = Change extends infer Each ? (Each extends unknown ? Omit<Each, "position"> : never) : never;

/** A page of changes. */
interface Page {
  from: string;
  to: string;
  steps: Step[];
  /** The resources, for the client's session. */
  results: Resource[];
}

/** How long a request waits for the first change, in seconds. */
const WAIT = 25;
/** A request that waits may take this long, in milliseconds. */
const PATIENCE = 40_000;
/** The shortest and longest pause after a failure, in milliseconds. */
const PAUSE = { first: 500, last: 30_000 };
/** An empty page that comes sooner than this, in milliseconds, did not wait. */
const SOON = 1_000;

/**
 * Yields the changes of the project, and never misses one: over lost connections, restarts, and restores. It repeats
 * requests that fail for a while, with growing pauses, and throws a `ResourceError` if another request would fail, too.
 *
 * ```js
 * const items = new Map();
 * for await (const change of watch(client, { where: 'custom = "red"' })) {
 *   if (change.type === "set") items.set(change.id, change.resource);
 *   else if (change.type === "reset") items.clear();
 *   else if (change.type !== "ready") items.delete(change.id);
 * }
 * ```
 */
export async function* watch(
  client: ResourceClient,
  { after, signal, ...filter }: WatchOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let position = after;
  let isReady = false;
  let failures = 0;
  while (!signal?.aborted) {
    // After a failure, an answer without a wait shows that the service is there.
    const wait = isReady && failures === 0 ? WAIT : 0;
    const began = Date.now();
    let page: Page;
    let hasMore = false;
    try {
      const onResponse = ({ headers }: ResponseEvent) => {
        hasMore = headers.get("Link") !== null;
      };
      const params = { ...filter, after: position, wait };
      const options = { signal, timeout: 2 * PATIENCE, attemptTimeout: PATIENCE, onResponse };
      page = await client.changes(params, options, parse);
    } catch (thrown) {
      const error = thrown as ResourceError;
      if (error.kind === "aborted") return;
      if (error.code === "HistoryChanged") {
        position = after === "now" ? after : undefined;
        isReady = false;
        yield { type: "reset", position: undefined };
      } else if (error.retryable) await pause(failures++, signal);
      else throw error;
      continue;
    }
    const { from, to, steps } = page;
    for (const [at, step] of steps.entries()) yield { ...step, position: at + 1 < steps.length ? from : to } as Change;
    position = to;
    if (hasMore) continue;
    if (!isReady || from !== to) yield { type: "ready", position };
    isReady = true;
    const isIdle = from === to && Date.now() - began < SOON;
    if (failures > 0) failures = 0;
    else if (isIdle && wait > 0) await sleep(SOON, signal as AbortSignal | undefined);
  }
}

/** Waits after a failure, or until the device is online again. */
async function pause(failures: number, signal: WatchOptions["signal"]) {
  const { first, last } = PAUSE;
  const ms = Math.min(last, first * 2 ** failures) * (0.5 + Math.random() / 2);
  const ended = new AbortController();
  const end = () => ended.abort();
  const sources: [any, string][] = [
    [globalThis, "online"],
    [signal, "abort"],
  ];
  for (const [source, type] of sources) source?.addEventListener?.(type, end);
  await sleep(ms, ended.signal);
  for (const [source, type] of sources) source?.removeEventListener?.(type, end);
}

/** Parses a page of changes. Throws if it is none. */
function parse(text: string): Page {
  const [{ from, to }, ...lines] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  if (typeof from !== "string" || typeof to !== "string") throw new TypeError("a page without positions");
  const page: Page = { from, to, steps: [], results: [] };
  for (const line of lines) {
    const { id, version, outside, deletedAt } = line;
    if (outside) page.steps.push(...outside.map((id: string) => ({ type: "leave", id })));
    else if (deletedAt) page.steps.push({ type: "delete", id, version });
    else {
      page.steps.push({ type: "set", id, resource: line });
      page.results.push(line);
    }
  }
  return page;
}
