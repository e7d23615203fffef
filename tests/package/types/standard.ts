// The schemas match the specification's types.
import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  complexBody,
  resourceDraft,
  resourceOverwrite,
  resourceUpdate,
  type ResourceDraft,
  type ResourceUpdate,
} from "resource-edge";

export const all: StandardSchemaV1[] = [resourceDraft, resourceOverwrite, resourceUpdate, complexBody];

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
export const draft: Same<StandardSchemaV1.InferOutput<typeof resourceDraft>, ResourceDraft> = true;
export const update: Same<StandardSchemaV1.InferInput<typeof resourceUpdate>, ResourceUpdate> = true;
// @ts-expect-error: the two bodies differ
export const mixed: Same<StandardSchemaV1.InferInput<typeof resourceUpdate>, ResourceDraft> = true;

/** Parses a value like a form library. */
export async function parse<Schema extends StandardSchemaV1>(
  schema: Schema,
  value: unknown,
): Promise<StandardSchemaV1.InferOutput<Schema>> {
  const result = await schema["~standard"].validate(value);
  if (result.issues) throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return result.value;
}

export const parsed: Promise<ResourceDraft> = parse(resourceDraft, {});
