// The one instance of the WebAssembly, however many entry points a program imports.

import start, * as bindings from "./wasm/resource_edge.js";

const encoder = /* @__PURE__ */ new TextEncoder();

let memory;
let starting;
// Made again when the memory has grown, which empties the old ones.
let byteView;
let wordView;

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
  if (byteView === undefined || byteView.length === 0) byteView = new Uint8Array(memory.buffer);
  return byteView;
}

/** The same as 32-bit words. */
export function words() {
  if (wordView === undefined || wordView.length === 0) wordView = new Uint32Array(memory.buffer);
  return wordView;
}

/** Writes a text into the buffer of the WebAssembly (src/bindings/buffer.rs) and returns its length in bytes. */
export function put(text) {
  // A UTF-16 unit takes one to three bytes.
  const room = text.length * 3;
  const address = core().reserve(room);
  return encoder.encodeInto(text, bytes().subarray(address, address + room)).written;
}

function fail() {
  throw new Error(
    "resource-edge is used before it is ready: run `await init()` once, where the program starts (import { init } from 'resource-edge').",
  );
}
