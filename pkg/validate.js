// Validation. Bytes and text are judged in one pass by the WebAssembly. Objects are accepted by JavaScript made from the
// same schema (accept.js); one that is not accepted is written down (write.js) and the WebAssembly says what is wrong.

import { accepts, BODY_BYTES, clean, kinds, numberOf, types } from "./accept.js";
import { bytes, core, put, reserve } from "./core.js";
import { issuesAt, moreAt } from "./issues.js";
import { whole } from "./value.js";
import { write } from "./write.js";

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const HALF = /\p{Surrogate}/gu;
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Judges an object, a JSON text or its bytes by the rules of a kind of body. */
export function validate(kind, input) {
  const number = numberOf(kind);
  if (number < 0) throw new TypeError(`Unknown kind of body '${String(kind)}': expected one of ${kinds.join(", ")}.`);
  const wasm = core();
  if (typeof input === "string") return judgeText(wasm, number, input);
  if (ArrayBuffer.isView(input) && input[Symbol.toStringTag] === "Uint8Array") return judgeBytes(wasm, number, input);
  return judgeObject(wasm, number, input);
}

/** A Standard Schema (https://standardschema.dev) of a kind of body; it takes objects. */
function standard(kind) {
  const number = numberOf(kind);
  return {
    "~standard": {
      version: 1,
      vendor: "resource-edge",
      validate(value) {
        const result = judgeObject(core(), number, value);
        return result.valid ? { value } : { issues: result.issues };
      },
    },
  };
}

export const resourceDraft = /* @__PURE__ */ standard("resourceDraft");
export const resourceOverwrite = /* @__PURE__ */ standard("resourceOverwrite");
export const resourceUpdate = /* @__PURE__ */ standard("resourceUpdate");
export const complexBody = /* @__PURE__ */ standard("complexBody");

function judgeObject(wasm, number, value) {
  try {
    if (clean() && accepts[number](value)) return { valid: true, value };
  } catch {
    // Reading it threw: the writing finds out where.
  }
  const written = place(write(value, types[number]));
  const answer = written < 0 ? wasm.too_large() : wasm.explain(number, written, true);
  return answer === 0 ? { valid: true, value } : refused(answer);
}

function judgeBytes(wasm, number, body) {
  const length = placeBytes(body);
  if (length < 0) return refused(wasm.too_large());
  return wasm.judge(number, length) ? new Valid(number, body) : new Invalid(number, body);
}

function judgeText(wasm, number, text) {
  const length = placeText(text);
  if (length < 0) return refused(wasm.too_large());
  return wasm.judge(number, length) ? new Valid(number, text) : new Invalid(number, text);
}

/** Writes bytes into the buffer of the WebAssembly and returns their number; -1 if no body has so many. */
function placeBytes(body) {
  if (body.length > BODY_BYTES) return -1;
  const address = reserve(body.length);
  bytes().set(body, address);
  return body.length;
}

/** The same for a JSON text. */
function placeText(text) {
  const length = place(text);
  // Half a surrogate pair has no bytes; escaped it means the same.
  if (length === text.length || length < 0 || whole(text)) return length;
  return place(text.replace(HALF, (half) => `\\u${half.charCodeAt(0).toString(16)}`));
}

/** The same for any text; it may be `undefined`, as too long. */
function place(text) {
  if (text === undefined || text.length > BODY_BYTES) return -1;
  const written = put(text);
  return written > BODY_BYTES ? -1 : written;
}

/** The result with the issues that lie at an address. */
function refused(address) {
  const more = moreAt(address);
  const issues = issuesAt(address);
  return more > 0 ? { valid: false, issues, more } : { valid: false, issues };
}

/**
 * What Valid and Invalid keep to answer later: a text, or bytes. A copy of bytes would cost more than judging them twice,
 * so they are judged again then, in case that they have changed.
 */
class Judged {
  #number;
  #source;
  #answer;

  constructor(number, source) {
    this.valid = this.constructor === Valid;
    this.#number = number;
    this.#source = source;
  }

  /** The answer that `make` gives of the body's number and source, made once. */
  answer(make) {
    if (this.#source !== undefined) {
      this.#answer = make(this.#number, this.#source);
      this.#source = undefined;
    }
    return this.#answer;
  }

  [INSPECT]() {
    return this.toJSON();
  }
}

/** The result for a valid text, or for its bytes: they are parsed when the value is first asked for. */
class Valid extends Judged {
  get value() {
    return this.answer(valueOf);
  }

  toJSON() {
    return { valid: true, value: this.value };
  }
}

/** The result for a text that is not valid, or for its bytes: the issues are found when they are first asked for. */
class Invalid extends Judged {
  get issues() {
    return this.answer(explained).issues;
  }

  get more() {
    return this.answer(explained).more;
  }

  toJSON() {
    return this.answer(explained);
  }
}

function valueOf(number, source) {
  if (typeof source === "string") return JSON.parse(source);
  const wasm = core();
  const length = placeBytes(source);
  if (length < 0 || !wasm.judge(number, length)) throw changed();
  // What was judged is what is parsed: the bytes in the buffer there.
  const address = reserve(length);
  return JSON.parse(decoder.decode(bytes().subarray(address, address + length)));
}

function explained(number, source) {
  const wasm = core();
  const length = typeof source === "string" ? placeText(source) : placeBytes(source);
  const answer = length < 0 ? 0 : wasm.explain(number, length, false);
  if (answer === 0) throw changed();
  return refused(answer);
}

function changed() {
  return new Error("The bytes were changed after they were validated.");
}
