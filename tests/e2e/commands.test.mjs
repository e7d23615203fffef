// The configuration for wrangler, and commands, in documents. `tests/docs/commands.rs` checks the other commands.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { blocksIn } from "../support/blocks.mjs";
import { bash, folder, project, ROOT, startIn } from "./support.mjs";

/** The guide for operators. */
const guide = readFileSync(join(ROOT, "src/guide/operations.md"), "utf8");

/** Returns wrangler.toml with further lines: tables at its end, and others above its first table. */
function configuration(lines) {
  const file = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  return /^\[/m.test(lines) && !/^\w+ = \[$/m.test(lines) ? `${file}\n${lines}` : `${lines}\n${file}`;
}

test("wrangler accepts the configuration that the guide shows", async () => {
  const { unstable_readConfig } = await import("wrangler");
  const path = join(folder(), "wrangler.toml");
  const read = (lines) => {
    writeFileSync(path, configuration(lines));
    return unstable_readConfig({ config: path }, { hideWarnings: true });
  };
  assert.throws(() => read('[[ratelimits]]\nname = "A"\n'));
  const blocks = blocksIn(guide, "toml");
  const [settings, limits, routes, ...others] = blocks.map(read);
  assert.deepEqual(others, []);
  const { vars } = settings;
  assert.ok(Object.keys(vars).length >= 3);
  for (const [name, value] of Object.entries(vars)) {
    assert.ok(guide.includes(`\n| \`${name}\` | variable |`), `${name} is no variable of the table`);
    assert.equal(typeof value, "string", name);
  }
  const bindings = limits.ratelimits.map(({ name }) => name);
  assert.deepEqual(bindings, ["REQUEST_LIMIT", "TOKEN_LIMIT"]);
  assert.equal(routes.routes.length, 2);
});

test("the command of the README creates a signing secret", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, program] = /node -e '([^']+)' \| npx wrangler secret put TOKEN_SECRET/.exec(readme);
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program]);
  assert.equal(Buffer.from(stdout.trim(), "base64url").length, 32);
});

test("the command of the guide gets a token, which opens the project", { timeout: 60_000 }, async (t) => {
  const [command] = blocksIn(guide, "sh").filter((block) => block.startsWith("TOKEN="));
  const worker = await startIn(t, {
    changes: { API_CLIENTS: [{ id: "my-client", secret: "its-secret", scopes: ["manage_test:*"] }] },
  });
  const FROM = project();
  const variables = { SERVICE: worker.address, SECRET: "its-secret", FROM };
  const token = (await bash(`${command}\necho "$TOKEN"`, variables)).trim();
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal((await fetch(new URL(`${FROM}/status`, worker.url), { headers })).status, 200, token);
});
