// The columns that a CSV file of resources may have, by the JSON Schema of their body.

import { resourceDraft } from "../json-schema.js";
import { resolved } from "./references.js";

/** A field as a column: its path, and the form of its value, or of each item of a list. */
export interface Column {
  readonly path: readonly string[];
  readonly form: "text" | "number" | "boolean" | "json";
  readonly isList: boolean;
}

export interface Columns {
  /** The columns by their names in the first row, such as `size.width`. An undefined one is ignored. */
  readonly named: ReadonlyMap<string, Column | undefined>;
  /** The body to which a row adds its values. */
  readonly empty: object;
}

type BodySchema = { readonly [keyword: string]: any };

function formOf({ type, const: only, enum: choices = [only] }: BodySchema): Column["form"] {
  const types = type === undefined ? choices.map((value: unknown) => typeof value) : [type].flat();
  if (types.some((name: string) => name === "integer" || name === "number")) return "number";
  return types.includes("boolean") ? "boolean" : types.includes("string") ? "text" : "json";
}

/** Returns the columns of the fields of an object; also those of the objects inside. */
function inside({ properties = {} }: BodySchema, root: BodySchema, above: readonly string[] = []): Column[] {
  return Object.entries<BodySchema>(properties).flatMap(([name, property]) => {
    const schema = resolved(property, root);
    const path = [...above, name];
    if (schema.properties !== undefined) return [{ path, form: "json", isList: false }, ...inside(schema, root, path)];
    const items = schema.items && resolved(schema.items, root);
    const form = formOf(items ?? schema);
    return { path, form, isList: items !== undefined && (form !== "json" || items.properties !== undefined) };
  });
}

/** Returns the columns of a declared resource by its schema; without one, those of the resource of the interface. */
export function columnsOf(schema: object | undefined, isSystem: (name: string) => boolean): Columns {
  const interfaceSchema = resourceDraft["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  const known = inside(interfaceSchema, interfaceSchema);
  const dotted = ({ path }: Column) => path.join(".");
  if (schema === undefined) {
    // Queries name the lists without the group around them.
    const name = (column: Column) => (column.isList ? (column.path.at(-1) ?? "") : dotted(column));
    const named = new Map(known.map((column) => [name(column), column]));
    named.delete("objectTypeProperty");
    return { named, empty: { objectTypeProperty: {} } };
  }
  const whole: BodySchema = resolved(schema, schema);
  const all = [...inside(whole, schema), ...known.filter(({ path: [first = ""] }) => isSystem(first))];
  return { named: new Map(all.map((column) => [dotted(column), column])), empty: {} };
}
