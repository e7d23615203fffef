// The guide's session with the built-in resource, and the commands of the guide that continue it, line by line in a
// shell, against the built Worker.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { blocksIn } from "../support/blocks.mjs";
import { bash, folder, project, ROOT, startForTests } from "./support.mjs";

/** Returns the blocks of a document that call the service. */
const sessionIn = (document) => blocksIn(document, "sh").filter((block) => block.includes("$API"));
const page = readFileSync(join(ROOT, "src/guide/use/built-in-resource.md"), "utf8");
const blocks = sessionIn(page);

/** Calls the system's curl, and writes the status of each response to standard error. */
const CURL = `#!/bin/sh
PATH=\${PATH#*:} exec curl "$@" -w '\\n%{stderr}%{http_code}\\n'
`;

/** Runs a script in bash. Returns its output, and the statuses of its requests. */
async function run(script, bin) {
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)("bash", ["--noprofile", "--norc", "-euc", script], { env });
  assert.match(stderr, /^([1-5]\d\d\n)*$/, "curl and bash have nothing else to say");
  return { stdout, statuses: stderr.trim().split("\n").map(Number) };
}

/** Returns the text with the same IDs and times as every other. */
const masked = (text) =>
  text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");

const worker = startForTests();

/** Returns the script with this token and the Worker's address. */
const filled = (script, token) =>
  script.replace(/^TOKEN=.*$/m, `TOKEN=${token}`).replace("http://127.0.0.1:8787", worker.address);

test("each line of the session gets the response in its comment", { timeout: 60_000 }, async () => {
  assert.equal(blocks.length, 2);
  const bin = folder();
  writeFileSync(join(bin, "curl"), CURL);
  chmodSync(join(bin, "curl"), 0o755);
  const token = await worker.token("demo", "manage_test");
  const script = filled(blocks.join(""), token);
  const { stdout, statuses } = await run(script, bin);
  assert.deepEqual(statuses, [
    ...[201, 200], // create, and the look-up of the ID
    ...[200, 200], // reads
    ...[200, 409], // updates
    ...[200, 200], // overwrite
    ...[200, 202], // complex bodies
    ...[200, 200, 200], // query, sorted query, existence
    200, // delete
    ...[201, 200, 200], // the second block: create, query, search
  ]);
  const shown = blocksIn(page, "json");
  assert.equal(shown.length, 1);
  assert.ok(masked(stdout).includes(masked(JSON.stringify(JSON.parse(shown[0])))), shown[0]);
  assert.match(stdout, /"facets":/);
});

test("the commands of the guarantees read the caller's own write, and the next page", { timeout: 60_000 }, async () => {
  const commands = sessionIn(readFileSync(join(ROOT, "src/guide/use/guarantees.md"), "utf8"));
  assert.equal(commands.length, 2);
  const name = project();
  const setup = blocks[0].split("\n\n")[0].replace("/demo/resource", `/${name}/resource`);
  const one = `json $API -o /dev/null -d "{\\"id\\":\\"$ID\\",\\"objectTypeProperty\\":{}}"`;
  const create = `for ID in a b c; do ${one}; done; ID=a LAST=b`;
  const script = filled([setup, create, ...commands, 'echo "$REVISION"'].join("\n"), await worker.token(name));
  const [read, next, revision] = (await bash(script)).trim().split("\n").slice(-3);
  assert.deepEqual([JSON.parse(read).id, JSON.parse(read).version], ["a", 2]);
  assert.equal(Date.parse(JSON.parse(read).lastModifiedAt), Number(revision));
  const ids = JSON.parse(next).results.map(({ id }) => id);
  assert.deepEqual(ids, ["c"]);
});
