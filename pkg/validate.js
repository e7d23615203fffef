// Validation. The WebAssembly validates bytes and text in one pass. JavaScript that is generated from the same schema
// (accept.js) validates objects. An object that it does not accept is serialized (write.js), and the WebAssembly finds
// its issues.

import { accepts, BODY_BYTES, clean, kinds, numberOf, types } from "./generated/accept.js";
import { bytes, core, put, readReserved, reserve } from "./core.js";
import { isBytes, whole } from "./value.js";
import { invalid, too_large } from "./wasm/resource_edge.js";
import { UNREADABLE, write } from "./write.js";

/** @typedef {import("./generated/bodies.js").Bodies} Bodies */
/** @typedef {import("./validate.js").Invalid} Invalid */
/** @template Value @typedef {import("./validate.js").Validation<Value>} Validation */

// An escape, or a lone surrogate.
const ESCAPE_OR_HALF = /\\[^]|\p{Surrogate}/gu;

/**
 * Validates an object, a JSON text, or its bytes by the rules of a kind of body.
 * @param {unknown} kind
 * @param {unknown} input
 */
export function validate(kind, input) {
  const number = numberOf(kind);
  if (number < 0) throw new TypeError(`Unknown kind of body '${String(kind)}': expected one of ${kinds.join(", ")}.`);
  if (typeof input === "string") return invalidText(number, input) ?? { valid: true, value: JSON.parse(input) };
  return isBytes(input) ? validateBytes(number, input) : validateObject(number, input);
}

/**
 * Returns a Standard Schema (https://standardschema.dev) of a validation function.
 * @template Value
 * @param {(value: unknown) => Validation<Value>} run
 * @returns {import("./validate.js").Schema<Value>}
 */
export function standard(run) {
  return {
    "~standard": {
      version: 1,
      vendor: "resource-edge",
      /** @param {unknown} value */
      validate(value) {
        const result = run(value);
        return result.valid ? { value: result.value } : { issues: result.issues };
      },
    },
  };
}

/**
 * Returns the schema of a kind of body. It accepts objects.
 * @param {keyof Bodies} kind
 */
const schema = (kind) => standard((value) => validateObject(numberOf(kind), value));

export const resourceDraft = /* @__PURE__ */ schema("resourceDraft");
export const resourceOverwrite = /* @__PURE__ */ schema("resourceOverwrite");
export const resourceUpdate = /* @__PURE__ */ schema("resourceUpdate");
export const complexBody = /* @__PURE__ */ schema("complexBody");

/**
 * @param {number} number
 * @param {unknown} value
 * @returns {Validation<any>}
 */
function validateObject(number, value) {
  // Throws if the WebAssembly has not started, whatever the object is.
  core();
  try {
    if (clean() && accepts[number](value)) return { valid: true, value };
  } catch {
    // Reading the object threw an error: the serialization finds the place.
  }
  return invalidObject(number, write(value, types[number])) ?? { valid: true, value };
}

/**
 * Returns the result for an object that was written as this text, or was too large for that; undefined if it is valid.
 * @param {number} number
 * @param {string | undefined} text
 */
export function invalidObject(number, text) {
  return text === undefined ? parse(too_large()) : parse(invalid(number, put(text), true));
}

/**
 * @param {number} number
 * @param {Uint8Array} body
 * @returns {Validation<any>}
 */
function validateBytes(number, body) {
  const { length } = body;
  if (length > BODY_BYTES) return JSON.parse(too_large());
  const address = reserve(length);
  try {
    bytes().set(body, address);
  } catch {
    // The buffer of the bytes was transferred.
    return validateObject(number, UNREADABLE);
  }
  return parse(invalid(number, length, false)) ?? { valid: true, value: JSON.parse(readReserved(length)) };
}

/**
 * Returns the result for a JSON text; undefined if it is valid.
 * @param {number} number
 * @param {string} text
 */
export function invalidText(number, text) {
  if (text.length > BODY_BYTES) return parse(too_large());
  let length = put(text);
  if (length !== text.length && !whole(text)) length = put(escapeHalves(text));
  return parse(length > BODY_BYTES ? too_large() : invalid(number, length, false));
}

/**
 * Escapes the lone surrogates of a JSON text, because they have no UTF-8 encoding. The meaning is the same.
 * @param {string} text
 */
function escapeHalves(text) {
  return text.replace(ESCAPE_OR_HALF, (part) => (part.length > 1 ? part : `\\u${part.charCodeAt(0).toString(16)}`));
}

/**
 * @param {string | undefined} json from the WebAssembly
 * @returns {Invalid | undefined}
 */
const parse = (json) => (json === undefined ? undefined : JSON.parse(json));
