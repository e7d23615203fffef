// The state of the list in its address: words or a condition, filters, order, columns, and page.

import { parseJson } from "../json.js";
import type { Columns } from "./columns.js";
import type { Facets } from "./facets.js";
import type { Filter } from "./filters.js";
import { readPlace, writePlace, type Place } from "./paging.js";

/** The order of a list without words. That of found words is their relevance. */
export const NEWEST = "lastModifiedAt desc";

/** The state of the list. It has words or a condition. `facets` are the fields that a person chose to filter by. */
export interface ListState extends Place {
  text: string;
  where: string;
  fuzzy: boolean;
  sort: string;
  filters: readonly Filter[];
  facets: readonly string[] | undefined;
  columns: readonly string[];
}

/** Reads the state from an address. Invalid parts are left out. */
export function readState(params: URLSearchParams, columns: Columns, offered: Facets): ListState {
  const terms = params.getAll("term").map((text) => termOf(text, offered));
  const ranges = params.getAll("range").map((text) => rangeOf(text, offered));
  // The box has one line.
  const where = (params.get("where") ?? "").replace(/\s*\n\s*/g, " ");
  const facets = params.getAll("facet").map((text) => text.split(" ")[0] ?? "");
  return {
    text: where.trim() === "" ? (params.get("text") ?? "") : "",
    where,
    fuzzy: params.get("fuzzy") === "true",
    sort: params.get("sort") ?? "",
    filters: [...terms, ...ranges].filter((filter) => filter !== undefined),
    facets: facets.length === 0 ? undefined : facets.filter((name) => offered.kindOf(name) !== undefined),
    ...readPlace(params),
    columns: params.get("columns")?.split(",").filter(columns.has) ?? columns.stored() ?? columns.defaults,
  };
}

/** Returns the parameters of an address. */
export function writeState(state: ListState, { defaults }: Columns): [string, unknown][] {
  const { text, where, fuzzy, sort, filters, facets, columns, ...place } = state;
  const chosen = facets?.length === 0 ? ["none"] : (facets ?? []);
  return [
    ["text", text.trim() === "" ? "" : text],
    ["where", where.trim() === "" ? "" : where],
    ["fuzzy", fuzzy ? "true" : ""],
    ["sort", sort],
    ...filters.map(({ field, term, from, to }): [string, string] =>
      term === undefined ? ["range", `${field} ${from} ${to}`] : ["term", `${field} ${JSON.stringify(term)}`],
    ),
    ...chosen.map((name): [string, string] => ["facet", name]),
    ...Object.entries(writePlace(place)),
    ["columns", columns.join() === defaults.join() ? "" : columns.join() || "none"],
  ];
}

function termOf(text: string, offered: Facets): Filter | undefined {
  const [name = "", json = ""] = text.split(/ (.*)/s);
  const term = parseJson<string | number | boolean>(json);
  const isTerm = ["string", "number", "boolean"].includes(typeof term);
  return term !== undefined && isTerm && offered.kindOf(name) === "terms" ? { field: name, term } : undefined;
}

function rangeOf(text: string, offered: Facets): Filter | undefined {
  const [name = "", from, to] = text.split(" ");
  if (offered.kindOf(name) !== "ranges" || !(Number(from) < Number(to))) return undefined;
  return { field: name, from: Number(from), to: Number(to) };
}
