import type { ResourceFields } from "./predicate-fields.js";

export type { ResourceFields };

/** A value that a predicate can have. */
export type PredicateValue = string | number | bigint | boolean | Date;

/**
 * A predicate whose interpolated values are written as literals, whatever they hold; a list is written in parentheses:
 * `predicate\`key in ${keys} and createdAt > ${day}\``.
 */
export function predicate(
  text: TemplateStringsArray,
  ...values: readonly (PredicateValue | readonly PredicateValue[])[]
): string;

/** A condition on a resource, or on an item of an array of objects. */
export interface Condition {
  /** The predicate. */
  readonly text: string;
  /** That the others hold too. */
  and(...others: readonly Condition[]): Condition;
  /** That this one or one of the others holds. */
  or(...others: readonly Condition[]): Condition;
}

/** Stands for the values that a request passes beside the predicate. */
export interface Variable {
  /** The variable as the predicate has it. */
  readonly text: string;
}

/**
 * Builds a predicate out of fields and operators:
 * `where((resource) => resource.arrayOfIntExample.containsAny([1, 2]).and(resource.key.ne("a")))`. Each field has the
 * operators that the service takes for its type.
 */
export function where(build: (resource: ResourceFields) => Condition): string;

/** The condition that all conditions hold. */
export function and(first: Condition, ...others: readonly Condition[]): Condition;
/** The condition that at least one holds. */
export function or(first: Condition, ...others: readonly Condition[]): Condition;
/** The condition that a condition does not hold. */
export function not(condition: Condition): Condition;

/** A variable of letters and digits: `where((resource) => resource.key.in(variable("keys")))` with `{ var: { keys } }`. */
export function variable(name: string): Variable;

/** Comparisons. On an array they hold if an item's comparison holds; `ne` and `notIn` are the opposites of `eq` and `in`. */
export interface Compares<Value> {
  eq(value: Value | Variable): Condition;
  ne(value: Value | Variable): Condition;
  lt(value: Value | Variable): Condition;
  lte(value: Value | Variable): Condition;
  gt(value: Value | Variable): Condition;
  gte(value: Value | Variable): Condition;
  /** One value at least. */
  in(values: Iterable<Value> | Variable): Condition;
  /** One value at least. */
  notIn(values: Iterable<Value> | Variable): Condition;
}

/** Whether an array has values, of which there is one at least. */
export interface Contains<Value> {
  containsAll(values: Iterable<Value> | Variable): Condition;
  containsAny(values: Iterable<Value> | Variable): Condition;
}

/** Whether an array has items. */
export interface Empties {
  isEmpty(): Condition;
  isNotEmpty(): Condition;
}

/** Whether a field is there and not null. */
export interface Defines {
  isDefined(): Condition;
  isNotDefined(): Condition;
}

/** Whether a text is another but for the case of its letters. */
export interface Matches {
  matchesIgnoreCase(value: string | Variable): Condition;
}

/** Whether two numbers are a point within a circle on the earth. */
export interface Circles {
  withinCircle(longitude: number, latitude: number, metres: number): Condition;
}

/** Whether one item satisfies a condition. */
export interface Items<Fields> {
  some(build: (item: Fields) => Condition): Condition;
}
