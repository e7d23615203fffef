// Objects written down for the WebAssembly to say what is wrong with them: JSON as `JSON.stringify` would write it, but
// that nothing is lost without a word. What JSON cannot hold becomes a character of `foreign`, and shows up as an issue
// where it stands. What is valid is left out, or has a short stand-in where something must stand.

import { BODY_BYTES, clean, DEPTH, foreign, unknownType } from "./accept.js";
import { plain } from "./value.js";

const WORD = /^\w+$/;
const TOO_LARGE = {};
// The size of an object is not judged, but this ends somewhere; no body comes near.
const MOST = 8 * BODY_BYTES;

/** Stands for what throws when it is read. */
export const UNREADABLE = () => {};

let trusted;

/** The text of a value of a type; `undefined` where it is far longer than any body may be. */
export function write(value, type) {
  trusted = clean();
  try {
    return any(value, type, 0);
  } catch (thrown) {
    // Whatever the value throws is caught where it is read.
    if (thrown === TOO_LARGE) return undefined;
    throw thrown;
  }
}

function any(value, type, depth) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : foreign[String(value)];
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : object(value, type, depth);
    case "undefined":
      return foreign.undefined;
    case "function":
      return foreign[value === UNREADABLE ? "a value that cannot be read" : "a function"];
    default:
      return foreign[`a ${typeof value}`];
  }
}

function object(value, type, depth) {
  try {
    if (Array.isArray(value)) return items(value, (!type.unique && type.items) || unknownType, depth);
    if (plain(value)) return members(value, shapeOf(value, type), depth);
    return foreign[value instanceof Date ? "a Date" : "an instance of a class"];
  } catch (thrown) {
    if (thrown === TOO_LARGE) throw thrown;
    return foreign["a value that cannot be read"];
  }
}

/** The fields of an object of a type, and which are required; those of no type where that is not known. */
function shapeOf(value, type) {
  if (type.variants === undefined) return type;
  const name = read(value, type.tag);
  return (typeof name === "string" && type.variants[name]) || unknownType;
}

// What lies deeper than any body goes stands where nothing is known, and its inside is never spoken of: so cycles end.

function items(value, type, depth) {
  if (depth === DEPTH) return "[]";
  let out = "[";
  for (let at = 0; at < value.length; at++) {
    const item = read(value, at);
    out += (at === 0 ? "" : ",") + (accepted(type, item) ? type.standIn : any(item, type, depth + 1));
    bound(out);
  }
  return out + "]";
}

function members(value, { fields, required }, depth) {
  if (depth === DEPTH) return "{}";
  let out = "";
  for (const name of Object.keys(value)) {
    const member = read(value, name);
    if (member === undefined) continue;
    const type = fields?.[name] ?? unknownType;
    const valid = accepted(type, member);
    if ((valid || member === null) && type !== unknownType && !required.includes(name)) continue;
    const text = valid ? type.standIn : any(member, type, depth + 1);
    out += `${out === "" ? "" : ","}${WORD.test(name) ? `"${name}"` : JSON.stringify(name)}:${text}`;
    bound(out);
  }
  return `{${out}}`;
}

function accepted(type, value) {
  try {
    return trusted && type.accepts?.(value) === true;
  } catch {
    return false;
  }
}

/** A member; a thing that no field takes where it cannot be read. */
function read(value, name) {
  try {
    return value[name];
  } catch {
    return UNREADABLE;
  }
}

function bound(text) {
  if (text.length > MOST) throw TOO_LARGE;
}
