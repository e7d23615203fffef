// What a part of a JSON Schema says, where it only refers to another part, or lists other parts.

interface SchemaPart {
  readonly $ref?: string;
  readonly anyOf?: readonly SchemaPart[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/**
 * Returns a part of a schema without references, and without `anyOf` if that only adds null or lists possible values.
 * Beside a type, `anyOf` has further rules, and remains.
 */
export function resolved<Schema extends SchemaPart>(part: Schema, root: object): Schema {
  const { $ref, anyOf, ...rest } = part;
  if ($ref !== undefined) return resolved({ ...partAt(root, $ref), ...rest } as Schema, root);
  if (anyOf === undefined || part.type !== undefined) return part;
  const [first, ...others] = anyOf.map((one) => resolved(one, root)).filter((one) => !isNull(one));
  if (others.length === 0) return { ...first, ...rest } as Schema;
  const choices = [first, ...others].flatMap(({ const: only, enum: some = [only] } = {}) => some);
  return { ...rest, enum: choices } as unknown as Schema;
}

const isNull = ({ type, const: only }: SchemaPart) => type === "null" || only === null;

/** Returns the part to which a reference leads: a JSON Pointer as a fragment. */
function partAt(root: object, reference: string): SchemaPart {
  const names = reference.split("/").slice(1);
  return names.reduce((at: any, name) => at?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], root) ?? {};
}
