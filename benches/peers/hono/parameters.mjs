// Query parameters of reads and queries. The grammar of predicates has one operator; see the README of benches.
import { ARRAYS, TEXTS } from "../bodies.mjs";
import { badParameter } from "./errors.mjs";

const READ_BY_KEY = new Set(["expand"]);
const READ_BY_ID = new Set([...READ_BY_KEY, "optionalQueryParameter", "secondOptionalQueryParameter"]);
const QUERY = new Set(["where", "sort", "limit", "offset", "withTotal"]);
const SEARCH = new Set(["limit", "offset"]);
const NONE = new Set();
const EXPAND = /^[-\w]+(\[\*\])?(\.[-\w]+(\[\*\])?)*$/;
const ANY = /^\s*(?:objectTypeProperty\s*\.\s*)?(\w+)\s+contains\s+any\s*\(([^]*)\)\s*$/i;
const SORT = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i;
const LISTS = new Set(ARRAYS.filter((name) => name !== "arrayOfObjectType" && name !== "arrayOfTwonumbersExample"));
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

function isWellEncoded(text) {
  if (!text.includes("%")) return true;
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}

/**
 * Returns the parameters by name. Rejects parameters that the operation does not have. Only `expand` may be repeated.
 */
function parametersOf(c, known, prefix) {
  const { url } = c.req;
  const start = url.indexOf("?");
  if (start === -1) return {};
  for (const part of url.slice(start + 1).split("&")) {
    const [name] = part.split("=");
    if (part !== "" && (name === "" || !isWellEncoded(part)))
      throw badParameter(name, "it is not percent-encoded UTF-8");
  }
  const parameters = c.req.queries();
  for (const [name, { length }] of Object.entries(parameters)) {
    if (!known.has(name) && (prefix === undefined || !name.startsWith(prefix))) {
      throw badParameter(name, "it is not a parameter of this operation");
    }
    if (length > 1 && name !== "expand") throw badParameter(name, "it occurs twice");
  }
  return parameters;
}

export function checkReadParameters(c, byKey) {
  const { expand = [] } = parametersOf(c, byKey ? READ_BY_KEY : READ_BY_ID);
  if (!expand.every((path) => EXPAND.test(path))) throw badParameter("expand", "expected a path such as a.b or a[*].b");
}

export const checkNoParameters = (c) => void parametersOf(c, NONE);

function whole(name, /** @type {string[]} */ [text], max) {
  const number = text.trim() === "" ? NaN : Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw badParameter(name, `expected a whole number from 0 to ${max}`);
}

const windowOf = ({ limit = ["20"], offset = ["0"] }) => ({
  limit: whole("limit", limit, 500),
  offset: whole("offset", offset, 10_000),
});

/** Parses the condition of `where`: a field and a JSON array of values. */
function conditionOf(text) {
  const [, path, values] = ANY.exec(text) ?? [];
  if (!LISTS.has(path)) throw badParameter("where", "expected <array> contains any (<values>)");
  const kind = path === "arrayOfStringExample" ? "string" : "number";
  try {
    const list = JSON.parse(`[${values}]`);
    if (list.length > 0 && list.every((value) => typeof value === kind)) return { path, values: JSON.stringify(list) };
  } catch {
    // Not a list of values: the same error as for a list of the wrong type.
  }
  throw badParameter("where", `expected a list of ${kind}s`);
}

function sortOf(text) {
  const [, path, direction = "asc"] = SORT.exec(text) ?? [];
  if (!TEXTS.includes(path)) throw badParameter("sort", "expected a text field, optionally followed by asc or desc");
  return { path, descending: direction.toLowerCase() === "desc" };
}

function withTotalOf([text]) {
  if (text === "true" || text === "false") return text === "true";
  throw badParameter("withTotal", "expected true or false");
}

/** Returns the query of a page or of HEAD. */
export function queryOf(c, operation) {
  const parameters = parametersOf(c, QUERY);
  const { where, sort, withTotal = ["true"] } = parameters;
  if (where !== undefined && sort !== undefined) throw badParameter("sort", "it is not supported together with where");
  return {
    operation,
    condition: where && conditionOf(where[0]),
    sort: sort && sortOf(sort[0]),
    withTotal: withTotalOf(withTotal),
    ...windowOf(parameters),
  };
}

/** Returns the query of a text search: all words of all texts. */
export function searchOf(c) {
  const parameters = parametersOf(c, SEARCH, "text.");
  const words = Object.entries(parameters).flatMap(([name, [text]]) =>
    name.startsWith("text.") ? (text.slice(0, 256).match(WORD) ?? []) : [],
  );
  if (words.length === 0) throw badParameter("text", "expected a word");
  return {
    operation: "search",
    words: words.map((word) => `"${word}"`).join(" "),
    withTotal: true,
    ...windowOf(parameters),
  };
}
