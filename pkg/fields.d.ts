import type { Bodies } from "./generated/bodies.js";
import type { Schema, Validation } from "./validate.js";

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
): FieldSchema<FieldValue<Bodies[Kind], Path>>;
