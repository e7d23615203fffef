// The facets that a list offers: those that help to choose among resources.

import type { ResourceModel } from "../fields.js";
import { choicesOf, innermost, type Field } from "../schema.js";
import type { Facet } from "../../pkg/browser.js";

/** How a facet counts: each value, or the numbers within ranges. */
export type FacetKind = "terms" | "ranges";

/** How many facets are tried, and how many of them are shown. */
const TRIED = 12;
const SHOWN = 6;

/** The facets of a resource. */
export class Facets {
  /** The names of all fields that may have one, with how it counts. */
  readonly all: ReadonlyMap<string, FacetKind>;
  /** The names of those to try first: the most useful ones. */
  readonly first: readonly string[];
  /** The names of those that have few values. */
  readonly #short;

  constructor(model: ResourceModel) {
    const counted = model.termFacets.filter((name) => isCounted(model.find(name)));
    this.all = new Map([
      ...model.rangeFacets.map((name): [string, FacetKind] => [name, "ranges"]),
      ...counted.map((name): [string, FacetKind] => [name, "terms"]),
    ]);
    const fields = innermost(model.content).filter(
      (field) =>
        (field !== model.title || hasChoices(field)) &&
        field.schema["x-index"] !== false &&
        this.all.has(model.queryName(field)),
    );
    this.#short = new Set(fields.filter((field) => rankOf(field) < 2).map(model.queryName));
    const ranked = fields.map((field, at) => ({
      name: model.queryName(field),
      rank: rankOf(field) * fields.length + at,
    }));
    const sorted = ranked.sort((one, other) => one.rank - other.rank);
    this.first = sorted.slice(0, TRIED).map(({ name }) => name);
  }

  /** Returns how a field's facet counts; `undefined` if the field has none. */
  kindOf = (name: string) => this.all.get(name);

  /** Returns the first facets that help. Those of a person's filters are always among them. */
  helpful(names: readonly string[], facets: { [name: string]: Facet }, filtered: ReadonlySet<string>) {
    const others = names.filter((name) => !filtered.has(name) && helps(facets[name], this.#short.has(name)));
    const shown = new Set([...filtered, ...others.slice(0, Math.max(0, SHOWN - filtered.size))]);
    return names.filter((name) => shown.has(name));
  }
}

/** Returns whether a facet helps: its values are not all the same, and not nearly all different. */
function helps(facet: Facet | undefined, isShort: boolean) {
  if (facet?.type === "range") return facet.ranges.some(({ count, min, max }) => count > 0 && min < max);
  if (facet?.type !== "terms") return false;
  const { terms, total, other, missing } = facet;
  return terms.length + (missing > 0 ? 1 : 0) > 1 && (isShort || terms.length + other <= total / 2);
}

/** Returns whether a field's schema lists its values, or those of its items. */
const hasChoices = ({ schema }: Field) => choicesOf(schema.items ?? schema) !== undefined;
const isOf = ({ kind }: Field, ...kinds: Field["kind"][]) => kinds.includes(kind);

/** Returns whether resources share values of a field. Ranges suit numbers better, and nothing suits times. */
const isCounted = (field: Field | undefined) =>
  field !== undefined &&
  field.schema["x-unique"] !== true &&
  field.schema.format !== "date" &&
  (hasChoices(field) || isOf(field, "text", "texts", "boolean", "booleans"));

/** Returns the place of a field's facet among others. */
function rankOf(field: Field) {
  if (hasChoices(field)) return 0;
  if (isOf(field, "boolean", "booleans")) return 1;
  return isOf(field, "texts", "text") ? 2 : 3;
}
