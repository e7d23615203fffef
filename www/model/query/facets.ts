// The facets that a search offers: those that help to choose among resources.

import type { ResourceModel } from "../fields.js";
import { choicesOf, innermost, type Field } from "../schema.js";

/** How a facet counts: each value, or the values within ranges. */
export type FacetKind = "terms" | "ranges";
export type Facet = [name: string, kind: FacetKind];

const SHOWN = 5;

/** The facets of a resource. */
export class Facets {
  /** The names of the fields whose values a facet counts. */
  readonly terms: readonly string[];
  /** The names of the fields whose numbers a facet divides into ranges. */
  readonly ranges: readonly string[];
  /** The facets that a search shows by default. */
  readonly first: readonly Facet[];

  constructor(model: ResourceModel) {
    this.ranges = model.rangeFacets;
    if (model.isDeclared) {
      this.terms = model.termFacets.filter((name) => isCounted(model.find(name)));
      this.first = declaredFirst(model, this);
    } else {
      this.terms = model.termFacets;
      this.first = samplesOf(model);
    }
  }

  has([name, kind]: Facet) {
    return this[kind].includes(name);
  }
}

/** Returns whether a field's schema lists its values, or those of its items. */
const hasChoices = ({ schema }: Field) => choicesOf(schema.items ?? schema) !== undefined;
const isOf = ({ kind }: Field, ...kinds: Field["kind"][]) => kinds.includes(kind);

/** Returns whether resources share values of a field. Ranges suit numbers better, and nothing suits times. */
const isCounted = (field: Field | undefined) =>
  field !== undefined &&
  field.schema["x-unique"] !== true &&
  (hasChoices(field) || isOf(field, "text", "texts", "boolean", "booleans"));

/** Returns the first facets of few values, and of numbers. */
function declaredFirst(model: ResourceModel, offered: Pick<Facets, "terms" | "ranges">) {
  const facetOf = (field: Field): Facet[] => {
    // The values of such a field are read from each resource.
    if (field.schema["x-index"] === false) return [];
    const kind = hasChoices(field) || isOf(field, "boolean", "booleans", "texts") ? "terms" : "ranges";
    const name = model.queryName(field);
    return offered[kind].includes(name) ? [[name, kind]] : [];
  };
  return innermost(model.content).flatMap(facetOf).slice(0, SHOWN);
}

/** Returns those of the interface: the values of texts, and the ranges of one list of decimals. */
function samplesOf(model: ResourceModel): Facet[] {
  const decimals = model.fieldsOf("numbers").filter((field) => "whole" in field && !field.whole);
  const facetsOf = (kind: FacetKind, fields: readonly Field[]) =>
    fields.map((field): Facet => [model.queryName(field), kind]);
  return [
    ...facetsOf("terms", model.fieldsOf("texts")),
    ...facetsOf("ranges", decimals.slice(0, 1)),
    ...facetsOf("terms", model.fieldsOf("text").slice(0, 1)),
  ];
}
