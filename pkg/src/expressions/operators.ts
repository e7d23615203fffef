// The types of conditions and of the operators of fields, for the builder of predicates.

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
 * Tests of equality. On an array, `eq` and `in` are true if they are true for at least one item. `ne` and `notIn` are
 * their opposites.
 */
export interface Equals<Value> {
  eq(value: Value | Variable): Condition;
  ne(value: Value | Variable): Condition;
  /** No value is in an empty list. */
  in(values: Iterable<Value> | Variable): Condition;
  /** Each value, and an absent one, is outside an empty list. */
  notIn(values: Iterable<Value> | Variable): Condition;
}

/** Comparisons. On an array, a comparison is true if it is true for at least one item. */
export interface Compares<Value> extends Equals<Value> {
  lt(value: Value | Variable): Condition;
  lte(value: Value | Variable): Condition;
  gt(value: Value | Variable): Condition;
  gte(value: Value | Variable): Condition;
}

/** Whether an array has all or any of the values. Each array has all values of an empty list, and none has any. */
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
