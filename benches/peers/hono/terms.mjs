// The index of a record's declared fields: a row for each value, kept in step with the record.
import { TEXTS } from "./schema.mjs";

/** The record's values by path, each with its item's ordinal. */
function termsOf({ createdBy, lastModifiedBy, objectTypeProperty: arrays, ...record }) {
  const terms = new Map();
  for (const [path, person] of [["createdBy", createdBy], ["lastModifiedBy", lastModifiedBy]]) {
    for (const [name, value] of Object.entries(person ?? {})) {
      if (value != null) terms.set(`${path}.${name}`, [[value, 0]]);
    }
  }
  for (const [path, items] of Object.entries(arrays)) {
    if (path === "arrayOfObjectType") continue;
    // A place's order matters, so its two numbers keep theirs.
    if (items.length > 0) terms.set(path, items.map((value, at) => [value, path === "arrayOfTwonumbersExample" ? at : 0]));
  }
  const objects = arrays.arrayOfObjectType;
  if (objects.length > 0) terms.set("arrayOfObjectType", objects.map((_, at) => [at, at]));
  for (const inner of ["integerExample", "integerExampleInt32"]) {
    const values = objects.flatMap((object, at) => (object[inner] == null ? [] : [[object[inner], at]]));
    if (values.length > 0) terms.set(`arrayOfObjectType.${inner}`, values);
  }
  for (const path of TEXTS) {
    if (record[path] !== undefined) terms.set(path, [[record[path], 0]]);
  }
  return terms;
}

const same = (one, other) =>
  one !== undefined && other !== undefined && one.length === other.length &&
  one.every(([value, ordinal], at) => value === other[at][0] && ordinal === other[at][1]);

/** Brings the index from what the record was to what it is; only what changed is touched. */
export function changeTerms(sql, seq, before, after) {
  const old = before === undefined ? new Map() : termsOf(before);
  const fresh = termsOf(after);
  for (const [path, values] of old) {
    if (!same(values, fresh.get(path))) sql.exec("DELETE FROM term WHERE resource = ? AND path = ?", seq, path);
  }
  const rows = [];
  for (const [path, values] of fresh) {
    if (same(values, old.get(path))) continue;
    for (const [value, ordinal] of values) rows.push([path, value, ordinal]);
  }
  if (rows.length === 0) return;
  sql.exec(
    `INSERT OR IGNORE INTO term(path, value, resource, ordinal)
     SELECT value ->> 0, value ->> 1, ?, value ->> 2 FROM json_each(?)`,
    seq, JSON.stringify(rows),
  );
}
