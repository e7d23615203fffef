// The tools of `make test-tools` that install in seconds.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { prepare, runTool } from "../tools/runner.mjs";
import { tools } from "../tools/table.mjs";

const packed = prepare();
after(() => packed.remove());

for (const tool of tools) {
  for (const [version, { quick }] of Object.entries(tool.versions)) {
    if (quick === undefined) continue;
    test(`${tool.name} ${version}: ${quick.join("; ")}`, async () => {
      const results = await runTool(tool, version, packed, quick);
      assert.deepEqual(results.map(({ part, outcome, reason }) => [part, outcome, reason]), quick.map((part) => [part, "passes", undefined]));
    });
  }
}
