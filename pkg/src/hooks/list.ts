// `useList`: a page of a search that stays current, with what a person types and chooses.

import { useState } from "react";
import type { ResourceClient } from "../client/client.js";
import { ResourceError } from "../client/errors.js";
import { limits } from "../generated/limits.js";
import type { SearchParams } from "../generated/params.js";
import type { Facet, Resource, SearchPage } from "../generated/responses.js";
import type { ChangesOf, RecordOf, SearchPageOf } from "../own/bodies.js";
import { merge } from "../own/merge.js";
import type { FieldName, PartOf, WithFields } from "../own/parts.js";
import type { LiveSnapshot } from "../live.js";
import { useLive } from "./live.js";

/** What a list shows: the parameters of a search, without those that the hook sets. */
export interface ListOptions<Content extends object = Resource, Name extends FieldName<Content> = never>
  extends WithFields<Omit<SearchParams, "text" | "offset" | "prefix" | "filter" | "filter.facets">, Content, Name> {
  /** The order while nobody searches. A search without it orders by relevance. */
  readonly sort?: SearchParams["sort"];
  /** The language of what a person types. It has no effect on results. Default: `en`. */
  readonly language?: string | undefined;
}

/** A value of a field: while some are chosen, each item has one of them. */
export interface ListTerm {
  readonly term: string;
  readonly count: number;
  readonly isChosen: boolean;
  /** Chooses it, or no longer. */
  readonly toggle: () => void;
}

/** The page of a list, and what changes it. */
export interface ResourceList<Content extends object = Resource, Name extends string = never>
  extends Pick<LiveSnapshot<SearchPageOf<Content, Name>>, "status" | "items" | "error"> {
  /** What a person has typed: the items have its words, the last one from its beginning. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** How many resources match; `undefined` until the first page is there. */
  readonly total: number | undefined;
  /** How many are before the page. */
  readonly offset: number;
  /** Shows the next page; `undefined` if there is none. */
  readonly next: (() => void) | undefined;
  /** Shows the page before; `undefined` if there is none. */
  readonly previous: (() => void) | undefined;
  /** The facets that the option `facet` names. */
  readonly facets: SearchPage["facets"];
  /** The values that facets of terms count, by their fields, and those that are chosen. */
  readonly terms: { readonly [field: string]: readonly ListTerm[] };
  /**
   * Changes fields of an item, and shows them before the service has them. What somebody else has changed meanwhile is
   * merged. If that is a conflict, or the change fails, the item is as before, and the promise rejects: an error with
   * `isConflict` has the fields in `errors`. With `fields`, change only fields that the items have.
   */
  readonly change: (item: PartOf<Content, Name>, changes: ChangesOf<Content>) => Promise<RecordOf<Content>>;
}

type Fields = { readonly [name: string]: unknown };
/** The own changes that are under way, by the IDs of their resources. */
type ShownChanges = { readonly [id: string]: Fields };
interface ListState {
  readonly text: string;
  readonly offset: number;
  /** The chosen values of each field, as filters have them. */
  readonly chosen: { readonly [field: string]: readonly string[] };
}

/**
 * Returns a page of a list that stays current, and functions for search while typing, facets, and paging. The page
 * before stays until the next one is there.
 *
 * ```jsx
 * const list = useList(client, { facet: "status", sort: "lastModifiedAt desc", limit: 20 });
 * <input value={list.text} onChange={(event) => list.setText(event.target.value)} />
 * ```
 */
export function useList<Content extends object = Resource, Name extends FieldName<Content> = never>(
  client: ResourceClient<Content>,
  options?: ListOptions<Content, Name>,
): ResourceList<Content, Name>;
export function useList(
  client: ResourceClient<any>,
  { language = "en", sort, ...search }: ListOptions<any, any> = {},
): ResourceList<any> {
  const [state, setState] = useState<ListState>({ text: "", offset: 0, chosen: {} });
  const { text, offset, chosen } = state;
  const [changes, setChanges] = useState<ShownChanges>({});
  const limit = search.limit ?? 20;
  const filter = Object.entries(chosen).map(([field, literals]) => `${field}:${literals}`);
  const words = text.trim();
  const { status, items, error, page } = useLive(client, {
    search: {
      ...search,
      filter,
      "filter.facets": filter,
      limit,
      offset,
      ...(words === "" ? { sort } : { text: { [language]: words }, prefix: true }),
    },
  });
  const { total, facets = {} } = (page ?? {}) as Partial<SearchPage>;
  const goTo = (offset: number) => () => setState((now) => ({ ...now, offset }));
  const hasNext = total !== undefined && offset + limit < total && offset + limit <= limits.offsetMax;
  return {
    status,
    items: items.map((item: any) => (changes[item.id] ? { ...item, ...changes[item.id] } : item)),
    ...(error && { error }),
    text,
    setText: (text) => setState((now) => ({ ...now, text, offset: 0 })),
    total,
    offset,
    next: hasNext ? goTo(offset + limit) : undefined,
    previous: offset > 0 ? goTo(Math.max(0, offset - limit)) : undefined,
    facets,
    terms: Object.fromEntries(
      Object.entries(facets).flatMap(([field, facet]) => termsOf(field, facet, state, setState)),
    ),
    change: (item, fields) => optimistic(client, setChanges, item, fields),
  };
}

/** Returns the values of a field that its facet counts, and those that are chosen. */
function termsOf(
  field: string,
  facet: Facet,
  { chosen: { [field]: literals = [] } }: ListState,
  setState: (next: (now: ListState) => ListState) => void,
): [field: string, terms: ListTerm[]][] {
  if (facet.type !== "terms") return [];
  const isQuoted = !["number", "boolean"].includes(facet.dataType);
  const counted = facet.terms.map(({ term, count }) => ({
    literal: isQuoted ? JSON.stringify(term) : term,
    term,
    count,
  }));
  const others = literals.filter((literal) => counted.every((one) => one.literal !== literal));
  const absent = others.map((literal) => ({ literal, term: isQuoted ? JSON.parse(literal) : literal, count: 0 }));
  const terms = [...counted, ...absent].map(({ literal, term, count }) => ({
    term,
    count,
    isChosen: literals.includes(literal),
    toggle: () => setState((now) => toggled(now, field, literal)),
  }));
  return [[field, terms]];
}

/** Returns the state with a value chosen that was not, or the other way round. */
function toggled({ text, chosen }: ListState, field: string, literal: string): ListState {
  const { [field]: before = [], ...others } = chosen;
  const after = before.includes(literal) ? before.filter((one) => one !== literal) : [...before, literal];
  return { text, offset: 0, chosen: after.length > 0 ? { ...others, [field]: after } : others };
}

/** Changes an item. The list shows the fields until the service has responded. */
async function optimistic(
  client: ResourceClient<any>,
  setChanges: (next: (now: ShownChanges) => ShownChanges) => void,
  item: { readonly id: string },
  fields: object,
) {
  setChanges((now) => ({ ...now, [item.id]: { ...now[item.id], ...fields } }));
  try {
    return await client.modify(item.id, (now) => mergedFields(item, fields, now));
  } finally {
    setChanges(({ [item.id]: done, ...others }) => others);
  }
}

/** Returns fields of an item after a change, merged with what others have changed since. */
function mergedFields(item: object, fields: object, now: object): any {
  const { value, conflicts } = merge(item, { ...item, ...fields }, now);
  if (conflicts.length > 0) {
    const code = "ConcurrentModification";
    const errors = conflicts.map(({ path }) => ({ code, path, message: `Somebody else has changed '${path}', too.` }));
    throw ResourceError.of("api", errors.map(({ message }) => message).join(" "), { status: 409, code, errors });
  }
  return Object.fromEntries(Object.keys(fields).map((name) => [name, (value as Fields)[name] ?? null]));
}
