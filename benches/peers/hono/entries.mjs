// The index of a record's declared fields, or of those in INDEXED: a row for each value, updated with the record.
import { ARRAYS, TEXTS } from "../bodies.mjs";

/** From this field number on, an index entry contains the position of its item. */
const POSITIONED = 100;
const isPositioned = (name) => name === "arrayOfTwonumbersExample" || name.startsWith("arrayOfObjectType");
const OBJECT = ["arrayOfObjectType", "arrayOfObjectType.integerExample", "arrayOfObjectType.integerExampleInt32"];
const PERSONS = ["createdBy.firstName", "createdBy.lastName", "lastModifiedBy.firstName", "lastModifiedBy.lastName"];

/** The number of each indexed field. */
export const PATHS = Object.fromEntries(
  [...new Set([...ARRAYS, ...OBJECT, ...PERSONS, ...TEXTS])].map((name, at) => [
    name,
    isPositioned(name) ? at + POSITIONED : at,
  ]),
);
const isIndexed = (name) => INDEXED === null || INDEXED.includes(name);
/** Arrays of numbers and texts, with their numbers. Their values are indexed unchanged. */
const PLAIN = ARRAYS.filter((name) => name !== OBJECT[0] && isIndexed(name)).map((name) => [name, PATHS[name]]);
const SINGLE = TEXTS.filter(isIndexed).map((name) => [name, PATHS[name]]);
const PEOPLE = PERSONS.filter(isIndexed);
const HAS_OBJECTS = isIndexed(OBJECT[0]);

const INSERT = `INSERT OR IGNORE INTO term(path, value, resource, ordinal)
  SELECT CAST(field.key AS INTEGER), item.value, ?, iif(field.key + 0 >= ${POSITIONED}, item.key, 0)
  FROM json_each(?) AS field, json_each(field.value) AS item WHERE item.value IS NOT NULL`;
const DELETE = "DELETE FROM term WHERE path = ? AND value IN (SELECT value FROM json_each(?)) AND resource = ?";

/** Returns the record's values as JSON arrays by the number of their field. */
function entriesOf(record) {
  const entries = {};
  const arrays = record.objectTypeProperty;
  for (const [name, path] of PLAIN) if (arrays[name].length > 0) entries[path] = arrays[name];
  const objects = arrays.arrayOfObjectType;
  if (HAS_OBJECTS && objects.length > 0) {
    entries[PATHS[OBJECT[0]]] = objects.map((_, at) => at);
    entries[PATHS[OBJECT[1]]] = objects.map(({ integerExample }) => integerExample ?? null);
    entries[PATHS[OBJECT[2]]] = objects.map(({ integerExampleInt32 }) => integerExampleInt32 ?? null);
  }
  for (const [name, path] of SINGLE) if (record[name] !== undefined) entries[path] = [record[name]];
  for (const name of PEOPLE) {
    const [person, part] = name.split(".");
    const value = record[person]?.[part];
    if (value != null) entries[PATHS[name]] = [value];
  }
  return entries;
}

/** Updates the index from the old record to the new one. Only changed fields are written. */
export function changeEntries(sql, seq, before, after) {
  const fresh = entriesOf(after);
  if (before !== undefined) {
    const old = entriesOf(before);
    for (const path of Object.keys(old)) {
      if (fresh[path] !== undefined && same(old[path], fresh[path])) delete fresh[path];
      else sql.exec(DELETE, Number(path), JSON.stringify(old[path]), seq);
    }
  }
  if (Object.keys(fresh).length > 0) sql.exec(INSERT, seq, JSON.stringify(fresh));
}

const same = (one, other) => one.length === other.length && one.every((value, at) => value === other[at]);

/** Returns the words of the record's texts. Only the first 256 characters of a text count. */
export function wordsOf({ objectTypeProperty, ...record }) {
  let words = "";
  for (const text of objectTypeProperty.arrayOfStringExample) words += `${text.slice(0, 256)} `;
  for (const name of TEXTS) if (record[name] !== undefined) words += `${record[name].slice(0, 256)} `;
  return words;
}
