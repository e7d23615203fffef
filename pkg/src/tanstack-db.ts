// `resource-edge/tanstack-db`: collections of TanStack DB over `live`.

import type { CollectionConfig, PendingMutation } from "@tanstack/db";
import type { QueryParams, Resource, ResourceClient } from "./client.js";
import type { ResourceDraft, ResourceOverwrite } from "./generated/bodies.js";
import { live, type LiveOptions, type LiveSnapshot } from "./live.js";

/** What a collection contains: the resources that match, or all. */
export interface ResourceCollectionOptions extends Pick<QueryParams, "where" | "var">, LiveOptions {
  /** The client, which reads and writes. */
  readonly client: ResourceClient;
  /** The name of the collection. */
  readonly id?: string | undefined;
}

type Mutation = PendingMutation<Resource>;

/**
 * Returns the options of a collection for `createCollection`. It stays current, and shows own changes before the
 * service has them. If the service rejects a change, for example because somebody else was faster (409), TanStack DB
 * undoes it. A new item needs an `id`. An update or a deletion expects the version that the collection shows.
 *
 * ```js
 * const lamps = createCollection(resourceCollectionOptions({ client, where: 'custom = "lamp"' }));
 * ```
 */
export function resourceCollectionOptions({
  client,
  id,
  where,
  var: variables,
  transport,
}: ResourceCollectionOptions): CollectionConfig<Resource, string> {
  // A write resolves once the client's views have it, so the collection has it, too.
  const each =
    (write: (mutation: Mutation) => Promise<unknown>) =>
    async ({ transaction }: { transaction: { mutations: readonly unknown[] } }) => {
      for (const mutation of transaction.mutations) await write(mutation as Mutation);
    };
  return {
    ...(id !== undefined && { id }),
    getKey: (resource) => resource.id,
    sync: {
      rowUpdateMode: "full",
      sync({ begin, write, commit, markReady, markError }) {
        let shown = new Map<string, Resource>();
        const show = ({ status, items, error }: LiveSnapshot) => {
          if (status === "error") return markError(error);
          if (status === "loading") return;
          const next = new Map(items.map((item) => [item.id, item]));
          begin();
          for (const key of shown.keys()) if (!next.has(key)) write({ type: "delete", key });
          for (const [key, value] of next) {
            const old = shown.get(key);
            if (old !== value) write({ type: old ? "update" : "insert", value });
          }
          commit();
          shown = next;
          markReady();
        };
        const view = live(client, { where, var: variables }, { transport });
        view.subscribe(show);
        return () => view.close();
      },
    },
    onInsert: each(({ modified }) => client.createOrUpdate(modified as ResourceDraft)),
    onUpdate: each(({ original, modified, changes }) => {
      const { id, version } = original as Resource;
      const { objectTypeProperty } = modified;
      return client.overwrite({ ...changes, id, version, objectTypeProperty } as ResourceOverwrite);
    }),
    onDelete: each(({ original }) => {
      const { id, version } = original as Resource;
      return client.deleteById(id, { version });
    }),
  };
}
