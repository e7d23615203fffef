// Predicates, the texts of `where`: a template tag that writes values as literals, and a builder. They do not need the
// WebAssembly.

/**
 * Builds a predicate and writes interpolated values as literals.
 * @param {{ readonly raw: readonly string[] }} text
 * @param {...unknown} values
 */
export function predicate({ raw }, ...values) {
  return raw.reduce((text, next, at) => text + literal(values[at - 1]) + next);
}

/**
 * Builds a predicate out of fields and operators: `where((resource) => resource.key.eq("a"))`.
 * @param {(field: any) => Condition} build
 */
export function where(build) {
  return build(fieldAt("")).text;
}

/**
 * Returns the condition that requires all conditions.
 * @param {...Condition} conditions
 */
export const and = (...conditions) => join("and", conditions);

/**
 * Returns the condition that requires at least one of the conditions.
 * @param {...Condition} conditions
 */
export const or = (...conditions) => join("or", conditions);

/**
 * Returns the opposite of a condition.
 * @param {Condition} condition
 */
export const not = (condition) => new Condition(`not ${parenthesize(condition)}`);

/**
 * Returns a placeholder for the values of a variable, which the request passes with the predicate (`var`).
 * @param {string} name
 */
export function variable(name) {
  if (!/^[A-Za-z0-9]+$/.test(name))
    throw new TypeError(`'${name}' is not a valid variable name. Expected letters and digits.`);
  return new Variable(`:${name}`);
}

class Variable {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** A condition, with the operator that joins its parts if it has parts. */
class Condition {
  /**
   * @param {string} text
   * @param {string} [operator]
   */
  constructor(text, operator) {
    this.text = text;
    this.operator = operator;
  }

  /** @param {Condition[]} others */
  and(...others) {
    return and(this, ...others);
  }

  /** @param {Condition[]} others */
  or(...others) {
    return or(this, ...others);
  }
}

/**
 * Joins conditions. Conditions that the same operator joined remain flat, because the depth of a predicate is limited.
 * @param {string} operator
 * @param {readonly Condition[]} conditions
 */
function join(operator, conditions) {
  if (conditions.length === 0) throw new TypeError(`'${operator}' requires at least one condition.`);
  if (conditions.length === 1) return conditions[0];
  return new Condition(
    conditions.map((part) => (part.operator === operator ? part.text : parenthesize(part))).join(` ${operator} `),
    operator,
  );
}

/** @param {Condition} condition */
const parenthesize = ({ text, operator }) => (operator === undefined ? text : `(${text})`);

/**
 * The operators, and how each writes its values.
 * @type {{ readonly [name: string]: ((...values: any[]) => string) | null }}
 */
const operators = {
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

/**
 * Returns the field at a path. Its members are the operators and the inner fields.
 * @param {string} path
 * @returns {object}
 */
function fieldAt(path) {
  return new Proxy(operators, {
    get(_, name) {
      if (typeof name === "symbol") return undefined;
      const operator = path === "" ? undefined : operators[name];
      if (operator) return (/** @type {unknown[]} */ ...values) => new Condition(`${path} ${operator(...values)}`);
      return fieldAt(path === "" ? name : `${path}.${name}`);
    },
  });
}

/** @param {unknown} value */
const operand = (value) => (value instanceof Variable ? value.text : scalar(value));

/** @param {Variable | Iterable<unknown>} values */
const list = (values) => (values instanceof Variable ? values.text : literal([...values]));

/** @param {unknown} value */
function literal(value) {
  if (Array.isArray(value) && value.length > 0) return `(${value.map(scalar).join(", ")})`;
  return scalar(value);
}

/** @param {unknown} value */
function scalar(value) {
  if (typeof value === "string" || (value instanceof Date && !Number.isNaN(value.getTime())))
    return JSON.stringify(value);
  if (typeof value === "boolean" || typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError("A value must be a string, a finite number, a boolean, a date, or a list of these.");
}
