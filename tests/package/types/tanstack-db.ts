// Collections of TanStack DB. Compiled, never run.
import { createCollection, type Collection } from "@tanstack/db";
import type { Resource, ResourceClient } from "resource-edge";
import { resourceCollectionOptions, type ResourceCollectionOptions } from "resource-edge/tanstack-db";

export function lamps(client: ResourceClient): Collection<Resource, string> {
  const options: ResourceCollectionOptions = { client, id: "lamps", where: 'custom = "lamp"', transport: "socket" };
  // @ts-expect-error: it needs a client
  resourceCollectionOptions({ where: "custom is defined" });
  // @ts-expect-error: a collection has all matches, so it has no limit
  resourceCollectionOptions({ client, limit: 5 });
  const collection = createCollection(resourceCollectionOptions(options));
  collection.get("a")?.objectTypeProperty.arrayOfIntExample satisfies readonly number[] | undefined;
  // @ts-expect-error: the keys are texts
  collection.get(1);
  return collection;
}
