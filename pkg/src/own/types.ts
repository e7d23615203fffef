// The own fields in TypeScript, derived from their names and types in the table.

import type { Compares, Contains, Defines, Empties, Equals, Matches } from "../expressions/operators.js";

/**
 * The fields of your own, with their types in `fields.json`. `npx resource-edge types` declares them:
 * `declare module "resource-edge" { interface OwnFields { title: "text" } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add their fields to it
export interface OwnFields {}

/** The values of the types. */
interface Values {
  text: string;
  integer: number;
  number: number;
  boolean: boolean;
  datetime: string;
}

/** The operators of the types. */
interface Operators {
  text: Compares<string> & Matches;
  integer: Compares<number | bigint>;
  number: Compares<number | bigint>;
  boolean: Equals<boolean>;
  datetime: Compares<Date | string>;
}

/** What the operators of arrays compare. */
interface ItemValues {
  text: string;
  integer: number | bigint;
  number: number | bigint;
  boolean: boolean;
  datetime: Date | string;
}

type Item<Kind> = Kind extends `${infer Of}[]` ? Of : never;
type Value<Kind> = Kind extends keyof Values ? Values[Kind] : Values[Item<Kind> & keyof Values][];
type ReadonlyValue<Kind> = Kind extends keyof Values ? Values[Kind] : readonly Values[Item<Kind> & keyof Values][];
type Predicate<Kind> = Kind extends keyof Operators
  ? Operators[Kind] & Defines
  : Operators[Item<Kind> & keyof Operators] & Contains<ItemValues[Item<Kind> & keyof ItemValues]> & Empties & Defines;
type Name = keyof OwnFields & string;

/** The own fields in a body. */
export type OwnBody = { [Of in Name]?: ReadonlyValue<OwnFields[Of]> | null | undefined };

/** The own fields in a resource. An array is absent only until the first write after the field was added. */
export type OwnValues = { [Of in Name]?: Value<OwnFields[Of]> };

/** The own fields in `where`. */
export type OwnPredicates = { readonly [Of in Name]: Predicate<OwnFields[Of]> };

/** The update actions of own fields: each sets one, or removes its value. */
export type OwnAction = {
  [Of in Name]: { action: `set${Capitalize<Of>}` } & { [Same in Of]?: OwnBody[Same] };
}[Name];
