// The fields of a resource by their kind, derived from its JSON Schema.

import { resourceDraft } from "../pkg/json-schema.js";
import { describe, leaves } from "./schema.js";

/** Every field in the order of presentation: its name, path, and kind. */
export const fields = leaves(describe(resourceDraft));

const of = (...kinds) => fields.filter(({ kind }) => kinds.includes(kind));
/** The arrays, which are inside `objectTypeProperty`. */
export const arrays = of("numbers", "texts", "objects");
/** Texts of one line or several lines. */
export const texts = of("text");
/** Who created and who changed the resource. */
export const people = of("group");
/** The fields of facets: the term facets and the range facets. */
export const termFacets = [...of("texts"), ...of("text"), ...of("numbers")].map(({ name }) => name);
export const rangeFacets = [...of("numbers").map(({ name }) => name), "version"];
/** Returns whether a field holds whole numbers only. */
export const isWhole = (name) =>
  name === "version" || fields.some((field) => field.name === name && field.whole === true);
