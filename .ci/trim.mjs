// Removes parts of wasm-bindgen's JavaScript that the npm package never uses, for a smaller page: `.ci/trim.mjs FILE`.
// It fails if the output of wasm-bindgen changes.

import { readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
let code = readFileSync(file, "utf8");

/**
 * Replaces the only match.
 * @param {RegExp} pattern
 * @param {string} by
 */
function change(pattern, by) {
  const places = [...code.matchAll(new RegExp(pattern.source, "gm"))];
  if (places.length !== 1) throw new Error(`${file}: expected one ${pattern}, found ${places.length}.`);
  code = code.replace(new RegExp(pattern.source, "m"), by);
}

/**
 * Replaces the body of a function.
 * @param {string} name
 * @param {string} by
 */
function body(name, by) {
  change(new RegExp(`(?<=^function ${name}\\(.*\\) \\{\\n)[^]*?(?=^\\}$)`), by);
}

// Remove warnings about parameters of old versions, and a guard against a second start, which core.js has.
body("initSync", "    return __wbg_finalize_init(new WebAssembly.Instance(module, __wbg_get_imports()), module);\n");
body("__wbg_finalize_init", "    wasm = instance.exports;\n    wasm.__wbindgen_start();\n    return wasm;\n");

// One decoder and one view of the memory for the whole package.
code = `import { decode } from "../core.js";\n\n${code}`;
body("getStringFromWasm0", "    return decode(ptr >>> 0, len);\n");
change(/^let cachedUint8ArrayMemory0 = [^]*?^\}\n/, "");
change(/^let cachedTextDecoder = [^]*?^function decodeText[^]*?^\}\n/, "");

// Every supported engine has finalizers. Only calls.js has objects of the class, and it frees them.
change(/\(typeof FinalizationRegistry === 'undefined'\)\s+\? .*\s+: (?=new FinalizationRegistry)/, "/* @__PURE__ */ ");
change(/^if \(Symbol\.dispose\) .*\n/, "");

// Rust checks each header before it sets it, so this throws only if the engine fails. With the wrapper, Rust would trap
// and hide the cause.
change(/function\(\) \{ return handleError\((function [^]*?^ {8}\}), arguments\); \}/, "$1");
body("handleError", "");
change(/^function handleError\(.*\) \{\n\}\n/, "");
change(/^function addToExternrefTable0\(.*\) \{\n[^]*?^\}\n/, "");
writeFileSync(file, code);
