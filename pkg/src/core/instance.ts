// The only instance of the WebAssembly, even if a program imports several entry points.

import { decoder, encoder } from "./encoders.js";
import type { Source } from "./wasm-source.js";
import { initSync } from "../wasm/resource_edge.js";

type Exports = ReturnType<typeof initSync>;
type Candidate = () => Source | PromiseLike<Source>;

// The maximum number of UTF-8 bytes of a UTF-16 unit.
const UNIT_BYTES = 3;

// The exports of the WebAssembly.
let wasm: Exports | undefined;
let starting: Promise<void> | undefined;
// The sources of the WebAssembly, best first: functions that return an address, a response, bytes, or a compiled
// module.
let sources: readonly Candidate[] | undefined;
// Views of the memory.
let byteView: Uint8Array<ArrayBuffer>;
let dataView: DataView;
// The buffer of the WebAssembly (src/bindings/mod.rs). Only a larger reservation moves it.
let address: number;
let capacity = -1;

// What runs when the WebAssembly starts, and again if it starts again: each may throw an error if the WebAssembly must
// not be used.
const afterStart: (() => void)[] = [];

// What the program needs beside the WebAssembly, and has not loaded yet.
const needed = new Set<() => Promise<void>>();

/** Starts from a compiled module, synchronously. For runtimes that have the module at import. */
export function startNow(module: BufferSource | WebAssembly.Module) {
  if (wasm !== undefined) return;
  wasm = initSync({ module });
  try {
    for (const run of afterStart) run();
  } catch (error) {
    wasm = undefined;
    throw error;
  }
}

/** Runs the function when the WebAssembly starts; now, if it has. */
export function whenStarted(run: () => void) {
  if (wasm === undefined) afterStart.push(run);
  else run();
}

/** Lets the next start wait for something else that the program needs. If it fails, a later start repeats it. */
export function beforeReady(load: () => Promise<void>) {
  needed.add(load);
}

async function loadNeeded() {
  await starting;
  for (const load of needed) {
    await load();
    needed.delete(load);
  }
}

/** Starts from the bytes, synchronously. */
export function startFromBytes(bytes: BufferSource) {
  requireWebAssembly();
  startNow(new WebAssembly.Module(bytes));
}

/** Sets what `startFrom` uses by default. An entry point calls it when it is imported. */
export function setSources(...defaults: Candidate[]) {
  sources = defaults;
}

/** Starts from the first source that works, and loads what else is needed. A failed start may be repeated. */
export function startFrom(candidates = sources) {
  starting ??= startFromFirst(candidates).catch((error) => {
    starting = undefined;
    throw error;
  });
  return needed.size === 0 ? starting : loadNeeded();
}

/**
 * Returns undefined if everything has started. Otherwise starts it, from the default sources, and returns the promise.
 */
export function ready() {
  return isReady() ? undefined : startFrom();
}

async function startFromFirst(candidates: readonly Candidate[] | undefined) {
  requireWebAssembly();
  // Only an entry point that has no `init` was imported.
  if (candidates === undefined) notReady();
  let first;
  for (const candidate of candidates) {
    try {
      if (wasm === undefined) startNow(await compileSource(candidate));
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

/** Compiles a source. An error names its address. */
async function compileSource(candidate: Candidate) {
  let source: any = await candidate();
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
    // Not as a member: Next's edge runtime rejects programs that seem to compile. There nothing is compiled.
    const { compile } = WebAssembly;
    return await compile(source);
  } catch (cause) {
    const { message } = cause as Error;
    const policy = /unsafe-eval|CSP/.test(message)
      ? " Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy."
      : "";
    throw new Error(`Could not load the WebAssembly of resource-edge${address}: ${message}${policy}`, { cause });
  }
}

/** Returns whether everything has started. */
export function isReady() {
  return wasm !== undefined && needed.size === 0;
}

/**
 * The exports of the WebAssembly (src/bindings). They are called directly, so that a page needs no generated wrappers.
 */
export function core() {
  if (wasm === undefined) notReady();
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

/** Reserves `length` bytes in the buffer of the WebAssembly and returns its address. */
export function reserve(length: number) {
  if (length > capacity) {
    address = core().reserve(length);
    capacity = length;
  }
  return address;
}

/** Reads the JSON that a function of the WebAssembly returned by its length; undefined if it has none. */
export function result(length: number) {
  if (length === 0) return undefined;
  const start = core().result();
  return JSON.parse(decoder.decode(bytes().subarray(start, start + length)));
}

/** Writes a text into the buffer and returns its length in bytes. */
export function put(text: string) {
  reserve(text.length * UNIT_BYTES);
  return encode(text, address);
}

/** A number of a message. */
export type MessageNumber = number | boolean | undefined;

/** Writes a message (src/client/message.rs) into the buffer and returns its length in bytes. */
export function putMessage(numbers: readonly MessageNumber[], texts: readonly string[]) {
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

/** Writes a text as UTF-8 to an address and returns its length in bytes. */
function encode(text: string, start: number) {
  return encoder.encodeInto(text, bytes().subarray(start, start + text.length * UNIT_BYTES)).written;
}

/** Returns the length of a text in UTF-8. */
export function byteLength(text: string) {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) as number;
    if (point > 0x7f) length += point > 0x7ff ? 2 : 1;
    if (point > 0xffff) at++;
  }
  return length;
}

/** Throws the error of a program that uses the package too early. */
export function notReady(): never {
  throw new Error(
    "resource-edge is not ready. Call `await init()` once before the first use: import { init } from 'resource-edge'.",
  );
}
