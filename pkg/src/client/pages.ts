// Pages in the order of IDs. Even if others write meanwhile, no resource occurs twice and none is skipped.

import type { QueryParams } from "../generated/params.js";
import type { QueryPage } from "../generated/responses.js";
import type { PagesParams } from "./options.js";
import { type ResourceError, wrongInput } from "./errors.js";

/** Queries every resource that matches, page by page. */
export async function* pages(
  query: (params: QueryParams) => Promise<QueryPage>,
  { where = [], limit = 100, withTotal = false, ...params }: PagesParams,
) {
  if (!(limit >= 1)) throw wrongInput("parameter", "limit", "expected at least 1");
  const conditions = Array.isArray(where) ? where : [where];
  const fixed = { ...params, sort: "id asc", offset: undefined };
  let size = limit;
  let after: string[] = [];
  let total;
  let seen = 0;
  for (;;) {
    let page: QueryPage;
    try {
      page = await query({
        ...fixed,
        withTotal: withTotal && seen === 0,
        where: [...conditions, ...after],
        limit: size,
      });
    } catch (thrown) {
      const error = thrown as ResourceError;
      // The page would be too large: try half of it.
      if (size === 1 || error.status !== 400 || error.errors[0]?.parameter !== "limit") throw error;
      size = Math.ceil(size / 2);
      continue;
    }
    const { results } = page;
    total ??= page.total;
    seen += results.length;
    if (results.length > 0) yield { ...page, total, seen };
    if (results.length < size) return;
    after = [`id > ${JSON.stringify(results[results.length - 1].id)}`];
  }
}
