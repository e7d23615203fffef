// The guide about generated clients. tests/package/tools/generators/run.mjs runs what it shows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { generators, rowOf } from "./tools/generators/table.mjs";
import { root } from "./tools/runner.mjs";

const guide = readFileSync(join(root, "src/guide/use/generated-clients.md"), "utf8");

test("the guide's table has every generator with its version, and each works", () => {
  const [, table] = guide.split(/<!-- make test-tools -->\n|<!-- end -->/);
  const rows = generators.map((generator) => rowOf(generator, "works")).join("");
  assert.equal(table.split("\n").slice(2).join("\n"), rows, "run make test-tools WRITE=1");
});

test("the guide has the configurations of the generators, exactly as they run", () => {
  const texts = generators.flatMap(({ config }) => config?.[1] ?? []);
  assert.equal(texts.length, 2);
  for (const text of texts) assert.ok(guide.includes("```js\n" + text + "```"), text);
  const toQuery = readFileSync(join(root, "tests/package/tools/generators/to-query.ts"), "utf8");
  assert.ok(guide.includes("```ts\n" + toQuery + "```"));
});
