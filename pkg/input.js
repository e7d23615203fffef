// The caller's input as text: bodies, parameters, headers.

import { ResourceError } from "./errors.js";
import { families } from "./operations.js";
import { escapeHalves, validate } from "./validate.js";
import { isBytes, text as isText } from "./value.js";

// The headers that the client sets itself.
const OWN_HEADERS = /^(authorization|content-type|idempotency-key|resource-min-revision)$/i;

/** Validates a body and returns exactly what was validated, as it is sent. */
export function serializeBody(kind, body) {
  let content = body;
  // The caller may change its bytes while the call waits.
  if (isBytes(body) && body.length > 0) content = new Uint8Array(body);
  if (typeof body === "string") content = escapeHalves(body);
  let result = validate(kind, content);
  if (result.valid && content === body && typeof body === "object") {
    content = JSON.stringify(body);
    // A `toJSON` or a getter may write something else than what was read.
    result = validate(kind, content);
  }
  if (result.valid) return content;
  const { issues } = result;
  const errors = issues.map(({ path, pointer, ...issue }) => ({ ...issue, path: pointer }));
  throw new ResourceError("invalid", issues[0].message, { code: issues[0].code, errors, issues });
}

/** Appends the names and values in an object of parameters or headers. */
export function appendPairs(pairs, object) {
  for (const name in object) {
    const value = object[name];
    if (families.includes(name) && typeof value === "object") {
      for (const open in value) appendPair(pairs, `${name}.${open}`, value[open]);
    } else appendPair(pairs, name, value);
  }
  return pairs;
}

/** Checks the headers of a caller and returns their names and values. */
export function headerPairs(headers) {
  for (const name in headers) {
    if (OWN_HEADERS.test(name)) throw new ResourceError("invalid", `headers: ${name} is the client's own.`);
  }
  return appendPairs([], headers);
}

/** Merges the headers of the client with those of a call, which replace them; the case of a name does not matter. */
export function mergeHeaders(ours, theirs) {
  const named = new Map();
  for (const pairs of [ours, theirs]) {
    for (let at = 0; at < pairs.length; at += 2) named.set(pairs[at].toLowerCase(), [pairs[at], pairs[at + 1]]);
  }
  return [...named.values()].flat();
}

function appendPair(pairs, name, value) {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const one of value) appendPair(pairs, name, one);
  else pairs.push(toText(name || "A name", name || undefined), toText(name, value));
}

/** Converts a value to text. Rejects U+0000 and lone surrogates. */
export function toText(name, value) {
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
        // An invalid date, or a cycle.
      }
  }
  throw new ResourceError("invalid", `${name}: a ${typeof value} that cannot be sent.`);
}
