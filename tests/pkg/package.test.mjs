import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { packed, project, root } from "./support.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

test("the tarball holds what is needed and nothing else", () => {
  assert.deepEqual(packed().files, [
    "LICENSE-APACHE", "LICENSE-MIT", "README.md", "accept.js", "api.js", "bodies.d.ts", "browser.js",
    "client.d.ts", "client.js", "core.js", "errors.js", "fields.d.ts", "fields.js", "index.d.ts", "inline.js", "input.js", "issues.d.ts", "issues.js", "json-schema.d.ts", "json-schema.js", "json-schemas.js", "limits.d.ts", "limits.js", "messages.js", "node.js",
    "operations.js", "package.json", "params.d.ts", "predicate-fields.d.ts", "predicate.d.ts", "predicate.js", "response.js",
    "syntax-check.js", "syntax-workerd.js", "syntax.d.ts", "syntax.js", "syntax/inline.js", "syntax/resource_edge.js", "syntax/resource_edge_bg.wasm",
    "tokens.js", "validate.d.ts", "validate.js", "value.js",
    "waiting.js", "wasm/inline.js", "wasm/resource_edge.js", "wasm/resource_edge_bg.wasm", "workerd.js", "write.js",
  ]);
});

test("the version is the crate's, and the licences are the repository's", () => {
  assert.equal(JSON.parse(read("pkg/package.json")).version, read("Cargo.toml").match(/^version = "(.+)"$/m)[1]);
  assert.equal(JSON.parse(read("pkg/package.json")).license, read("Cargo.toml").match(/^license = "(.+)"$/m)[1]);
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) assert.equal(read(`pkg/${file}`), read(file));
});

test("everything that package.json names is there", () => {
  const folder = join(project("names", {}), "node_modules/resource-edge");
  const { exports, sideEffects, types } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry).flatMap(named));
  for (const path of [...named(exports), ...sideEffects, types]) assert.ok(existsSync(join(folder, path)), path);
});
