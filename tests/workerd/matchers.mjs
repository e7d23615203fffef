// Compares JSON with the expectation of a case (tests/cases/README.md, Matchers).

import { readFileSync } from "node:fs";

const { Resource } = JSON.parse(readFileSync(new URL("../repository/openapi/openapi.json", import.meta.url), "utf8"))
  .components.schemas;
/** The arrays that a team has added to the resource. Cases do not name them, and they are empty there. */
export const ADDED_ARRAYS = Object.keys(Resource.properties).filter((name) =>
  [Resource.properties[name].type].flat().includes("array"),
);
const isAdded = (name, found) => ADDED_ARRAYS.includes(name) && Array.isArray(found) && found.length === 0;

/** Returns where and how `found` differs from `expected`, or undefined if it matches. */
export function mismatch(expected, found, at = "") {
  const fail = (what) => `${at || "/"}: expected ${what}, found ${JSON.stringify(found)?.slice(0, 300)}`;
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return fail(JSON.stringify(expected));
    return first(expected.map((item, index) => mismatch(item, found[index], `${at}/${index}`)));
  }
  if (expected === null || typeof expected !== "object") {
    // JSON does not distinguish 0 from -0.
    return expected === found || (expected === 0 && found === 0) ? undefined : fail(JSON.stringify(expected));
  }
  if (Object.keys(expected).some((name) => name.startsWith("$") && name !== "$partial")) {
    const [name, argument] = Object.entries(expected).find(([name, argument]) => !holds(name, argument, found)) ?? [];
    return name === undefined ? undefined : fail(`${name} ${JSON.stringify(argument)}`);
  }
  if (found === null || typeof found !== "object" || Array.isArray(found)) return fail(JSON.stringify(expected));
  const { $partial: partial, ...members } = expected;
  return first([
    ...Object.entries(members).map(([name, value]) =>
      Object.hasOwn(found, name)
        ? mismatch(value, found[name], `${at}/${name}`)
        : `${at}/${name}: expected ${JSON.stringify(value)}, found nothing`,
    ),
    ...Object.keys(found)
      .filter((name) => !partial && !Object.hasOwn(members, name) && !isAdded(name, found[name]))
      .map((name) => `${at}/${name}: expected nothing, found ${JSON.stringify(found[name])}`),
  ]);
}

const first = (failures) => failures.find((failure) => failure !== undefined);

function holds(name, argument, found) {
  switch (name) {
    case "$any":
      return isA(argument, found);
    case "$like":
      return typeof found === "string" && like(argument, found);
    case "$length":
      return (typeof found === "string" ? [...found].length : found?.length) === argument;
    case "$above":
      return Number(found) > Number(argument);
    case "$list": {
      if (typeof found !== "string") return false;
      const items = new Set(found.split(",").map((item) => item.trim()));
      return items.size === new Set(argument).size && argument.every((item) => items.has(item));
    }
    case "$not":
      return mismatch(argument, found) !== undefined;
    default:
      throw new Error(`unknown matcher ${name}`);
  }
}

function isA(kind, found) {
  switch (kind) {
    case "string":
    case "number":
    case "boolean":
      return typeof found === kind;
    case "integer":
      return Number.isInteger(found);
    case "array":
      return Array.isArray(found);
    case "object":
      return found !== null && typeof found === "object" && !Array.isArray(found);
    case "uuidv7":
      return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(found);
    case "time":
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(found);
    default:
      throw new Error(`unknown kind ${kind}`);
  }
}

/** Returns whether the text matches the pattern, in which `*` means any text. */
function like(pattern, text) {
  const parts = pattern.split("*");
  const last = parts.pop();
  if (parts.length === 0) return last === text;
  if (!text.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (const part of parts.slice(1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
