// Writes the types of resources for TypeScript, from their JSON Schemas. The validator has checked these, so here is
// only what it supports.

export type ValueSchema = { readonly [keyword: string]: any };

/** Returns the name of a resource's type: `acme-products` becomes `AcmeProducts`. */
export function typeName(resource: string) {
  const words = resource.split(/[-_]+/).filter((word) => word !== "");
  const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  return /^\d|^$/.test(name) ? `_${name}` : name;
}

/** Returns the declaration of the type of a resource's properties. */
export function typeDeclaration(name: string, schema: ValueSchema) {
  const whole = resolved(schema, schema);
  return `${comment(whole, "")}export interface ${name} ${members(whole, schema, "")}\n`;
}

/** Returns the schema that a reference means, or the one beside null, with the notes beside it. */
export function resolved({ $ref, anyOf, ...notes }: ValueSchema, root: ValueSchema): ValueSchema {
  if ($ref !== undefined) return { ...resolved(definition($ref, root), root), ...notes };
  if (anyOf === undefined) return notes;
  const parts: ValueSchema[] = anyOf
    .filter((part: ValueSchema) => !isNull(part))
    .map((part: ValueSchema) => resolved(part, root));
  if (parts.length === 1) return { ...parts[0], ...notes };
  return { enum: parts.flatMap((part) => part.enum ?? [part.const]), ...notes };
}

const definition = ($ref: string, root: ValueSchema): ValueSchema =>
  root.$defs[$ref.slice("#/$defs/".length).replaceAll("~1", "/").replaceAll("~0", "~")];

const isNull = ({ type, const: only }: ValueSchema) => type === "null" || only === null;

/** Returns whether null is a value. Such a property may be absent, even if it is required. */
function hasNull({ $ref, anyOf, type, enum: choices, const: only }: ValueSchema, root: ValueSchema): boolean {
  if ($ref !== undefined) return hasNull(definition($ref, root), root);
  if (anyOf !== undefined) return anyOf.some((part: ValueSchema) => isNull(part) || hasNull(part, root));
  if (only !== undefined) return false;
  return (choices ?? [null]).includes(null) && [type ?? choices].flat().some((one) => one === "null" || one === null);
}

/** Returns the type of a value. Null is none: it removes the value of an optional field. */
function typeOf(schema: ValueSchema, root: ValueSchema, indent: string): string {
  const { const: only, enum: choices = only === undefined ? undefined : [only], type, items } = schema;
  if (choices !== undefined) return literals(choices);
  const name = [type].flat().find((one) => one !== "null") ?? (items === undefined ? "object" : "array");
  if (name === "object") return members(schema, root, indent);
  if (name !== "array") return name === "integer" ? "number" : name;
  const item = typeOf(resolved(items, root), root, indent);
  return `${item.includes(" | ") && !item.startsWith("{") ? `(${item})` : item}[]`;
}

const literals = (choices: readonly unknown[]) =>
  choices
    .filter((choice) => choice !== null)
    .map((choice) => JSON.stringify(choice))
    .join(" | ");

/** Returns the members of an object, in braces. */
function members({ properties = {}, required = [] }: ValueSchema, root: ValueSchema, indent: string) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties as ValueSchema).map(([name, property]) => {
    const schema = resolved(property, root);
    const optional = required.includes(name) && !hasNull(property, root) ? "" : "?";
    return `${comment(schema, inner)}${inner}${name}${optional}: ${typeOf(schema, root, inner)};\n`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

/** Returns the comment of a schema: its title, its description, and whether it is deprecated. */
function comment({ title, description, deprecated }: ValueSchema, indent: string) {
  const texts = [title, description, deprecated === true ? "@deprecated" : undefined];
  const lines = texts.filter((text) => typeof text === "string").flatMap((text) => text.trim().split(/\s*\n\s*/));
  const safe = lines.filter((line) => line !== "").map((line) => line.replaceAll("*/", "*\\/"));
  if (safe.length === 0) return "";
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
