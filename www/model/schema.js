// Derives a body's fields from its JSON Schema (resource-edge/json-schema): names, order, and kinds. No field is listed
// here, so a new field of the schema automatically appears in forms, columns, facets, and predicates.

/** @import { JsonSchema } from "../pkg/json-schema.js" */

/**
 * A path to a value: names of members, and indexes of items.
 * @typedef {readonly (string | number)[]} Path
 */

/**
 * The kind of a field.
 *
 * - `name`: a text that identifies something; `text`: any other text
 * - `number`, `boolean`, `date`: a single value
 * - `texts`, `numbers`, `booleans`, `dates`: a list of such values; a `pair` has no or exactly two numbers
 * - `objects`: a list of objects that have only numbers
 * - `group`: an object with its own fields, such as a person
 * - `actions`: update actions, by their names, each with the names of its fields
 * - `json`: anything else; it can be edited as JSON
 * @typedef {{ kind: "name" | "text" | "boolean" | "date" | "texts" | "booleans" | "dates" | "json" }} PlainKind
 * @typedef {{ kind: "number", whole: boolean }} NumberKind
 * @typedef {{ kind: "numbers", whole: boolean, unique: boolean, pair: boolean }} NumbersKind
 * @typedef {{ kind: "objects", columns: string[] }} ObjectsKind
 * @typedef {{ kind: "group", fields: Field[] }} GroupKind
 * @typedef {{ kind: "actions", tag: string, actions: { [name: string]: string[] } }} ActionsKind
 * @typedef {PlainKind | NumberKind | NumbersKind | ObjectsKind | GroupKind | ActionsKind} Kind
 */

/**
 * A field of a body.
 * @typedef {{ name: string, path: readonly string[] } & Kind} Field
 */

/**
 * The keywords of a JSON Schema that are read here.
 * @typedef {{
 *   $ref?: string,
 *   $defs?: { [name: string]: Part },
 *   type?: string | string[],
 *   format?: string,
 *   const?: string,
 *   properties?: { [name: string]: Part },
 *   items?: Part,
 *   anyOf?: Part[],
 *   oneOf?: Part[],
 *   minLength?: number,
 *   minItems?: number,
 *   maxItems?: number,
 *   uniqueItems?: boolean,
 * }} Part
 */

/** @typedef {(part: Part) => Part} Resolve */

/**
 * Returns the fields of a body in the order of presentation: the name, path, and kind of each, and its inner fields.
 * @param {JsonSchema<unknown>} body
 * @returns {Field[]}
 */
export function describe(body) {
  const schema = /** @type {Part} */ (body["~standard"].jsonSchema.input({ target: "draft-2020-12" }));
  /** @type {Resolve} */
  const resolve = (part) => {
    const named = part.$ref ?? part.anyOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
    const found = named === undefined ? undefined : schema.$defs?.[named.slice(named.lastIndexOf("/") + 1)];
    return found === undefined ? part : resolve(found);
  };
  return fieldsOf(schema, [], resolve);
}

/**
 * @param {Part} schema
 * @param {readonly string[]} above
 * @param {Resolve} resolve
 * @returns {Field[]}
 */
function fieldsOf(schema, above, resolve) {
  return Object.entries(schema.properties ?? {}).map(([name, part]) => {
    const path = [...above, name];
    return { name, path, ...kindOf(resolve(part), path, resolve) };
  });
}

/**
 * Returns the kind of a part.
 * @param {Part} part
 * @param {readonly string[]} path
 * @param {Resolve} resolve
 * @returns {Kind}
 */
function kindOf(part, path, resolve) {
  if (part.properties !== undefined) return { kind: "group", fields: fieldsOf(part, path, resolve) };
  if (part.items !== undefined) return listOf(part, resolve(part.items), resolve);
  if (isOf(part, "integer", "number")) return { kind: "number", whole: !isOf(part, "number") };
  if (isOf(part, "boolean")) return { kind: "boolean" };
  if (!isOf(part, "string")) return { kind: "json" };
  if (part.format === "date-time") return { kind: "date" };
  return { kind: part.minLength === undefined ? "text" : "name" };
}

/**
 * @param {Part} list
 * @param {Part} item
 * @param {Resolve} resolve
 * @returns {Kind}
 */
function listOf(list, item, resolve) {
  if (item.oneOf !== undefined) return actionsOf(item.oneOf.map(resolve));
  if (item.properties !== undefined) {
    const columns = Object.entries(item.properties);
    const isTable = columns.every(([, part]) => isOf(resolve(part), "integer", "number"));
    return isTable ? { kind: "objects", columns: columns.map(([name]) => name) } : { kind: "json" };
  }
  if (isOf(item, "boolean")) return { kind: "booleans" };
  if (isOf(item, "string")) return { kind: item.format === "date-time" ? "dates" : "texts" };
  if (!isOf(item, "integer", "number")) return { kind: "json" };
  const pair = list.maxItems === 2 && list.anyOf?.some(({ minItems }) => minItems === 2) === true;
  return { kind: "numbers", whole: !isOf(item, "number"), unique: list.uniqueItems === true, pair };
}

/**
 * Returns the kind of actions: the member with the name of each, and its other fields.
 * @param {Part[]} actions
 * @returns {Kind}
 */
function actionsOf(actions) {
  const [tag] = Object.entries(actions[0]?.properties ?? {}).find(([, part]) => part.const !== undefined) ?? [];
  if (tag === undefined) return { kind: "json" };
  /** @type {{ [name: string]: string[] }} */
  const known = {};
  for (const { properties = {} } of actions)
    known[properties[tag]?.const ?? ""] = Object.keys(properties).filter((name) => name !== tag);
  return { kind: "actions", tag, actions: known };
}

/**
 * Returns whether a part has one of the types.
 * @param {Part} part
 * @param {string[]} names
 */
const isOf = ({ type }, ...names) => [type].flat().some((name) => name !== undefined && names.includes(name));

/**
 * Returns the fields that contain a value. A group for one thing, such as a person, is one field.
 * @param {readonly Field[]} fields
 * @returns {Field[]}
 */
export function leaves(fields) {
  return fields.flatMap((field) =>
    field.kind === "group" && field.fields.some(isList) ? leaves(field.fields) : [field],
  );
}

/**
 * Returns whether a field is a list.
 * @param {Field} field
 */
export const isList = ({ kind }) => ["numbers", "texts", "booleans", "dates", "objects"].includes(kind);

/**
 * Returns the value at a path, or `undefined` if there is none.
 * @param {unknown} value
 * @param {Path} path
 */
export function valueAt(value, path) {
  return path.reduce((at, name) => (isObject(at) ? at[name] : undefined), value);
}

/** @type {(value: unknown) => value is { [name: string | number]: unknown }} */
const isObject = (value) => typeof value === "object" && value !== null;

/**
 * Returns a copy of an object with a value at a path; `undefined` removes it. Values on the path that are not objects
 * are replaced.
 * @param {unknown} value
 * @param {Path} path
 * @param {unknown} next
 * @returns {{ [name: string]: unknown }}
 */
export function withValue(value, path, next) {
  const [name = "", ...rest] = path;
  const known = isObject(value) && !Array.isArray(value) ? value : {};
  const inner = rest.length === 0 ? next : withValue(known[name], rest, next);
  if (inner !== undefined) return { ...known, [name]: inner };
  const { [name]: gone, ...others } = known;
  return others;
}

/**
 * Returns whether two JSON values are equal. Null equals absent, and the order of members does not matter.
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function same(a, b) {
  if (a === b || (a ?? undefined) === (b ?? undefined)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => same(a[name], b[name]));
}
