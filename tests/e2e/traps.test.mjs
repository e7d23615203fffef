// A trap of the WebAssembly ends only the requests of its instance: they get 500, and later requests succeed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { project, startForTests } from "./support.mjs";

const worker = startForTests({ faulty: true });

test("every request in flight gets a response if the instance traps, and later requests are served", async () => {
  const name = project();
  assert.equal(
    (await worker.call(`POST /${name}/resource`, { body: { id: "a", objectTypeProperty: {} } })).status,
    201,
  );
  for (let round = 0; round < 3; round += 1) {
    await worker.control({ reads: "trap" });
    const reads = Array.from({ length: 8 }, () => worker.call(`GET /${name}/resource/a`));
    const others = Array.from({ length: 8 }, () => worker.call(`GET /${name}/resource`));
    const answers = await Promise.all([...reads, ...others]);
    for (const { status, json, headers } of answers) {
      assert.ok([200, 500].includes(status), `${status}`);
      if (status === 500) {
        assert.equal(json.errors[0].code, "General");
        assert.ok(headers["x-correlation-id"].length >= 8);
        assert.equal(headers["access-control-allow-origin"], "*");
      }
    }
    assert.ok(
      answers.some(({ status }) => status === 500),
      "nothing trapped",
    );
    await worker.control({ reads: "pass" });
    for (let number = 0; number < 5; number += 1) {
      assert.equal((await worker.call(`GET /${name}/resource/a`)).status, 200);
      assert.equal((await worker.call(`GET /${name}/resource`)).json.total, 1);
    }
    const written = await worker.call(`POST /${name}/resource/a`, {
      body: { version: round + 1, actions: [{ action: "doSomeThing" }] },
    });
    assert.equal(written.json.version, round + 2);
  }
  assert.ok(
    worker.log.some((line) => line.includes('"event":"trap"')),
    "the log tells of it",
  );
});

test("a body of any size gets a response, and its connection remains usable", async () => {
  const name = project();
  const headers = { Authorization: `Bearer ${await worker.token(name)}`, "Content-Type": "application/json" };
  for (const megabytes of [1.1, 5, 12]) {
    const answer = await worker.send({
      method: "POST",
      target: `/${name}/resource`,
      headers,
      body: Buffer.alloc(megabytes * 1024 * 1024, "x"),
    });
    assert.equal(answer.status, 413);
    assert.equal((await worker.call(`GET /${name}/resource`)).status, 200);
  }
});

test("a chunked body without a length has the same limit", async () => {
  const name = project();
  const url = `http://127.0.0.1:${worker.url.port}/${name}/resource`;
  const headers = { Authorization: `Bearer ${await worker.token(name)}`, "Content-Type": "application/json" };
  const post = (chunks) => fetch(url, { method: "POST", headers, duplex: "half", body: new Blob(chunks).stream() });
  assert.equal((await post(['{"objectType', 'Property":', "{}}"])).status, 201);
  assert.equal((await post(Array(20).fill("x".repeat(100_000)))).status, 413);
});
