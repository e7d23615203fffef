// The schemas of bodies with their JSON Schemas (Standard JSON Schema 1.1, https://standardschema.dev/json-schema).

import type {
  Bodies,
  ComplexBody,
  ResourceDraft,
  ResourceOverwrite,
  ResourceUpdate,
  WriteBatch,
} from "./generated/bodies.js";
import { schemas } from "./generated/json-schemas.js";
import * as validators from "./validate/validate.js";
import type { Schema } from "./validate/validate.js";

/** The dialects of a schema. */
export type JsonSchemaTarget = "draft-2020-12" | "draft-07" | "openapi-3.0";

/** Returns a schema. Throws an `Error` if the target is unknown. */
type Convert = (options: {
  readonly target: JsonSchemaTarget | (string & {});
  readonly libraryOptions?: { readonly [name: string]: unknown } | undefined;
}) => Record<string, unknown>;

/** A Standard Schema that is a Standard JSON Schema too (https://standardschema.dev/json-schema). */
export interface JsonSchema<Body> {
  readonly "~standard": Schema<Body>["~standard"] & {
    /** `input` and `output` are the same, because validation changes nothing. */
    readonly jsonSchema: { readonly input: Convert; readonly output: Convert };
  };
}

const converters: { readonly [target: string]: ((name: string) => Record<string, unknown>) | null } = {
  __proto__: null,
  "draft-2020-12": (name) => withDefinitions(name, "https://json-schema.org/draft/2020-12/schema", "$defs"),
  "draft-07": (name) => withDefinitions(name, "http://json-schema.org/draft-07/schema#", "definitions"),
  "openapi-3.0": (name) => openapi(schemas[name]),
};

function schema(kind: keyof Bodies): JsonSchema<any> {
  const name = kind[0].toUpperCase() + kind.slice(1);
  const convert: Convert = ({ target }) => {
    const converter = converters[target];
    if (!converter)
      throw new TypeError(`No JSON Schema for the target '${target}': expected ${Object.keys(converters).join(", ")}.`);
    return converter(name);
  };
  return { "~standard": { ...validators[kind]["~standard"], jsonSchema: { input: convert, output: convert } } };
}

/** The body that creates or updates a resource. */
export const resourceDraft: JsonSchema<ResourceDraft> = /* @__PURE__ */ schema("resourceDraft");
/** The body that overwrites a resource. */
export const resourceOverwrite: JsonSchema<ResourceOverwrite> = /* @__PURE__ */ schema("resourceOverwrite");
/** The body that updates a resource by actions. */
export const resourceUpdate: JsonSchema<ResourceUpdate> = /* @__PURE__ */ schema("resourceUpdate");
/** The body of the two operations with path-structured addressing. */
export const complexBody: JsonSchema<ComplexBody> = /* @__PURE__ */ schema("complexBody");
/** Several writes, all or nothing. */
export const writeBatch: JsonSchema<WriteBatch> = /* @__PURE__ */ schema("writeBatch");

/** Returns a schema with the schemas that it refers to, under the keyword that the draft uses. */
function withDefinitions(name: string, draft: string, keyword: string) {
  const used = new Set<string>();
  const copy = (value: unknown): any =>
    map(value, (member, key) => {
      if (key !== "$ref") return copy(member);
      const other = nameOf(member);
      used.add(other);
      return `#/${keyword}/${other}`;
    });
  const whole = { $schema: draft, ...copy(schemas[name]) };
  const definitions: Record<string, object> = {};
  // The loop also visits schemas that it adds to the set.
  for (const other of used) definitions[other] = copy(schemas[other]);
  return { ...whole, [keyword]: definitions };
}

/**
 * Converts a schema to OpenAPI 3.0, which has `nullable`, but neither `null` nor `const`. References are replaced by
 * their schemas.
 */
function openapi(schema: any): any {
  if (schema.$ref !== undefined) return openapi(schemas[nameOf(schema.$ref)]);
  const { anyOf, oneOf, items, properties, type, const: only, ...rest } = schema;
  const [first, second] = anyOf ?? [];
  if (second?.type === "null") return { ...openapi(first), nullable: true };
  const out = structuredClone(rest);
  if (type !== undefined) out.type = Array.isArray(type) ? type[0] : type;
  if (Array.isArray(type)) out.nullable = true;
  if (only !== undefined) out.enum = [only];
  if (anyOf !== undefined) out.anyOf = anyOf.map(openapi);
  if (oneOf !== undefined) out.oneOf = oneOf.map(openapi);
  if (items !== undefined) out.items = openapi(items);
  if (properties !== undefined) out.properties = map(properties, openapi);
  return out;
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

/** Returns an array or object with each member replaced, and any other value unchanged. */
function map(value: any, replace: (member: any, key?: any) => unknown): any {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(replace);
  const out: Record<string, unknown> = {};
  for (const name in value) out[name] = replace(value[name], name);
  return out;
}
