import assert from "node:assert/strict";
import { test } from "node:test";

import { check, program, project, run } from "./support.mjs";

const prints = "const report = (value) => console.log(JSON.stringify(value));\n";

test("Node runs it without waiting, imported or required", () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const folder = project("node", {
    "main.js": prints + program("resource-edge"),
    "main.cjs": `const { validate } = require("resource-edge"); console.log(validate("complexBody", {}).valid);`,
  });
  check(JSON.parse(run(process.execPath, ["main.js"], folder)), true);
  // Modules can be required from these versions on.
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
    assert.equal(run(process.execPath, ["--no-warnings", "main.cjs"], folder).trim(), "true");
  }
});

test("in Node the inline entry waits for its init, as in a page", () => {
  const folder = project("node-inline", { "main.js": prints + program("resource-edge/inline") });
  check(JSON.parse(run(process.execPath, ["main.js"], folder)), false);
});

test("the browser's entry takes bytes, a module, or a promise of either, once, and again after a failure", () => {
  const folder = project("node-browser", {
    "main.js": `
      import { readFileSync } from "node:fs";
      import { init, validate } from "./node_modules/resource-edge/browser.js";
      const bytes = readFileSync("node_modules/resource-edge/wasm/resource_edge_bg.wasm");
      const source = { bytes, module: new WebAssembly.Module(bytes), promise: Promise.resolve(bytes) }[process.argv[2]];
      await init(new Uint8Array(3)).catch((error) => console.log(error.name));
      await Promise.all([init(source), init(source)]);
      await init();
      console.log(validate("complexBody", {}).valid);`,
  });
  for (const source of ["bytes", "module", "promise"]) {
    assert.equal(run(process.execPath, ["main.js", source], folder), "CompileError\ntrue\n", source);
  }
});
