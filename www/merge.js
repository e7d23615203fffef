// Two people changed the same resource: what each changed, what of that goes together, and what has to be chosen.

import { same, valueAt, withValue } from "./schema.js";

/**
 * A row for each field, in the order given. `change` says who changed it since the base: "none", "mine", "theirs",
 * "same" (both, to the same value) or "both" (to different ones: somebody has to choose). `choice` is what goes into
 * the result without being asked: "mine" or "theirs", undefined where a choice is needed.
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

// The service stores an array that was not given as an empty one.
const filled = (value) => (Array.isArray(value) && value.length === 0 ? undefined : value);
const alike = (a, b) => same(filled(a), filled(b));

/**
 * For two changed arrays: theirs, without the items that I took away, and with those that I added at its end. Items
 * that stand more than once are counted.
 */
export function combine(base, mine, theirs) {
  const [before, here, there] = [base, mine, theirs].map(countOf);
  const due = new Map();
  for (const name of [...here.keys(), ...there.keys()])
    due.set(name, both(before.get(name) ?? 0, here.get(name) ?? 0, there.get(name) ?? 0));
  return [...(theirs ?? []), ...(mine ?? [])].filter((item) => take(due, item));
}

/** How often an item stands when two people changed how often it did. */
function both(before, mine, theirs) {
  if (mine > before && theirs > before) return Math.max(mine, theirs);
  if (mine < before && theirs < before) return Math.min(mine, theirs);
  return Math.max(mine + theirs - before, 0);
}

/** How often each item of a list stands in it, whatever the order of an item's members; none in what is no list. */
export function countOf(items) {
  const counts = new Map();
  for (const item of Array.isArray(items) ? items : []) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** Takes one of an item out of the counts; whether there was one. */
export function take(counts, item) {
  const left = counts.get(nameOf(item)) ?? 0;
  counts.set(nameOf(item), left - 1);
  return left > 0;
}

const nameOf = (item) => JSON.stringify(typeof item === "object" && item !== null ? Object.entries(item).sort() : item);

/** The value that a row stands for once "mine", "theirs" or "both" is chosen. */
export function chosen(row) {
  if (row.choice === "both") return combine(row.base, row.mine, row.theirs);
  return row.choice === undefined ? undefined : row[row.choice];
}

/** The rows that still need a choice. */
export function undecided(rows) {
  return rows.filter(({ choice }) => choice === undefined);
}

/** The whole value that the rows come to. */
export function merged(rows) {
  return rows.reduce((value, row) => withValue(value, row.field.path, chosen(row) ?? undefined), {});
}

/**
 * The body that makes a resource what `value` says, on the version that was seen. A field that a write leaves out stays
 * (contract, D11), as null does, so a text that is to go is sent empty.
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

/** What actions make of a resource, as far as can be told here: for showing, never for sending. */
export function afterActions(resource, actions) {
  return Object.assign({}, resource, ...actions.map(({ action, ...fields }) => fields));
}
