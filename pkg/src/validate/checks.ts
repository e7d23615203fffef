// Checks of single JavaScript values. Each accepts any value, and throws if reading the value throws.

const { getPrototypeOf, prototype } = Object;
const HALF = /\p{Surrogate}/u;

/**
 * Returns whether the value is a plain object: its prototype is `Object.prototype`, of this or another realm, or null.
 */
export function plain(value: object) {
  const parent = getPrototypeOf(value);
  return (parent === prototype || parent === null || getPrototypeOf(parent) === null) && !Array.isArray(value);
}

/** Returns whether the value is a `Uint8Array` of any realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === "Uint8Array";
}

/** Returns whether the value is a string without U+0000 and lone surrogates (D7). */
export function text(value: unknown): value is string {
  return typeof value === "string" && whole(value) && !value.includes("\0");
}

/** Returns whether a string has no lone surrogates. */
export const whole: (string: string) => boolean =
  "".isWellFormed === undefined ? (string) => !HALF.test(string) : (string) => string.isWellFormed();
