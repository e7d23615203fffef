// Validation. The WebAssembly validates bytes and text in one pass. JavaScript that is generated from the same schema
// (accept.js) validates objects. An object that it does not accept is serialized (write.js), and the WebAssembly finds
// its issues.

import { accepts, BODY_BYTES, clean, kinds, numberOf, types } from "./generated/accept.js";
import { bytes, core, put, reserve, readReserved, turn } from "./core.js";
import { issuesAt, moreAt } from "./issues.js";
import { isBytes, whole } from "./value.js";
import { UNREADABLE, write } from "./write.js";

/** @typedef {import("./core.js").Exports} Exports */
/** @typedef {import("./generated/bodies.js").Bodies} Bodies */
/** @typedef {import("./validate.js").Invalid} Invalid */
/** @template Value @typedef {import("./validate.js").Validation<Value>} Validation */

// An escape, or a lone surrogate.
const ESCAPE_OR_HALF = /\\[^]|\p{Surrogate}/gu;
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
// The bits of a verdict (src/bindings/validate.rs).
const VALID = 1;
const MORE = 2;
// The text to explain was written for an object, or is the caller's.
const OF_OBJECT = true;
const OF_TEXT = false;

/**
 * Validates an object, a JSON text, or its bytes by the rules of a kind of body.
 * @param {unknown} kind
 * @param {unknown} input
 */
export function validate(kind, input) {
  const number = numberOf(kind);
  if (number < 0) throw new TypeError(`Unknown kind of body '${String(kind)}': expected one of ${kinds.join(", ")}.`);
  const wasm = core();
  if (typeof input === "string") return validatePlaced(wasm, number, input, placeText(input));
  if (isBytes(input)) return validateBytes(wasm, number, input);
  return validateObject(wasm, number, input);
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
const schema = (kind) => standard((value) => validateObject(core(), numberOf(kind), value));

export const resourceDraft = /* @__PURE__ */ schema("resourceDraft");
export const resourceOverwrite = /* @__PURE__ */ schema("resourceOverwrite");
export const resourceUpdate = /* @__PURE__ */ schema("resourceUpdate");
export const complexBody = /* @__PURE__ */ schema("complexBody");

/**
 * @param {Exports} wasm
 * @param {number} number
 * @param {unknown} value
 * @returns {Validation<any>}
 */
function validateObject(wasm, number, value) {
  try {
    if (clean() && accepts[number](value)) return { valid: true, value };
  } catch {
    // Reading the object threw an error: the serialization finds the place.
  }
  const text = write(value, types[number]);
  const list = text === undefined ? wasm.too_large() : explainObject(wasm, number, text);
  return list === 0 ? { valid: true, value } : readInvalid(list);
}

/**
 * Finds the issues of an object in its text. Returns the address of the issue list, or 0 if there are none.
 * @param {Exports} wasm
 * @param {number} number
 * @param {string} text
 */
export function explainObject(wasm, number, text) {
  return wasm.explain(number, put(text), OF_OBJECT);
}

/**
 * @param {Exports} wasm
 * @param {number} number
 * @param {Uint8Array} body
 * @returns {Validation<any>}
 */
function validateBytes(wasm, number, body) {
  let length;
  try {
    length = placeBytes(body);
  } catch {
    // The buffer of the bytes was transferred.
    return validateObject(wasm, number, UNREADABLE);
  }
  return validatePlaced(wasm, number, body, length);
}

/**
 * Returns the result for a text or bytes in the buffer.
 * @param {Exports} wasm
 * @param {number} number
 * @param {string | Uint8Array} source
 * @param {number} length
 * @returns {Validation<any>}
 */
function validatePlaced(wasm, number, source, length) {
  if (length < 0) return readInvalid(wasm.too_large());
  const result = new LazyResult(number, source, length, wasm.check_body(number, length));
  return /** @type {any} its getters are its members */ (result);
}

/**
 * Writes bytes into the buffer of the WebAssembly. Returns their number, or -1 if they are too many for a body.
 * @param {Uint8Array} body
 */
function placeBytes(body) {
  if (body.length > BODY_BYTES) return -1;
  const address = reserve(body.length);
  bytes().set(body, address);
  return body.length;
}

/**
 * Writes a JSON text into the buffer. Returns its length in bytes, or -1 if it is too long for a body.
 * @param {string} text
 */
function placeText(text) {
  if (text.length > BODY_BYTES) return -1;
  let length = put(text);
  if (length !== text.length && !whole(text)) length = put(escapeHalves(text));
  return length > BODY_BYTES ? -1 : length;
}

/**
 * Escapes the lone surrogates of a JSON text, because they have no UTF-8 encoding. The meaning is the same.
 * @param {string} text
 */
function escapeHalves(text) {
  return text.replace(ESCAPE_OR_HALF, (part) => (part.length > 1 ? part : `\\u${part.charCodeAt(0).toString(16)}`));
}

/**
 * Returns the result with the issue list at an address.
 * @param {number} address
 * @returns {Invalid}
 */
export function readInvalid(address) {
  const more = moreAt(address);
  const issues = issuesAt(address);
  return more > 0 ? { valid: false, issues, more } : { valid: false, issues };
}

/**
 * The result for a text or for bytes. The value and the issues are created when they are first read. They are own
 * getters, so that copies have them too.
 */
class LazyResult {
  #number;
  /** @type {string | Uint8Array | undefined} */
  #source;
  #length;
  #verdict;
  #turn = turn;
  /** @type {{ first: unknown, more?: number } | undefined} */
  #created;

  /**
   * @param {number} number
   * @param {string | Uint8Array} source
   * @param {number} length
   * @param {number} verdict
   */
  constructor(number, source, length, verdict) {
    this.valid = (verdict & VALID) !== 0;
    this.#number = number;
    this.#source = source;
    this.#length = length;
    this.#verdict = verdict;
    // This is twice as fast as `Object.defineProperty`.
    this.__defineGetter__(this.valid ? "value" : "issues", LazyResult.#first);
    if (verdict & MORE) this.__defineGetter__("more", LazyResult.#more);
  }

  /** @this {LazyResult} */
  static #first() {
    return this.#create()?.first;
  }

  /** @this {LazyResult} */
  static #more() {
    return this.#create()?.more;
  }

  /** Creates the value or the issues when they are first read, once. */
  #create() {
    if (this.#source !== undefined) {
      if (turn !== this.#turn) this.#placeAgain();
      this.#created = this.valid ? { first: JSON.parse(this.#text()) } : explainText(this.#number, this.#length);
      this.#source = undefined;
    }
    return this.#created;
  }

  /**
   * Writes the source into the buffer again, after other data replaced it. A copy of the bytes would have cost more.
   */
  #placeAgain() {
    const length = typeof this.#source === "object" ? placeBytes(this.#source) : placeText(this.#source ?? "");
    if (length !== this.#length || core().check_body(this.#number, length) !== this.#verdict) {
      throw new Error("The bytes were changed after they were validated.");
    }
  }

  #text() {
    return typeof this.#source === "string" ? this.#source : readReserved(this.#length);
  }

  [INSPECT]() {
    return { ...this };
  }
}

/**
 * Finds the issues of a text or of bytes in the buffer.
 * @param {number} number
 * @param {number} length
 */
function explainText(number, length) {
  const { issues, more } = readInvalid(core().explain(number, length, OF_TEXT));
  return { first: issues, more };
}
