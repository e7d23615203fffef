// Usage: node .ci/trap.mjs FILE. Removes the code for panic messages from a WebAssembly file. Nobody reads them in a
// page, and they take 2 kB of the download: formatting functions are in a table, from which wasm-opt removes nothing.
// Afterwards a panic traps without a message instead of after its message.

import { readFileSync, writeFileSync } from "node:fs";
import binaryen from "binaryen";

/** Functions that only report a panic, or belong to a runtime that is not in use. */
const REPORTS =
  /panicking|rust_begin_unwind|rust_oom|\bcore(\[\w+\])?::fmt\b|fmt::(Display|Debug|Write)>|Payload|convert::closures::|jspi::task_waker/;
/** Functions that may call them, because they panic. */
const PANICS = /panic|handle_(alloc_)?error|rust_oom|alloc_error_h|unwrap_failed|expect_failed|capacity_overflow/;
/** Texts of panic messages: places in the source, and messages of the standard library. */
const TEXTS =
  /(?:\/rustc\/[0-9a-f]{40}|crates|src)\/[\w./-]+\.rs|assertion failed: self\.is_char_boundary\(new_len\)|cannot access a Thread Local Storage value during or after destruction: /g;

const [, , file] = process.argv;
const module = binaryen.readBinary(readFileSync(file));
const {
  BulkMemory,
  BulkMemoryOpt,
  CallIndirectOverlong,
  Multivalue,
  MutableGlobals,
  NontrappingFPToInt,
  ReferenceTypes,
  SignExt,
} = binaryen.Features;
// The features that `bind` uses. By default, binaryen would write the file with other features.
module.setFeatures(
  BulkMemory |
    BulkMemoryOpt |
    CallIndirectOverlong |
    Multivalue |
    MutableGlobals |
    NontrappingFPToInt |
    ReferenceTypes |
    SignExt,
);
const functions = Array.from({ length: module.getNumFunctions() }, (_, at) => module.getFunctionByIndex(at));
/** @param {number} one */
const nameOf = (one) => binaryen.getFunctionInfo(one).name;
const reports = new Map(functions.filter((one) => REPORTS.test(nameOf(one))).map((one) => [nameOf(one), one]));
if (reports.size === 0) throw new Error(`${file} has no names`);

for (const one of functions) {
  const { name, body } = binaryen.getFunctionInfo(one);
  if (body === 0 || reports.has(name) || PANICS.test(name)) continue;
  for (const [, callee] of binaryen.emitText(body).matchAll(/\(call \$(?:"((?:[^"\\]|\\.)*)"|([^\s)]+))/g)) {
    if (reports.has(callee) && !PANICS.test(callee)) throw new Error(`${name} needs ${callee}`);
  }
}
// binaryen's types lack this function.
const { Function: Functions } = /** @type {{ Function: { setBody(one: number, body: number): void } }} */ (
  /** @type {unknown} */ (binaryen)
);
for (const one of reports.values()) {
  if (binaryen.getFunctionInfo(one).body !== 0) Functions.setBody(one, module.unreachable());
}
binaryen.setDebugInfo(true);
const bytes = Buffer.from(module.emitBinary());
// Texts of these messages become zeros, which compress to nothing.
for (const { 0: text, index } of bytes.toString("latin1").matchAll(TEXTS)) bytes.fill(0, index, index + text.length);
writeFileSync(file, bytes);
