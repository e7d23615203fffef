// What `rewrite` changes in a resource: fields that get another name, a value, or none.

import { type Input, UsageError } from "./command.js";
import { isSystem, type Shape } from "./shape.js";

/** The names on the way to a field. A list on the way means each of its objects. */
type NamesOnPath = readonly string[];

interface Rename {
  readonly from: NamesOnPath;
  readonly to: NamesOnPath;
}

export interface Edits {
  readonly renames: readonly Rename[];
  readonly defaults: readonly { readonly path: NamesOnPath; readonly value: unknown }[];
  readonly drops: readonly NamesOnPath[];
}

const NAME = /^[A-Za-z_]\w*$/;

/** Reads the name of a field, such as `size.width`. */
function pathOf(option: string, text: string): NamesOnPath {
  const path = text.split(".");
  if (!path.every((name) => NAME.test(name)))
    throw new UsageError(`--${option}: '${text}' is not a field. Expected a name, or names with dots: size.width.`);
  if (isSystem(path[0] as string))
    throw new UsageError(`--${option}: '${path[0]}' is a field of the system, which only the service changes.`);
  return path;
}

/** Divides the value of an option at its first `=`. */
function pair(option: string, text: string, example: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 0) throw new UsageError(`--${option}: expected two parts with = between them, such as ${example}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Returns the schema of a field of the shape, and how many names of its path are up to the last list. */
function partOf({ declared, schema, name }: Shape, option: string, path: NamesOnPath) {
  const partAt = (at: string) => {
    try {
      return declared.fieldSchema("draft", at as never);
    } catch {
      return undefined;
    }
  };
  let [at, lists] = ["", 0];
  for (const [depth, name] of path.entries()) {
    const next = depth === 0 ? [name] : [`${at}.${name}`, `${at}.0.${name}`];
    at = next.find(partAt) ?? "";
    if (at === "") break;
    if (at === next[1]) lists = depth;
  }
  const part = Object.hasOwn(schema.properties ?? {}, path[0] as string) && at !== "" ? partAt(at) : undefined;
  if (part !== undefined) return { part, lists };
  const known = Object.keys(schema.properties ?? {}).join(", ");
  throw new UsageError(`--${option}: '${name}' has no field '${path.join(".")}'. Its fields are ${known}.`);
}

function renameOf(shape: Shape, text: string) {
  const [from = [], to = []] = pair("rename", text, "title=name").map((side) => pathOf("rename", side));
  const { lists } = partOf(shape, "rename", to);
  const length = Math.min(from.length, to.length);
  const common = from.findIndex((name, at) => name !== to[at]);
  if (common < 0 || common >= length)
    throw new UsageError(`--rename: '${text}' has one field inside the other. Choose another name.`);
  if (lists > common)
    throw new UsageError(`--rename: '${text}' would move a value into a list. A value stays in its object of a list.`);
  return { from, to };
}

/** Reads a default: the value as JSON, or else as a text. */
function defaultOf(shape: Shape, text: string) {
  const [name, written] = pair("default", text, "price=0");
  const path = pathOf("default", name);
  const { part } = partOf(shape, "default", path);
  const values: unknown[] = [written];
  try {
    values.unshift(JSON.parse(written));
  } catch {
    // A text needs no quotation marks.
  }
  const value = values[0] === null ? undefined : values.find((value) => part.validate(value).valid);
  if (value !== undefined) return { path, value };
  const result = part.validate(values[0]);
  throw new UsageError(`--default: ${result.valid ? `'${text}' has no value.` : result.issues[0]?.message}`);
}

/** Reads the options of the command. */
export function editsOf(shape: Shape, { rename = [], default: defaults = [], drop = [] }: Input["values"]): Edits {
  if (rename.length + defaults.length + drop.length === 0)
    throw new UsageError("There is nothing to change. Add --rename OLD=NEW, --default FIELD=VALUE, or --drop FIELD.");
  return {
    renames: rename.map((text: string) => renameOf(shape, text)),
    defaults: defaults.map((text: string) => defaultOf(shape, text)),
    drops: drop.map((text: string) => pathOf("drop", text)),
  };
}

type Members = { [name: string]: unknown };

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Yields the objects at the end of a path, of each object of the lists on the way. */
function* objectsAt(value: unknown, [name, ...rest]: NamesOnPath): Generator<Members> {
  if (Array.isArray(value)) for (const item of value) yield* objectsAt(item, name === undefined ? [] : [name, ...rest]);
  else if (!isObject(value)) return;
  else if (name === undefined) yield value;
  else if (Object.hasOwn(value, name)) yield* objectsAt(value[name], rest);
}

/** Returns the value at the end of a path without lists. */
const valueAt = (object: unknown, path: NamesOnPath) =>
  path.reduce((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), object);

function removeAt(object: Members, path: NamesOnPath) {
  const outer = valueAt(object, path.slice(0, -1));
  if (isObject(outer)) delete outer[path.at(-1) as string];
}

/** Sets the value at the end of a path without lists. Returns whether objects, or nothing, are on the way. */
function setAt(object: Members, path: NamesOnPath, value: unknown) {
  let outer: unknown = object;
  for (const name of path.slice(0, -1)) {
    if (!isObject(outer)) return false;
    if (!Object.hasOwn(outer, name)) outer[name] = {};
    outer = outer[name];
  }
  if (!isObject(outer)) return false;
  outer[path.at(-1) as string] = value;
  return true;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Changes the content of a resource. Returns the renames that it leaves: the new field has another value already. */
export function edit(content: Members, { renames, defaults, drops }: Edits): Rename[] {
  const taken: Rename[] = [];
  for (const rename of renames) {
    const { from, to } = rename;
    const common = from.findIndex((name, at) => name !== to[at]);
    for (const object of objectsAt(content, from.slice(0, common))) {
      const [source, target] = [from.slice(common), to.slice(common)];
      const value = valueAt(object, source);
      const present = valueAt(object, target);
      if (value === undefined) continue;
      if (isSame(value, present) || (present === undefined && setAt(object, target, value))) removeAt(object, source);
      else taken.push(rename);
    }
  }
  for (const { path, value } of defaults) {
    const name = path.at(-1) as string;
    for (const object of objectsAt(content, path.slice(0, -1))) if (!Object.hasOwn(object, name)) object[name] = value;
  }
  for (const path of drops)
    for (const object of objectsAt(content, path.slice(0, -1))) delete object[path.at(-1) as string];
  return taken;
}
