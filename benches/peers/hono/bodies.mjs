// Request bodies: ajv's compiled validators, and the rules that JSON Schema cannot state.
import { draft as validDraft, update as validUpdate } from "validators";
import { failure, invalid, invalidBody, itemsOf } from "./errors.mjs";

const CONTROL = /\p{Cc}/u;
const NAME_BYTES = 256;
const RESERVED = new Set([
  ".",
  "..",
  "searchApiPattern",
  "sorted-query-parameters",
  "description-with-urn-links",
  "artificially-complex",
]);
const bytes = new TextEncoder();

const isName = (value) =>
  value.isWellFormed() &&
  value !== "." &&
  value !== ".." &&
  bytes.encode(value).length <= NAME_BYTES &&
  !CONTROL.test(value);
const isId = (value) => isName(value) && !RESERVED.has(value) && !value.startsWith("key=");
const isMoment = (value) =>
  !value.startsWith("0000") && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

/** @type {[string, (value: string) => boolean, string][]} */
const RULES = [
  ["id", isId, "must have 1 to 256 bytes, no control characters, and no meaning in a path"],
  ["key", isName, "must have 1 to 256 bytes and no control characters"],
  ["createdAt", isMoment, "must be an instant in UTC with milliseconds"],
  ["lastModifiedAt", isMoment, "must be an instant in UTC with milliseconds"],
];

/** Parses the draft in the text. Throws 400 with all its problems if it is not valid. */
export function draftOf(text) {
  const body = parse(text);
  const items = validDraft(body) ? [] : validDraft.errors.flatMap(itemsOf);
  for (const [name, holds, reason] of RULES) {
    const value = body?.[name];
    if (typeof value !== "string" || holds(value)) continue;
    const path = `/${name}`;
    if (!items.some((item) => item.path === path)) items.push(invalid(path, value, reason));
  }
  if (items.length > 0) throw invalidBody(items);
  return body;
}

/** Parses the update in the text. Throws 400 with all its problems if it is not valid. */
export function updateOf(text) {
  const body = parse(text);
  if (!validUpdate(body)) throw invalidBody(validUpdate.errors.flatMap(itemsOf));
  return body;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = "Request body does not contain valid JSON.";
    throw failure(400, "InvalidJsonInput", message, { detailedErrorMessage: error.message, path: "" });
  }
}
