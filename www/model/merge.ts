// Merging: two people changed the same resource. Compares the changes, merges what is compatible, and leaves the rest
// to choose.

import type { Resource, ResourceOverwrite } from "../pkg/browser.js";
import { same, valueAt, withValue, type Field } from "./schema.js";

export type Choice = "mine" | "theirs" | "both";

/**
 * A compared field. `change` is who changed the field since the base: "none", "mine", "theirs", "same" (both, to the
 * same value), or "both" (to different values). `choice` is the chosen side for the result; `undefined` if a person has
 * to choose.
 */
export interface MergeRow {
  field: Field;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  change: "none" | "mine" | "theirs" | "same" | "both";
  choice: Choice | undefined;
}

const CHOICES: { [change in MergeRow["change"]]: Choice | undefined } = {
  none: "theirs",
  same: "theirs",
  theirs: "theirs",
  mine: "mine",
  both: undefined,
};

/** Returns a row for each field, in the given order. */
export function compare(fields: readonly Field[], base: unknown, mine: unknown, theirs: unknown): MergeRow[] {
  return fields.map((field) => {
    const values = {
      base: valueAt(base, field.path),
      mine: valueAt(mine, field.path),
      theirs: valueAt(theirs, field.path),
    };
    const change = changeOf(values);
    return { field, ...values, change, choice: CHOICES[change] };
  });
}

function changeOf({ base, mine, theirs }: Pick<MergeRow, "base" | "mine" | "theirs">): MergeRow["change"] {
  const byMe = !isAlike(base, mine);
  const byThem = !isAlike(base, theirs);
  if (!byMe) return byThem ? "theirs" : "none";
  if (!byThem) return "mine";
  return isAlike(mine, theirs) ? "same" : "both";
}

/** The service stores an absent array as an empty one. */
const normalize = (value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value);
const isAlike = (a: unknown, b: unknown) => same(normalize(a), normalize(b));

/**
 * Combines two changed arrays: theirs, without the items that I removed, and with the items that I added at the end.
 * Items that occur more than once are counted.
 */
export function combine(base: unknown, mine: unknown, theirs: unknown) {
  const [before, here, there] = [countOf(base), countOf(mine), countOf(theirs)];
  const due = new Map<string, number>();
  for (const name of [...here.keys(), ...there.keys()])
    due.set(name, combineCounts(before.get(name) ?? 0, here.get(name) ?? 0, there.get(name) ?? 0));
  return [...listOf(theirs), ...listOf(mine)].filter((item) => take(due, item));
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns how often an item occurs in the result if two people changed its count. */
function combineCounts(before: number, mine: number, theirs: number) {
  if (mine > before && theirs > before) return Math.max(mine, theirs);
  if (mine < before && theirs < before) return Math.min(mine, theirs);
  return Math.max(mine + theirs - before, 0);
}

/**
 * Returns the count of each item of a list, ignoring the order of an item's members. Returns no counts for other
 * values.
 */
export function countOf(items: unknown): Map<string, number> {
  const counts = new Map();
  for (const item of listOf(items)) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** Removes an occurrence of an item from the counts. Returns whether there was one. */
export function take(counts: Map<string, number>, item: unknown) {
  const left = counts.get(nameOf(item)) ?? 0;
  counts.set(nameOf(item), left - 1);
  return left > 0;
}

const nameOf = (item: unknown) =>
  JSON.stringify(typeof item === "object" && item !== null ? Object.entries(item).sort() : item);

/** Returns the value of a row after "mine", "theirs", or "both" is chosen. */
export function resultOf(row: MergeRow) {
  if (row.choice === "both") return combine(row.base, row.mine, row.theirs);
  return row.choice === undefined ? undefined : row[row.choice];
}

/** Returns the rows that still need a choice. */
export function findUndecided(rows: readonly MergeRow[]) {
  return rows.filter(({ choice }) => choice === undefined);
}

/** Returns the whole value that results from the rows. */
export function mergeRows(rows: readonly MergeRow[]): { [name: string]: unknown } {
  return rows.reduce((value, row) => withValue(value, row.field.path, resultOf(row) ?? undefined), {});
}

/**
 * Returns the body that changes a resource to `value`, on the seen version. A field that a write leaves out or sets to
 * null remains (D11), so a removed text is sent empty.
 */
export function overwriteBody(
  fields: readonly Field[],
  seen: Pick<Resource, "id" | "version">,
  value: object,
): ResourceOverwrite {
  const { id, version } = seen;
  let body: { [name: string]: unknown } = { id, version, ...value };
  for (const { path, kind } of fields) {
    if (kind === "text" && valueAt(seen, path) != null && valueAt(value, path) == null)
      body = withValue(body, path, "");
  }
  if (body.objectTypeProperty === undefined) body = { ...body, objectTypeProperty: {} };
  // The form has checked the value.
  return body as unknown as ResourceOverwrite;
}

/**
 * Returns the body that changes the fields of a declared resource in which `value` differs from the seen version. Null
 * removes a field (D38). A field that the console does not know, or that nobody changed, keeps its value.
 */
export function changesBody(
  fields: readonly Field[],
  seen: Pick<Resource, "id" | "version">,
  value: { readonly [name: string]: unknown },
): { [name: string]: unknown } {
  const { id, version } = seen;
  const changed = fields.filter(({ path }) => !same(valueAt(seen, path), valueAt(value, path)));
  const known = fields.map(({ name }) => name);
  // The JSON may have other members. The service says what is wrong with them.
  const others = Object.entries(value).filter(([name]) => !known.includes(name));
  return Object.fromEntries([
    ["id", id],
    ["version", version],
    ...others,
    ...changed.map(({ name }) => [name, value[name] ?? null]),
  ]);
}

/** Returns a resource after actions. The result shows what they change. It is never sent. */
export function applyActions(
  resource: object,
  actions: readonly { [name: string]: unknown }[],
): { [name: string]: unknown } {
  const changed: { [name: string]: unknown } = { ...resource };
  for (const { action, ...fields } of actions)
    for (const [name, value] of Object.entries(fields))
      changed[name] = afterAction(String(action), changed[name], value);
  return changed;
}

/** Returns the value of a field after an action: with or without the items that it has, or the value that it sets. */
function afterAction(action: string, before: unknown, value: unknown) {
  if (action.startsWith("add")) return [...listOf(before), ...listOf(value)];
  if (action.startsWith("remove"))
    return listOf(before).filter((item) => !listOf(value).some((other) => same(item, other)));
  return value;
}
