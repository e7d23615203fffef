// Export and import on the real runtime: moves a project to another installation and to another name.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { blocksIn } from "../support/blocks.mjs";
import { ROOT, eventually, folder, kvEqualsTruth, project, start, startIn, startForTests } from "./support.mjs";

const FRESH = { headers: { "Cache-Control": "no-cache" } };
const LINES = "application/x-ndjson";

const source = startForTests();

async function exported(worker, name) {
  const pages = [];
  for (let target = `/${name}/export`; target !== undefined; ) {
    const page = await worker.call(`GET ${target}`);
    assert.deepEqual([page.status, page.headers["content-type"]], [200, LINES], page.text);
    pages.push(page.text);
    target = page.headers.link?.match(/^<(.*)>; rel="next"$/)[1];
  }
  return pages;
}

async function imported(worker, name, lines) {
  const headers = { Authorization: `Bearer ${await worker.token(name)}`, "Content-Type": LINES };
  const answer = await worker.send({ method: "POST", target: `/${name}/import`, headers, body: lines });
  return { ...answer, json: JSON.parse(answer.text) };
}

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

/** Returns the output of a script that must succeed without complaints. */
async function bash(script, options) {
  const shell = spawn("bash", ["--noprofile", "--norc", "-euc", script], options);
  const [stdout, stderr] = await Promise.all(
    [shell.stdout, shell.stderr].map(async (stream) => (await stream.toArray()).join("")),
  );
  assert.equal(stderr, "", stdout);
  return stdout;
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

test("a project that is moved to another installation and name responds as the original", async () => {
  const [from, to] = [project(), project()];
  await fill(source, from, 40);
  const pages = await exported(source, from);
  const state = folder();
  let copy = await start({ state });
  try {
    for (const page of pages) {
      const count = page.trim().split("\n").length - 1;
      const first = await imported(copy, to, page);
      assert.deepEqual([first.status, first.json.imported, first.json.skipped], [200, count, 0], first.text);
      assert.deepEqual((await imported(copy, to, page)).json, {
        imported: 0,
        skipped: count,
        taken: count + 1,
        isDone: true,
        isComplete: true,
        newestRevision: first.json.newestRevision,
      });
    }
    const same = async () => {
      for (const read of READS)
        assert.deepEqual(
          await readComparable(copy, to, `GET ${read}`),
          await readComparable(source, from, `GET ${read}`),
          read,
        );
    };
    await same();
    await eventually(() => kvEqualsTruth(copy, to));
    await copy.stop();
    copy = await start({ state });
    await same();
    await kvEqualsTruth(copy, to);
    const again = { body: { id: "gone", objectTypeProperty: {} } };
    const made = await copy.call(`POST /${to}/resource`, again);
    assert.deepEqual([made.status, made.json.version], [201, 2]);
    assert.ok(
      Number(made.headers["resource-revision"]) > (await source.call(`GET /${from}/status`)).json.newestRevision,
    );
    const late = await imported(copy, to, pages[0]);
    assert.deepEqual([late.status, late.json.errors[0].code], [400, "InvalidOperation"]);
  } finally {
    await copy.stop();
  }
});

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
  const env = { ...process.env, SERVICE: String(source.url).replace(/\/$/, ""), FROM, TO, TOKEN: token };
  const run = (script) => bash(script, { cwd, env });
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
});

test("pages of the largest size are exported and imported in bounded memory", { timeout: 300_000 }, async (t) => {
  // Use a larger number for a measurement.
  const count = Number(process.env.RESOURCES ?? 700);
  const worker = await startIn(t, { measured: true });
  const [from, to] = [project(), project()];
  const arrays = {
    arrayOfIntExample: Array.from({ length: 60 }, (_, n) => n * 7),
    arrayOfStringExample: Array.from({ length: 60 }, (_, n) => `word${n} red`),
  };
  const body = (n) => ({ body: { id: `r${n}`, key: `k${n}`, objectTypeProperty: arrays, custom: "x".repeat(700) } });
  for (let first = 0; first < count; first += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, n) => worker.call(`POST /${from}/resource`, body(first + n))));
  }
  const memory = async () =>
    JSON.parse((await worker.send({ method: "GET", target: "/__memory" })).text)[0] / (1 << 20);
  const written = await memory();
  const pages = await exported(worker, from);
  const read = await memory();
  assert.ok(pages.length > 1 && pages.every((page) => page.length <= 1 << 18), `${pages.map((page) => page.length)}`);
  const times = [];
  for (const page of pages) {
    const began = performance.now();
    assert.equal((await imported(worker, to, page)).status, 200);
    times.push(Math.round(performance.now() - began));
  }
  const restored = await memory();
  const slowest = Math.max(...times);
  t.diagnostic(
    `${count} resources, ${pages.length} pages, an import ${slowest} ms at most; memory after writes, ` +
      `export, import: ${[written, read, restored].map((mib) => mib.toFixed(1))} MiB`,
  );
  assert.ok(restored < 64, `${restored} MiB`);
  assert.deepEqual(
    await readComparable(worker, to, "GET resource?limit=500"),
    await readComparable(worker, from, "GET resource?limit=500"),
  );
  await eventually(async () => assert.equal((await worker.call(`GET /${to}/status`)).json.backlog, 0), 60_000);
});

test("a project is deleted in several turns, and its data does not return", { timeout: 120_000 }, async (t) => {
  const guide = readFileSync(join(ROOT, "src/guide/operations.md"), "utf8")
    .split("\n## Deleting a project\n")[1]
    .split("\n## ")[0];
  const [command] = blocksIn(guide, "sh");
  const state = folder();
  let worker = await start({ state });
  try {
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
    const env = {
      ...process.env,
      SERVICE: String(worker.url).replace(/\/$/, ""),
      FROM: name,
      TOKEN: await worker.token(name),
    };
    const began = performance.now();
    const printed = await bash(command, { env });
    t.diagnostic(`${Math.round(performance.now() - began)} ms`);
    const turns = printed
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
    await worker.kill();
    worker = await start({ state });
    for (const path of ["m7", "key=n7", "r3", "key=moved"]) {
      assert.equal((await worker.fresh(`GET /${name}/resource/${path}`)).status, 404, path);
    }
    assert.equal((await worker.call(`GET /${name}/resource?limit=1`)).json.total, 0);
    assert.ok(
      (await worker.call(`GET /${name}/export`)).text
        .split("\n")
        .every((line) => line === "" || line.startsWith('{"deletedAt":') || line.startsWith('{"end":')),
    );
    await eventually(() => kvEqualsTruth(worker, name), 60_000);
    await eventually(async () => assert.equal((await worker.call(`GET /${name}/status`)).json.backlog, 0), 60_000);
    await kvEqualsTruth(worker, name);
    assert.equal((await worker.call(`GET /${other}/resource`)).json.total, 4);
    await kvEqualsTruth(worker, other);
    const again = await worker.call(`POST /${name}/resource`, {
      body: { id: "r3", key: "moved", objectTypeProperty: {} },
    });
    assert.deepEqual([again.status, again.json.version], [201, 3]);
    assert.ok(Number(again.headers["resource-revision"]) > turns[2].newestRevision);
  } finally {
    await worker.stop();
  }
});
