// Checks the benchmark: every workload runs on both sides, which return the same responses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FLOOR, WORKLOADS } from "../../benches/lib/workloads.mjs";
import { ROOT } from "./support.mjs";

test("a quick run of the benchmark measures every workload on both sides and loses no connection", {
  timeout: 300_000,
}, () => {
  const table = execFileSync("node", ["benches/run.mjs", "--quick"], { cwd: ROOT, encoding: "utf8" });
  const { workloads, setting } = JSON.parse(readFileSync(join(ROOT, "build/bench-quick.json"), "utf8"));

  assert.deepEqual(setting.sides, ["resource-edge", "hono"]);
  const measured = workloads.map(({ workload }) => workload);
  assert.deepEqual(measured, Object.keys(WORKLOADS));
  for (const { workload, sides, throughput, minimal } of workloads) {
    assert.ok(table.includes(`| ${workload} |`), `the table has no row '${workload}'`);
    const isMinimal = WORKLOADS[workload].minimal === true;
    assert.equal(sides.length, workload === FLOOR ? 1 : isMinimal ? 3 : 2, workload);
    assert.equal(minimal > 0, isMinimal, workload);
    assert.ok(workload === FLOOR || throughput > 0, workload);
    for (const { side, perSecond, closed, refused } of sides) {
      assert.ok(perSecond > 0, `${side}: ${workload}`);
      assert.deepEqual({ closed, refused }, { closed: 0, refused: 0 }, `${side}: ${workload}`);
    }
  }
});

test("the benchmark of followers measures sockets, writes, and a follower that was away", { timeout: 120_000 }, () => {
  const few = ["--seconds", "1", "--writes", "3", "--lines", "1500", "--listeners", "1,5"];
  const table = execFileSync("node", ["benches/followers.mjs", ...few], { cwd: ROOT, encoding: "utf8" });
  assert.match(table, /\| 5 \| [\d.]+ \| [\d.]+ \| [\d.]+ \|/);
  assert.match(table, /\| 0 sockets \| [\d.]+ \| [\d.]+ \|\n\| 5 sockets \| .*\n\| 500 requests \| [\d.]+ \|/);
  assert.match(table, /away for 1500 changes reads them in 3 pages/);
});
