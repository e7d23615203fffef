// `.ci/tests`, which runs test files: a file that ends before its tests have ended fails.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { folder, ROOT } from "./support.mjs";

/** Runs a test file with this code by `.ci/tests`. Returns the exit code and the output. */
function run(code) {
  const file = join(folder(), "sample.test.mjs");
  writeFileSync(file, `import { test } from "node:test";\n${code}\n`);
  // A runner in a test would run nothing.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout, stderr } = spawnSync(join(ROOT, ".ci/tests"), [file], { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

const PASSES = 'test("passes", () => {});';

test("a run whose tests all have results passes, with node's summary at its end", () => {
  const others = 'test("is skipped", { skip: true }, () => {}); test("speaks", (t) => t.diagnostic("said"));';
  const { status, stdout, stderr } = run(`${PASSES} ${others}`);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /# said\n[^]*# tests 3\n[^]*# pass 2\n# fail 0\n/);
});

test("a test that fails fails the run, and the file is complete", () => {
  const { status, stdout, stderr } = run(`${PASSES} test("fails", () => { throw new Error("no"); });`);
  assert.deepEqual([status, stderr], [1, ""]);
  assert.match(stdout, /# pass 1\n# fail 1\n/);
});

for (const [what, end] of [
  ["kills itself", 'process.kill(process.pid, "SIGKILL")'],
  ["exits with code 0", "process.exit(0)"],
  ["has no tests", ""],
]) {
  test(`a file that ${what} fails the run`, () => {
    const during = `${PASSES} test("ends", async () => { ${end}; await new Promise(() => {}); });`;
    for (const code of [`${end};`, ...(end === "" ? [] : [during])]) {
      const { status, stderr } = run(code);
      assert.equal(status, 1, code);
      assert.match(stderr, /sample\.test\.mjs ended without the results of its tests\./);
    }
  });
}
