// Writes the types of resources for TypeScript, from their JSON Schemas. The reader has checked these: each has a type,
// and no references.

export type ValueSchema = { readonly [keyword: string]: any };

/** Returns the name of a resource's type: `acme-products` becomes `AcmeProducts`. */
export function typeName(resource: string) {
  const words = resource.split(/[-_]+/).filter((word) => word !== "");
  const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  return /^\d|^$/.test(name) ? `_${name}` : name;
}

/** Returns the declaration of the type of a resource's properties. */
export const typeDeclaration = (name: string, schema: ValueSchema) =>
  `${comment(schema, "")}export interface ${name} ${members(schema, "")}\n`;

/** Returns the type of a value. Null is none: it removes the value of an optional field. */
function typeOf(schema: ValueSchema, indent: string): string {
  const { type, enum: choices, items } = schema;
  if (choices !== undefined) return choices.map((choice: unknown) => JSON.stringify(choice)).join(" | ");
  if (type === "object") return members(schema, indent);
  if (type !== "array") return type === "integer" ? "number" : type;
  const item = typeOf(items, indent);
  return `${item.includes(" | ") && !item.startsWith("{") ? `(${item})` : item}[]`;
}

/** Returns the members of an object, in braces. */
function members({ properties, required }: ValueSchema, indent: string) {
  const inner = `${indent}  `;
  const lines = Object.entries<ValueSchema>(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${comment(schema, inner)}${inner}${name}${optional}: ${typeOf(schema, inner)};\n`;
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
