// The package reference, which TypeDoc writes from the types. TypeDoc fails if a description is missing.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { root, run, tool } from "./support.mjs";

test("the package reference has every entry point", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reference-"));
  t.after(() => rmSync(folder, { recursive: true }));
  run(tool("typedoc"), ["--options", ".ci/generator/reference/typedoc.jsonc", "--out", folder], root);
  const start = readFileSync(join(folder, "README.md"), "utf8");
  const { exports } = JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8"));
  for (const path of Object.keys(exports).filter((one) => one !== "./package.json")) {
    const name = `resource-edge${path.slice(1)}`;
    // Entry points without types of their own are in the text above the list of pages.
    assert.ok(existsSync(join(folder, `${name}.md`)) || start.includes(`\`${name}\``), name);
  }
});
