// Parses JSON that may be invalid, and converts JSON Pointers.

/** @import { Path } from "./schema.js" */

/**
 * Returns the value of a JSON text, or `undefined` if it is not JSON.
 * @param {string} text
 * @returns {any}
 */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the object of a JSON text, or `undefined` for any other text.
 * @param {string} text
 * @returns {{ [name: string]: unknown } | undefined}
 */
export function parseObject(text) {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

/**
 * Returns the JSON Pointer of a path.
 * @param {Path} path
 */
export const pointerOf = (path) =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/**
 * Returns the path of a JSON Pointer. Indexes remain texts.
 * @param {string} pointer
 * @returns {Path}
 */
export const pathOf = (pointer) =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
