// Pages of the feed of changes (D36), and their positions.

import type { Resource } from "../generated/responses.js";
import type { RecordOf } from "../own/bodies.js";

/** What a page changes: a resource is new or has this state, was deleted, or has changed and does not match. */
export type Step<Content extends object = Resource> =
  | { readonly type: "set"; readonly id: string; readonly resource: RecordOf<Content> }
  | { readonly type: "delete"; readonly id: string; readonly version: number }
  | { readonly type: "leave"; readonly id: string };

/** A page of changes, or a frame of a socket. */
export interface FeedPage {
  from: string;
  to: string;
  /** Whether there were more changes than a frame has. */
  isBehind: boolean;
  steps: Step[];
  /** The resources, for the client's session. */
  results: Resource[];
}

/** Parses a page. Throws if it is none. */
export function parsePage(text: string): FeedPage {
  const [{ from, to, behind }, ...lines] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  if (typeof from !== "string" || typeof to !== "string") throw new TypeError("a page without positions");
  const page: FeedPage = { from, to, isBehind: behind === true, steps: [], results: [] };
  for (const line of lines) {
    const { id, version, outside, deletedAt } = line;
    // A resource may have a field of that name.
    if (id === undefined) page.steps.push(...outside.map((id: string) => ({ type: "leave", id })));
    else if (deletedAt) page.steps.push({ type: "delete", id, version });
    else {
      page.steps.push({ type: "set", id, resource: line });
      page.results.push(line);
    }
  }
  return page;
}

/** Returns the parts of a position: its history, its revision, and when an incomplete first reading began. */
function partsOf(position: string) {
  const [history, revision, began] = position.split(".");
  return { history, revision: Number(revision), began };
}

/** Returns the revision of a position. NaN if there is none. */
export const revisionOf = (position: string | undefined) => partsOf(position ?? "").revision;

/**
 * Returns what a page is to a follower at a position (rule 1): `next`; `past`, if the follower has everything of it; or
 * `gap`, if something is missing between them, which only the service knows.
 */
export function place(position: string | undefined, { from, to }: FeedPage): "next" | "past" | "gap" {
  const own = partsOf(position ?? "");
  const [start, end] = [partsOf(from), partsOf(to)];
  if (own.history !== start.history || own.history !== end.history) return "gap";
  if (end.revision <= own.revision) return "past";
  return start.revision <= own.revision && start.began === own.began ? "next" : "gap";
}
