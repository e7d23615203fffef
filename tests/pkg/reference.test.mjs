// The guide's package reference is generated from the types.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Returns the texts of the pages in a folder, by their paths in it.
 * @param {string} folder
 */
function pagesIn(folder) {
  const paths = /** @type {string[]} */ (readdirSync(folder, { recursive: true })).filter((path) =>
    path.endsWith(".md"),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

const committed = pagesIn(join(ROOT, "src/guide/package"));
/** @type {Record<string, string>} */
let generated;

before(() => {
  const folder = mkdtempSync(join(tmpdir(), "reference-"));
  const options = ["--options", ".ci/generator/reference/typedoc.jsonc", "--out", folder];
  const { status, stderr } = spawnSync("node_modules/.bin/typedoc", options, { cwd: ROOT, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  generated = pagesIn(folder);
  rmSync(folder, { recursive: true });
});

test("the package reference is generated from the types", () => {
  assert.deepEqual(committed, generated, "run `make generate`");
});

test("the package reference has every entry point and every method of the client", async () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "pkg/package.json"), "utf8"));
  for (const path of Object.keys(exports).filter((one) => one !== "./package.json")) {
    const name = `resource-edge${path.slice(1)}`;
    // Entry points without types of their own are in the text above the list of pages.
    assert.ok(`${name}.md` in committed || committed["README.md"].includes(`\`${name}\``), name);
  }
  const { ResourceClient } = await import("../../pkg/dist/client.js");
  const methods = Object.getOwnPropertyNames(ResourceClient.prototype).filter((name) => name !== "constructor");
  assert.ok(methods.length > 13);
  for (const name of methods) assert.match(committed["resource-edge.md"], new RegExp(`\n##### ${name}\\(\\)\n`), name);
});
