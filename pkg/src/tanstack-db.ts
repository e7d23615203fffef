// `resource-edge/tanstack-db`: collections of TanStack DB over `live`.

import type { CollectionConfig, PendingMutation } from "@tanstack/db";
import type { ResourceClient } from "./client/client.js";
import { checkRemovals } from "./client/input.js";
import type { ResourceDraft, ResourceOverwrite } from "./generated/bodies.js";
import { limits } from "./generated/limits.js";
import type { QueryParams } from "./generated/params.js";
import type { Resource } from "./generated/responses.js";
import type { BatchWriteOf, RecordOf } from "./own/bodies.js";
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
 * Returns a function that performs the own writes of a resource one after the other; several resources together, once
 * none of them has an earlier one. It passes on the versions to expect: those that the collection showed, or what the
 * own writes before have made of them. So two changes in a row are no conflict, and a change by somebody else in
 * between still is.
 */
function inTurn() {
  const all = new Map<string, Turns>();
  return async (
    ids: readonly string[],
    shown: readonly number[],
    write: (versions: number[]) => Promise<Resource[]>,
  ) => {
    const turns = ids.map((id) => {
      const known = all.get(id) ?? { from: 0, to: 0, count: 0, last: Promise.resolve() };
      all.set(id, known);
      return known;
    });
    const turn = Promise.all(turns.map(({ last }) => last)).then(async () => {
      const isOwn = turns.map(({ from, to }, at) => shown[at] >= from && shown[at] < to);
      const written = await write(turns.map(({ to }, at) => (isOwn[at] ? to : shown[at])));
      for (const [at, { version }] of written.entries())
        Object.assign(turns[at], { from: isOwn[at] ? turns[at].from : shown[at], to: version });
    });
    for (const one of turns) {
      one.count += 1;
      one.last = turn.catch(() => {});
    }
    const leave = () => {
      for (const [at, one] of turns.entries()) if (--one.count === 0) all.delete(ids[at]);
    };
    await turn.finally(leave);
  };
}

/** Returns a row without what TanStack DB adds to each row that it returns, such as `$synced`. No field begins so. */
const fieldsOf = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith("$"))) as Row;

/** Returns the write of a mutation, which expects the version. */
function writeOf(client: ResourceClient, mutation: Mutation, version: number): BatchWriteOf {
  const { id } = mutation.modified;
  if (mutation.type === "delete") return { operation: "deleteById", id, version };
  // Version 0 is that of no resource: it creates one.
  if (mutation.type === "insert") {
    return {
      operation: "createOrOverwrite",
      body: { ...fieldsOf(mutation.modified), version: 0 } as ResourceOverwrite,
    };
  }
  const isDeclared = client.calls.declared !== undefined;
  const entries = Object.entries(fieldsOf(mutation.changes)).map(([name, value]) => [name, value ?? null]);
  const changes: Partial<ResourceDraft> = Object.fromEntries(entries);
  checkRemovals(changes, mutation.original, isDeclared);
  if (isDeclared) return { operation: "createOrUpdate", body: { ...changes, id, version } as ResourceDraft };
  const { objectTypeProperty } = mutation.modified;
  return { operation: "overwrite", body: { ...changes, id, version, objectTypeProperty } as ResourceOverwrite };
}

/** Performs mutations: a single one by its operation, several as a batch, all or nothing. */
async function perform(client: ResourceClient, mutations: readonly Mutation[], versions: readonly number[]) {
  const [one] = mutations;
  if (mutations.length === 1 && one.type === "insert")
    return [await client.create(fieldsOf(one.modified) as ResourceDraft)];
  const writes = mutations.map((mutation, at) => writeOf(client, mutation, versions[at]));
  if (writes.length > 1) return (await client.batch(writes)).map(({ resource }) => resource);
  const [write] = writes;
  if (write.operation === "deleteById")
    return [await client.deleteById(write.id, { version: write.version as number })];
  if (write.operation === "overwrite") return [await client.overwrite(write.body)];
  return [await client.createOrUpdate(write.body as ResourceDraft)];
}

/**
 * Returns the options of a collection for `createCollection`. It stays current, and shows own changes before the
 * service has them. If the service rejects a change, for example because somebody else was faster (409), TanStack DB
 * undoes it. A new item needs an `id` and a `key` that no other has (412, 400). An update or a deletion expects the
 * version that the collection shows. Several items of one call, such as `insert([…])`, are one batch of the service,
 * all or nothing (each 100 of them): then an `id` that exists is 409.
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
  const write = async ({ transaction }: { transaction: { mutations: readonly unknown[] } }) => {
    const all = transaction.mutations as readonly Mutation[];
    for (let from = 0; from < all.length; from += limits.batchWrites) {
      const mutations = all.slice(from, from + limits.batchWrites);
      const ids = mutations.map(({ modified }) => modified.id);
      const shown = mutations.map(({ original }) => (original as Partial<Resource>).version ?? 0);
      await run(ids, shown, (versions) => perform(client, mutations, versions));
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
    onInsert: write,
    onUpdate: write,
    onDelete: write,
  };
}
