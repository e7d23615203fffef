// The schemas of resources.json, and the numbers of their shapes in a WebAssembly.

/** The content of `resources.json`. */
export interface Resources {
  readonly $schema?: string | undefined;
  /** The JSON Schema of each resource, by its name. */
  readonly resources: { readonly [name: string]: object };
  /** The names of the resources that projects have, by the keys of projects, or patterns of them. */
  readonly projects?: { readonly [project: string]: string } | undefined;
}

/** @internal The schema of a resource, as text, and its place in `resources.json`. */
export interface Declaration {
  readonly schema: string;
  readonly at: string;
}

/** @internal Returns the declaration of a resource. Throws a `TypeError` if there is none of that name. */
export function declarationOf(resources: Resources, name: string): Declaration {
  const declared = resources?.resources;
  if (typeof declared !== "object" || declared === null)
    throw new TypeError('The resources are invalid: expected { "resources": { "product": { "type": "object" } } }.');
  if (!Object.hasOwn(declared, name))
    throw new TypeError(`There is no resource '${name}'. Expected ${Object.keys(declared).join(", ")}.`);
  return { schema: JSON.stringify(declared[name]), at: `/resources/${name}` };
}

/**
 * @internal Returns a function that gives the number of a declaration's shape, and adds the shape if there is none of
 * that schema. `add` adds a schema to a WebAssembly, which has one shape before. It returns what is wrong as JSON.
 */
export function numbering(add: (schema: string) => string | undefined) {
  const numbers = new Map<string, number>();
  return ({ schema, at }: Declaration) => {
    let number = numbers.get(schema);
    if (number === undefined) {
      const wrong = add(schema);
      if (wrong !== undefined) {
        const refused: { at: string; message: string } = JSON.parse(wrong);
        throw new TypeError(`The resources are invalid at ${at}${refused.at}: ${refused.message}`);
      }
      number = numbers.size + 1;
      numbers.set(schema, number);
    }
    return number;
  };
}
