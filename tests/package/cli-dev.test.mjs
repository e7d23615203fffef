// `resource-edge dev` with a wrangler of the test: how it ends, and who has the data.

import assert from "node:assert/strict";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../support/waiting.mjs";
import { folderFor, run, serve } from "./npm-project.mjs";
import { root } from "./support.mjs";

const MAIN = join(root, "pkg/dist/cli/main.js");
const KNOWN = { PATH: process.env.PATH, NODE_NO_WARNINGS: "1" };
const folder = folderFor("resource-edge-dev-");

/** Writes a project whose wrangler is a server that does this. Returns its folder. */
function projectOf(name, then) {
  const project = join(folder, name);
  const wrangler = join(project, "node_modules/wrangler");
  mkdirSync(wrangler, { recursive: true });
  const files = { "wrangler.jsonc": "{}", "package.json": "{}" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  writeFileSync(join(wrangler, "package.json"), '{ "version": "4.0.0", "bin": { "wrangler": "run.mjs" } }');
  const program = `import { createServer } from "node:http";
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
createServer((_, response) => response.end()).listen(port, "127.0.0.1");
${then}
`;
  writeFileSync(join(wrangler, "run.mjs"), program);
  return project;
}

const DEV = [MAIN, "dev", "--port", "0", "--json"];

test("dev fails if its server is killed", async () => {
  const cwd = projectOf("killed", 'setTimeout(() => process.kill(process.pid, "SIGKILL"), 1_500);');
  const { code, stdout, stderr } = await run(process.execPath, DEV, { cwd, env: KNOWN });
  assert.deepEqual([code, Object.keys(JSON.parse(stdout))], [1, ["url"]], stderr);
});

test("one dev at a time has the data of a folder, and its server ends with it, however it ends", async () => {
  const cwd = projectOf("held", "");
  const first = await serve(process.execPath, DEV, { cwd, env: KNOWN }, /\{.*\}\n/);
  const { url } = JSON.parse(first.output);
  const second = await run(process.execPath, DEV, { cwd, env: KNOWN });
  const state = join(cwd, ".wrangler/state");
  const message = `Another server uses the data in ${state}. Stop it, or use another folder.`;
  assert.deepEqual([second.code, JSON.parse(second.stderr).error.message], [1, message]);
  assert.equal(statSync(state).mode & 0o777, 0o700);
  assert.equal((await fetch(url)).status, 200);
  process.kill(first.pid, "SIGKILL");
  await eventually(() => assert.rejects(fetch(url)));
  const third = await serve(process.execPath, DEV, { cwd, env: KNOWN }, /\{.*\}\n/);
  assert.equal(await third.end("SIGTERM"), 0);
});
