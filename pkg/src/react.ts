// `resource-edge/react`: a hook over `live`.

import { useMemo, useSyncExternalStore } from "react";
import type { ResourceClient } from "./client.js";
import { live, type LiveOptions, type LiveQuery, type LiveSnapshot } from "./live.js";

/**
 * Returns what a view of `live` shows, and renders the component again when that changes. The query may be a new object
 * each time: a view begins only if its content has changed.
 *
 * ```jsx
 * const { status, items } = useLive(client, { where: 'custom = "red"' });
 * ```
 */
export function useLive(client: ResourceClient, query: LiveQuery = {}, options: LiveOptions = {}): LiveSnapshot {
  const content = JSON.stringify([query, options]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is that of the query and the options
  const view = useMemo(() => live(client, query, options), [client, content]);
  return useSyncExternalStore(view.subscribe, view.getSnapshot, view.getServerSnapshot);
}
