// The only instance of the WebAssembly, even if a program imports several entry points.

import { initSync } from "./wasm/resource_edge.js";

/** @typedef {ReturnType<typeof initSync>} Exports */
/** @typedef {import("./index.js").Source} Source */
/** @typedef {() => Source | PromiseLike<Source>} Candidate */

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
// The maximum number of UTF-8 bytes of a UTF-16 unit.
const UNIT_BYTES = 3;

// The exports of the WebAssembly.
/** @type {Exports | undefined} */
let wasm;
/** @type {Promise<void> | undefined} */
let starting;
// The sources of the WebAssembly, best first: functions that return an address, a response, bytes, or a compiled
// module.
/** @type {readonly Candidate[]} */
let sources;
// Views of the memory.
/** @type {Uint8Array<ArrayBuffer>} */
let byteView;
/** @type {DataView} */
let dataView;
// The buffer of the WebAssembly (src/bindings/buffer.rs). Only a larger reservation moves it.
/** @type {number} */
let address;
let capacity = -1;

/**
 * Starts from a compiled module, synchronously. For runtimes that have the module at import.
 * @param {BufferSource | WebAssembly.Module} module
 */
export function startNow(module) {
  wasm ??= initSync(module);
}

/**
 * Starts from the bytes, synchronously.
 * @param {BufferSource} bytes
 */
export function startFromBytes(bytes) {
  requireWebAssembly();
  startNow(new WebAssembly.Module(bytes));
}

/**
 * Sets what `startFrom` uses by default. An entry point calls it when it is imported.
 * @param {...Candidate} defaults
 */
export function setSources(...defaults) {
  sources = defaults;
}

/** Starts from the first source that works. A failed start may be repeated. */
export function startFrom(candidates = sources) {
  starting ??= startFromFirst(candidates).catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

/**
 * Returns undefined if the WebAssembly has started. Otherwise starts it from the default sources and returns the
 * promise.
 */
export function ready() {
  return wasm === undefined ? startFrom() : undefined;
}

/** @param {readonly Candidate[]} candidates */
async function startFromFirst(candidates) {
  requireWebAssembly();
  let first;
  for (const candidate of candidates) {
    try {
      if (wasm === undefined) startNow(await compile(candidate));
      return;
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

function requireWebAssembly() {
  if (typeof WebAssembly === "undefined")
    throw new Error("resource-edge needs WebAssembly, which this engine does not have or has switched off.");
}

/**
 * Compiles a source. An error names its address.
 * @param {Candidate} candidate
 */
async function compile(candidate) {
  /** @type {any} one of many types, which differ in their members */
  let source = await candidate();
  let address = "";
  try {
    if (source instanceof WebAssembly.Module) return source;
    if (source.byteLength === undefined) {
      address = ` from ${source.url ?? source}`;
      // A response has a status; everything else is an address.
      if (source.status === undefined) source = await fetch(source);
      const type = source.headers.get("content-type");
      // Servers of single-page applications respond with their page to every unknown address.
      if (!source.ok || /html/.test(type)) throw new Error(`the response is ${source.status} ${type}`);
      source = await source.arrayBuffer();
    }
    return await WebAssembly.compile(source);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    const policy = /unsafe-eval|CSP/.test(message)
      ? " Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy."
      : "";
    throw new Error(`Could not load the WebAssembly of resource-edge${address}: ${message}${policy}`, { cause });
  }
}

/** Returns whether the WebAssembly has started. */
export function isReady() {
  return wasm !== undefined;
}

/**
 * The exports of the WebAssembly. Functions of numbers are called directly, so that a page needs no wrappers for them.
 * Functions with other parameters or results are imported from wasm/resource_edge.js.
 */
export function core() {
  if (wasm === undefined) fail();
  return wasm;
}

/** Returns the whole memory of the WebAssembly as bytes, valid until the next call into it. */
export function bytes() {
  refresh();
  return byteView;
}

/** Creates the views. Creates them again after the memory has grown, which detaches them. */
function refresh() {
  if (byteView !== undefined && byteView.length > 0) return;
  const { buffer } = core().memory;
  byteView = new Uint8Array(buffer);
  dataView = new DataView(buffer);
}

/**
 * Reserves `length` bytes in the buffer of the WebAssembly and returns its address.
 * @param {number} length
 */
export function reserve(length) {
  if (length > capacity) {
    address = core().reserve(length);
    capacity = length;
  }
  return address;
}

/**
 * Decodes `length` bytes of UTF-8 at the address `start`.
 * @param {number} start
 * @param {number} length
 */
export function decode(start, length) {
  return decoder.decode(bytes().subarray(start, start + length));
}

/**
 * Decodes the first `length` bytes of the buffer.
 * @param {number} length
 */
export function readReserved(length) {
  return decode(address, length);
}

/**
 * Writes a text into the buffer and returns its length in bytes.
 * @param {string} text
 */
export function put(text) {
  reserve(text.length * UNIT_BYTES);
  return encode(text, address);
}

/**
 * Writes a message (src/client/message.rs) into the buffer and returns its length in bytes.
 * @param {readonly (number | boolean | undefined)[]} numbers
 * @param {readonly string[]} texts
 */
export function putMessage(numbers, texts) {
  const text = texts.join("");
  const head = (numbers.length * 2 + 1 + texts.length) * 4;
  let at = reserve(head + text.length * UNIT_BYTES);
  const written = encode(text, at + head);
  for (const number of numbers) {
    dataView.setFloat64(at, Number(number), true);
    at += 8;
  }
  dataView.setUint32(at, texts.length, true);
  for (const part of texts)
    dataView.setUint32((at += 4), written === text.length ? part.length : byteLength(part), true);
  return head + written;
}

/**
 * Writes a text as UTF-8 to an address and returns its length in bytes.
 * @param {string} text
 * @param {number} start
 */
function encode(text, start) {
  return encoder.encodeInto(text, bytes().subarray(start, start + text.length * UNIT_BYTES)).written;
}

/**
 * The length of a text in UTF-8.
 * @param {string} text
 */
function byteLength(text) {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const point = /** @type {number} */ (text.codePointAt(at));
    if (point > 0x7f) length += point > 0x7ff ? 2 : 1;
    if (point > 0xffff) at++;
  }
  return length;
}

/** @returns {never} */
function fail() {
  throw new Error(
    "resource-edge is not ready. Call `await init()` once before the first use: import { init } from 'resource-edge'.",
  );
}
