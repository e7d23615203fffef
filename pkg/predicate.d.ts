import type { ResourceFields } from "./generated/predicate-fields.js";

export type { ResourceFields };

/** A value in a predicate. */
export type PredicateValue = string | number | bigint | boolean | Date;

/**
 * Returns a predicate with each interpolated value as a literal, and each list in parentheses:
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
  /** Requires this condition and all of the others. */
  and(...others: readonly Condition[]): Condition;
  /** Requires this condition or one of the others. */
  or(...others: readonly Condition[]): Condition;
}

/** A placeholder for values that a request passes with the predicate. */
export interface Variable {
  /** The variable in the predicate, such as `:keys`. */
  readonly text: string;
}

/**
 * Builds a predicate from fields and operators:
 * `where((resource) => resource.arrayOfIntExample.containsAny([1, 2]).and(resource.key.ne("a")))`. Each field has the
 * operators that the service supports for its type.
 */
export function where(build: (resource: ResourceFields) => Condition): string;

/** Returns the condition that requires all conditions. */
export function and(first: Condition, ...others: readonly Condition[]): Condition;
/** Returns the condition that requires at least one of the conditions. */
export function or(first: Condition, ...others: readonly Condition[]): Condition;
/** Returns the opposite of a condition. */
export function not(condition: Condition): Condition;

/**
 * Returns a variable; its name has letters and digits: `where((resource) => resource.key.in(variable("keys")))` with `{
 * var: { keys } }`.
 */
export function variable(name: string): Variable;

/**
 * Tests of equality. On an array, `eq` and `in` are true if they are true for at least one item. `ne` and `notIn` are
 * their opposites.
 */
export interface Equals<Value> {
  eq(value: Value | Variable): Condition;
  ne(value: Value | Variable): Condition;
  /** The list needs at least one value. */
  in(values: Iterable<Value> | Variable): Condition;
  /** The list needs at least one value. */
  notIn(values: Iterable<Value> | Variable): Condition;
}

/** Comparisons. On an array, a comparison is true if it is true for at least one item. */
export interface Compares<Value> extends Equals<Value> {
  lt(value: Value | Variable): Condition;
  lte(value: Value | Variable): Condition;
  gt(value: Value | Variable): Condition;
  gte(value: Value | Variable): Condition;
}

/** Whether an array has all or any of the values. The list needs at least one value. */
export interface Contains<Value> {
  containsAll(values: Iterable<Value> | Variable): Condition;
  containsAny(values: Iterable<Value> | Variable): Condition;
}

/** Whether an array has items. */
export interface Empties {
  isEmpty(): Condition;
  isNotEmpty(): Condition;
}

/** Whether a field is present. */
export interface Defines {
  isDefined(): Condition;
  isNotDefined(): Condition;
}

/** Whether two texts are equal apart from the case of letters. */
export interface Matches {
  matchesIgnoreCase(value: string | Variable): Condition;
}

/** Whether two numbers, longitude and latitude in degrees, are a point within a circle on the earth. */
export interface Circles {
  withinCircle(longitude: number, latitude: number, meters: number): Condition;
}

/** Whether one item satisfies a condition. */
export interface Items<Fields> {
  some(build: (item: Fields) => Condition): Condition;
}
