// `useLive`: a hook over `live`.

import { useState, useSyncExternalStore } from "react";
import type { ResourceClient } from "../client/client.js";
import { live, type LiveOptions, type LivePageOf, type LiveQuery, type LiveSnapshot } from "../live.js";
import { liveAfter } from "../feed/live-view.js";
import type { Resource } from "../generated/responses.js";
import type { FieldName } from "../own/parts.js";

/**
 * Returns what a view of `live` shows, and renders the component again when that changes. The query may be a new object
 * each time: another view begins only if its content has changed. Until that has its resources, the items are those of
 * before, with the status `loading`, or `error` if the query fails.
 *
 * ```jsx
 * const { status, items } = useLive(client, { where: 'custom = "red"' });
 * ```
 */
export function useLive<Content extends object = Resource, Name extends FieldName<Content> = never>(
  client: ResourceClient<Content>,
  query?: LiveQuery<Content, Name>,
  options?: Pick<LiveOptions, "transport">,
): LiveSnapshot<LivePageOf<Content, Name>>;
export function useLive(
  client: ResourceClient<any>,
  query: LiveQuery = {},
  options: Pick<LiveOptions, "transport"> = {},
): LiveSnapshot<any> {
  const content = JSON.stringify([query, options]);
  const [shown, show] = useState(() => ({ client, content, view: live(client, query, options) }));
  let { view } = shown;
  if (shown.client !== client || shown.content !== content) {
    // What another client has may be of another project or person.
    view =
      shown.client === client ? liveAfter(client, query, options, view.getSnapshot()) : live(client, query, options);
    // Renders again at once.
    show({ client, content, view });
  }
  return useSyncExternalStore(view.subscribe, view.getSnapshot, view.getServerSnapshot);
}
