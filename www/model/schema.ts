// Derives a body's fields from its JSON Schema: names, order, kinds, and rules. No field is listed here, so a field of
// a schema automatically appears in forms, columns, facets, and predicates.

import { resolved } from "../pkg/items/references.js";

/** A path to a value: names of members, and indexes of items. */
export type Path = readonly (string | number)[];

/** A value that a schema lists. */
export type SingleValue = string | number | boolean | null;

/** The keywords of a JSON Schema that are read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly SingleValue[];
  readonly const?: SingleValue;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly "x-title"?: boolean;
  readonly "x-unique"?: boolean;
  readonly "x-index"?: boolean;
  readonly "x-search"?: boolean;
}

/**
 * The kind of a field.
 *
 * - `name`: a text that identifies a resource; `text`: any other text
 * - `number`, `boolean`, `date`: a single value; a `date` has the format `date-time`
 * - `texts`, `numbers`, `booleans`, `dates`: a list of such values; a `pair` has no or exactly two numbers
 * - `objects`: a list of objects with their own fields; `isTable` is whether they have only numbers
 * - `group`: an object with its own fields, such as a person
 * - `actions`: update actions, by their names, each with its fields
 * - `json`: anything else; it can be edited as JSON
 */
type PlainKind = { kind: "name" | "text" | "boolean" | "date" | "texts" | "booleans" | "dates" | "json" };
type NumberKind = { kind: "number"; whole: boolean };
export type NumbersKind = { kind: "numbers"; whole: boolean; unique: boolean; pair: boolean };
export type ObjectsKind = { kind: "objects"; fields: readonly Field[]; columns: readonly string[]; isTable: boolean };
export type GroupKind = { kind: "group"; fields: readonly Field[] };
type ActionsKind = { kind: "actions"; tag: string; actions: { readonly [name: string]: readonly Field[] } };
export type Kind = PlainKind | NumberKind | NumbersKind | ObjectsKind | GroupKind | ActionsKind;

/**
 * A field of a body. The path of a field inside a list of objects has no indexes. `required` is whether the object that
 * has the field is invalid without it. `schema` has its rules, without references.
 */
export type Field = { name: string; path: Path; required: boolean; schema: Schema } & Kind;

type Resolve = (part: Schema) => Schema;

/** Returns the fields of a body in the order of its schema. */
export function describe(schema: object): Field[] {
  const resolve: Resolve = (part) => resolved(part, schema);
  return fieldsOf(resolve(schema), [], resolve);
}

function fieldsOf({ properties = {}, required = [] }: Schema, above: Path, resolve: Resolve): Field[] {
  return Object.entries(properties).map(([name, part]) => {
    const path = [...above, name];
    const schema = resolve(part);
    const items = schema.items && resolve(schema.items);
    const kind = kindOf(schema, items, path, resolve);
    return { name, path, required: required.includes(name), schema: items ? { ...schema, items } : schema, ...kind };
  });
}

/** Returns the kind of a part. */
function kindOf(part: Schema, items: Schema | undefined, path: Path, resolve: Resolve): Kind {
  if (part.properties !== undefined) return { kind: "group", fields: fieldsOf(part, path, resolve) };
  if (items !== undefined) return listOf(part, items, path, resolve);
  if (isOf(part, "integer", "number")) return { kind: "number", whole: !isOf(part, "number") };
  if (isOf(part, "boolean")) return { kind: "boolean" };
  if (!isOf(part, "string")) return { kind: "json" };
  if (part.format === "date-time") return { kind: "date" };
  return { kind: path.length === 1 && NAMES.includes(String(path[0])) ? "name" : "text" };
}

/** The fields whose texts identify a resource. */
const NAMES = ["id", "key"];

function listOf(list: Schema, item: Schema, path: Path, resolve: Resolve): Kind {
  if (item.oneOf !== undefined) return actionsOf(item.oneOf.map(resolve), resolve);
  if (item.properties !== undefined) {
    const fields = fieldsOf(item, path, resolve);
    const isTable = fields.every(({ kind }) => kind === "number");
    return { kind: "objects", fields, columns: fields.map(({ name }) => name), isTable };
  }
  if (isOf(item, "boolean")) return { kind: "booleans" };
  if (isOf(item, "string")) return { kind: item.format === "date-time" ? "dates" : "texts" };
  if (!isOf(item, "integer", "number")) return { kind: "json" };
  const pair = list.anyOf?.some(({ minItems, maxItems }) => minItems === 2 && maxItems === 2) === true;
  return { kind: "numbers", whole: !isOf(item, "number"), unique: list.uniqueItems === true, pair };
}

/** Returns the kind of actions: the member with the name of each, and its other fields. */
function actionsOf(parts: readonly Schema[], resolve: Resolve): Kind {
  const [tag] = Object.entries(parts[0]?.properties ?? {}).find(([, part]) => part.const !== undefined) ?? [];
  if (tag === undefined) return { kind: "json" };
  const actions: { [name: string]: Field[] } = {};
  for (const part of parts)
    actions[String(part.properties?.[tag]?.const)] = fieldsOf(part, [], resolve).filter(({ name }) => name !== tag);
  return { kind: "actions", tag, actions };
}

/** Returns the type of a part: what it says, or that of the values that it lists. */
function typeOf({ type, const: only, enum: listed = only === undefined ? [] : [only] }: Schema): readonly string[] {
  if (type !== undefined) return [type].flat();
  return [...new Set(listed.flatMap((value) => (value === null ? [] : typeof value)))];
}

/** Returns whether a part has one of the types. */
const isOf = (part: Schema, ...names: string[]) => typeOf(part).some((name) => names.includes(name));

/** Returns the values that a field or the items of a list may have, if its schema lists them. */
export function choicesOf({ enum: listed, const: only }: Schema): readonly Exclude<SingleValue, null>[] | undefined {
  const choices = listed ?? (only === undefined ? undefined : [only]);
  return choices?.filter((value) => value !== null);
}

/** Returns the fields that contain a value, with those inside of groups that have lists, such as the sample arrays. */
export function leaves(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) =>
    field.kind === "group" && field.fields.some(isList) ? leaves(field.fields) : [field],
  );
}

/** Returns the fields without groups: instead of each, the fields inside, at any depth. */
export function innermost(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => (field.kind === "group" ? innermost(field.fields) : [field]));
}

/** Returns how many decimals numbers in steps have: two for a price in steps of 0.01, and 0 for any others. */
export const decimalsOf = (multipleOf: number | undefined) => /^0\.(0*1)$/.exec(String(multipleOf))?.[1]?.length ?? 0;

/** Returns whether a field is a list. */
export const isList = ({ kind }: Pick<Field, "kind">) =>
  ["numbers", "texts", "booleans", "dates", "objects"].includes(kind);

/** Returns a field at another path, such as that of an item. */
export function moved(field: Field, path: Path): Field {
  if (field.kind !== "group" && field.kind !== "objects") return { ...field, path };
  return { ...field, path, fields: field.fields.map((inner) => moved(inner, [...path, inner.name])) };
}

/** Returns the value at a path, or `undefined` if there is none. */
export function valueAt(value: unknown, path: Path) {
  return path.reduce((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
}

/** Returns whether an object has a value for a field. The service stores an absent list of the interface as empty. */
export function hasValue(object: unknown, { path }: Pick<Field, "path">) {
  const value = valueAt(object, path);
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
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
