// `.ci/tests`, which runs test files: a file that ends before its tests have ended fails. `.ci/stage`, which runs a
// stage of `make test`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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
const INCOMPLETE = /sample\.test\.mjs ended without the results of its tests\./;

test("a run whose tests all have results passes, with node's summary at its end", () => {
  const others = 'test("is skipped", { skip: true }, () => {}); test("speaks", (t) => t.diagnostic("said"));';
  const { status, stdout, stderr } = run(`${PASSES} ${others}`);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /# said\n[^]*# tests 3\n[^]*# pass 2\n# fail 0\n/);
  assert.equal(stderr, "");
});

test("a test that fails fails the run, and the file is complete", () => {
  const { status, stdout, stderr } = run(`${PASSES} test("fails", () => { throw new Error("no"); });`);
  assert.equal(status, 1);
  assert.match(stdout, /# pass 1\n# fail 1\n/);
  assert.equal(stderr, "");
});

for (const [what, end] of [
  ["kills itself", 'process.kill(process.pid, "SIGKILL")'],
  ["is terminated", 'process.kill(process.pid, "SIGTERM")'],
  ["exits with code 0", "process.exit(0)"],
]) {
  test(`a file that ${what} fails the run`, () => {
    const during = run(`${PASSES} test("ends", async () => { ${end}; await new Promise(() => {}); });`);
    assert.equal(during.status, 1, during.stdout);
    assert.match(during.stderr, INCOMPLETE);
    const before = run(`${end};`);
    assert.equal(before.status, 1, before.stdout);
    assert.match(before.stderr, INCOMPLETE);
  });
}

test("a file without tests fails the run", () => {
  const { status, stderr } = run("");
  assert.equal(status, 1);
  assert.match(stderr, INCOMPLETE);
});

test("a stage that fails prints its output and ends with its code", () => {
  const { status, stdout, stderr } = spawnSync(join(ROOT, ".ci/stage"), ["none"], { encoding: "utf8" });
  assert.deepEqual([status, stdout], [1, "error: there is no stage 'none': see STAGES in .ci/stages.mk.\n"]);
  assert.match(stderr, /Stage none failed/);
});

test("make test runs each stage that .ci/test has, after what it needs", () => {
  const script = readFileSync(join(ROOT, ".ci/test"), "utf8");
  const stages = [...script.matchAll(/^ {2}(\w+)\)/gm)].map(([, name]) => name);
  const args = ["--dry-run", "--no-print-directory", "--file", ".ci/stages.mk"];
  const env = { ...process.env, MAKEFLAGS: undefined };
  const { stdout } = spawnSync("make", args, { cwd: ROOT, env, encoding: "utf8" });
  const planned = stdout.trim().split("\n");
  assert.deepEqual(planned.toSorted(), stages.map((name) => `.ci/stage ${name}`).toSorted());
  assert.ok(planned.indexOf(".ci/stage build") < planned.indexOf(".ci/stage console"), stdout);
});
