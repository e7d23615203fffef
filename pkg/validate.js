// Validation. Bytes and text are judged in one pass by the WebAssembly. Objects are accepted by JavaScript made from the
// same schema (accept.js); one that is not accepted is written down (write.js) and the WebAssembly says what is wrong.

import { accepts, BODY_BYTES, clean, codes, kinds, types } from "./accept.js";
import { bytes, core, words } from "./core.js";
import { whole } from "./value.js";
import { write } from "./write.js";

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();
const HALF = /\p{Surrogate}/gu;
const INDEX = /^\d+$/;
// A length that no part has.
const ABSENT = 0xffffffff;

const numbers = { __proto__: null };
kinds.forEach((kind, number) => (numbers[kind] = number));

/** Judges an object, a JSON text or its bytes by the rules of a kind of body. */
export function validate(kind, input) {
  const number = numbers[kind];
  if (number === undefined) throw new TypeError(`Unknown kind of body '${String(kind)}': expected one of ${kinds.join(", ")}.`);
  const wasm = core();
  if (typeof input === "string") return judgeText(wasm, number, input);
  if (ArrayBuffer.isView(input) && input[Symbol.toStringTag] === "Uint8Array") return judgeBytes(wasm, number, input);
  return judgeObject(wasm, number, input);
}

/** A Standard Schema (https://standardschema.dev) of a kind of body; it takes objects. */
function standard(kind) {
  const number = kinds.indexOf(kind);
  return {
    "~standard": {
      version: 1,
      vendor: "resource-edge",
      validate(value) {
        const result = judgeObject(core(), number, value);
        return result.valid ? { value: result.value } : { issues: result.issues };
      },
    },
  };
}

export const resourceDraft = /* @__PURE__ */ standard("resourceDraft");
export const resourceOverwrite = /* @__PURE__ */ standard("resourceOverwrite");
export const resourceUpdate = /* @__PURE__ */ standard("resourceUpdate");
export const complexBody = /* @__PURE__ */ standard("complexBody");

function judgeBytes(wasm, number, body) {
  if (body.length > BODY_BYTES) return refused(wasm.too_large());
  const address = wasm.reserve(body.length);
  bytes().set(body, address);
  const answer = wasm.judge(number, body.length, false);
  // The value is that of a copy, since the caller may change the bytes before asking for it.
  return answer === 0 ? new Parsed(body.slice()) : refused(answer);
}

function judgeText(wasm, number, text) {
  const written = place(wasm, text);
  if (written < 0) return refused(wasm.too_large());
  // Half a surrogate pair has no bytes; escaped it means the same.
  if (written !== text.length && !whole(text)) {
    return judgeText(wasm, number, text.replace(HALF, (half) => `\\u${half.charCodeAt(0).toString(16)}`));
  }
  const answer = wasm.judge(number, written, false);
  return answer === 0 ? new Parsed(text) : refused(answer);
}

/** Writes a text into the WebAssembly's buffer and returns its length in bytes; −1 where no body may be that long. */
function place(wasm, text) {
  // A UTF-16 unit takes one to three bytes.
  if (text.length > BODY_BYTES) return -1;
  const room = text.length * 3;
  const address = wasm.reserve(room);
  const { written } = encoder.encodeInto(text, bytes().subarray(address, address + room));
  return written > BODY_BYTES ? -1 : written;
}

function judgeObject(wasm, number, value) {
  try {
    if (clean() && accepts[number](value)) return { valid: true, value };
  } catch {
    // Reading it threw: the writing finds out where.
  }
  return explained(wasm, number, value);
}

/** Has the WebAssembly say what is wrong with an object. */
function explained(wasm, number, value) {
  const text = write(value, types[number]);
  const written = text === undefined ? -1 : place(wasm, text);
  if (written < 0) return refused(wasm.too_large());
  const answer = wasm.judge(number, written, true);
  return answer === 0 ? { valid: true, value } : refused(answer);
}

/** The result for a valid text, or for its bytes: they are parsed when the value is first asked for. */
class Parsed {
  #source;
  #value;

  constructor(source) {
    this.valid = true;
    this.#source = source;
  }

  get value() {
    if (this.#source !== undefined) {
      this.#value = JSON.parse(typeof this.#source === "string" ? this.#source : decoder.decode(this.#source));
      this.#source = undefined;
    }
    return this.#value;
  }
}

/**
 * The result that lies at an address in the WebAssembly's memory (`Buffers::answer` in src/bindings/validate.rs says how).
 * It is copied out at once; the issues are made when they are first asked for.
 */
function refused(address) {
  const memory = words();
  const word = address >>> 2;
  const parts = memory[word + 2] >>> 2;
  const start = memory[word + 4];
  const raw = bytes().subarray(start, start + memory[word + 5]);
  return new Refused(memory[word], memory[word + 1], memory.slice(parts, parts + memory[word + 3]), raw);
}

/** The result for what is not valid. */
class Refused {
  #count;
  #parts;
  #text;
  #raw;
  #issues;

  constructor(count, more, parts, raw) {
    this.valid = false;
    if (more > 0) this.more = more;
    this.#count = count;
    this.#parts = parts;
    this.#text = decoder.decode(raw);
    // Lengths are those of bytes, which are not those of characters where some are not ASCII.
    if (this.#text.length !== raw.length) this.#raw = raw.slice();
  }

  get issues() {
    return (this.#issues ??= this.#read());
  }

  #read() {
    const [parts, text, raw] = [this.#parts, this.#text, this.#raw];
    let word = 0;
    let at = 0;
    const part = () => {
      const length = parts[word++];
      if (length === ABSENT) return undefined;
      const start = at;
      at += length;
      return raw === undefined ? text.slice(start, at) : decoder.decode(raw.subarray(start, at));
    };
    return Array.from({ length: this.#count }, () => {
      const pointer = part();
      const code = codes[parts[word++]];
      const message = part();
      const field = part();
      const issue = { path: pathOf(pointer, field), pointer, code, message };
      if (field !== undefined) issue.field = field;
      const invalidValue = part();
      if (invalidValue !== undefined) issue.invalidValue = JSON.parse(invalidValue);
      const allowed = parts[word++];
      if (allowed > 0) issue.allowedValues = Array.from({ length: allowed }, part);
      return issue;
    });
  }
}

/** The members and indexes that a JSON Pointer names. */
function pathOf(pointer, field) {
  if (pointer === "") return [];
  const path = pointer.slice(1).split("/");
  const last = path.length - 1;
  for (let at = 0; at <= last; at++) {
    // Digits are an index, but for an unknown member of that name, which only the last can be, and which is the field.
    if (INDEX.test(path[at]) && (at < last || field !== path[at])) path[at] = Number(path[at]);
    else if (path[at].includes("~")) path[at] = path[at].replaceAll("~1", "/").replaceAll("~0", "~");
  }
  return path;
}
