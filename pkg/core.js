// The one instance of the WebAssembly, however many entry points a program imports.

import start, * as bindings from "./wasm/resource_edge.js";

const encoder = /* @__PURE__ */ new TextEncoder();
// The most bytes that a UTF-16 unit takes in UTF-8.
const UNIT_BYTES = 3;

let memory;
let starting;
// Views of the memory.
let byteView;
let wordView;
let dataView;
// The buffer of the WebAssembly (src/bindings/buffer.rs), which only a larger reservation moves.
let address;
let capacity = -1;

/** How often the buffer was reserved: what lies there is unchanged as long as this is. */
export let turn = 0;

/** Starts from a compiled module or its bytes, at once. For runtimes that have the file at hand. */
export function startNow(module) {
  memory ??= bindings.initSync({ module }).memory;
}

/** Starts from whatever `source()` gives: an address, a response, bytes or a module. A failed start may be repeated. */
export function startFrom(source) {
  starting ??= Promise.resolve()
    .then(async () => {
      memory ??= (await start({ module_or_path: await source() })).memory;
    })
    .catch((error) => {
      starting = undefined;
      throw error;
    });
  return starting;
}

/** The exported functions of the WebAssembly. */
export function core() {
  if (memory === undefined) fail();
  return bindings;
}

/** The whole memory of the WebAssembly as bytes, valid until the next call into it. */
export function bytes() {
  refresh();
  return byteView;
}

/** The same as 32-bit words. */
export function words() {
  refresh();
  return wordView;
}

/** Creates the views, and again after the memory has grown, which detaches them. */
function refresh() {
  if (byteView !== undefined && byteView.length > 0) return;
  const { buffer } = memory;
  byteView = new Uint8Array(buffer);
  wordView = new Uint32Array(buffer);
  dataView = new DataView(buffer);
}

/** Reserves that many bytes in the buffer of the WebAssembly and returns its address. */
export function reserve(length) {
  turn++;
  if (length > capacity) {
    address = core().reserve(length);
    capacity = length;
  }
  return address;
}

/** The bytes of the buffer up to a length. */
export function reserved(length) {
  return bytes().subarray(address, address + length);
}

/** Writes a text into the buffer and returns its length in bytes. */
export function put(text) {
  reserve(text.length * UNIT_BYTES);
  return encode(text, address);
}

/** Writes a message (src/client/message.rs) into the buffer and returns its length in bytes. */
export function putMessage(numbers, texts) {
  const text = texts.join("");
  const head = (numbers.length * 2 + 1 + texts.length) * 4;
  let at = reserve(head + text.length * UNIT_BYTES);
  const written = encode(text, at + head);
  for (const number of numbers) {
    dataView.setFloat64(at, number, true);
    at += 8;
  }
  dataView.setUint32(at, texts.length, true);
  for (const part of texts) dataView.setUint32((at += 4), written === text.length ? part.length : byteLength(part), true);
  return head + written;
}

/** Writes a text as UTF-8 to an address and returns its length in bytes. */
function encode(text, start) {
  return encoder.encodeInto(text, bytes().subarray(start, start + text.length * UNIT_BYTES)).written;
}

/** The length of a text in UTF-8. */
function byteLength(text) {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at);
    if (point > 0x7f) length += point > 0x7ff ? 2 : 1;
    if (point > 0xffff) at++;
  }
  return length;
}

function fail() {
  throw new Error(
    "resource-edge is used before it is ready: run `await init()` once, where the program starts (import { init } from 'resource-edge').",
  );
}
