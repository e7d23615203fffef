import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { packed, project, root } from "./support.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

test("the tarball holds what is needed and nothing else", () => {
  const types = ["bodies.d.ts", "client.d.ts", "index.d.ts", "operations.d.ts", "params.d.ts", "testing.d.ts", "validate.d.ts"];
  assert.deepEqual(packed().files, [
    "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "accept.js", "api.js", "browser.js", "client.js", "core.js", "errors.js",
    "inline.js", "input.js", "issues.js", "messages.js", "node.js", "operations.js", "package.json", "ready.js", "response.js", "tokens.js",
    "validate.js", "value.js", "waiting.js", "workerd.js", "write.js",
    ...["clock", "faults", "files", "index", "random", "request", "routes", "sqlite", "storage", "worker", "world"].map((file) => `testing/${file}.js`),
    "cjs/index.js", "cjs/package.json", "cjs/testing.js", "wasm.d.ts", "wasm/inline.js", "wasm/resource_edge.js", "wasm/resource_edge_bg.wasm",
    ...types, ...types.map((file) => `cjs/${file}`),
  ].sort());
});

test("the version is the crate's, and the licences are the repository's", () => {
  assert.equal(JSON.parse(read("pkg/package.json")).version, read("Cargo.toml").match(/^version = "(.+)"$/m)[1]);
  assert.equal(JSON.parse(read("pkg/package.json")).license, read("Cargo.toml").match(/^license = "(.+)"$/m)[1]);
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) assert.equal(read(`pkg/${file}`), read(file));
});

test("everything that package.json names is there", () => {
  const folder = join(project("names", {}), "node_modules/resource-edge");
  const { exports, sideEffects, types, main, module, browser } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry).flatMap(named));
  for (const path of [...named(exports), ...sideEffects, types, main, module, browser]) assert.ok(existsSync(join(folder, path)), path);
});

// Paths under /rustc/ are those of the Rust distribution, the same everywhere.
test("the WebAssembly names no folder of the machine that built it", () => {
  const wasm = readFileSync(join(root, "pkg/wasm/resource_edge_bg.wasm"), "latin1");
  assert.ok(!wasm.includes(root));
  assert.deepEqual(wasm.match(/\/(home|root|Users|work|usr|tmp)\/[\x20-\x7e]*|\.cargo/g), null);
});

test("the changelog is the repository's", () => {
  assert.equal(read("pkg/CHANGELOG.md"), read("CHANGELOG.md"));
});
