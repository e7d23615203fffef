// Predicates, the texts of `where`: a template tag that writes values as literals, and a builder. They do not need the
// WebAssembly.

import type { Condition, Variable } from "./expressions/operators.js";
import type { ResourceFields } from "./generated/predicate-fields.js";

export type * from "./expressions/operators.js";
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
): string {
  return text.raw.reduce((text, next, at) => text + literal(values[at - 1]) + next);
}

/**
 * Builds a predicate from fields and operators:
 * `where((resource) => resource.arrayOfIntExample.containsAny([1, 2]).and(resource.key.ne("a")))`. Each field has the
 * operators that the service supports for its type.
 */
export function where(build: (resource: ResourceFields) => Condition): string {
  return build(fieldAt("") as ResourceFields).text;
}

/** Returns the condition that requires all conditions. */
export function and(first: Condition, ...others: readonly Condition[]): Condition;
export function and(...conditions: readonly Expression[]): Condition {
  return join("and", conditions);
}

/** Returns the condition that requires at least one of the conditions. */
export function or(first: Condition, ...others: readonly Condition[]): Condition;
export function or(...conditions: readonly Expression[]): Condition {
  return join("or", conditions);
}

/** Returns the opposite of a condition. */
export function not(condition: Condition): Condition {
  return new Expression(`not ${parenthesize(condition)}`);
}

/**
 * Returns a variable; its name has letters and digits: `where((resource) => resource.key.in(variable("keys")))` with `{
 * var: { keys } }`.
 */
export function variable(name: string): Variable {
  if (!/^[A-Za-z0-9]+$/.test(name))
    throw new TypeError(`'${name}' is not a valid variable name. Expected letters and digits.`);
  return { text: `:${name}` };
}

/** A condition, with the operator that joins its parts if it has parts. */
class Expression implements Condition {
  constructor(
    readonly text: string,
    readonly operator?: string,
  ) {}

  and(...others: readonly Condition[]): Condition {
    return and(this, ...others);
  }

  or(...others: readonly Condition[]): Condition {
    return or(this, ...others);
  }
}

/**
 * Joins conditions. Conditions that the same operator joined remain flat, because the depth of a predicate is limited.
 */
function join(operator: string, conditions: readonly Expression[]): Condition {
  if (conditions.length === 0) throw new TypeError(`'${operator}' requires at least one condition.`);
  if (conditions.length === 1) return conditions[0];
  return new Expression(
    conditions.map((part) => (part.operator === operator ? part.text : parenthesize(part))).join(` ${operator} `),
    operator,
  );
}

const parenthesize = ({ text, operator }: Expression) => (operator === undefined ? text : `(${text})`);

/** The operators, and how each writes its values. */
const operators: { readonly [name: string]: ((...values: any[]) => string) | null } = {
  __proto__: null,
  eq: (value) => `= ${operand(value)}`,
  ne: (value) => `!= ${operand(value)}`,
  lt: (value) => `< ${operand(value)}`,
  lte: (value) => `<= ${operand(value)}`,
  gt: (value) => `> ${operand(value)}`,
  gte: (value) => `>= ${operand(value)}`,
  in: (values) => `in ${list(values)}`,
  notIn: (values) => `not in ${list(values)}`,
  containsAll: (values) => `contains all ${list(values)}`,
  containsAny: (values) => `contains any ${list(values)}`,
  isEmpty: () => "is empty",
  isNotEmpty: () => "is not empty",
  isDefined: () => "is defined",
  isNotDefined: () => "is not defined",
  matchesIgnoreCase: (value) => `matches ignore case ${operand(value)}`,
  withinCircle: (...numbers) => `within circle(${numbers.map(scalar).join(", ")})`,
  some: (build) => `(${where(build)})`,
};

/** Returns the field at a path. Its members are the operators and the inner fields. */
function fieldAt(path: string): object {
  return new Proxy(operators, {
    get(_, name) {
      if (typeof name === "symbol") return undefined;
      const operator = path === "" ? undefined : operators[name];
      if (operator) return (...values: unknown[]) => new Expression(`${path} ${operator(...values)}`);
      return fieldAt(path === "" ? name : `${path}.${name}`);
    },
  });
}

/** Returns whether a value is a variable. */
const isVariable = (value: unknown): value is Variable =>
  (value as Partial<Variable> | null | undefined)?.text?.[0] === ":";

const operand = (value: unknown) => (isVariable(value) ? value.text : scalar(value));

const list = (values: Variable | Iterable<unknown>) =>
  isVariable(values) ? values.text : literal([...(values as Iterable<unknown>)]);

function literal(value: unknown) {
  if (Array.isArray(value)) return `(${value.map(scalar).join(", ")})`;
  return scalar(value);
}

function scalar(value: unknown) {
  if (typeof value === "string" || (value instanceof Date && !Number.isNaN(value.getTime())))
    return JSON.stringify(value);
  if (typeof value === "boolean" || typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError("A value must be a string, a finite number, a boolean, a date, or a list of these.");
}
