// A full project (D34): its writes get 507 and change nothing, its reads work, and so do its deletions unless the disk
// itself is full. It works as before when it has room again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, kvEqualsTruth, project, startForTests } from "./support.mjs";

const LIMIT = 10_000_000_000;

const worker = startForTests({ faulty: true });

async function fill(name) {
  for (const id of ["a", "b", "c"]) {
    const body = { id, key: `key-${id}`, custom: `words ${id}`, objectTypeProperty: { arrayOfIntExample: [1] } };
    assert.equal((await worker.call(`POST /${name}/resource`, { body })).status, 201);
  }
  await eventually(() => kvEqualsTruth(worker, name));
}

/** Sends a write of every kind besides deletions, each with its own `Idempotency-Key`. */
async function write(name) {
  const at = `/${name}/resource`;
  const a = { id: "a", version: 1, objectTypeProperty: {} };
  const requests = {
    [`POST ${at}`]: { id: "new", objectTypeProperty: {} },
    [`PUT ${at}`]: a,
    [`PATCH ${at}`]: a,
    [`POST ${at}/a`]: { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "x" }] },
    [`POST ${at}/description-with-urn-links`]: { id: "a", custom: "other" },
  };
  const answers = [];
  for (const [line, body] of Object.entries(requests))
    answers.push(await worker.call(line, { body, headers: { "Idempotency-Key": line } }));
  return answers;
}

/** Asserts that reads of every kind work. */
async function assertReads(name) {
  const at = `/${name}/resource`;
  for (const line of [`${at}/a`, `${at}/key=key-b`, at, `${at}/searchApiPattern?text.en=words`, `/${name}/export`])
    assert.equal((await worker.fresh(`GET ${line}`)).status, 200, line);
}

test("a project of nearly 10 GB, or on a full disk, refuses writes, and continues when there is room", async () => {
  const name = project();
  const state = async () => (await worker.call(`GET /${name}/status`)).json.databaseState;
  const deletion = (id) => worker.call(`DELETE /${name}/resource/${id}`, { headers: { "Idempotency-Key": id } });
  const clear = () => worker.call(`DELETE /${name}/data?confirm=${name}`);
  const refused = () => worker.log.findLast((line) => line.includes('"code":"InsufficientStorage"'));
  await worker.control({ bytes: 0.8 * LIMIT });
  assert.equal(await state(), "nearlyFull");
  for (const [fault, stateThen, cause, deletions] of /** @type {[object, string, RegExp, number][]} */ ([
    [{ bytes: 0.95 * LIMIT }, "full", /^the database has 95\d{8} bytes$/, 200],
    [{ full: true }, "ok", /SQLITE_FULL/, 507],
  ])) {
    await worker.control({ bytes: 0 });
    await fill(name);
    const before = (await worker.call(`GET /${name}/resource`)).text;
    const lines = (await worker.call(`GET /${name}/export`)).text;
    await worker.control(fault);
    assert.equal(await state(), stateThen);
    for (const { status, headers, text, json } of [...(await write(name)), await worker.import(project(), lines)]) {
      assert.deepEqual([status, json.errors[0].code], [507, "InsufficientStorage"]);
      assert.equal(headers["retry-after"], undefined);
      assert.ok(!text.includes("SQLITE"), "the cause is sent");
    }
    await eventually(() => assert.match(JSON.parse(refused()).cause, cause));
    assert.equal((await worker.call(`GET /${name}/resource`)).text, before);
    await assertReads(name);
    for (const done of [await deletion("b"), await clear()]) assert.equal(done.status, deletions, done.text);
  }
  await worker.control({ full: false });
  const [created] = await write(name);
  assert.deepEqual([created.status, created.headers["idempotency-replayed"]], [201, undefined]);
  await eventually(() => kvEqualsTruth(worker, name));
});
