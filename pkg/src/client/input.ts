// The caller's input as text: bodies, parameters, headers.

import type { HeadersInput } from "./options.js";
import { ResourceError, wrongInput, wrongOption } from "./errors.js";
import { families, objects } from "../generated/operations.js";
import { serializeValid } from "../validate/validate.js";
import { text as isText } from "../validate/checks.js";

// The headers that the client sets itself.
const OWN_HEADERS = /^(authorization|content-type|idempotency-key|resource-min-revision)$/i;

/**
 * Validates a body by a kind of body of a shape: both by their numbers in the WebAssembly. Returns the validated JSON
 * text, which the caller sends unchanged.
 */
export function serializeBody(shape: number, kind: number, body: unknown) {
  if (typeof body === "string" || ArrayBuffer.isView(body)) throw wrongOption("The body must be an object.");
  const result = serializeValid(shape, kind, body);
  if (typeof result === "string") return result;
  const { issues } = result;
  const errors = issues.map(({ path, pointer, ...issue }) => ({ ...issue, path: pointer }));
  throw ResourceError.of("invalid", issues[0].message, { code: issues[0].code, errors, issues });
}

/** Returns the names and values in an object of parameters. */
export function parameterPairs(params: object | null | undefined) {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(params ?? {})) {
    if (!families.includes(name) || value == null) appendPair(pairs, name, value);
    else if (typeof value !== "object" || Array.isArray(value)) {
      const example = name === "text" ? '{ en: "red" }' : "{ name: value }";
      throw wrongInput("parameter", name, `expected an object such as ${example}, found ${describe(value)}`);
    } else for (const open in value) appendPair(pairs, `${name}.${open}`, value[open]);
  }
  return pairs;
}

/** Checks a caller's headers, in any form that `fetch` accepts. Returns them by their names in lower case. */
export function namedHeaders(headers: HeadersInput | null | undefined) {
  const named = new Map<string, [name: string, value: string]>();
  const given: any = headers ?? {};
  for (const [name, value] of given[Symbol.iterator] ? given : Object.entries(given)) {
    if (OWN_HEADERS.test(name)) throw wrongInput("header", name, "the client sets this header");
    const pairs: string[] = [];
    appendPair(pairs, name, value);
    const lower = `${name}`.toLowerCase();
    for (let at = 1; at < pairs.length; at += 2)
      named.set(lower, [pairs[0], named.has(lower) ? `${named.get(lower)?.[1]}, ${pairs[at]}` : pairs[at]]);
  }
  return named;
}

function appendPair(pairs: string[], name: string, value: unknown) {
  if (value === undefined || value === null) return;
  if (Array.isArray(value) && !objects.includes(name)) for (const one of value) appendPair(pairs, name, one);
  else pairs.push(toText(name || "A name", name || undefined), toText(name, value));
}

/** Converts a value to text. Rejects U+0000 and lone surrogates. */
export function toText(name: string, value: unknown) {
  let found = describe(value);
  switch (typeof value) {
    case "string":
      if (isText(value)) return value;
      found = "U+0000 or half a surrogate pair";
      break;
    case "number":
      if (Number.isFinite(value)) return String(value);
      found = `${value}`;
      break;
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      try {
        if (value instanceof Date) return value.toISOString();
        if (value !== null && objects.includes(name)) return JSON.stringify(value);
      } catch {
        // An invalid date, or a cycle.
      }
  }
  throw wrongInput("parameter", name, `expected a text or a number, found ${found}`);
}

/**
 * Throws the error of a change that removes a value which no write removes: the service would keep it (D11, D38). Null
 * removes the other values of a declared resource.
 */
export function checkRemovals(changes: object, current: object, isDeclared: boolean) {
  const keeps = (name: string) => (isDeclared ? name === "key" : name !== "lastModifiedBy");
  for (const [name, value] of Object.entries(changes)) {
    if (value !== null || !keeps(name) || ((current as any)[name] ?? null) === null) continue;
    const message = `The value of '${name}' cannot be removed. Expected another value.`;
    const code = "InvalidField";
    throw ResourceError.of("invalid", message, { code, errors: [{ code, message, path: `/${name}` }] });
  }
}

/** Returns what a value is, for a message. */
export function describe(value: unknown) {
  if (value == null) return String(value);
  return Array.isArray(value) ? "an array" : `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

/** Returns 128 random bits as text. `randomUUID` is missing in pages that are not served securely. */
export function randomKey() {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
