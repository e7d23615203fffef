// Export, import, and deletion on the real runtime, with the commands of the guide.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { blocksIn } from "../support/blocks.mjs";
import { ROOT, bash, eventually, folder, kvEqualsTruth, project, startForTests, startIn } from "./support.mjs";

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
  const guide = readFileSync(join(ROOT, "src/guide/operations.md"), "utf8")
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
  const token = await source.token(TO, `manage_test:${FROM} manage_test`);
  const run = (script) => bash(script, { SERVICE: source.address, FROM, TO, TOKEN: token }, cwd);
  await run(commands[0]);
  assert.deepEqual(readdirSync(cwd).sort(), ["100001.ndjson", "100002.ndjson", "headers"]);
  const results = async () =>
    (await run(commands[1]))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const counts = ({ imported, skipped, isComplete }) => [imported, skipped, isComplete];
  assert.deepEqual((await results()).map(counts), [
    [7, 0, false],
    [1, 0, true],
  ]);
  assert.deepEqual((await results()).map(counts), [
    [0, 7, false],
    [0, 1, true],
  ]);
  // A page that replaces large resources needs several requests, of which the loop prints the last.
  for (const id of ["large", "larger"]) {
    const body = { id, objectTypeProperty: {}, custom: "y".repeat(120_000) };
    assert.equal((await source.call(`POST /${FROM}/resource`, { body })).status, 200);
  }
  await run(commands[0]);
  assert.deepEqual((await results()).map(counts), [
    [0, 8, true],
    [0, 1, false],
  ]);
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
  const guide = readFileSync(join(ROOT, "src/guide/operations.md"), "utf8")
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
  const turns = (await bash(command, { SERVICE: worker.address, FROM: name, TOKEN: await worker.token(name) }))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    turns.map(({ deleted, isDone }) => [deleted, isDone]),
    [
      [200, false],
      [200, false],
      [4, true],
    ],
  );
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
  assert.ok(Number(again.headers["resource-revision"]) > turns[2].newestRevision);
});
