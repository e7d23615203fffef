// A full project (D34): its writes get 507 and change nothing, its reads work, and so do its deletions unless the disk
// itself is full. It works as before when it has room again.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
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

const importOf = async (name, body) =>
  worker.send({
    method: "POST",
    target: `/${name}/import`,
    headers: { Authorization: `Bearer ${await worker.token(name)}`, "Content-Type": "application/x-ndjson" },
    body,
  });

/** Asserts that reads of every kind work. */
async function assertReads(name) {
  const at = `/${name}/resource`;
  for (const line of [`${at}/a`, `${at}/key=key-b`, at, `${at}/searchApiPattern?text.en=words`, `/${name}/export`])
    assert.equal((await worker.fresh(`GET ${line}`)).status, 200, line);
}

/** Returns the log's last line of a request that got 507. */
const logged = () => JSON.parse(worker.log.findLast((line) => line.includes('"code":"InsufficientStorage"')));

describe("a project", () => {
  after(() => worker.control({ bytes: 0, full: false }));

  test("of nearly 10 GB performs only reads and deletions", async () => {
    const name = project();
    await fill(name);
    const before = (await worker.call(`GET /${name}/resource`)).text;
    const status = async () => (await worker.call(`GET /${name}/status`)).json;
    assert.equal((await status()).databaseState, "ok");
    await worker.control({ bytes: 0.8 * LIMIT });
    assert.deepEqual([(await status()).databaseState, (await status()).databasePercent], ["nearlyFull", 80]);
    await worker.control({ bytes: 0.95 * LIMIT });
    assert.equal((await status()).databaseState, "full");

    const lines = (await worker.call(`GET /${name}/export`)).text;
    for (const { status, json, headers } of [...(await write(name)), await importOf(project(), lines)]) {
      assert.equal(status, 507);
      assert.equal(headers["retry-after"], undefined);
      if (json !== undefined) assert.equal(json.errors[0].code, "InsufficientStorage");
    }
    await eventually(() => assert.match(logged().cause, /^the database has 95\d{8} bytes$/));
    assert.equal((await worker.call(`GET /${name}/resource`)).text, before);
    await assertReads(name);
    assert.equal(
      (await worker.call(`DELETE /${name}/resource/b`, { headers: { "Idempotency-Key": "b" } })).status,
      200,
    );
    const cleared = await worker.call(`DELETE /${name}/data?confirm=${name}`);
    assert.deepEqual([cleared.status, cleared.json.remaining], [200, 0], cleared.text);

    await worker.control({ bytes: 0 });
    const [created] = await write(name);
    assert.deepEqual([created.status, created.headers["idempotency-replayed"]], [201, undefined]);
    await eventually(() => kvEqualsTruth(worker, name));
  });

  test("on a full disk performs only reads, and continues when there is room", async () => {
    const name = project();
    await fill(name);
    const before = (await worker.call(`GET /${name}/resource`)).text;
    const lines = (await worker.call(`GET /${name}/export`)).text;
    await worker.control({ full: true });
    const deletion = () => worker.call(`DELETE /${name}/resource/b`, { headers: { "Idempotency-Key": "b" } });
    const clear = () => worker.call(`DELETE /${name}/data?confirm=${name}`);
    const answers = [...(await write(name)), await deletion(), await clear(), await importOf(project(), lines)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 507),
    );
    await eventually(() => assert.match(logged().cause, /SQLITE_FULL/));
    assert.ok(!answers.some(({ text }) => text.includes("SQLITE")), "the cause is sent");
    await assertReads(name);
    assert.equal((await worker.call(`GET /${name}/resource`)).text, before);

    await worker.control({ full: false });
    const [created] = await write(name);
    assert.deepEqual([created.status, created.headers["idempotency-replayed"]], [201, undefined]);
    assert.equal((await deletion()).status, 200);
    await eventually(() => kvEqualsTruth(worker, name), 20_000);
  });
});
