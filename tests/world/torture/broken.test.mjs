// The torture test detects a service that breaks a promise.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SEED = 7;

/** Runs a torture test of that service to its end. */
function torture(broken) {
  const env = { ...process.env, BROKEN: broken, KILLS: "4", SEED: String(SEED) };
  const run = spawn(process.execPath, ["tests/world/torture/run.mjs"], { cwd: ROOT, env });
  let text = "";
  for (const stream of [run.stdout, run.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (text += chunk));
  return new Promise((resolve) => run.once("exit", (code) => resolve({ code, text })));
}

for (const [broken, what] of Object.entries({
  minimum: /below the minimum revision|caller \d+ saw/,
  fresh: /was acknowledged, now it is/,
  repeat: /was written twice|not marked as replayed/,
  version: /is Violated/,
  commit: /was acknowledged/,
  batch: /is Violated/,
  put: /KV differs from the source of truth/,
  frame: /the follower by socket.*: it has/,
})) {
  test(`the torture test detects a service without '${broken}'`, async () => {
    const { code, text } = await torture(broken);
    await rm(`${ROOT}artifacts/torture-${SEED}.ndjson`, { force: true });
    assert.equal(code, 1, text);
    assert.match(text, what);
  });
}
