// The tools of `make test-tools` that install in seconds.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { packageGuide } from "../support/blocks.mjs";
import { prepare, runTool } from "./tools/runner.mjs";
import { tools } from "./tools/table.mjs";

const packed = prepare();
after(() => packed.remove());

test("the guide has the settings of each tool, exactly as they run here", () => {
  const parts = tools.flatMap((tool) =>
    Object.values(typeof tool.parts === "function" ? tool.parts(Object.keys(tool.versions)[0]) : tool.parts),
  );
  const needed = parts.filter(({ config }) => config !== undefined);
  assert.ok(needed.length > 2);
  for (const { config, commands } of needed) {
    assert.ok(
      commands.some((command) => command.includes(config)),
      config,
    );
    assert.ok(packageGuide.includes(config), config);
  }
});

test("the guide's matrix has every tool and version of the table", () => {
  const [, matrix] = packageGuide.split(/<!-- make test-tools -->|<!-- end -->/);
  for (const { name, versions } of tools) {
    for (const version of Object.keys(versions)) {
      assert.ok(
        matrix.split("\n").some((row) => row.startsWith(`| ${name} |`) && row.includes(version)),
        `${name} ${version}: run make test-tools WRITE=1`,
      );
    }
  }
  assert.ok(!matrix.includes("**fails**"));
});

for (const tool of tools) {
  for (const [version, { quick }] of Object.entries(tool.versions)) {
    if (quick === undefined) continue;
    test(`${tool.name} ${version}: ${quick.join("; ")}`, async () => {
      const results = await runTool(tool, version, packed, quick);
      const outcomes = results.map(({ part, outcome, reason }) => [part, outcome, reason]);
      assert.deepEqual(
        outcomes,
        quick.map((part) => [part, "passes", undefined]),
      );
    });
  }
}
