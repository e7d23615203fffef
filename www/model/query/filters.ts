// Filters and facets of a search: their texts, as the service reads them, and the ranges of a facet.

import type { ResourceModel } from "../fields.js";
import type { FacetKind } from "./facets.js";
import { queriedFields } from "./queried-fields.js";

/** A filter. A range starts at `from` and ends before `to`. A term is one value. */
type TermFilter = { field: string; term: string | number | boolean; from?: undefined; to?: undefined };
type RangeFilter = { field: string; term?: undefined; from: number; to: number };
export type Filter = TermFilter | RangeFilter;

export type Range = { from: number; to: number };
/** The resource whose fields are named. */
type Model = Pick<ResourceModel, "isWhole">;

const BUCKETS = 6;

export const sameFilter = (a: Filter, b: Filter) =>
  a.field === b.field && a.term === b.term && a.from === b.from && a.to === b.to;

/** Returns the filters as parameters: OR within a field, AND between fields. */
export function filterTexts(filters: readonly Filter[], model: Model) {
  const fields = [...new Set(filters.map(({ field }) => field))];
  return fields.flatMap((field) => {
    const mine = filters.filter((filter) => filter.field === field);
    const terms = mine.flatMap(({ term }) => (term === undefined ? [] : [JSON.stringify(term)]));
    const ranges = mine.flatMap(({ term, from, to }) =>
      term === undefined ? [`(${from} to ${below(to, model.isWhole(field))})`] : [],
    );
    // A parameter contains either terms or ranges. A field's facet shows only one kind, so they are never mixed.
    return [
      ...(terms.length > 0 ? [`${field}:${terms.join(",")}`] : []),
      ...(ranges.length > 0 ? [`${field}:range${ranges.join(",")}`] : []),
    ];
  });
}

/**
 * Returns the filters as conditions, to combine them with that of a person. Those that no condition expresses are left
 * out: a condition has no range that one item of a list is in.
 */
export function filterConditions(filters: readonly Filter[], model: ResourceModel) {
  const usable = expressible(filters, model);
  return [...new Set(usable.map(({ field }) => field))].map((field) =>
    usable
      .filter((filter) => filter.field === field)
      .map(({ term, from, to }) =>
        term === undefined ? `(${field} >= ${from} and ${field} < ${to})` : `${field} = ${JSON.stringify(term)}`,
      )
      .join(" or "),
  );
}

/** Returns the filters that a condition expresses. */
export function expressible(filters: readonly Filter[], model: ResourceModel) {
  const single = queriedFields(model)
    .filter(({ kind }) => kind === "number")
    .map(model.queryName);
  return filters.filter(({ field, term }) => term !== undefined || single.includes(field));
}

/** Returns the greatest value less than `number`. Ranges of filters include their end; ranges of facets do not. */
export function below(number: number, whole: boolean) {
  if (whole) return number - 1;
  if (number === 0) return -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + (number > 0 ? -1n : 1n));
  return view.getFloat64(0);
}

/** Returns ranges of a round width that cover a field's values. */
export function ranges({ min, max }: { min: number; max: number }, whole: boolean): Range[] {
  const span = max - min;
  if (!Number.isFinite(span) || !Number.isFinite(max * 2)) return [];
  const rough = span / BUCKETS || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((one) => one * power >= rough) ?? 10;
  const width = whole ? Math.max(1, Math.round(factor * power)) : factor * power;
  // Compare the numbers as they are shown: 6 × 0.05 is a little more than 0.3.
  const edge = (at: number) => Number((at * width).toPrecision(12));
  let start = Math.floor(min / width);
  if (edge(start) > min) start -= 1;
  const all = [];
  for (let at = start; edge(at) <= max && all.length <= BUCKETS + 2; at++)
    all.push({ from: edge(at), to: edge(at + 1) });
  // If the numbers are too large for the step to change them, there are no ranges.
  return all.every(({ from, to }) => from < to) ? all : [];
}

/** The extent of a field's numbers, and how many there are. */
export type Extent = { min: number; max: number; count: number };

/** Returns the facet to request. Its first range has the extent of all numbers, and the others divide a known one. */
export function facetText(field: string, kind: FacetKind | undefined, model: Model, extent?: Extent) {
  if (kind !== "ranges") return field;
  const known = extent === undefined || extent.count === 0 ? [] : ranges(extent, model.isWhole(field));
  return `${field}:range${["(* to *)", ...known.map(({ from, to }) => `(${from} to ${to})`)].join(",")}`;
}
