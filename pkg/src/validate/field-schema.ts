// Schemas of parts of a body, for forms that validate field by field. accept.ts checks a part as it does inside a body.
// If it does not accept the part, the part is serialized inside the smallest body that contains it, so that it has the
// same issues as in a body.

import { clean, kinds, numberOf, types, type Type } from "../generated/accept.js";
import { core } from "../core/instance.js";
import type { Bodies } from "../generated/bodies.js";
import { invalidObject, type Schema, standard, type Validation } from "./validate.js";
import { write } from "./serialize.js";

/** A part of a value: its type, its name, and the text around it. */
interface Part {
  type: Type;
  name: string | number;
  before: string;
  after: string;
  required: boolean;
}

type Given<Value> = Exclude<Value, null | undefined>;

/** What may follow a value in a path: nothing, or a path inside the value. */
type Inside<Value> =
  | ""
  | (Value extends readonly (infer Item)[]
      ? `.${number}${Inside<Given<Item>>}` | `[${number}]${Inside<Given<Item>>}`
      : Value extends object
        ? { [Name in keyof Value & string]-?: `.${Name}${Inside<Given<Value[Name]>>}` }[keyof Value & string]
        : never);

/**
 * A path to a part of a body: `createdBy.firstName`, `objectTypeProperty.arrayOfIntExample`, `actions.0` or
 * `actions[0]`.
 */
export type FieldPath<Body> = { [Name in keyof Body & string]-?: `${Name}${Inside<Given<Body[Name]>>}` }[keyof Body &
  string];

type Dotted<Path extends string> = Path extends `${infer Before}[${infer Index}]${infer After}`
  ? Dotted<`${Before}.${Index}${After}`>
  : Path;

type At<Value, Path extends string> = Value extends readonly (infer Item)[]
  ? Path extends `${number}.${infer Rest}`
    ? At<Given<Item>, Rest>
    : Item
  : Path extends keyof Value
    ? Value[Path]
    : Path extends `${infer Name}.${infer Rest}`
      ? Name extends keyof Value
        ? At<Given<Value[Name]>, Rest>
        : never
      : never;

/** The value of a part of a body, including `null` and `undefined` if the part may be absent. */
export type FieldValue<Body, Path extends string> = At<Body, Dotted<Path>>;

/** The schema of a part of a body. It is a Standard Schema too. */
export interface FieldSchema<Value> extends Schema<Value> {
  /** Validates a value of the part. The paths of issues begin at the part. */
  readonly validate: (value: unknown) => Validation<Value>;
}

/**
 * Returns the schema of a part of a body: a field, an array, an item, a person, an action. It reports the same issues
 * as the body's schema, with the same messages. Paths have the form that form libraries use. The index of an item has
 * no effect.
 */
export function fieldSchema<Kind extends keyof Bodies, const Path extends FieldPath<Bodies[Kind]>>(
  kind: Kind,
  path: Path,
): FieldSchema<FieldValue<Bodies[Kind], Path>> {
  const part = find(kind, path as string);
  const validate = (value: unknown) => validatePart(part, value);
  return { validate, ...standard(validate) };
}

/** Returns the type of a part, and the text of the smallest body around it. */
function find(kind: string, path: string) {
  const number = numberOf(kind);
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  let type: Type | undefined = types[number];
  let [before, after, pointer, required] = ["", "", "", true];
  for (const name of names) {
    const inside: Part | undefined =
      type?.items !== undefined && /^\d+$/.test(name) ? item(type.items) : member(type, name);
    type = inside?.type;
    if (inside === undefined) break;
    before += inside.before;
    after = inside.after + after;
    pointer += `/${inside.name}`;
    required = inside.required;
  }
  if (type === undefined || names.length === 0)
    throw new TypeError(`No field '${path}' in '${kind}'. The kinds are ${kinds.join(", ")}.`);
  return { number, type, before, after, pointer, required, depth: names.length };
}

function item(type: Type): Part {
  return { type, name: 0, before: "[", after: "]", required: true };
}

/** Returns a member of an object, and the text around it with the object's required members. */
function member(type: Type | undefined, name: string): Part | undefined {
  const entries = type?.variants === undefined ? [[undefined, type]] : Object.entries(type.variants);
  const [variant, shape] = entries.find(([, shape]) => shape?.fields?.[name] !== undefined) ?? [];
  if (!shape?.fields) return undefined;
  const { fields, required = [] } = shape;
  const others = required
    .filter((other) => other !== name)
    .map((other) => {
      return `${JSON.stringify(other)}:${other === type?.tag ? JSON.stringify(variant) : fields[other]?.standIn}`;
    });
  return {
    type: fields[name] as Type,
    name,
    before: `{${[...others, JSON.stringify(name)].join(",")}:`,
    after: "}",
    required: required.includes(name),
  };
}

function validatePart(
  { number, type, before, after, pointer, required, depth }: ReturnType<typeof find>,
  value: unknown,
): Validation<any> {
  // Throws if the WebAssembly has not started, whatever the value is.
  core();
  const isAbsent = value === undefined && !before.endsWith("[");
  if ((isAbsent || value === null) && !required) return { valid: true, value };
  try {
    if (clean() && type.accepts?.(value)) return { valid: true, value };
  } catch {
    // Reading the value threw an error. The serialization finds the place.
  }
  const text = isAbsent ? "null" : write(value, type);
  const invalid = invalidObject(number, text && before + text + after);
  if (invalid === undefined || text === undefined) return invalid ?? { valid: true, value };
  const { issues, ...result } = invalid;
  const own = [];
  for (const issue of issues) {
    // An array around the part may have too few items.
    if (issue.pointer !== pointer && !issue.pointer.startsWith(`${pointer}/`)) continue;
    own.push({ ...issue, path: issue.path.slice(depth), pointer: issue.pointer.slice(pointer.length) });
  }
  return own.length === 0 ? { valid: true, value } : { ...result, issues: own };
}
