// The schemas of resources.json, and the numbers of their shapes in a WebAssembly.

/** Who may do what with a resource. A rule is a predicate whose variables are claims of the user's token. */
export interface Rules {
  /** The resources that exist for a user. */
  readonly read?: string | undefined;
  /** What holds for a resource that a user creates. */
  readonly create?: string | undefined;
  /** What holds for a resource before and after a user changes it. */
  readonly update?: string | undefined;
  /** What holds for a resource that a user deletes. */
  readonly delete?: string | undefined;
  /** The fields that a user cannot change after the creation. */
  readonly fixed?: readonly string[] | undefined;
  /** The resources that a caller without a token may read. */
  readonly anonymous?: string | undefined;
}

/** The content of `resources.json`. */
export interface Resources {
  readonly $schema?: string | undefined;
  /** The JSON Schema of each resource, by its name. */
  readonly resources: { readonly [name: string]: object };
  /** The names of the resources that projects have, by the keys of projects, or patterns of them. */
  readonly projects?: { readonly [project: string]: string } | undefined;
  /** The rules of each resource for users, by its name. */
  readonly rules?: { readonly [name: string]: Rules } | undefined;
}

/** What the module has that `npx resource-edge types` writes: schemas that were read already. */
export interface PlainResources {
  readonly format: number;
  readonly plain: { readonly [name: string]: object };
}

/** @internal The form of plain schemas that this version reads (src/shape/schema/plain.rs). */
export const PLAIN_FORMAT = 1;

/** @internal The schema of a resource, as text, and its place in `resources.json`. */
export interface Declaration {
  readonly schema: string;
  /** Whether it is in the plain form. If not, it is JSON Schema that was not read yet. */
  readonly isPlain: boolean;
  readonly at: string;
}

/** @internal Reads a schema. Returns a `SchemaReading` as JSON. */
export type SchemaReader = (schema: string) => string;

/** The plain form of a schema, and the same with its annotations. */
interface SchemaForms {
  readonly plain: object;
  readonly described: { readonly properties: { readonly [name: string]: any }; readonly required: readonly string[] };
}

/** A schema that was read, or what is wrong with it and where. */
type SchemaReading = SchemaForms | { readonly at: string; readonly message: string };

/** @internal Returns the declaration of a resource. Throws a `TypeError` if there is none of that name. */
export function declarationOf(resources: Resources | PlainResources, name: string): Declaration {
  const isPlain = resources !== null && typeof resources === "object" && "plain" in resources;
  if (isPlain && resources.format !== PLAIN_FORMAT)
    throw new TypeError("Another version of resource-edge wrote these resources. Run `npx resource-edge types` again.");
  const declared = isPlain ? resources.plain : resources?.resources;
  if (typeof declared !== "object" || declared === null)
    throw new TypeError('The resources are invalid: expected { "resources": { "product": { "type": "object" } } }.');
  if (!Object.hasOwn(declared, name))
    throw new TypeError(`There is no resource '${name}'. Expected ${Object.keys(declared).join(", ")}.`);
  return { schema: JSON.stringify(declared[name]), isPlain, at: `/resources/${name}` };
}

/** @internal Reads a declaration's schema. Throws a `TypeError` if the schema is wrong. */
export function formsOf({ schema, at }: Declaration, read: SchemaReader): SchemaForms {
  const reading: SchemaReading = JSON.parse(read(schema));
  if ("plain" in reading) return reading;
  throw new TypeError(`The resources are invalid at ${at}${reading.at}: ${reading.message}`);
}

/** @internal Returns the plain form of a declaration's schema. Throws a `TypeError` if the schema is wrong. */
export const plainOf = (declaration: Declaration, read: SchemaReader): string =>
  declaration.isPlain ? declaration.schema : JSON.stringify(formsOf(declaration, read).plain);

/**
 * @internal Returns a function that gives the number of a declaration's shape, and adds the shape if there is none of
 * that schema. `add` adds a plain schema to a WebAssembly, which has one shape before.
 */
export function numbering(add: (plain: string) => void, read: SchemaReader) {
  const numbers = new Map<string, number>();
  return (declaration: Declaration) => {
    let number = numbers.get(declaration.schema);
    if (number === undefined) {
      add(plainOf(declaration, read));
      number = numbers.size + 1;
      numbers.set(declaration.schema, number);
    }
    return number;
  };
}
