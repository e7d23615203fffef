// Follows the changes of a project (D36). A separate module, so that a page that follows
// nothing does not load it.

import type { ResourceClient } from "./client/client.js";
import type { Step } from "./feed/page.js";
import { Follower, type WatchOptions } from "./feed/follower.js";
import type { Resource } from "./generated/responses.js";
import type { RecordOf } from "./own/bodies.js";

export {
  live,
  type LiveOptions,
  type LivePage,
  type LivePageOf,
  type LiveQuery,
  type LiveReading,
  type LiveSnapshot,
  type LiveView,
} from "./feed/live-view.js";
export type { Step as LiveChange };
export type { Transport } from "./client/options.js";
export type { WatchOptions };

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
export type FeedChange<Content extends object = Resource> =
  | { readonly type: "set"; readonly id: string; readonly resource: RecordOf<Content>; readonly position: string }
  | { readonly type: "delete"; readonly id: string; readonly version: number; readonly position: string }
  | { readonly type: "leave"; readonly id: string; readonly position: string }
  | { readonly type: "reset"; readonly position: undefined }
  | { readonly type: "ready"; readonly position: string };

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
export async function* watch<Content extends object = Resource>(
  client: ResourceClient<Content>,
  options: WatchOptions = {},
): AsyncGenerator<FeedChange<Content>, void, undefined> {
  const follower = new Follower(client, options);
  for await (const batch of follower.batches()) {
    if (batch.type === "reset") {
      yield { type: "reset", position: undefined };
      continue;
    }
    const { from, to, steps } = batch.page;
    for (const [at, step] of steps.entries()) {
      if (follower.hasEnded) return;
      yield { ...(step as Step<Content>), position: at + 1 < steps.length ? from : to };
    }
    if (batch.isReady && !follower.hasEnded) yield { type: "ready", position: to };
  }
}
