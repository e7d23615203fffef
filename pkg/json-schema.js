// The schemas of bodies with their JSON Schemas (Standard JSON Schema 1.1, https://standardschema.dev/json-schema).

import * as generated from "./generated/json-schemas.js";
import * as validators from "./validate.js";

/** @typedef {import("./generated/bodies.js").Bodies} Bodies */

/** @type {{ readonly [name: string]: object }} */
const schemas = generated.schemas;

/** @type {{ readonly [target: string]: ((name: string) => object) | null }} */
const converters = {
  __proto__: null,
  "draft-2020-12": (name) => withDefinitions(name, "https://json-schema.org/draft/2020-12/schema", "$defs"),
  "draft-07": (name) => withDefinitions(name, "http://json-schema.org/draft-07/schema#", "definitions"),
  "openapi-3.0": (name) => openapi(schemas[name]),
};

/** @param {keyof Bodies} kind */
function schema(kind) {
  const name = kind[0].toUpperCase() + kind.slice(1);
  /** @param {{ target: string }} options */
  const convert = ({ target }) => {
    const converter = converters[target];
    if (!converter)
      throw new TypeError(`No JSON Schema for the target '${target}': expected ${Object.keys(converters).join(", ")}.`);
    return converter(name);
  };
  return { "~standard": { ...validators[kind]["~standard"], jsonSchema: { input: convert, output: convert } } };
}

export const resourceDraft = /* @__PURE__ */ schema("resourceDraft");
export const resourceOverwrite = /* @__PURE__ */ schema("resourceOverwrite");
export const resourceUpdate = /* @__PURE__ */ schema("resourceUpdate");
export const complexBody = /* @__PURE__ */ schema("complexBody");

/**
 * Returns a schema with the schemas that it refers to, under the keyword that the draft uses.
 * @param {string} name
 * @param {string} draft
 * @param {string} keyword
 */
function withDefinitions(name, draft, keyword) {
  /** @type {Set<string>} */
  const used = new Set();
  /**
   * @param {unknown} value
   * @returns {any}
   */
  const copy = (value) =>
    map(value, (member, key) => {
      if (key !== "$ref") return copy(member);
      const other = nameOf(member);
      used.add(other);
      return `#/${keyword}/${other}`;
    });
  const whole = { $schema: draft, ...copy(schemas[name]) };
  /** @type {Record<string, object>} */
  const definitions = {};
  // The loop also visits schemas that it adds to the set.
  for (const other of used) definitions[other] = copy(schemas[other]);
  return { ...whole, [keyword]: definitions };
}

/**
 * Converts a schema to OpenAPI 3.0, which has `nullable`, but neither `null` nor `const`. References are replaced by
 * their schemas.
 * @param {any} schema
 * @returns {any}
 */
function openapi(schema) {
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

/** @param {string} reference */
const nameOf = (reference) => reference.slice(reference.lastIndexOf("/") + 1);

/**
 * Returns an array or object with each member replaced, and any other value unchanged.
 * @param {any} value
 * @param {(member: any, key?: any) => unknown} replace
 * @returns {any}
 */
function map(value, replace) {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(replace);
  /** @type {Record<string, unknown>} */
  const out = {};
  for (const name in value) out[name] = replace(value[name], name);
  return out;
}
