// Parses JSON that may be invalid, and converts JSON Pointers.

import type { Path } from "./schema.js";

/** Returns the value of a JSON text, or `undefined` if it is not JSON. Nothing checks that it is a `Value`. */
export function parseJson<Value = unknown>(text: string): Value | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the object of a JSON text, or `undefined` for any other text. */
export function parseObject(text: string): { [name: string]: unknown } | undefined {
  const value = parseJson<{ [name: string]: unknown }>(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Returns the JSON Pointer of a path. */
export const pointerOf = (path: Path) =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Returns the path of a JSON Pointer. What has only digits is an index: no field has such a name. */
export const pathOf = (pointer: string): Path =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll("~1", "/").replaceAll("~0", "~")));
