// Serializes objects so that the WebAssembly finds their issues. The JSON is like that of `JSON.stringify`, but loses
// nothing silently: a value that JSON cannot represent becomes a character of `foreign`, which is an issue at its
// place. Valid values are left out, or replaced by a short valid value if one is required there.

import { BODY_BYTES, clean, DEPTH, foreign, unknownType, type Type, type Shape } from "../generated/accept.js";
import { plain } from "./checks.js";

const WORD = /^\w+$/;
const TOO_LARGE = {};
// Objects have no size limit, but the serialization has one. No body is nearly as large.
const MAX_CHARS = 8 * BODY_BYTES;

const characters: { readonly [kind: string]: string } = foreign;

/** Replaces a value that throws when it is read. */
export const UNREADABLE = () => {};

let trusted: boolean;

/** Returns the text of a value of a type, or `undefined` if it is far longer than any body. */
export function write(value: unknown, type: Type) {
  trusted = clean();
  try {
    return any(value, type, 0);
  } catch (thrown) {
    // `read` catches everything that the value throws.
    if (thrown === TOO_LARGE) return undefined;
    throw thrown;
  }
}

function any(value: unknown, type: Type, depth: number): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : characters[String(value)];
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : object(value, type, depth);
    case "undefined":
      return foreign.undefined;
    case "function":
      return foreign[value === UNREADABLE ? "a value that cannot be read" : "a function"];
    default:
      return characters[`a ${typeof value}`];
  }
}

function object(value: object, type: Type, depth: number) {
  try {
    if (Array.isArray(value)) return items(value, (!type.unique && type.items) || unknownType, depth);
    if (plain(value)) return members(value, shapeOf(value, type), depth);
    return foreign[value instanceof Date ? "a Date" : "an instance of a class"];
  } catch (thrown) {
    if (thrown === TOO_LARGE) throw thrown;
    return foreign["a value that cannot be read"];
  }
}

/**
 * Returns the fields of an object of a type, and which are required. Returns those of `unknownType` if the type is
 * unknown.
 */
function shapeOf(value: object, type: Type): Shape {
  if (type.variants === undefined || type.tag === undefined) return type;
  const name = read(value, type.tag);
  return (typeof name === "string" && type.variants[name]) || unknownType;
}

// Below the maximum depth the contents are not serialized: they are inside unknown fields, so no issue is about them.
// This also ends cycles.

function items(value: readonly unknown[], type: Type, depth: number) {
  if (depth === DEPTH) return "[]";
  let out = "[";
  for (let at = 0; at < value.length; at++) {
    const item = read(value, at);
    out += (at === 0 ? "" : ",") + (isAccepted(type, item) ? type.standIn : any(item, type, depth + 1));
    bound(out);
  }
  return out + "]";
}

function members(value: object, { fields, required = [] }: Shape, depth: number) {
  if (depth === DEPTH) return "{}";
  let out = "";
  for (const name of Object.keys(value)) {
    const member = read(value, name);
    if (member === undefined) continue;
    const type = fields?.[name] ?? unknownType;
    const valid = isAccepted(type, member);
    if ((valid || member === null) && type !== unknownType && !required.includes(name)) continue;
    const text = valid ? type.standIn : any(member, type, depth + 1);
    out += `${out === "" ? "" : ","}${WORD.test(name) ? `"${name}"` : JSON.stringify(name)}:${text}`;
    bound(out);
  }
  return `{${out}}`;
}

function isAccepted(type: Type, value: unknown) {
  try {
    return trusted && type.accepts?.(value) === true;
  } catch {
    return false;
  }
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
