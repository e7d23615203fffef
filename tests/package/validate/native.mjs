// What the native tests have written for these: bodies and documents, with the results of the validator.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Returns the lines of a file, as JSON. If there is no such file, runs the tests that write it. */
export function linesOf(name, tests) {
  const file = `${process.env.CARGO_TARGET_DIR ?? "target"}/tmp/${name}`;
  if (!existsSync(file)) {
    const command = ["test", "--quiet", "--no-default-features", "--test", "service", tests];
    assert.equal(spawnSync("cargo", command, { stdio: "inherit" }).status, 0, "the native tests failed");
  }
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The bodies of the interface's resource, with their results. */
export const bodies = linesOf("bodies.jsonl", "validate::");
