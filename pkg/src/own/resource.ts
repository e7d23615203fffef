// A resource that a deployment declares, for clients and forms.

import { beforeReady, core, put, whenStarted } from "../core/instance.js";
import type { Condition } from "../expressions/operators.js";
import { where } from "../predicate.js";
import { type FieldPath, type FieldSchema, type FieldValue, partSchema } from "../validate/field-schema.js";
import { type Schema, standard, type Validation, validateBy, validateObject } from "../validate/validate.js";
import type { BodiesOf } from "./bodies.js";
import { type Declaration, declarationOf, numbering, type PlainResources, type Resources } from "./declare.js";
import type { FieldsOf } from "./fields.js";
import { hasReader, loadReader, read } from "./reader.js";

/**
 * A resource of `resources.json`: its schemas, its predicates, and what a client needs of it. `Content` is the type of
 * its properties, which `npx resource-edge types` writes.
 */
export interface DeclaredResource<Content extends object> {
  /** The schema of the body of `createOrUpdate`, a Standard Schema for forms. */
  readonly draft: Schema<BodiesOf<Content>["draft"]>;
  /** The schema of the body of `overwrite` and `createOrOverwrite`. */
  readonly overwrite: Schema<BodiesOf<Content>["overwrite"]>;
  /** The schema of the body of `updateById`. */
  readonly update: Schema<BodiesOf<Content>["update"]>;
  /** The schema of the body of `updateByPath` and `updateWithUrnLinks`. */
  readonly complex: Schema<BodiesOf<Content>["complex"]>;
  /** The schema of the body of `batch`. */
  readonly batch: Schema<BodiesOf<Content>["batch"]>;
  /** Builds a predicate, such as `product.where(({ price }) => price.gt(3))`. */
  readonly where: (build: (fields: FieldsOf<Content>) => Condition) => string;
  /** Validates a body as `validate` does for the resource of the interface: an object, a JSON text, or its bytes. */
  readonly validate: <Kind extends keyof BodiesOf<Content>>(
    kind: Kind,
    input: unknown,
  ) => Validation<BodiesOf<Content>[Kind]>;
  /** Returns the schema of a part of a body, as `fieldSchema` does for the resource of the interface. */
  readonly fieldSchema: <Kind extends keyof BodiesOf<Content>, const Path extends FieldPath<BodiesOf<Content>[Kind]>>(
    kind: Kind,
    path: Path,
  ) => FieldSchema<FieldValue<BodiesOf<Content>[Kind], Path>>;
  /** @internal */
  readonly declaration: Declaration;
  /** @internal The number of its shape. Throws an `Error` until the WebAssembly is loaded. */
  readonly number: number;
}

/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
const KINDS: readonly (keyof BodiesOf<object>)[] = ["draft", "overwrite", "update", "complex", "batch"];

const numberOf = numbering((plain) => core().add_shape(put(plain)), read);

/**
 * Returns a resource of `resources.json`, whose content is `resources`. Throws a `TypeError` if its schema is wrong. If
 * the WebAssembly is loaded later, `init()` rejects with it instead. A page needs a second WebAssembly to read schemas:
 * await `init()` after this function. The module that `npx resource-edge types` writes needs none.
 *
 * ```js
 * const product = resource(resources, "product");
 * const client = new ResourceClient({ baseUrl, projectKey: "products", token, resource: product });
 * ```
 */
export function resource<Content extends object = { [name: string]: any }>(
  resources: Resources | PlainResources,
  name: string,
): DeclaredResource<Content> {
  const declaration = declarationOf(resources, name);
  const add = () => void numberOf(declaration);
  if (declaration.isPlain || hasReader()) whenStarted(add);
  else beforeReady(() => loadReader().then(add));
  const number = () => {
    core();
    return numberOf(declaration);
  };
  const schema = (kind: number) => standard<any>((value) => validateObject(number(), kind, value));
  const [draft, overwrite, update, complex, batch] = KINDS.map((_, kind) => schema(kind));
  return {
    draft,
    overwrite,
    update,
    complex,
    batch,
    where: where as (build: (fields: any) => Condition) => string,
    validate(kind, input) {
      const at = KINDS.indexOf(kind);
      if (at < 0) throw new TypeError(`Unknown kind of body '${String(kind)}': expected one of ${KINDS.join(", ")}.`);
      return validateBy(number(), at, input);
    },
    fieldSchema(kind, path) {
      const unknown = `No field '${path}' in '${kind}'. The kinds are ${KINDS.join(", ")}.`;
      return partSchema(number, KINDS.indexOf(kind), path, unknown);
    },
    declaration,
    get number() {
      return number();
    },
  };
}
