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

const FRESH = { headers: { "Cache-Control": "no-cache" } };

const source = startForTests();

const READS = [
  "resource?limit=500",
  "resource?sort=lastModifiedAt+desc&limit=3&offset=2",
  "resource?where=arrayOfIntExample+contains+any+(1,2)+or+key+is+defined&sort=custom",
  "resource?where=version+%3E+1",
  "resource/searchApiPattern?text.en=red&facet=arrayOfStringExample&facet=version",
  "resource/searchApiPattern?text.en=rad&fuzzy=true&filter.query=key:exists",
  "resource/key=k1",
  "resource/key=moved",
  "resource/gone",
  "resource/r3",
  "export",
];

/** Returns a response without the project's name and without the headers that differ each time. */
async function readComparable(worker, name, line, options = FRESH) {
  const [method, path] = line.split(" ");
  const { status, headers, text } = await worker.call(`${method} /${name}/${path}`, options);
  const { date, connection, "x-correlation-id": id, "keep-alive": alive, ...kept } = headers;
  for (const key of Object.keys(kept)) kept[key] = kept[key].replace(`/${name}/`, "/");
  // Each project has its own history.
  return { status, headers: kept, text: text.replace(/{"end":"\w+\./, '{"end":"history.') };
}

async function fill(worker, name, count) {
  for (let number = 0; number < count; number += 1) {
    const arrays = {
      arrayOfIntExample: [number % 5, number],
      arrayOfFloatExample: [number / 3, 1e-7],
      arrayOfStringExample: [`red ${number}`, "é😀"],
    };
    const body = { id: `r${number}`, objectTypeProperty: arrays, custom: `custom ${number % 3}` };
    if (number % 2 === 1) body.key = `k${number}`;
    assert.equal((await worker.call(`POST /${name}/resource`, { body })).status, 201);
  }
  await worker.call(`POST /${name}/resource`, {
    body: { id: "r3", key: "moved", objectTypeProperty: { arrayOfIntExample: [7] } },
  });
  await worker.call(`POST /${name}/resource`, { body: { id: "gone", objectTypeProperty: {} } });
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
  for (const read of READS)
    assert.deepEqual(
      await readComparable(source, TO, `GET ${read}`),
      await readComparable(source, FROM, `GET ${read}`),
      read,
    );
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
    worker.call(`POST /${name}/resource`, {
      body: { id: `m${n}`, key: `n${n}`, objectTypeProperty: { arrayOfStringExample: [`red ${n}`] } },
    });
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
  const again = await worker.call(`POST /${name}/resource`, {
    body: { id: "r3", key: "moved", objectTypeProperty: {} },
  });
  assert.deepEqual([again.status, again.json.version], [201, 3]);
  assert.ok(Number(again.headers["resource-revision"]) > newestRevision);
});
