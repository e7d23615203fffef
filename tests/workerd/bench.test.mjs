// Checks the benchmark: every workload runs on both sides, which return the same responses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brief } from "../../benches/lib/report.mjs";
import { WORKLOADS } from "../../benches/lib/workloads.mjs";
import { ROOT } from "./support.mjs";

test("a quick run of the benchmark measures every workload on all sides and loses no connection", {
  timeout: 600_000,
}, () => {
  const table = execFileSync("node", ["benches/run.mjs", "--quick"], { cwd: ROOT, encoding: "utf8" });
  const { rows } = JSON.parse(readFileSync(join(ROOT, "build/bench-quick.json"), "utf8"));

  const expected = Object.entries(WORKLOADS).flatMap(([workload, { beside }]) => {
    const sides = Object.keys(beside);
    return sides.length === 0 ? [[workload, undefined]] : sides.map((side) => [workload, side]);
  });
  assert.deepEqual(
    rows.map(({ workload, beside }) => [workload, beside]),
    expected,
  );
  for (const { workload, beside, sides, throughput } of rows) {
    assert.ok(table.includes(`| ${workload} | ${beside ?? ""} |`), `the table has no row '${workload}'`);
    assert.ok(beside === undefined || throughput > 0, workload);
    for (const { side, perSecond, closed } of sides) {
      assert.ok(perSecond > 0, `${side}: ${workload}`);
      assert.equal(closed, 0, `${side}: ${workload}`);
    }
  }
});

test("the README has figures of the guide's table", () => {
  const [readme, guide] = ["README.md", "src/guide/evaluate/performance.md"].map(
    (name) => /<!-- make bench -->(.*?)<!-- end -->/s.exec(readFileSync(join(ROOT, name), "utf8"))[1],
  );
  assert.equal(readme.trim(), brief(guide));
  assert.match(readme, /\| update \|[^]*\n\| throughput \|.* \d/);
});

test("the benchmark of followers measures sockets, writes, and a follower that was away", { timeout: 120_000 }, () => {
  const few = ["--seconds", "1", "--writes", "3", "--lines", "1500", "--listeners", "1,5"];
  const table = execFileSync("node", ["benches/followers.mjs", ...few], { cwd: ROOT, encoding: "utf8" });
  assert.match(table, /\| 5 \| [\d.]+ \| [\d.]+ \| [\d.]+ \|/);
  assert.match(table, /\| 0 sockets \| [\d.]+ \| [\d.]+ \|\n\| 5 sockets \| .*\n\| 500 requests \| [\d.]+ \|/);
  assert.match(table, /away for 1500 changes reads them in 3 pages/);
});
