// The guide's package reference is generated from the types.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { PAGE, reference } from "../../.ci/generator/reference.mjs";

test("the package reference is generated from the types", () => {
  assert.equal(readFileSync(PAGE, "utf8"), reference(), "run `make generate`");
});

test("the package reference has every entry point and every method of the client", async () => {
  const text = reference();
  const { exports } = JSON.parse(readFileSync(new URL("../../pkg/package.json", import.meta.url), "utf8"));
  for (const path of Object.keys(exports).filter((one) => one !== "./package.json")) {
    assert.ok(text.includes(`\n## resource-edge${path.slice(1)}\n`), path);
  }
  const { ResourceClient } = await import("../../pkg/dist/client.js");
  const methods = Object.getOwnPropertyNames(ResourceClient.prototype).filter((name) => name !== "constructor");
  assert.ok(methods.length > 13);
  for (const name of methods) assert.ok(text.includes(`\n#### ${name}\n`), name);
});
