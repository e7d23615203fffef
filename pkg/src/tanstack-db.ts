// `resource-edge/tanstack-db`: collections of TanStack DB over `live`.

import type { CollectionConfig, PendingMutation } from "@tanstack/db";
import type { ResourceClient } from "./client/client.js";
import { checkRemovals } from "./client/input.js";
import type { ResourceDraft, ResourceOverwrite } from "./generated/bodies.js";
import type { QueryParams } from "./generated/params.js";
import type { Resource } from "./generated/responses.js";
import type { RecordOf } from "./own/bodies.js";
import { live, type LiveOptions, type LiveSnapshot } from "./live.js";

/** What a collection contains: the resources that match, or all. */
export interface ResourceCollectionOptions<Content extends object = Resource>
  extends Pick<QueryParams, "where" | "var">,
    Pick<LiveOptions, "transport"> {
  /** The client, which reads and writes. */
  readonly client: ResourceClient<Content>;
  /** The name of the collection. */
  readonly id?: string | undefined;
}

type Mutation = PendingMutation<Resource>;

/** The own writes of a resource that are under way: they have replaced the versions from `from` up to `to`. */
interface Turns {
  from: number;
  to: number;
  count: number;
  last: Promise<unknown>;
}

/**
 * Returns a function that performs the own writes of a resource one after the other. It passes on the version to
 * expect: the one that the collection showed, or what the own writes before have made of it. So two changes in a row
 * are no conflict, and a change by somebody else in between still is.
 */
function inTurn() {
  const all = new Map<string, Turns>();
  return async (id: string, shown: number, write: (version: number) => Promise<Resource>) => {
    const turns = all.get(id) ?? { from: 0, to: 0, count: 0, last: Promise.resolve() };
    all.set(id, turns);
    const turn = turns.last.then(async () => {
      const isOwn = shown >= turns.from && shown < turns.to;
      const { version } = await write(isOwn ? turns.to : shown);
      Object.assign(turns, { from: isOwn ? turns.from : shown, to: version });
    });
    turns.count += 1;
    turns.last = turn.catch(() => {});
    await turn.finally(() => --turns.count === 0 && all.delete(id));
  };
}

/** Returns a row without what TanStack DB adds to each row that it returns, such as `$synced`. No field begins so. */
const fieldsOf = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith("$"))) as Row;

/** Writes what has changed. */
function update(client: ResourceClient, mutation: Mutation, id: string, version: number) {
  const isDeclared = client.calls.declared !== undefined;
  const entries = Object.entries(fieldsOf(mutation.changes)).map(([name, value]) => [name, value ?? null]);
  const changes: Partial<ResourceDraft> = Object.fromEntries(entries);
  checkRemovals(changes, mutation.original, isDeclared);
  if (isDeclared) return client.createOrUpdate({ ...changes, id, version } as ResourceDraft);
  const { objectTypeProperty } = mutation.modified;
  return client.overwrite({ ...changes, id, version, objectTypeProperty } as ResourceOverwrite);
}

/**
 * Returns the options of a collection for `createCollection`. It stays current, and shows own changes before the
 * service has them. If the service rejects a change, for example because somebody else was faster (409), TanStack DB
 * undoes it. A new item needs an `id` and a `key` that no other has (412, 400). An update or a deletion expects the
 * version that the collection shows.
 *
 * ```js
 * const lamps = createCollection(resourceCollectionOptions({ client, where: 'custom = "lamp"' }));
 * ```
 */
export function resourceCollectionOptions<Content extends object = Resource>(
  options: ResourceCollectionOptions<Content>,
): CollectionConfig<RecordOf<Content>, string>;
export function resourceCollectionOptions({
  client,
  id,
  where,
  var: variables,
  transport,
}: ResourceCollectionOptions): CollectionConfig<any, string> {
  const run = inTurn();
  // A write resolves once the client's views have it, so the collection has it, too.
  const each =
    (write: (mutation: Mutation, id: string, version: number) => Promise<Resource>) =>
    async ({ transaction }: { transaction: { mutations: readonly unknown[] } }) => {
      for (const one of transaction.mutations) {
        const mutation = one as Mutation;
        const { version = 0 } = mutation.original as Partial<Resource>;
        await run(mutation.modified.id, version, (expected) => write(mutation, mutation.modified.id, expected));
      }
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
    onInsert: each(({ modified }) => client.create(fieldsOf(modified) as ResourceDraft)),
    onUpdate: each(async (mutation, id, version) => update(client, mutation, id, version)),
    onDelete: each((_, id, version) => client.deleteById(id, { version })),
  };
}
