// The fields of a resource, derived from its JSON Schema. Forms, columns, facets, and predicates offer them.

import { resourceDraft } from "../pkg/json-schema.js";
import { describe, isList, leaves, type Field, type Kind } from "./schema.js";

// The last field of the sample schema. A team adds its own fields after it.
const LAST_SAMPLE = "custom";
const IDENTITY = ["id", "version", "key"];

/**
 * Orders fields for presentation: those that identify a resource, then a team's own, then those of the sample schema.
 * Also returns the names of the own fields.
 */
export function ownFirst(all: readonly Field[]) {
  const own = all.slice(all.findIndex(({ name }) => name === LAST_SAMPLE) + 1);
  const first = all.filter(({ name }) => IDENTITY.includes(name));
  const samples = all.filter((field) => !first.includes(field) && !own.includes(field));
  return { fields: [...first, ...own, ...samples], own: own.map(({ name }) => name) };
}

const ordered = ownFirst(leaves(describe(resourceDraft)));
/** Every field in the order of presentation: its name, path, and kind. */
export const fields: readonly Field[] = ordered.fields;
/** The names of the fields that a team has added. */
export const ownNames: readonly string[] = ordered.own;
export const isOwn = ({ name }: Pick<Field, "name">) => ownNames.includes(name);

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
