// Hand-written checks of JavaScript values for accept.ts, which is generated. Each accepts any value, and throws if
// reading the value throws.

import { encoder } from "../core/encoders.js";

const { getPrototypeOf, prototype } = Object;
const HALF = /\p{Surrogate}/u;

/**
 * Returns whether the value is a plain object: its prototype is `Object.prototype`, of this or another realm, or null.
 */
export function plain(value: object) {
  const parent = getPrototypeOf(value);
  return (parent === prototype || parent === null || getPrototypeOf(parent) === null) && !Array.isArray(value);
}

/** Returns whether the value is a plain object that inherits from this realm's `Object.prototype` or from nothing. */
export function data(value: object) {
  const parent = getPrototypeOf(value);
  return (parent === prototype || parent === null) && !Array.isArray(value);
}

/** Returns whether the value is a `Uint8Array` of any realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === "Uint8Array";
}

/** Returns whether the value is a string without U+0000 and lone surrogates (D7). */
export function text(value: unknown): value is string {
  if (typeof value !== "string") return false;
  // For a few characters this is faster than a call of the engine.
  if (value.length < 8) {
    let at = 0;
    while (at < value.length && usual(value.charCodeAt(at))) at++;
    if (at === value.length) return true;
  }
  return whole(value) && !value.includes("\0");
}

const usual = (unit: number) => unit !== 0 && (unit & 0xf800) !== 0xd800;

/** Returns whether a string has no lone surrogates. */
export const whole: (string: string) => boolean =
  "".isWellFormed === undefined ? (string) => !HALF.test(string) : (string) => string.isWellFormed();

/**
 * Returns whether the value is a string that may be a key with at most `bytes` bytes. IDs have the same rule for
 * characters (D3).
 */
export function name(value: unknown, bytes: number): value is string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") return false;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return false;
    if ((unit & 0xf800) === 0xd800 && !whole(value)) return false;
  }
  return value.length * 3 <= bytes || (value.length <= bytes && encoder.encode(value).length <= bytes);
}

/** Returns whether the value is an existing time as `YYYY-MM-DDThh:mm:ss.mmmZ` (D6). */
export function dateTime(value: unknown): value is string {
  if (typeof value !== "string" || value.length !== 24) return false;
  const century = two(value, 0);
  const year = century * 100 + two(value, 2);
  const month = two(value, 5);
  const day = two(value, 8);
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= days(year, month) &&
    two(value, 11) <= 23 &&
    two(value, 14) <= 59 &&
    two(value, 17) <= 59 &&
    two(value, 20) <= 99 &&
    two(value, 21) <= 99 &&
    value[4] === "-" &&
    value[7] === "-" &&
    value[10] === "T" &&
    value[13] === ":" &&
    value[16] === ":" &&
    value[19] === "." &&
    value[23] === "Z"
  );
}

/** Returns the two digits at an index as a number. Returns `NaN`, which is in no range, for other characters. */
function two(string: string, at: number) {
  const tens = string.charCodeAt(at) - 48;
  const ones = string.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

function days(year: number, month: number) {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The own fields by name (set-fields.ts), and by the update action that sets one. */
export const ownTypes: { [name: string]: { accepts?: (value: any) => boolean } } = /* @__PURE__ */ Object.create(null);
export const ownActions: { [action: string]: string } = /* @__PURE__ */ Object.create(null);

/** Returns whether the member is an own field with a valid value. */
export function isOwn(name: string, member: unknown) {
  const type = ownTypes[name];
  return type !== undefined && (member === null || type.accepts?.(member) === true);
}

/** Returns whether a plain object is the update action of an own field. */
export function isOwnAction(value: any) {
  const { action } = value;
  const name = typeof action === "string" ? ownActions[action] : undefined;
  if (name === undefined) return false;
  for (const key in value) {
    const member = value[key];
    if (key !== "action" && member !== undefined && !(key === name && isOwn(name, member))) return false;
  }
  return true;
}

/** Returns whether no item of an array of numbers occurs twice. */
export function unique(items: readonly number[]) {
  let rising = true;
  for (let at = 1; at < items.length && rising; at++) rising = items[at - 1] < items[at];
  if (rising) return true;
  if (items.length > 16) return new Set(items).size === items.length;
  for (let at = 1; at < items.length; at++) {
    for (let before = 0; before < at; before++) if (items[before] === items[at]) return false;
  }
  return true;
}
