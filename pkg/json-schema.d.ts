import type { ComplexBody, ResourceDraft, ResourceOverwrite, ResourceUpdate } from "./generated/bodies.js";
import type { Schema } from "./validate.js";

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

/** The body that creates or updates a resource. */
export const resourceDraft: JsonSchema<ResourceDraft>;
/** The body that overwrites a resource. */
export const resourceOverwrite: JsonSchema<ResourceOverwrite>;
/** The body that updates a resource by actions. */
export const resourceUpdate: JsonSchema<ResourceUpdate>;
/** The body of the two operations with path-structured addressing. */
export const complexBody: JsonSchema<ComplexBody>;
