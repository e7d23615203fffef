// The text of the list's box: words to search for, or a condition; and what can complete a condition.

import type { ResourceModel } from "../fields.js";
import { choicesOf, innermost, type Field } from "../schema.js";
import { placeOf } from "../wording.js";
import { queriedFields } from "./queried-fields.js";
import type { SyntaxCheck } from "../../pkg/syntax.js";

/** A completion: what the text between `from` and the caret becomes, and what it means. */
export type Completion = { text: string; label: string; help: string };
export type Completions = { from: number; options: readonly Completion[] };

const FIRST = /^[\s(]*(?:not\s+)?([A-Za-z_][\w.]*)(.*)$/is;
/** What follows a field in a condition, and hardly ever a word in a search. */
const OPERATOR = /^\s*(?:in\s*[(:]|not\s+in\b|contains\b|is\s+(?:not\s+)?[de]|matches\s+i|within\s+c|like\s)/i;
const SYMBOL = /^\s*[=!<>]/;
const SHOWN = 12;
const SYSTEM = new Set(["id", "version", "key", "createdAt", "createdBy", "lastModifiedAt", "lastModifiedBy"]);
const DAY_MS = 86_400_000;
const HELP: { [operator: string]: string | undefined } = {
  "=": "equals",
  "!=": "differs, or is absent",
  "<": "less than",
  "<=": "at most",
  ">": "more than",
  ">=": "at least",
  in: "one of several values",
  "not in": "none of several values",
  "contains all": "has all of several items",
  "contains any": "has one of several items",
  "is defined": "has a value",
  "is not defined": "has no value",
  "is empty": "has no items",
  "is not empty": "has items",
  "matches ignore case": "equals, in any case",
  "within circle": "longitude, latitude, meters",
  "(": "a condition on its parts",
  and: "both conditions",
  or: "one of the conditions",
  not: "the opposite",
};
/** Operators that have another spelling, or that a text of letters seldom needs. */
const LEFT_OUT = ["<>", ".", "<variable>", "<string>", "<number>", "<end>"];
/** An operator that only pairs of numbers have: for other fields, the check names those that they have. */
const RARE = " within circle (0, 0, 1)";

/** Completes conditions on a resource. `check` is the service's own check of a condition. */
export class BoxText {
  #model;
  #fields;
  #check;

  constructor(model: ResourceModel, check: SyntaxCheck) {
    this.#model = model;
    // A person looks for the fields of a person first.
    const all = queriedFields(model);
    this.#fields = [...all.filter(({ name }) => !SYSTEM.has(name)), ...all.filter(({ name }) => SYSTEM.has(name))];
    this.#check = check;
  }

  /** Returns the problem of a condition. */
  check = (text: string) => this.#check(text);

  /** Returns whether a text is a condition, also one with an error. Plain words never are. */
  isCondition(text: string) {
    const [, name = "", rest = ""] = FIRST.exec(text) ?? [];
    if (name === "") return false;
    if (SYMBOL.test(rest) || this.#check(text) === undefined) return true;
    const field = this.#model.find(name);
    if (field === undefined) return false;
    return OPERATOR.test(rest) || (rest.startsWith("(") && "fields" in field);
  }

  /** Returns what may follow the text. */
  complete(text: string): Completions {
    const [partial = ""] =
      /"[^"]*$|[A-Za-z_][\w.]*$|[=!<>]+$/.exec(isInText(text) ? text : text.replace(/"[^"]*"/g, mask)) ?? [];
    const from = text.length - partial.length;
    const head = text.slice(0, from);
    const typed = text.slice(from).toLowerCase();
    const matches = this.#after(head).filter(({ text: own, label }) =>
      [own, label].some((one) => one.toLowerCase().startsWith(typed)),
    );
    // What is complete needs no completion.
    const options = matches.filter(({ text: own }) => own.trim().toLowerCase() !== typed).slice(0, SHOWN);
    return { from, options };
  }

  #after(head: string): Completion[] {
    const issue = this.#check(head);
    if (issue === undefined) return /\s$/.test(head) ? ["and", "or"].map(word) : [];
    const { reason, expected = [], length } = issue;
    if (reason !== "syntax" || length > 0) return [];
    if (expected.includes("<field>")) return [...this.#fieldsIn(head), word("not")];
    if (expected.includes("=")) return this.#operators(head);
    if (expected.includes("<string>")) return this.#values(head);
    return expected.filter((one) => !LEFT_OUT.includes(one)).map(word);
  }

  /** The fields that a condition may begin with: all, or those of the object that is open. */
  #fieldsIn(head: string): Completion[] {
    const scope = this.#model.find(scopeOf(head).join("."));
    const fields = scope !== undefined && "fields" in scope ? innermost(scope.fields) : this.#fields;
    const above = scope?.path.length ?? 0;
    return fields.map((field) => {
      const name = scope === undefined ? this.#model.queryName(field) : field.path.slice(above).join(".");
      const text = field.kind === "objects" ? `${name}(` : `${name} `;
      return { text, label: placeOf(fields, field.path)?.label ?? name, help: field.schema.description ?? "" };
    });
  }

  /** The operators that the last field has. */
  #operators(head: string): Completion[] {
    const closing = ")".repeat(scopeOf(head).length);
    const { reason, expected } = this.#check(`${head}${RARE}${closing}`) ?? {};
    // A part of an article number is no field, and needs no operator.
    if (reason === "unknownField") return [];
    const own = reason === "operator" ? expected : undefined;
    const operators = own ?? ["=", "is empty", "is not empty", "within circle"];
    return operators.filter((one) => !LEFT_OUT.includes(one)).map(word);
  }

  /** The values of the last field, if its schema lists them, or if it has times. */
  #values(head: string): Completion[] {
    const [, name = ""] =
      /([\w.]+)\s*(?:[=!<>]+|(?:not\s+)?in\s*\([^()]*|contains\s+(?:any|all)\s*\([^()]*)\s*$/i.exec(head) ?? [];
    const field = this.#model.find([...scopeOf(head), name].join(".")) ?? this.#model.find(name);
    const end = head.endsWith("(") || /,\s*$/.test(head) ? "" : " ";
    return field === undefined
      ? []
      : valuesOf(field).map(([value, help]) => ({ text: `${value}${end}`, label: help, help }));
  }
}

/** Returns the values to offer, each with its meaning. */
function valuesOf({ kind, schema }: Field): [string, string][] {
  const choices = choicesOf(schema.items ?? schema);
  if (choices !== undefined) return choices.map((one) => [JSON.stringify(one), String(one)]);
  if (kind === "boolean" || kind === "booleans") return [true, false].map((one) => [String(one), one ? "yes" : "no"]);
  const isDay = schema.format === "date";
  if (!isDay && kind !== "date" && kind !== "dates") return [];
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const at = (days: number) => new Date(midnight.getTime() - days * DAY_MS);
  const texts = { today: 0, "7 days ago": 7, "30 days ago": 30, "a year ago": 365 };
  return Object.entries(texts).map(([label, days]) => [
    JSON.stringify(isDay ? dayOf(at(days)) : at(days).toISOString()),
    label,
  ]);
}

/** Returns a day of this place, such as `2026-01-31`. */
const dayOf = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** Returns a word of the language as a completion. What needs a list opens it. */
function word(operator: string): Completion {
  const opens = /^(?:in|not in|contains a(?:ll|ny)|within circle)$/.test(operator);
  const text = opens ? `${operator} (` : operator === "(" || operator === "," ? operator : `${operator} `;
  return { text, label: operator, help: HELP[operator] ?? "" };
}

/** Returns the names of the objects whose parentheses are open. */
function scopeOf(head: string) {
  const open: string[] = [];
  for (const [, name, bracket] of head.replace(/"[^"]*"/g, mask).matchAll(/([\w.]*)\s*([()])/g))
    if (bracket === ")") open.pop();
    else open.push(name ?? "");
  return open.filter((name) => name !== "" && !/^(?:and|or|not|in|any|all|circle)$/i.test(name));
}

const mask = (text: string) => "0".repeat(text.length);
/** Returns whether a text ends inside of quotes. */
const isInText = (text: string) => text.replace(/\\./g, "").split('"').length % 2 === 0;
