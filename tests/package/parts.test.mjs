// The optional entry points, installed from the tarball. The README's programs print the output in their comments. A
// Worker and a page load the syntax check.

import assert from "node:assert/strict";
import { test } from "node:test";

import { programOf } from "../support/blocks.mjs";
import { modules } from "./shop.mjs";
import { browse, bundle, html, project, reports, run, workerd } from "./support.mjs";

const CHECK = `
import { loadSyntax } from "resource-edge/syntax";
import { where } from "resource-edge/predicate";
const { where: check } = await loadSyntax();
const result = [check(where(({ key }) => key.eq("a"))) === undefined, check("key == 1").column];
`;

test("the README's programs of parts print the output in their comments", async () => {
  const files = {};
  const expected = {};
  for (const holding of [
    "product.fieldSchema(",
    "limits.actions",
    "resource-edge/predicate",
    "resource-edge/syntax",
    "resource-edge/json-schema",
    "resource-edge/operations",
  ]) {
    const name = `${Object.keys(files).length}.js`;
    files[name] = programOf("js", holding);
    // The comment after or below the statement that prints.
    expected[name] = [...files[name].matchAll(/console\.log.*?;(?: |\n)\/\/ (.*)/g)]
      .map(([, comment]) => `${comment}\n`)
      .join("");
  }
  const folder = project("parts", { ...(await modules()), ...files });
  for (const name in files) assert.equal(run(process.execPath, [name], folder), expected[name], files[name]);
  assert.equal(Object.values(expected).filter((text) => text !== "").length, 5);
});

test("a Worker checks syntax without compiling bytes", async () => {
  const worker = workerd(
    project("parts-worker", { "main.js": `${CHECK}\nexport default { fetch: () => Response.json(result) };` }),
  );
  assert.deepEqual(await (await worker.dispatchFetch("http://worker/")).json(), [true, 6]);
});

test("a page checks syntax with a strict policy", async () => {
  const folder = project("parts-page", {
    "index.html": html("/main.js"),
    "reports.js": reports,
    "src.js": `import "./reports.js";\n${CHECK}\nreport(result);\n`,
  });
  bundle(folder);
  assert.deepEqual(await browse(folder), [true, 6]);
});
