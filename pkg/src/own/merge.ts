// A three-way merge of a resource that two people have changed.

import { wrongOption } from "../client/errors.js";

/** Whose value a field gets. `both`: their list, with the items that you added, and without those that you removed. */
export type MergeChoice = "mine" | "theirs" | "both";

/** A field that somebody has changed. An object is compared member by member, a list as a whole. */
export interface MergeChange {
  /** Its place, as a JSON Pointer, such as `/size/width`. */
  readonly path: string;
  /** Who has changed it: you, the others, both to the `same` value, or `both` to different values. */
  readonly change: "mine" | "theirs" | "same" | "both";
  /** The values on the three sides; `undefined` if there is none. */
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** What `merge` returns. */
export interface Merged<Content extends object> {
  /** The result. A conflict has your value until there is a choice. */
  readonly value: Content;
  /** All fields that somebody has changed. */
  readonly changes: readonly MergeChange[];
  /** Those that both have changed to different values, without a choice. */
  readonly conflicts: readonly MergeChange[];
}

type MemberValues = { readonly [name: string]: unknown };

/** What the service sets, or a writer says of itself. */
const OF_SERVICE = ["id", "version", "createdAt", "createdBy", "lastModifiedAt", "lastModifiedBy"];

/**
 * Merges what you and others have changed since `base`. `theirs` is the newest resource, so the result has its version,
 * and `overwrite` writes it. `choices` decide conflicts, or change what the merge decided, by the path of a field.
 *
 * Null and an empty list mean the same as no value. A key that `mine` does not have is no change.
 *
 * ```js
 * const { value, conflicts } = merge(seen, { ...seen, price: 5 }, await client.getById(seen.id, {}, { fresh: true }));
 * if (conflicts.length === 0) await client.overwrite(value);
 * ```
 */
export function merge<Content extends object>(
  base: object,
  mine: object,
  theirs: Content,
  choices: { readonly [path: string]: MergeChoice | undefined } = {},
): Merged<Content> {
  const changes: MergeChange[] = [];
  const mergeAt = (path: string, base: unknown, mine: unknown, theirs: unknown): unknown => {
    if (isObject(mine) && isObject(theirs) && (isObject(base) || isAbsent(base))) {
      const names = new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base ?? {})]);
      const members = Array.from(names, (name): [string, unknown] => {
        const at = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        const values = [base, mine, theirs].map((side) => memberOf(side, name));
        return [name, mergeAt(at, values[0], values[1], values[2])];
      });
      return Object.fromEntries(members.filter(([, value]) => !isAbsent(value)));
    }
    const change = changeOf(base, mine, theirs);
    if (change === undefined) return theirs;
    changes.push({ path, change, base, mine, theirs });
    const choice = choices[path] ?? (change === "both" ? "mine" : change);
    if (choice === "both") return combine(path, base, mine, theirs);
    return choice === "mine" ? mine : theirs;
  };
  const value = mergeAt("", contentOf(base, base), contentOf(mine, base), contentOf(theirs, theirs)) as object;
  const ofService = Object.entries(theirs).filter(([name]) => OF_SERVICE.includes(name));
  const [before, by] = [base, mine].map((side) => memberOf(side, "lastModifiedBy"));
  const isMine = !isAbsent(by) && changeOf(before, by, before) !== undefined;
  return {
    value: { ...Object.fromEntries(ofService), ...(isMine && { lastModifiedBy: by }), ...value } as Content,
    changes,
    conflicts: changes.filter(({ path, change }) => change === "both" && choices[path] === undefined),
  };
}

/** Returns the fields that are compared. One that lacks the key has that of the base. */
function contentOf(side: object, base: object): MemberValues {
  const { key = (base as MemberValues).key } = side as MemberValues;
  return Object.fromEntries([
    ...(isAbsent(key) ? [] : [["key", key]]),
    ...Object.entries(side).filter(([name]) => name !== "key" && !OF_SERVICE.includes(name)),
  ]);
}

const isObject = (value: unknown): value is MemberValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The service stores an empty list as none. */
const isAbsent = (value: unknown): value is undefined | null | [] =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const memberOf = (side: unknown, name: string) =>
  isObject(side) && Object.hasOwn(side, name) ? side[name] : undefined;

function changeOf(base: unknown, mine: unknown, theirs: unknown): MergeChange["change"] | undefined {
  const [before, here, there] = [textOf(base), textOf(mine), textOf(theirs)];
  if (here === before) return there === before ? undefined : "theirs";
  if (there === before) return "mine";
  return here === there ? "same" : "both";
}

/** Returns the JSON of a value, with its members in the order of their names, so that equal values have one text. */
function textOf(value: unknown): string {
  if (isAbsent(value)) return "";
  return JSON.stringify(value, (_, part) =>
    isObject(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, member]) => !isAbsent(member))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );
}

/** Returns their list, without the items that I removed, and with those that I added. Equal items are counted. */
function combine(path: string, base: unknown, mine: unknown, theirs: unknown) {
  const sides = [base, mine, theirs].map((side) => side ?? []);
  if (!sides.every(Array.isArray))
    throw wrongOption(`merge: '${path}' is no list. Expected the choice mine or theirs.`);
  const [before, here, there] = (sides as unknown[][]).map(countOf) as [Counts, Counts, Counts];
  const left = new Map<string, number>();
  for (const item of [...here.keys(), ...there.keys()])
    left.set(item, combineCounts(before.get(item) ?? 0, here.get(item) ?? 0, there.get(item) ?? 0));
  return [...(sides[2] as unknown[]), ...(sides[1] as unknown[])].filter((item) => {
    const text = textOf(item);
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
}

type Counts = Map<string, number>;

function countOf(items: readonly unknown[]): Counts {
  const counts: Counts = new Map();
  for (const item of items) counts.set(textOf(item), (counts.get(textOf(item)) ?? 0) + 1);
  return counts;
}

/** Returns how often an item occurs in the result if two people changed its count. */
function combineCounts(before: number, mine: number, theirs: number) {
  if (mine > before && theirs > before) return Math.max(mine, theirs);
  if (mine < before && theirs < before) return Math.min(mine, theirs);
  return Math.max(mine + theirs - before, 0);
}
