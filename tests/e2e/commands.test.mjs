// The commands of wrangler that documents name exist. `tests/docs/commands.rs` checks the other commands.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ROOT } from "./support.mjs";

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

test("the commands of wrangler that documents name exist", { timeout: 120_000 }, async () => {
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
