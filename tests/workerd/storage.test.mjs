// Stored data outlives the process and is eventually replicated to KV, whatever fails (architecture: Storage; D17,
// D19).

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually, later, kvEqualsTruth, kvOf, project, startForTests, startIn } from "./support.mjs";

describe("KV through Miniflare", () => {
  const worker = startForTests({ faulty: true });

  test("has the exact bodies, versions, and revisions after replication, and after a sweep", async () => {
    const name = project();
    const at = `/${name}/resource`;
    const arrays = { arrayOfIntExample: [1, 2], arrayOfFloatExample: [0.1, 1e21] };
    // Writes of every kind. The remaining resources are a, b, and c.
    for (const [line, body] of /** @type {[string, object][]} */ ([
      [`POST ${at}`, { id: "a", key: "old", custom: "ä😀", objectTypeProperty: arrays }],
      [`POST ${at}`, { id: "gone", key: "gone", objectTypeProperty: {} }],
      [`PUT ${at}`, { id: "b", version: 0, objectTypeProperty: arrays }],
      [`POST ${at}/description-with-urn-links`, { id: "c", key: "c", eigthProperty: "8" }],
      [`POST ${at}/a`, { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "x" }] }],
      [`POST ${at}`, { id: "a", key: "new", objectTypeProperty: {} }],
      [`DELETE ${at}/gone`, undefined],
      [`PATCH ${at}`, { id: "b", version: 1, key: "kb", objectTypeProperty: {} }],
    ])) {
      const { status, text } = await worker.call(line, { body });
      assert.ok(status < 300, `${line} ${text}`);
    }
    const truth = await eventually(() => kvEqualsTruth(worker, name));
    assert.deepEqual(Object.keys(truth).sort(), [
      `k1:${name}:c`,
      `k1:${name}:kb`,
      `k1:${name}:new`,
      `r1:${name}:a`,
      `r1:${name}:b`,
      `r1:${name}:c`,
    ]);
    const stored = await kvOf(worker, name);
    for (const entry of [`r1:${name}:gone`, `k1:${name}:gone`, `k1:${name}:old`]) {
      assert.equal(stored[entry].value, "", `${entry} is a tombstone`);
      assert.equal(stored[entry].metadata.deleted, true);
    }
    const { keys } = await (await worker.kv()).list({ prefix: `r1:${name}:gone` });
    const day = Math.floor(Date.now() / 1000) + 86_400;
    assert.ok(Math.abs(keys[0].expiration - day) < 60, "a tombstone expires after a day");
    // Reads by ID and key from KV return these bodies.
    for (const target of ["a", "key=new"]) {
      assert.equal((await worker.call(`GET /${name}/resource/${target}`)).text, truth[`r1:${name}:a`]);
    }
    // A sweep repairs missing, wrong, and orphaned entries.
    const kv = await worker.kv();
    await kv.delete(`r1:${name}:a`);
    await kv.delete(`k1:${name}:c`);
    await kv.put(`r1:${name}:b`, "{}", { metadata: { version: 1, revision: 1 } });
    await kv.put(`k1:${name}:kb`, "c", { metadata: { revision: 1, id: "c" } });
    await kv.put(`r1:${name}:orphan`, "{}", { metadata: { version: 1, revision: 1 } });
    await worker.call(`POST /__sweep?project=${name}`);
    await eventually(() => kvEqualsTruth(worker, name));
    assert.equal((await kvOf(worker, name))[`r1:${name}:orphan`].metadata.deleted, true);
  });

  test("serves plain reads while it is behind, and no fresh read or read with a later minimum revision", async () => {
    const name = project();
    await worker.create(name, "a", { key: "k" });
    await eventually(() => kvEqualsTruth(worker, name));
    await worker.control({ puts: "hold" });
    const written = await worker.call(`POST /${name}/resource/a`, {
      body: { version: 1, actions: [{ action: "doSomeThing" }] },
    });
    const revision = written.headers["resource-revision"];
    for (const target of ["a", "key=k"]) {
      const plain = await worker.call(`GET /${name}/resource/${target}`);
      assert.equal(plain.json.version, 1, "the copy of before");
      assert.ok(Number(plain.headers["resource-revision"]) < Number(revision));
      const floor = await worker.call(`GET /${name}/resource/${target}`, {
        headers: { "Resource-Min-Revision": revision },
      });
      assert.equal(floor.text, written.text);
      assert.equal((await worker.fresh(`GET /${name}/resource/${target}`)).text, written.text);
    }
    const deleted = await worker.call(`DELETE /${name}/resource/a`);
    const after = deleted.headers["resource-revision"];
    for (const target of ["a", "key=k"]) {
      assert.equal((await worker.call(`GET /${name}/resource/${target}`)).status, 200, "the copy of before");
      const floor = await worker.call(`GET /${name}/resource/${target}`, {
        headers: { "Resource-Min-Revision": after },
      });
      assert.equal(floor.status, 404);
      assert.equal(floor.headers["resource-revision"], after);
      assert.equal((await worker.fresh(`GET /${name}/resource/${target}`)).status, 404);
    }
    await worker.control({ puts: "pass" });
    await eventually(async () => {
      assert.equal((await worker.call(`GET /${name}/resource/a`)).status, 404);
      assert.equal((await worker.call(`GET /${name}/resource/key=k`)).status, 404);
    });
  });

  test("is not read for a copy that the instance remembers, unless it is older than the caller accepts", async () => {
    const name = project();
    const body = { id: "a", key: "k", objectTypeProperty: {} };
    const { text } = await worker.call(`POST /${name}/resource`, { body });
    await eventually(() => kvEqualsTruth(worker, name));
    // Another instance has changed it.
    const revision = Date.now() + 1000;
    await (await worker.kv()).put(`r1:${name}:b`, "{}", { metadata: { version: 1, revision } });
    assert.equal((await worker.call(`GET /${name}/resource/b`)).text, "{}");
    await (await worker.kv()).put(`r1:${name}:b`, '{"new":1}', { metadata: { version: 2, revision: revision + 1 } });
    await worker.call("GET /__calls");
    for (const target of ["a", "a", "key=k", "key=k"]) {
      assert.equal((await worker.call(`GET /${name}/resource/${target}`)).text, text);
    }
    assert.equal((await worker.call(`GET /${name}/resource/b`)).text, "{}");
    const headers = { "Resource-Min-Revision": String(revision + 1) };
    assert.equal((await worker.call(`GET /${name}/resource/b`, { headers })).text, '{"new":1}');
    const { reads } = (await worker.call("GET /__calls")).json;
    const entries = reads.map((/** @type {{ entry: string }} */ { entry }) => entry);
    assert.deepEqual(entries, [`r1:${name}:a`, `k1:${name}:k`, `r1:${name}:b`]);
  });

  test("equal queries of an allowed age are one call of the object", async () => {
    const name = project();
    await worker.create(name, "a");
    const headers = { "Cache-Control": "max-age=5" };
    const query = (/** @type {object} */ more = {}) => worker.call(`GET /${name}/resource`, { headers, ...more });
    await worker.calls();
    await worker.control({ waitingReplies: 1 });
    const first = query();
    await eventually(async () => assert.equal((await worker.control({})).waiting, 1));
    const others = [query(), query()];
    await later(50);
    await worker.control({ waiting: 0 });
    const bodies = (await Promise.all([first, ...others, query()])).map(({ text }) => text);
    assert.equal(new Set(bodies).size, 1);
    assert.equal((await worker.calls()).objects.length, 1);
    assert.equal((await worker.call(`GET /${name}/resource`)).json.count, 1);
  });

  test("causes no outage if its reads fail with any value, or if its entries are malformed", async () => {
    const name = project();
    const made = await worker.create(name, "a", { key: "k" });
    for (const reads of ["fail", "odd", "bare", "garbage"]) {
      await worker.control({ reads });
      for (const target of ["a", "key=k"]) {
        const { status, text } = await worker.call(`GET /${name}/resource/${target}`);
        assert.deepEqual([status, text], [200, made.text], reads);
      }
      assert.equal((await worker.call(`GET /${name}/resource/none`)).status, 404, reads);
    }
    await worker.control({ reads: "pass" });
  });

  test("a database that fails at any statement returns 500 or 503, changes nothing, and works again", async () => {
    const name = project();
    await worker.create(name, "a", { key: "k", objectTypeProperty: { arrayOfIntExample: [1] } });
    const before = (await worker.call(`GET /${name}/resource`)).text;
    let statements = 0;
    for (; ; statements += 1) {
      await worker.control({ sqlAfter: statements });
      const moved = { key: "moved", objectTypeProperty: { arrayOfIntExample: [2] } };
      const answer = await worker.create(name, "a", moved);
      await worker.control({ sqlAfter: null });
      if (answer.status === 200) break;
      assert.ok([500, 503].includes(answer.status), answer.text);
      assert.ok(!answer.text.includes("made to fail"), "internals were sent");
      assert.equal((await worker.call(`GET /${name}/resource`)).text, before, `after ${statements} statements`);
    }
    assert.ok(statements >= 5, `${statements} statements could fail`);
    assert.equal((await worker.fresh(`GET /${name}/resource/key=moved`)).json.version, 2);
    await eventually(() => kvEqualsTruth(worker, name));
  });
});

test("a crash between a response and its replication loses nothing: the alarm replicates the write", async (t) => {
  const name = project();
  const worker = await startIn(t, { faulty: true });
  await worker.create(name, "before", { key: "kb" });
  await eventually(() => kvEqualsTruth(worker, name));
  await worker.control({ puts: "hold" });
  const made = await worker.create(name, "a", { key: "k" });
  const changed = await worker.call(`POST /${name}/resource/before`, {
    body: { version: 1, actions: [{ action: "doSomeThing" }] },
  });
  assert.deepEqual([made.status, changed.status], [201, 200]);
  assert.equal((await kvOf(worker, name))[`r1:${name}:a`], undefined, "KV was not updated");
  await worker.crash();
  // There is no read or write of the object: only the alarm starts the replication.
  const kv = await worker.kv();
  await eventually(async () => assert.equal(await kv.get(`r1:${name}:a`), made.text));
  await eventually(async () => assert.equal(await kv.get(`r1:${name}:before`), changed.text));
  await eventually(() => kvEqualsTruth(worker, name));
  assert.equal((await worker.call(`GET /${name}/resource/key=k`)).text, made.text);
});
