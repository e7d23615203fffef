// The state of a search in its address: words, match mode, facets, filters, and page.

import type { Facet, Facets } from "./facets.js";
import type { Filter } from "./filters.js";
import { parseJson } from "../json.js";
import { readPlace, writePlace, type Place } from "./paging.js";

/** The state of a search, as in the address. */
export interface SearchState extends Place {
  text: string;
  language: string;
  fuzzy: boolean;
  level: string;
  facets: readonly Facet[];
  filters: readonly Filter[];
}

/** Reads the state from an address. Invalid parts are left out. */
export function readState(params: URLSearchParams, offered: Facets): SearchState {
  const facets = params
    .getAll("facet")
    .map(facetOf)
    .filter((facet) => offered.has(facet));
  const terms = params.getAll("term").map((text) => termOf(text, offered));
  const ranges = params.getAll("range").map((text) => rangeOf(text, offered));
  const filters = [...terms, ...ranges].filter((filter) => filter !== undefined);
  const language = params.get("language") ?? "";
  const level = params.get("level") ?? "";
  return {
    text: params.get("text") ?? "",
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(language) ? language : "en",
    fuzzy: params.get("fuzzy") === "true",
    level: /^[012]$/.test(level) ? level : "",
    facets: params.has("facet") ? facets : offered.first,
    filters,
    ...readPlace(params),
  };
}

/** Returns the parameters of an address. */
export function writeState(state: SearchState, offered: Facets): [string, unknown][] {
  const { text, language, fuzzy, level, facets, filters, ...place } = state;
  const chosen = facets.length === 0 ? ["none"] : facets.map((facet) => facet.join(" "));
  return [
    ["text", text],
    ["language", language === "en" ? "" : language],
    ["fuzzy", fuzzy ? "true" : ""],
    ["level", level],
    ...(facets === offered.first ? [] : chosen.map((facet): [string, string] => ["facet", facet])),
    ...filters.map(({ field, term, from, to }): [string, string] =>
      term === undefined ? ["range", `${field} ${from} ${to}`] : ["term", `${field} ${JSON.stringify(term)}`],
    ),
    ...Object.entries(writePlace(place)),
  ];
}

function facetOf(text: string): Facet {
  const [name = "", kind] = text.split(" ");
  return [name, kind === "ranges" ? kind : "terms"];
}

function termOf(text: string, { terms }: Facets): Filter | undefined {
  const [name = "", json = ""] = text.split(/ (.*)/s);
  const term = parseJson<string | number | boolean>(json);
  const isTerm = ["string", "number", "boolean"].includes(typeof term);
  return term !== undefined && isTerm && terms.includes(name) ? { field: name, term } : undefined;
}

function rangeOf(text: string, { ranges }: Facets): Filter | undefined {
  const [name = "", from, to] = text.split(" ");
  if (!ranges.includes(name) || !(Number(from) < Number(to))) return undefined;
  return { field: name, from: Number(from), to: Number(to) };
}
