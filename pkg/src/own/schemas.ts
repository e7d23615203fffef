// Adds own fields to JSON Schemas: those of the OpenAPI document, and those of json-schema.ts.

import { actions, bodies, kinds, record } from "../generated/own-schemas.js";
import { type FieldRow, titled } from "./table.js";

/** Returns the schema without the formats that only OpenAPI defines. */
function plain(schema: (typeof kinds)[string]): (typeof kinds)[string] {
  const { format, items, ...rest } = schema;
  const out: (typeof kinds)[string] = rest;
  if (format === "date-time") out.format = format;
  if (items !== undefined) out.items = plain(items as typeof schema);
  return out;
}

/**
 * Adds fields to schemas by their names. `path` precedes a name in a reference. `isOpenApi` is whether the schemas have
 * what only OpenAPI defines.
 */
export function addFields(schemas: any, fields: readonly FieldRow[], path: string, isOpenApi: boolean) {
  for (const { name, type } of fields) {
    const schema = isOpenApi ? kinds[type] : plain(kinds[type]);
    const orNull = { ...schema, type: [schema.type, "null"] };
    for (const body of bodies) schemas[body].properties[name] = orNull;
    if (schemas[record] !== undefined) schemas[record].properties[name] = schema;
    const title = titled(name);
    schemas[`Set${title}`] = {
      description: `Sets \`${name}\`, or removes its value.`,
      type: "object",
      required: ["action"],
      properties: { action: { type: "string", const: `set${title}` }, [name]: orNull },
      additionalProperties: false,
    };
    const { oneOf, discriminator } = schemas[actions];
    oneOf.push({ $ref: `${path}Set${title}` });
    if (discriminator !== undefined) discriminator.mapping[`set${title}`] = `${path}Set${title}`;
  }
}
