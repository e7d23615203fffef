// The commands and the configuration for wrangler in documents. `tests/docs/commands.rs` checks the other commands.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { blocksIn } from "../support/blocks.mjs";
import { folder, project, ROOT, start } from "./support.mjs";

const FOLDERS = [".", "src/guide", "pkg", "examples", "benches"];

/** Returns the commands in the spans and the lines of code of a document: the words before the first argument. */
function commands(text) {
  const parts = text.split("```");
  const lines = parts.flatMap((part, at) => (at % 2 === 1 ? part.split("\n") : []));
  const spans = parts.flatMap((part, at) => (at % 2 === 0 ? part.split("`").filter((_, i) => i % 2 === 1) : []));
  const code = [...lines, ...spans.map((span) => span.replace(/\s+/g, " "))];
  const found = code.flatMap((line) => [...line.matchAll(/\bwrangler ((?:[a-z]+ ?)+)(?![.\w])/g)]);
  return found.map(([, words]) => words.trim());
}

/** Returns whether wrangler has the command. Its help begins with the command. */
async function exists(command) {
  const wrangler = join(ROOT, "node_modules/.bin/wrangler");
  const { stdout } = await promisify(execFile)(wrangler, [...command.split(" "), "--help"]).catch(() => ({
    stdout: "",
  }));
  return `${stdout.split("\n")[0]} `.startsWith(`wrangler ${command} `);
}

test("the wrangler commands in documents exist", { timeout: 120_000 }, async () => {
  const text = "Run `npx wrangler secret\nput NAME`:\n```sh\nwrangler login\n```\nand `wrangler.toml`";
  assert.deepEqual(commands(text), ["login", "secret put"]);
  assert.equal(await exists("secret nothing"), false);
  const documents = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(ROOT, folder, name)),
  );
  const named = new Set(documents.flatMap((document) => commands(readFileSync(document, "utf8"))));
  assert.ok(named.size >= 6, [...named].join(", "));
  for (const command of named) assert.ok(await exists(command), `wrangler ${command}`);
});

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
  assert.deepEqual(
    limits.ratelimits.map(({ name }) => name),
    ["REQUEST_LIMIT", "TOKEN_LIMIT"],
  );
  assert.equal(routes.routes.length, 2);
});

test("the command of the README creates a signing secret", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, program] = /node -e '([^']+)' \| npx wrangler secret put TOKEN_SECRET/.exec(readme);
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program]);
  assert.equal(Buffer.from(stdout.trim(), "base64url").length, 32);
});

test("the command of the guide gets a token, which opens the project", { timeout: 60_000 }, async () => {
  const [command] = blocksIn(guide, "sh").filter((block) => block.startsWith("TOKEN="));
  const worker = await start({
    changes: { API_CLIENTS: [{ id: "my-client", secret: "its-secret", scopes: ["manage_test:*"] }] },
  });
  try {
    const FROM = project();
    const env = { ...process.env, SERVICE: String(worker.url).replace(/\/$/, ""), SECRET: "its-secret", FROM };
    const script = `${command}\necho "$TOKEN"`;
    const { stdout } = await promisify(execFile)("bash", ["--noprofile", "--norc", "-euc", script], { env });
    const headers = { Authorization: `Bearer ${stdout.trim()}` };
    assert.equal((await fetch(new URL(`${FROM}/status`, worker.url), { headers })).status, 200, stdout);
  } finally {
    await worker.stop();
  }
});
