// The guide's package reference is generated from the types.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { root, run, tool } from "./support.mjs";

/** Returns the texts of the pages in a folder, by their paths in it. */
function pagesIn(folder) {
  const paths = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((path) => path.endsWith(".md"));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

test("the package reference is generated from the types, and has every entry point", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reference-"));
  t.after(() => rmSync(folder, { recursive: true }));
  run(tool("typedoc"), ["--options", ".ci/generator/reference/typedoc.jsonc", "--out", folder], root);
  const committed = pagesIn(join(root, "src/guide/package"));
  assert.deepEqual(committed, pagesIn(folder), "run `make generate`");
  const { exports } = JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8"));
  for (const path of Object.keys(exports).filter((one) => one !== "./package.json")) {
    const name = `resource-edge${path.slice(1)}`;
    // Entry points without types of their own are in the text above the list of pages.
    assert.ok(`${name}.md` in committed || committed["README.md"].includes(`\`${name}\``), name);
  }
});
