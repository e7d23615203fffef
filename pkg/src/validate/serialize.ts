// Writes JavaScript values as text for the WebAssembly. The text is that of `JSON.stringify`, but loses nothing
// silently: a value that JSON cannot represent becomes a character of `foreign`, which is an issue at its place. So the
// text of a valid value is JSON.

import { BODY_BYTES, foreign } from "../generated/kinds.js";
import { plain } from "./checks.js";

const WORD = /^\w+$/;
const TOO_LARGE = {};
// No body is nearly as large.
const MAX_CHARS = 8 * BODY_BYTES;

const characters: { readonly [kind: string]: string } = foreign;

/** Replaces a value that throws when it is read. */
export const UNREADABLE = () => {};

/**
 * Returns the text of a value, or `undefined` if it is far longer than any body. `depth` is that of the deepest array
 * or object whose contents matter.
 */
export function write(value: unknown, depth: number) {
  try {
    return any(value, depth);
  } catch (thrown) {
    // `read` catches everything that the value throws.
    if (thrown === TOO_LARGE) return undefined;
    throw thrown;
  }
}

function any(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : characters[String(value)];
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : object(value, depth);
    case "undefined":
      return foreign.undefined;
    case "function":
      return foreign[value === UNREADABLE ? "a value that cannot be read" : "a function"];
    default:
      return characters[`a ${typeof value}`];
  }
}

function object(value: object, depth: number) {
  try {
    if (Array.isArray(value)) return items(value, depth);
    if (plain(value)) return members(value, depth);
    return foreign[value instanceof Date ? "a Date" : "an instance of a class"];
  } catch (thrown) {
    if (thrown === TOO_LARGE) throw thrown;
    return foreign["a value that cannot be read"];
  }
}

// `depth` is how many levels remain. Below them the contents are not written: they are inside unknown fields, so no
// issue is about them. This also ends cycles.

function items(value: readonly unknown[], depth: number) {
  if (depth === 0) return "[]";
  let out = "[";
  for (let at = 0; at < value.length; at++) {
    out += (at === 0 ? "" : ",") + any(read(value, at), depth - 1);
    bound(out);
  }
  return out + "]";
}

function members(value: object, depth: number) {
  if (depth === 0) return "{}";
  let out = "";
  for (const name of Object.keys(value)) {
    const member = read(value, name);
    if (member === undefined) continue;
    out += `${out === "" ? "" : ","}${WORD.test(name) ? `"${name}"` : JSON.stringify(name)}:${any(member, depth - 1)}`;
    bound(out);
  }
  return `{${out}}`;
}

/** Returns a member, or `UNREADABLE`, which no field accepts, if reading it throws. */
function read(value: object, name: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[name];
  } catch {
    return UNREADABLE;
  }
}

function bound(text: string) {
  if (text.length > MAX_CHARS) throw TOO_LARGE;
}
