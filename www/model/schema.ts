// Derives a body's fields from its JSON Schema (resource-edge/json-schema): names, order, and kinds. No field is listed
// here, so a new field of the schema automatically appears in forms, columns, facets, and predicates.

import type { JsonSchema } from "../pkg/json-schema.js";

/** A path to a value: names of members, and indexes of items. */
export type Path = readonly (string | number)[];

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
 */
type PlainKind = { kind: "name" | "text" | "boolean" | "date" | "texts" | "booleans" | "dates" | "json" };
type NumberKind = { kind: "number"; whole: boolean };
export type NumbersKind = { kind: "numbers"; whole: boolean; unique: boolean; pair: boolean };
export type ObjectsKind = { kind: "objects"; columns: string[] };
export type GroupKind = { kind: "group"; fields: Field[] };
type ActionsKind = { kind: "actions"; tag: string; actions: { [name: string]: string[] } };
export type Kind = PlainKind | NumberKind | NumbersKind | ObjectsKind | GroupKind | ActionsKind;

/** A field of a body. */
export type Field = { name: string; path: readonly string[] } & Kind;

/** The keywords of a JSON Schema that are read here. */
interface Part {
  $ref?: string;
  $defs?: { [name: string]: Part };
  type?: string | string[];
  format?: string;
  const?: string;
  properties?: { [name: string]: Part };
  items?: Part;
  anyOf?: Part[];
  oneOf?: Part[];
  minLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

type Resolve = (part: Part) => Part;

/**
 * Returns the fields of a body in the order of presentation: the name, path, and kind of each, and its inner fields.
 */
export function describe(body: JsonSchema<unknown>): Field[] {
  const schema = body["~standard"].jsonSchema.input({ target: "draft-2020-12" }) as Part;
  const resolve: Resolve = (part) => {
    const named = part.$ref ?? part.anyOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
    const found = named === undefined ? undefined : schema.$defs?.[named.slice(named.lastIndexOf("/") + 1)];
    return found === undefined ? part : resolve(found);
  };
  return fieldsOf(schema, [], resolve);
}

function fieldsOf(schema: Part, above: readonly string[], resolve: Resolve): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, part]) => {
    const path = [...above, name];
    return { name, path, ...kindOf(resolve(part), path, resolve) };
  });
}

/** Returns the kind of a part. */
function kindOf(part: Part, path: readonly string[], resolve: Resolve): Kind {
  if (part.properties !== undefined) return { kind: "group", fields: fieldsOf(part, path, resolve) };
  if (part.items !== undefined) return listOf(part, resolve(part.items), resolve);
  if (isOf(part, "integer", "number")) return { kind: "number", whole: !isOf(part, "number") };
  if (isOf(part, "boolean")) return { kind: "boolean" };
  if (!isOf(part, "string")) return { kind: "json" };
  if (part.format === "date-time") return { kind: "date" };
  return { kind: part.minLength === undefined ? "text" : "name" };
}

function listOf(list: Part, item: Part, resolve: Resolve): Kind {
  if (item.oneOf !== undefined) return actionsOf(item.oneOf.map(resolve));
  if (item.properties !== undefined) {
    const columns = Object.entries(item.properties);
    const isTable = columns.every(([, part]) => isOf(resolve(part), "integer", "number"));
    return isTable ? { kind: "objects", columns: columns.map(([name]) => name) } : { kind: "json" };
  }
  if (isOf(item, "boolean")) return { kind: "booleans" };
  if (isOf(item, "string")) return { kind: item.format === "date-time" ? "dates" : "texts" };
  if (!isOf(item, "integer", "number")) return { kind: "json" };
  const pair = list.anyOf?.some(({ minItems, maxItems }) => minItems === 2 && maxItems === 2) === true;
  return { kind: "numbers", whole: !isOf(item, "number"), unique: list.uniqueItems === true, pair };
}

/** Returns the kind of actions: the member with the name of each, and its other fields. */
function actionsOf(actions: Part[]): Kind {
  const [tag] = Object.entries(actions[0]?.properties ?? {}).find(([, part]) => part.const !== undefined) ?? [];
  if (tag === undefined) return { kind: "json" };
  const known: { [name: string]: string[] } = {};
  for (const { properties = {} } of actions)
    known[properties[tag]?.const ?? ""] = Object.keys(properties).filter((name) => name !== tag);
  return { kind: "actions", tag, actions: known };
}

/** Returns whether a part has one of the types. */
const isOf = ({ type }: Part, ...names: string[]) =>
  [type].flat().some((name) => name !== undefined && names.includes(name));

/** Returns the fields that contain a value. A group for one thing, such as a person, is one field. */
export function leaves(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) =>
    field.kind === "group" && field.fields.some(isList) ? leaves(field.fields) : [field],
  );
}

/** Returns whether a field is a list. */
export const isList = ({ kind }: Field) => ["numbers", "texts", "booleans", "dates", "objects"].includes(kind);

/** Returns the value at a path, or `undefined` if there is none. */
export function valueAt(value: unknown, path: Path) {
  return path.reduce((at, name) => (isObject(at) ? at[name] : undefined), value);
}

const isObject = (value: unknown): value is { [name: string | number]: unknown } =>
  typeof value === "object" && value !== null;

/**
 * Returns a copy of an object with a value at a path; `undefined` removes it. Values on the path that are not objects
 * are replaced.
 */
export function withValue(value: unknown, path: Path, next: unknown): { [name: string]: unknown } {
  const [name = "", ...rest] = path;
  const known = isObject(value) && !Array.isArray(value) ? value : {};
  const inner = rest.length === 0 ? next : withValue(known[name], rest, next);
  if (inner !== undefined) return { ...known, [name]: inner };
  const { [name]: gone, ...others } = known;
  return others;
}

/** Returns whether two JSON values are equal. Null equals absent, and the order of members does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? undefined) === (b ?? undefined)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => same(a[name], b[name]));
}
