// The state of a search in its address: words, match mode, facets, filters, and page.

import { fieldsOf, ownNames, queryName, termFacets } from "../fields.js";
import { hasRanges, type FacetKind, type Filter } from "./filters.js";
import { parseJson } from "../json.js";
import { readPlace, writePlace, type Place } from "./paging.js";
import type { Field } from "../schema.js";

export type Facet = [name: string, kind: FacetKind];

/** The state of a search, as in the address. */
export interface SearchState extends Place {
  text: string;
  language: string;
  fuzzy: boolean;
  level: string;
  facets: readonly Facet[];
  filters: readonly Filter[];
}

const facetsOf = (kind: FacetKind, fields: readonly Field[]) => fields.map((field): Facet => [queryName(field), kind]);
const decimals = fieldsOf("numbers").filter((field) => "whole" in field && !field.whole);
/** The default facets of the samples: the values of texts, and the ranges of one list of decimals. */
const samples: readonly Facet[] = [
  ...facetsOf("terms", fieldsOf("texts")),
  ...facetsOf("ranges", decimals.slice(0, 1)),
  ...facetsOf("terms", fieldsOf("text").slice(0, 1)),
];
const OWN = 3;
const own = [...ownNames].filter((name) => hasRanges(name) || termFacets.includes(name)).slice(0, OWN);
/** The default facets: the first of a team's own fields, or those of the samples. */
const FIRST_FACETS: readonly Facet[] =
  own.length > 0 ? own.map((name) => [name, hasRanges(name) ? "ranges" : "terms"]) : samples;

/** Reads the state from an address. Invalid parts are left out. */
export function readState(params: URLSearchParams): SearchState {
  const facets = params.getAll("facet").flatMap(facetOf);
  const filters = [...params.getAll("term").map(termOf), ...params.getAll("range").map(rangeOf)].filter(
    (filter) => filter !== undefined,
  );
  const language = params.get("language") ?? "";
  const level = params.get("level") ?? "";
  return {
    text: params.get("text") ?? "",
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(language) ? language : "en",
    fuzzy: params.get("fuzzy") === "true",
    level: /^[012]$/.test(level) ? level : "",
    facets: params.has("facet") ? facets : FIRST_FACETS,
    filters,
    ...readPlace(params),
  };
}

/** Returns the parameters of an address. */
export function writeState(state: SearchState): [string, unknown][] {
  const { text, language, fuzzy, level, facets, filters, ...place } = state;
  const chosen = facets.length === 0 ? ["none"] : facets.map((facet) => facet.join(" "));
  return [
    ["text", text],
    ["language", language === "en" ? "" : language],
    ["fuzzy", fuzzy ? "true" : ""],
    ["level", level],
    ...(facets === FIRST_FACETS ? [] : chosen.map((facet): [string, string] => ["facet", facet])),
    ...filters.map(({ field, term, from, to }): [string, string] =>
      term === undefined ? ["range", `${field} ${from} ${to}`] : ["term", `${field} ${JSON.stringify(term)}`],
    ),
    ...Object.entries(writePlace(place)),
  ];
}

function facetOf(text: string): Facet[] {
  const [name = "", kind] = text.split(" ");
  if (kind === "terms") return termFacets.includes(name) ? [[name, kind]] : [];
  return kind === "ranges" && hasRanges(name) ? [[name, kind]] : [];
}

function termOf(text: string): Filter | undefined {
  const [name = "", json = ""] = text.split(/ (.*)/s);
  const term = parseJson<string | number | boolean>(json);
  const isTerm = ["string", "number", "boolean"].includes(typeof term);
  return term !== undefined && isTerm && termFacets.includes(name) ? { field: name, term } : undefined;
}

function rangeOf(text: string): Filter | undefined {
  const [name = "", from, to] = text.split(" ");
  return hasRanges(name) && Number(from) < Number(to) ? { field: name, from: Number(from), to: Number(to) } : undefined;
}
