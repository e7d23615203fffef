// Objects written down for the WebAssembly: JSON as `JSON.stringify` would write it, but that nothing is lost without a
// word. What JSON cannot hold becomes a character of `foreign`, and shows up as an issue where it stands.

import { BODY_BYTES, DEPTH, foreign } from "./accept.js";
import { plain } from "./value.js";

const WORD = /^\w+$/;
const TOO_LARGE = {};

/** The text of a value; `undefined` where it is longer than any body may be. */
export function write(value) {
  try {
    return any(value, 0);
  } catch (thrown) {
    // Whatever the value throws is caught where it is read.
    if (thrown === TOO_LARGE) return undefined;
    throw thrown;
  }
}

function any(value, depth) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : foreign[String(value)];
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : object(value, depth);
    case "undefined":
      return foreign.undefined;
    default:
      return foreign[`a ${typeof value}`];
  }
}

function object(value, depth) {
  try {
    if (Array.isArray(value)) return items(value, depth);
    if (plain(value)) return members(value, depth);
    return foreign[value instanceof Date ? "a Date" : "an instance of a class"];
  } catch (thrown) {
    if (thrown === TOO_LARGE) throw thrown;
    return foreign["a value that cannot be read"];
  }
}

// What lies deeper than any body goes stands where nothing is known, and its inside is never spoken of: so cycles end.

function items(value, depth) {
  if (depth === DEPTH) return "[]";
  let out = "[";
  for (let at = 0; at < value.length; at++) {
    out += (at === 0 ? "" : ",") + read(value, at, depth);
    bound(out);
  }
  return out + "]";
}

function members(value, depth) {
  if (depth === DEPTH) return "{}";
  let out = "";
  for (const name of Object.keys(value)) {
    const member = read(value, name, depth);
    if (member === foreign.undefined) continue;
    out += `${out === "" ? "" : ","}${WORD.test(name) ? `"${name}"` : JSON.stringify(name)}:${member}`;
    bound(out);
  }
  return `{${out}}`;
}

function read(value, name, depth) {
  let member;
  try {
    member = value[name];
  } catch {
    return foreign["a value that cannot be read"];
  }
  return any(member, depth + 1);
}

function bound(text) {
  if (text.length > BODY_BYTES) throw TOO_LARGE;
}
