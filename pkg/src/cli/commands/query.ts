// `resource-edge query`: prints resources.

import type { ResourceClient } from "../../client/client.js";
import type { PagesParams } from "../../client/options.js";
import type { ResourceError } from "../../client/errors.js";
import { type Command, type Input, type Output, UsageError, wholeNumber } from "../command.js";
import { Connection, CONNECTION, FIELDS } from "../connection.js";
import { limits } from "../../generated/limits.js";

const PAGE = limits.pageMax;

type Scalar = string | number | boolean;

/** Returns the values at a path, such as `createdBy.firstName`. The sample fields are in `objectTypeProperty`. */
export function valuesAt(value: any, [name, ...rest]: readonly string[]): Scalar[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (value === undefined || value === null) return [];
  return name === undefined ? [value] : valuesAt(value[name], rest);
}

/** Compares two values like the service (D27): texts by code point. */
function compare(one: Scalar | undefined, other: Scalar | undefined) {
  if (typeof one === "string" && typeof other === "string") return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one) - Number(other);
}

/** Returns the resources in the order of `sort`, which the service has accepted. Ties are in the order of creation. */
export function sorted(resources: any[], sort: readonly string[]) {
  const keys = [...sort, "createdAt"].map((text) => {
    const [path = "", direction = "asc"] = text.trim().split(/\s+/);
    return { path: path.split("."), sign: direction.toLowerCase() === "desc" ? -1 : 1 };
  });
  const rows = resources.map((resource) => ({
    resource,
    // An array sorts by its smallest item, or by its largest if descending.
    values: keys.map(({ path, sign }) => {
      const own = path[0] === undefined || path[0] in resource ? resource : resource.objectTypeProperty;
      return valuesAt(own, path).sort((a, b) => sign * compare(a, b))[0];
    }),
  }));
  rows.sort((a, b) => {
    for (const [at, { sign }] of keys.entries()) {
      const [one, other] = [a.values[at], b.values[at]];
      // Absent values come last in both directions.
      const isAbsent = Number(one === undefined) - Number(other === undefined);
      const order = isAbsent || (one === undefined ? 0 : sign * compare(one, other));
      if (order !== 0) return order;
    }
    return 0;
  });
  return rows.map(({ resource }) => resource);
}

/**
 * Yields the resources of a query. Whatever others write meanwhile, none is skipped and none occurs twice: those of
 * several pages are read in the order of their IDs, and sorted here.
 */
async function* resources(client: ResourceClient<any>, values: Input["values"], most: number, signal: AbortSignal) {
  const { where, sort } = values;
  // The order of several pages needs its fields.
  const fields = values.fields && [...values.fields, ...(sort ?? []).map((text: string) => text.trim().split(/\s/)[0])];
  const limit = Math.min(most, PAGE);
  const params: PagesParams<any> & { fields?: string[] } = { where, limit, fields };
  if (sort === undefined) return yield* client.all(params, { signal });
  const page = await client
    .query({ where, sort, limit, fields, withTotal: false }, { signal })
    .catch((error: ResourceError) => {
      // The page would be too large, or the service would have to sort too many resources.
      if (!["size", "work"].includes(error.errors?.[0]?.reason ?? "")) throw error;
    });
  if (page !== undefined && (page.results.length < limit || most <= PAGE)) return yield* page.results;
  const all = [];
  for await (const resource of client.all(params, { signal })) all.push(resource);
  yield* sorted(all, sort);
}

/** Writes the resources as lines, or with --json as one object, while they are read. Returns how many there were. */
async function print(found: AsyncIterable<unknown>, most: number, output: Output) {
  let count = 0;
  if (most > 0) {
    for await (const resource of found) {
      const before = count === 0 ? '{"results":[' : ",";
      output.write(output.isJson ? before + JSON.stringify(resource) : JSON.stringify(resource));
      if (++count >= most) break;
    }
  }
  if (output.isJson) output.write(count === 0 ? '{"results":[]}' : "]}");
  return count;
}

async function runQuery(input: Input) {
  const { values, output, signal } = input;
  if (values.count && (values.limit ?? values.sort ?? values.fields) !== undefined)
    throw new UsageError("--count counts all matches. Leave out --limit, --sort, and --fields.");
  const most = values.limit === undefined ? Infinity : wholeNumber("limit", values.limit);
  const client = await new Connection(input, "view_test").client();
  if (values.count) {
    const { total = 0 } = await client.query({ where: values.where, limit: 1 }, { signal });
    output.result({ total }, String(total));
    return;
  }
  const count = await print(resources(client, values, most, signal), most, output);
  if (count === 0) output.note("No resource matches.");
}

export const query: Command = {
  about: "print resources, each as a line of JSON",
  options: {
    ...CONNECTION,
    where: { value: "PREDICATE", isList: true, about: `a condition, such as 'key = "first"'; several must all hold` },
    sort: { value: "SORT", isList: true, about: "an order, such as 'lastModifiedAt desc' (default: by ID)" },
    fields: FIELDS,
    limit: { value: "N", about: "the most resources (default: all)" },
    count: { about: "print only how many match" },
  },
  more: `With --json, one object with the list \`results\`, or with \`total\`. To sort more than 500 resources, the
command first reads all that match.`,
  run: runQuery,
};
