// `resource-edge query`: prints resources.

import type { PagesParams, ResourceClient } from "../client.js";
import { type Command, type Input, UsageError, wholeNumber } from "./command.js";
import { Connection, CONNECTION } from "./connection.js";

const PAGE = 500;

/** Yields the resources of a query in its order. Without an order, that of their IDs, in which none is skipped. */
async function* resources(client: ResourceClient, { where, sort }: Input["values"], most: number, signal: AbortSignal) {
  if (sort === undefined) {
    const params: PagesParams = { where, limit: Math.min(most, PAGE) };
    return yield* client.all(params, { signal });
  }
  for (let offset = 0; ; offset += PAGE) {
    const limit = Math.min(most - offset, PAGE);
    const { results } = await client.query({ where, sort, limit, offset, withTotal: false }, { signal });
    yield* results;
    if (results.length < limit || offset + limit >= most) return;
  }
}

async function runQuery(input: Input) {
  const { values, output, signal } = input;
  if (values.count && (values.limit ?? values.sort) !== undefined)
    throw new UsageError("--count counts all matches. Leave out --limit and --sort.");
  const most = values.limit === undefined ? Infinity : wholeNumber("limit", values.limit);
  const client = await new Connection(input, "view_test").client();
  if (values.count) {
    const { total = 0 } = await client.query({ where: values.where, limit: 1 }, { signal });
    output.result({ total }, String(total));
    return;
  }
  const found = [];
  let count = 0;
  if (most > 0) {
    for await (const resource of resources(client, values, most, signal)) {
      if (output.isJson) found.push(resource);
      else output.write(JSON.stringify(resource));
      if (++count >= most) break;
    }
  }
  if (output.isJson) output.result({ results: found }, "");
  else if (count === 0) output.note("No resource matches.");
}

export const query: Command = {
  about: "print resources, each as a line of JSON",
  options: {
    ...CONNECTION,
    where: { value: "PREDICATE", isList: true, about: `a condition, such as 'key = "first"'; several must all hold` },
    sort: { value: "SORT", isList: true, about: "an order, such as 'lastModifiedAt desc' (default: by ID)" },
    limit: { value: "N", about: "the most resources (default: all)" },
    count: { about: "print only how many match" },
  },
  more: `With --json, one object with the list \`results\`, or with \`total\`.`,
  run: runQuery,
};
