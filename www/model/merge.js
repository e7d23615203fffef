// Merging: two people changed the same resource. Compares the changes, merges what is compatible, and leaves the rest
// to choose.

import { same, valueAt, withValue } from "./schema.js";

/**
 * Returns a row for each field, in the given order. `change` says who changed the field since the base: "none", "mine",
 * "theirs", "same" (both, to the same value), or "both" (to different values, so a person has to choose). `choice` is
 * the default for the result: "mine" or "theirs", or undefined if a person has to choose.
 */
export function compare(fields, base, mine, theirs) {
  return fields.map((field) => {
    const values = {
      base: valueAt(base, field.path),
      mine: valueAt(mine, field.path),
      theirs: valueAt(theirs, field.path),
    };
    const change = changeOf(values);
    const choice = { none: "theirs", same: "theirs", theirs: "theirs", mine: "mine", both: undefined }[change];
    return { field, ...values, change, choice };
  });
}

function changeOf({ base, mine, theirs }) {
  const byMe = !alike(base, mine);
  const byThem = !alike(base, theirs);
  if (!byMe) return byThem ? "theirs" : "none";
  if (!byThem) return "mine";
  return alike(mine, theirs) ? "same" : "both";
}

// The service stores an absent array as an empty one.
const filled = (value) => (Array.isArray(value) && value.length === 0 ? undefined : value);
const alike = (a, b) => same(filled(a), filled(b));

/**
 * Combines two changed arrays: theirs, without the items that I removed, and with the items that I added at the end.
 * Items that occur more than once are counted.
 */
export function combine(base, mine, theirs) {
  const [before, here, there] = [base, mine, theirs].map(countOf);
  const due = new Map();
  for (const name of [...here.keys(), ...there.keys()])
    due.set(name, both(before.get(name) ?? 0, here.get(name) ?? 0, there.get(name) ?? 0));
  return [...(theirs ?? []), ...(mine ?? [])].filter((item) => take(due, item));
}

/** Returns how often an item occurs in the result if two people changed its count. */
function both(before, mine, theirs) {
  if (mine > before && theirs > before) return Math.max(mine, theirs);
  if (mine < before && theirs < before) return Math.min(mine, theirs);
  return Math.max(mine + theirs - before, 0);
}

/**
 * Returns the count of each item of a list, ignoring the order of an item's members. Returns no counts for other
 * values.
 */
export function countOf(items) {
  const counts = new Map();
  for (const item of Array.isArray(items) ? items : []) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** Removes an occurrence of an item from the counts. Returns whether there was one. */
export function take(counts, item) {
  const left = counts.get(nameOf(item)) ?? 0;
  counts.set(nameOf(item), left - 1);
  return left > 0;
}

const nameOf = (item) => JSON.stringify(typeof item === "object" && item !== null ? Object.entries(item).sort() : item);

/** Returns the value of a row after "mine", "theirs", or "both" is chosen. */
export function chosen(row) {
  if (row.choice === "both") return combine(row.base, row.mine, row.theirs);
  return row.choice === undefined ? undefined : row[row.choice];
}

/** Returns the rows that still need a choice. */
export function undecided(rows) {
  return rows.filter(({ choice }) => choice === undefined);
}

/** Returns the whole value that results from the rows. */
export function merged(rows) {
  return rows.reduce((value, row) => withValue(value, row.field.path, chosen(row) ?? undefined), {});
}

/**
 * Returns the body that changes a resource to `value`, on the seen version. A field that a write leaves out or sets to
 * null remains (contract, D11), so a removed text is sent empty.
 */
export function overwriteBody(fields, seen, value) {
  const { id, version } = seen;
  let body = { id, version, ...value };
  for (const { path, kind } of fields) {
    if (kind === "text" && valueAt(seen, path) != null && valueAt(value, path) == null)
      body = withValue(body, path, "");
  }
  return body.objectTypeProperty === undefined ? { ...body, objectTypeProperty: {} } : body;
}

/** Applies actions to a resource as far as the console can: only for display, never for sending. */
export function afterActions(resource, actions) {
  return Object.assign({}, resource, ...actions.map(({ action, ...fields }) => fields));
}
