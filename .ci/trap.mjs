// Usage: node .ci/trap.mjs FILE. Removes from a WebAssembly file what builds the message of a panic. Nobody reads it in
// a page, and it is 2 kB of the download: functions that format are in a table, from which wasm-opt removes nothing. A
// panic then traps without a message, as it did after the message.

import { readFileSync, writeFileSync } from "node:fs";
import binaryen from "binaryen";

/** What exists only to report a panic, or is part of a runtime that is not in use. */
const REPORTS =
  /panicking|rust_begin_unwind|rust_oom|\bcore(\[\w+\])?::fmt\b|fmt::(Display|Debug|Write)>|Payload|convert::closures::|jspi::task_waker/;
/** What may call it: it is about to panic. */
const PANICS = /panic|handle_(alloc_)?error|rust_oom|alloc_error_h|unwrap_failed|expect_failed|capacity_overflow/;
/** Texts of such messages: the places of panics in the source, and sentences of the standard library. */
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
// Those that `bind` names; binaryen would use others to write the file.
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
// Its own types leave this out.
const { Function: Functions } = /** @type {{ Function: { setBody(one: number, body: number): void } }} */ (
  /** @type {unknown} */ (binaryen)
);
for (const one of reports.values()) {
  if (binaryen.getFunctionInfo(one).body !== 0) Functions.setBody(one, module.unreachable());
}
binaryen.setDebugInfo(true);
const bytes = Buffer.from(module.emitBinary());
// What only those messages contain becomes zeros, which compress to nothing.
for (const { 0: text, index } of bytes.toString("latin1").matchAll(TEXTS)) bytes.fill(0, index, index + text.length);
writeFileSync(file, bytes);
