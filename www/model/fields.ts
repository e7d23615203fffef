// The fields of a resource, derived from its JSON Schema. Forms, columns, facets, and predicates offer them.

import { resourceDraft } from "../pkg/json-schema.js";
import { describe, isList, leaves, type Field, type Kind } from "./schema.js";

/** Every field in the order of presentation: its name, path, and kind. */
export const fields: readonly Field[] = leaves(describe(resourceDraft));

// The fields that the service sets in every resource (D1).
const SET_BY_SERVICE = ["version", "createdAt", "lastModifiedAt"];

/** The fields that a person fills in. */
export const editableFields = fields.filter(({ name }) => !SET_BY_SERVICE.includes(name));
/** The lists. */
export const lists = fields.filter(isList);
/** The other fields of a person, without those that identify the resource. */
export const properties = editableFields.filter((field) => !isList(field) && field.kind !== "name");

/** Returns the fields of some kinds, without those that the service sets. */
export const fieldsOf = (...kinds: Kind["kind"][]) => editableFields.filter(({ kind }) => kinds.includes(kind));

/** Returns a field's name in predicates, sort orders, and facets. A list is named without the group around it. */
export const queryName = (field: Field) => (isList(field) ? field.name : field.path.join("."));

/** The names of the fields whose values a facet can count. */
export const termFacets = [
  ...fieldsOf("texts"),
  ...fieldsOf("text"),
  ...fieldsOf("numbers", "number", "booleans", "boolean", "dates", "date"),
].map(queryName);
/** The names of the fields whose numbers a facet can divide into ranges. */
export const rangeFacets = [...fieldsOf("numbers", "number").map(queryName), "version"];

/** Returns whether a field contains only whole numbers. */
export const isWhole = (name: string) =>
  fields.some((field) => queryName(field) === name && "whole" in field && field.whole);
