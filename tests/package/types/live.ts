// Views, and the hook for React. Compiled, never run.
import type { Resource, ResourceClient, ResourceError } from "resource-edge";
import {
  live,
  type LiveOptions,
  type LiveQuery,
  type LiveSnapshot,
  type LiveView,
  type Transport,
} from "resource-edge/live";
import { useLive } from "resource-edge/react";

export function views(client: ResourceClient, transport: Transport): LiveView[] {
  const query: LiveQuery = { where: "custom = :c", var: { c: "red" }, sort: "id desc", limit: 5, withTotal: false };
  const options: LiveOptions = { transport };
  const search = live(client, { search: { text: { en: "des" }, prefix: true } }, options);
  // @ts-expect-error: no such parameter
  live(client, { wheer: "custom = 1" });
  // @ts-expect-error: no such transport
  live(client, {}, { transport: "pigeon" });
  // @ts-expect-error: a view needs a client
  live({});
  // @ts-expect-error: a search has no parameters of a query beside it
  live(client, { search: {}, where: 'custom = "red"' });
  return [live(client), live(client, query), search];
}

export function show(view: LiveView): () => void {
  const { status, items, page, error }: LiveSnapshot = view.getSnapshot();
  const first: Resource | undefined = items[0];
  const total: number | undefined = page?.total;
  const failure: ResourceError | undefined = error;
  if (status === "paused") view.resume();
  // @ts-expect-error: no such status
  if (status === "offline") view.pause();
  // @ts-expect-error: a snapshot never changes
  items.push(first);
  // @ts-expect-error: nor does its status
  view.getSnapshot().status = "live";
  void [total, failure];
  return view.subscribe(({ items }) => items.map(({ version }) => version satisfies number));
}

/** What `useSyncExternalStore` of React gets. */
export const store = ({ subscribe, getSnapshot, getServerSnapshot }: LiveView) =>
  [subscribe, getSnapshot, getServerSnapshot] satisfies [
    (changed: () => void) => () => void,
    ...(() => LiveSnapshot)[],
  ];

export function Component(client: ResourceClient): number {
  const { items } = useLive(client, { where: 'custom = "red"' }, { transport: "wait" });
  // @ts-expect-error: the hook needs a client
  useLive();
  return useLive(client).items.length + items.length;
}
