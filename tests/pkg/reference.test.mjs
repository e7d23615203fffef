// The guide's package reference is generated from the types. `UPDATE=1 node --test tests/pkg/reference.test.mjs` writes
// it.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { reference } from "../../.ci/reference.mjs";

const page = new URL("../../src/guide/package.md", import.meta.url);

test("the package reference is generated from the types", () => {
  const text = reference();
  if (process.env.UPDATE !== undefined) writeFileSync(page, text);
  assert.equal(readFileSync(page, "utf8"), text, "set UPDATE=1");
});

test("the package reference has every entry point and every method of the client", async () => {
  const text = reference();
  const { exports } = JSON.parse(readFileSync(new URL("../../pkg/package.json", import.meta.url), "utf8"));
  for (const path of Object.keys(exports).filter((one) => one !== "./package.json")) {
    assert.ok(text.includes(`\n## resource-edge${path.slice(1)}\n`), path);
  }
  const { ResourceClient } = await import("../../pkg/client.js");
  const methods = Object.getOwnPropertyNames(ResourceClient.prototype).filter((name) => name !== "constructor");
  assert.ok(methods.length > 13);
  for (const name of methods) assert.ok(text.includes(`\n#### ${name}\n`), name);
});
