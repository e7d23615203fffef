// The bodies that the native tests have validated, with their results.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const file = `${process.env.CARGO_TARGET_DIR ?? "target"}/tmp/bodies.jsonl`;
if (!existsSync(file)) {
  const command = ["test", "--quiet", "--no-default-features", "--test", "service", "validate::"];
  assert.equal(spawnSync("cargo", command, { stdio: "inherit" }).status, 0, "the native tests failed");
}

export const bodies = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
