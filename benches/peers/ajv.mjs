// The two bodies that the validation benchmarks send, compiled by ajv.
import { Ajv } from "ajv";
import { AJV_OPTIONS, draftSchema, updateSchema } from "./bodies.mjs";

const ajv = new Ajv(AJV_OPTIONS);

/** Compiled by ajv, all errors. */
export const compiled = { resourceDraft: ajv.compile(draftSchema), resourceUpdate: ajv.compile(updateSchema) };
