// What a caller gives, as text: bodies, parameters, headers, predicates.

import { BODY_BYTES } from "./accept.js";
import { ResourceError } from "./errors.js";
import { families } from "./operations.js";
import { validate } from "./validate.js";
import { text as isText } from "./value.js";

// The headers that the client sets itself.
const OWN_HEADERS = /^(authorization|content-type|idempotency-key|resource-min-revision)$/i;

/** A body as it is sent; thrown where it is not valid. */
export function written(kind, body) {
  const result = validate(kind, body);
  if (result.valid) return typeof body === "object" && !ArrayBuffer.isView(body) ? sized(JSON.stringify(body)) : body;
  const { issues } = result;
  const errors = issues.map(({ path, pointer, ...issue }) => ({ ...issue, path: pointer }));
  throw new ResourceError("invalid", issues[0]?.message ?? "The body is not valid.", { code: issues[0]?.code, errors, issues });
}

/** The text, where it is not larger than any body may be. */
function sized(text) {
  const fits = text.length * 3 <= BODY_BYTES || (text.length <= BODY_BYTES && new TextEncoder().encode(text).length <= BODY_BYTES);
  if (fits) return text;
  const [code, message] = ["ContentTooLarge", `The body is too large: at most ${BODY_BYTES} bytes are taken.`];
  throw new ResourceError("invalid", message, { code, errors: [{ code, message }] });
}

/** Appends the pairs that an object of parameters or headers stands for. */
export function pairs(parts, object) {
  for (const name in object) {
    const value = object[name];
    if (families.includes(name) && typeof value === "object") {
      for (const open in value) pair(parts, `${name}.${open}`, value[open]);
    } else pair(parts, name, value);
  }
  return parts;
}

export function headerPairs(headers) {
  for (const name in headers) {
    if (OWN_HEADERS.test(name)) throw new ResourceError("invalid", `headers: ${name} is the client's own.`);
  }
  return pairs([], headers);
}

/** The headers of the client and those of a call, which replace them whatever their letters. */
export function joined(ours, theirs) {
  const named = new Map();
  for (const pairs of [ours, theirs]) {
    for (let at = 0; at < pairs.length; at += 2) named.set(pairs[at].toLowerCase(), [pairs[at], pairs[at + 1]]);
  }
  return [...named.values()].flat();
}

function pair(parts, name, value) {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const one of value) pair(parts, name, one);
  else parts.push(word(name || "A name", name || undefined), word(name, value));
}

/** A value as text without U+0000 and half surrogate pairs, which nothing can carry. */
export function word(name, value) {
  switch (typeof value) {
    case "string":
      if (isText(value)) return value;
      break;
    case "number":
      if (Number.isFinite(value)) return String(value);
      break;
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      try {
        if (value !== null) return value instanceof Date ? value.toISOString() : JSON.stringify(value);
      } catch {
        // No moment, or a circle.
      }
  }
  throw new ResourceError("invalid", `${name}: a ${typeof value} that cannot be sent.`);
}

/** A predicate whose interpolated values are written as literals. */
export function predicate({ raw }, ...values) {
  return raw.reduce((text, next, at) => text + literal(values[at - 1]) + next);
}

function literal(value) {
  if (Array.isArray(value) && value.length > 0) return `(${value.map(scalar).join(", ")})`;
  return scalar(value);
}

function scalar(value) {
  if (typeof value === "string" || (value instanceof Date && !Number.isNaN(value.getTime()))) return JSON.stringify(value);
  if (typeof value === "boolean" || typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError("A predicate takes strings, finite numbers, booleans, dates, and lists of them.");
}
