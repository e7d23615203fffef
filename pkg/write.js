// Objects written down for the WebAssembly to say what is wrong with them: JSON as `JSON.stringify` would write it, but that
// nothing is lost without a word. What JSON cannot hold becomes a character of `foreign`, and shows up as an issue where
// it stands. What is valid is left out, or has a short stand-in where something must stand.

import { BODY_BYTES, DEPTH, foreign } from "./accept.js";
import { plain } from "./value.js";

const WORD = /^\w+$/;
const TOO_LARGE = {};
// A type of which nothing is known.
const UNKNOWN = {};
// Stands for what throws when it is read.
const UNREADABLE = () => {};

/** The text of a value of a type; `undefined` where it is longer than any body may be. */
export function write(value, type) {
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
    if (Array.isArray(value)) return items(value, type.items ?? UNKNOWN, depth);
    if (plain(value)) return members(value, fieldsOf(value, type), depth);
    return foreign[value instanceof Date ? "a Date" : "an instance of a class"];
  } catch (thrown) {
    if (thrown === TOO_LARGE) throw thrown;
    return foreign["a value that cannot be read"];
  }
}

/** The fields that an object of a type may have; `undefined` where that is not known. */
function fieldsOf(value, { fields, variants, tag }) {
  if (variants === undefined) return fields;
  const name = read(value, tag);
  return typeof name === "string" ? variants[name] : undefined;
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

function members(value, fields, depth) {
  if (depth === DEPTH) return "{}";
  let out = "";
  for (const name of Object.keys(value)) {
    const member = read(value, name);
    if (member === undefined) continue;
    const { required, type } = fields?.[name] ?? { required: true, type: UNKNOWN };
    const valid = accepted(type, member);
    if (!required && (valid || member === null)) continue;
    const text = valid ? type.standIn : any(member, type, depth + 1);
    out += `${out === "" ? "" : ","}${WORD.test(name) ? `"${name}"` : JSON.stringify(name)}:${text}`;
    bound(out);
  }
  return `{${out}}`;
}

function accepted(type, value) {
  try {
    return type.accepts !== undefined && type.accepts(value);
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
  if (text.length > BODY_BYTES) throw TOO_LARGE;
}
