// The fields that `where` of a declared resource may name, with their operators, derived from the type of its content.

import type {
  Circles,
  Compares,
  Contains,
  Defines,
  Empties,
  Equals,
  Items,
  Matches,
} from "../expressions/operators.js";
import type { ResourceFields } from "../generated/predicate-fields.js";

/** The names that mean an operator inside a field. */
type Operator = keyof (Circles & Compares<0> & Contains<0> & Defines & Empties & Items<0> & Matches);

/** What a number compares with. */
type Numbers = number | bigint;

/** The operators of a value, without those of arrays. */
type ValueOperators<Value> = [Value] extends [boolean]
  ? Equals<boolean>
  : [Value] extends [number]
    ? Compares<Numbers>
    : [Value] extends [string]
      ? Compares<Value> & Matches
      : never;

/** What the operators of arrays compare. */
type ComparedItem<Item> = [Item] extends [boolean] ? boolean : [Item] extends [number] ? Numbers : Item;

type InnerFields<Value> = {
  readonly [Name in keyof Value as Exclude<Name, Operator>]-?: FieldOperators<NonNullable<Value[Name]>>;
};

type ListOperators<Item> = Empties &
  ([Item] extends [object]
    ? Items<InnerFields<Item>> & InnerFields<Item>
    : ValueOperators<Item> & Contains<ComparedItem<Item>>);

/** The operators of a field. Without a type, it may have each. */
type FieldOperators<Value> = 0 extends 1 & Value
  ? any
  : Defines &
      ([Value] extends [readonly (infer Item)[]]
        ? ListOperators<Item>
        : [Value] extends [object]
          ? InnerFields<Value>
          : ValueOperators<Value>);

/** The fields of a declared resource in `where`. */
export type FieldsOf<Content extends object> = Pick<
  ResourceFields,
  "id" | "version" | "key" | "createdAt" | "createdBy" | "lastModifiedAt" | "lastModifiedBy"
> & { readonly [Name in keyof Content]-?: FieldOperators<NonNullable<Content[Name]>> };
