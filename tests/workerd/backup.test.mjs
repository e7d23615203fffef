// Export, import, and deletion on the real runtime, with the commands of the guide.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { blocksIn } from "../support/blocks.mjs";
import {
  ROOT,
  bash,
  eventually,
  folder,
  kvEqualsTruth,
  pathWithNpx,
  project,
  startForTests,
  startIn,
} from "./support.mjs";

const source = startForTests();

async function fill(worker, name, count) {
  for (let number = 0; number < count; number += 1) {
    const arrays = {
      arrayOfIntExample: [number % 5, number],
      arrayOfFloatExample: [number / 3, 1e-7],
      arrayOfStringExample: [`red ${number}`, "é😀"],
    };
    const key = number % 2 === 1 ? `k${number}` : undefined;
    const body = { key, objectTypeProperty: arrays, custom: `custom ${number % 3}` };
    assert.equal((await worker.create(name, `r${number}`, body)).status, 201);
  }
  await worker.create(name, "r3", { key: "moved", objectTypeProperty: { arrayOfIntExample: [7] } });
  await worker.create(name, "gone");
  assert.equal((await worker.call(`DELETE /${name}/resource/gone`)).status, 200);
}

test("the guide's commands move a project, and may be repeated", { timeout: 60_000 }, async () => {
  const guide = readFileSync(join(ROOT, "src/guide/operate/operations.md"), "utf8")
    .split("\n## Backup and restore\n")[1]
    .split("\n### Standby")[0];
  const commands = blocksIn(guide, "sh");
  assert.equal(commands.length, 2);
  const [FROM, TO, cwd] = [project(), project(), folder()];
  // The size limit leads to two pages.
  await fill(source, FROM, 5);
  for (const id of ["large", "larger"]) {
    const body = { id, objectTypeProperty: {}, custom: "x".repeat(150_000) };
    assert.equal((await source.call(`POST /${FROM}/resource`, { body })).status, 201);
  }
  const RESOURCE_EDGE_TOKEN = await source.token(TO, `manage_test:${FROM} manage_test`);
  const variables = { RESOURCE_EDGE_URL: source.address, RESOURCE_EDGE_TOKEN, FROM, TO, PATH: pathWithNpx() };
  const [exported, imported] = commands.map((command) => async (more = "") => {
    const { stdout } = await promisify(execFile)("bash", ["-euc", `${command.trim()} --json ${more}`], {
      cwd,
      env: { ...process.env, ...variables },
    });
    return JSON.parse(stdout);
  });
  assert.equal((await exported()).resources, 7);
  assert.deepEqual(readdirSync(cwd), ["backup.ndjson"]);
  const counts = async () => {
    const { imported: lines, skipped, isComplete } = await imported();
    return [lines, skipped, isComplete];
  };
  assert.deepEqual(await counts(), [8, 0, true]);
  assert.deepEqual(await counts(), [0, 8, true]);
  // Lines that replace large resources need several requests.
  for (const id of ["large", "larger"]) {
    const body = { id, objectTypeProperty: {}, custom: "y".repeat(120_000) };
    assert.equal((await source.call(`POST /${FROM}/resource`, { body })).status, 200);
  }
  await exported("--force");
  assert.deepEqual(await counts(), [2, 6, true]);
  // The end of an export names the history, which is the project's own.
  const [copied, original] = await Promise.all([TO, FROM].map(async (name) => (await source.pages(name)).join("")));
  assert.deepEqual(copied.split("\n").slice(0, -2), original.split("\n").slice(0, -2));
  await eventually(() => kvEqualsTruth(source, TO));
  const made = await source.call(`POST /${TO}/resource`, { body: { id: "gone", objectTypeProperty: {} } });
  assert.deepEqual([made.status, made.json.version], [201, 2]);
});

test("a project is deleted in several turns, and its data does not return", { timeout: 120_000 }, async (t) => {
  const guide = readFileSync(join(ROOT, "src/guide/operate/operations.md"), "utf8")
    .split("\n## Deleting a project\n")[1]
    .split("\n## ")[0];
  const [command] = blocksIn(guide, "sh");
  const worker = await startIn(t);
  const [name, other] = [project(), project()];
  await fill(worker, other, 4);
  await fill(worker, name, 4);
  const create = (n) =>
    worker.create(name, `m${n}`, { key: `n${n}`, objectTypeProperty: { arrayOfStringExample: [`red ${n}`] } });
  for (let first = 0; first < 400; first += 50)
    await Promise.all(Array.from({ length: 50 }, (_, n) => create(first + n)));
  assert.equal((await worker.call(`DELETE /${name}/data`)).json.errors[0].parameter, "confirm");
  // Puts of the creations are still in progress.
  const env = { RESOURCE_EDGE_URL: worker.address, RESOURCE_EDGE_TOKEN: await worker.token(name), FROM: name };
  const printed = await bash(`${command.trim()} --json`, { ...env, PATH: pathWithNpx() });
  assert.deepEqual(JSON.parse(printed), { deleted: 404 });
  const turns = worker.log
    .map((line) => JSON.parse(line))
    .filter((line) => line.operation === "clear" && line.status === 200);
  assert.equal(turns.length, 3);
  const { newestRevision } = (await worker.call(`GET /${name}/status`)).json;
  await worker.crash();
  for (const path of ["m7", "key=n7"]) {
    assert.equal((await worker.fresh(`GET /${name}/resource/${path}`)).status, 404, path);
  }
  await eventually(() => kvEqualsTruth(worker, name), 60_000);
  assert.equal((await worker.call(`GET /${name}/resource`)).json.total, 0);
  assert.equal((await worker.call(`GET /${other}/resource`)).json.total, 4);
  const again = await worker.create(name, "r3", { key: "moved" });
  assert.deepEqual([again.status, again.json.version], [201, 3]);
  assert.ok(Number(again.headers["resource-revision"]) > newestRevision);
});
