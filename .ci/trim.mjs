// Leaves out of wasm-bindgen's JavaScript what the npm package never uses, for a smaller page: `.ci/trim.mjs FILE`. It fails if
// a version of wasm-bindgen writes something else.

import { readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
let code = readFileSync(file, "utf8");

/** Replaces what a function consists of. */
function replace(name, body) {
  const [before, after, ...more] = code.split(new RegExp(`(?<=^function ${name}\\(.*\\) \\{\\n)[^]*?(?=^\\}$)`, "m"));
  if (after === undefined || more.length > 0) throw new Error(`${file}: expected one function ${name}.`);
  code = `${before}${body}${after}`;
}

// Warnings about parameters of old versions, and a guard against a second start, which core.js has.
replace("initSync", "    return __wbg_finalize_init(new WebAssembly.Instance(module, __wbg_get_imports()), module);\n");
replace("__wbg_finalize_init", "    wasm = instance.exports;\n    wasm.__wbindgen_start();\n    return wasm;\n");
writeFileSync(file, code);
