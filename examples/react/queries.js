import { infiniteQueryOptions, QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { predicate } from "resource-edge";
import { client } from "./client.js";

const PAGE = 20;

/** The client already retries. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
});

/** All resources by ID, page by page: no duplicates and no gaps. */
export const listQuery = infiniteQueryOptions({
  queryKey: ["resources"],
  initialPageParam: "",
  queryFn: ({ pageParam, signal }) => {
    const where = pageParam === "" ? [] : predicate`id > ${pageParam}`;
    return client.querySorted({ where, sort: "id asc", limit: PAGE, withTotal: false }, { signal });
  },
  getNextPageParam: ({ results }) => (results.length < PAGE ? undefined : results.at(-1).id),
});

/** Renames a resource. After a conflict the list shows the other caller's change. */
export function useRename() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (/** @type {{ id: string, version: number, name: string }} */ { id, version, name }) =>
      client.updateById(id, { version, actions: [{ action: "setTitle", title: name }] }),
    onSettled: () => cache.invalidateQueries({ queryKey: listQuery.queryKey }),
  });
}
