// Merging: two people changed the same resource. Compares the changes, merges what is compatible, and leaves the rest
// to choose.

import { same, valueAt, withValue } from "./schema.js";

/** @import { Resource, ResourceOverwrite } from "../pkg/browser.js" */
/** @import { Field } from "./schema.js" */

/** @typedef {"mine" | "theirs" | "both"} Choice */

/**
 * A compared field. `change` is who changed the field since the base: "none", "mine", "theirs", "same" (both, to the
 * same value), or "both" (to different values). `choice` is the chosen side for the result; `undefined` if a person has
 * to choose.
 * @typedef {{
 *   field: Field,
 *   base: unknown,
 *   mine: unknown,
 *   theirs: unknown,
 *   change: "none" | "mine" | "theirs" | "same" | "both",
 *   choice: Choice | undefined,
 * }} Row
 */

/** @type {{ [change in Row["change"]]: Choice | undefined }} */
const CHOICES = { none: "theirs", same: "theirs", theirs: "theirs", mine: "mine", both: undefined };

/**
 * Returns a row for each field, in the given order.
 * @param {readonly Field[]} fields
 * @param {unknown} base
 * @param {unknown} mine
 * @param {unknown} theirs
 * @returns {Row[]}
 */
export function compare(fields, base, mine, theirs) {
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

/**
 * @param {Pick<Row, "base" | "mine" | "theirs">} values
 * @returns {Row["change"]}
 */
function changeOf({ base, mine, theirs }) {
  const byMe = !isAlike(base, mine);
  const byThem = !isAlike(base, theirs);
  if (!byMe) return byThem ? "theirs" : "none";
  if (!byThem) return "mine";
  return isAlike(mine, theirs) ? "same" : "both";
}

/**
 * The service stores an absent array as an empty one.
 * @param {unknown} value
 */
const normalize = (value) => (Array.isArray(value) && value.length === 0 ? undefined : value);
/**
 * @param {unknown} a
 * @param {unknown} b
 */
const isAlike = (a, b) => same(normalize(a), normalize(b));

/**
 * Combines two changed arrays: theirs, without the items that I removed, and with the items that I added at the end.
 * Items that occur more than once are counted.
 * @param {unknown} base
 * @param {unknown} mine
 * @param {unknown} theirs
 */
export function combine(base, mine, theirs) {
  const [before, here, there] = [countOf(base), countOf(mine), countOf(theirs)];
  /** @type {Map<string, number>} */
  const due = new Map();
  for (const name of [...here.keys(), ...there.keys()])
    due.set(name, combineCounts(before.get(name) ?? 0, here.get(name) ?? 0, there.get(name) ?? 0));
  return [...listOf(theirs), ...listOf(mine)].filter((item) => take(due, item));
}

/**
 * @param {unknown} value
 * @returns {unknown[]}
 */
const listOf = (value) => (Array.isArray(value) ? value : []);

/**
 * Returns how often an item occurs in the result if two people changed its count.
 * @param {number} before
 * @param {number} mine
 * @param {number} theirs
 */
function combineCounts(before, mine, theirs) {
  if (mine > before && theirs > before) return Math.max(mine, theirs);
  if (mine < before && theirs < before) return Math.min(mine, theirs);
  return Math.max(mine + theirs - before, 0);
}

/**
 * Returns the count of each item of a list, ignoring the order of an item's members. Returns no counts for other
 * values.
 * @param {unknown} items
 * @returns {Map<string, number>}
 */
export function countOf(items) {
  const counts = new Map();
  for (const item of listOf(items)) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/**
 * Removes an occurrence of an item from the counts. Returns whether there was one.
 * @param {Map<string, number>} counts
 * @param {unknown} item
 */
export function take(counts, item) {
  const left = counts.get(nameOf(item)) ?? 0;
  counts.set(nameOf(item), left - 1);
  return left > 0;
}

/** @param {unknown} item */
const nameOf = (item) => JSON.stringify(typeof item === "object" && item !== null ? Object.entries(item).sort() : item);

/**
 * Returns the value of a row after "mine", "theirs", or "both" is chosen.
 * @param {Row} row
 */
export function resultOf(row) {
  if (row.choice === "both") return combine(row.base, row.mine, row.theirs);
  return row.choice === undefined ? undefined : row[row.choice];
}

/**
 * Returns the rows that still need a choice.
 * @param {readonly Row[]} rows
 */
export function findUndecided(rows) {
  return rows.filter(({ choice }) => choice === undefined);
}

/**
 * Returns the whole value that results from the rows.
 * @param {readonly Row[]} rows
 * @returns {{ [name: string]: unknown }}
 */
export function mergeRows(rows) {
  return rows.reduce((value, row) => withValue(value, row.field.path, resultOf(row) ?? undefined), {});
}

/**
 * Returns the body that changes a resource to `value`, on the seen version. A field that a write leaves out or sets to
 * null remains (D11), so a removed text is sent empty.
 * @param {readonly Field[]} fields
 * @param {Pick<Resource, "id" | "version">} seen
 * @param {object} value
 * @returns {ResourceOverwrite}
 */
export function overwriteBody(fields, seen, value) {
  const { id, version } = seen;
  /** @type {{ [name: string]: unknown }} */
  let body = { id, version, ...value };
  for (const { path, kind } of fields) {
    if (kind === "text" && valueAt(seen, path) != null && valueAt(value, path) == null)
      body = withValue(body, path, "");
  }
  // The form has checked the value.
  return /** @type {ResourceOverwrite} */ (
    /** @type {unknown} */ (body.objectTypeProperty === undefined ? { ...body, objectTypeProperty: {} } : body)
  );
}

/**
 * Applies the actions to a resource that the console can apply. The result is only for display, never for sending.
 * @param {Resource} resource
 * @param {readonly { [name: string]: unknown }[]} actions
 * @returns {{ [name: string]: unknown }}
 */
export function applyActions(resource, actions) {
  return Object.assign({}, resource, ...actions.map(({ action, ...fields }) => fields));
}
