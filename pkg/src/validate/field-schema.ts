// Schemas of parts of a body, for forms that validate field by field.

import { kinds } from "../generated/kinds.js";
import { core, isReady, put, result } from "../core/instance.js";
import type { Bodies } from "../generated/bodies.js";
import { BUILT_IN, depthOf, numberOf, type Schema, standard, tooLarge, type Validation } from "./validate.js";
import { write } from "./serialize.js";

/** The path of an item. An item that is undefined is not absent. */
const ITEM = /[.[]\d+\]?$/;

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
 * no effect. Throws a `TypeError` for a path that leads nowhere; until the WebAssembly is loaded, its validation does.
 */
export function fieldSchema<Kind extends keyof Bodies, const Path extends FieldPath<Bodies[Kind]>>(
  kind: Kind,
  path: Path,
): FieldSchema<FieldValue<Bodies[Kind], Path>> {
  const unknown = `No field '${path}' in '${kind}'. The kinds are ${kinds.join(", ")}.`;
  return partSchema(() => BUILT_IN, numberOf(kind), path, unknown);
}

/**
 * @internal Returns the schema of a part of a kind of body of a shape. `shape` returns its number in the WebAssembly,
 * once that has started. `unknown` is the message if there is no such part, or no such kind: its number is negative.
 */
export function partSchema(shape: () => number, kind: number, path: string, unknown: string): FieldSchema<any> {
  const run = (text: string) => {
    // The two are one text in the buffer.
    const bytes = put(path);
    const invalid = result(core().invalid_part(shape(), kind, bytes, put(path + text) - bytes));
    if (invalid !== null && kind >= 0) return invalid;
    throw new TypeError(unknown);
  };
  if (isReady()) run("null");
  const validate = (value: unknown): Validation<any> => {
    // Throws if the WebAssembly has not started, whatever the value is.
    core();
    const text = value === undefined && !ITEM.test(path) ? "null" : write(value, depthOf(shape()));
    return text === undefined ? tooLarge() : (run(text) ?? { valid: true, value });
  };
  return { validate, ...standard(validate) };
}
