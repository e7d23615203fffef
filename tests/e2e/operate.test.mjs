// Monitoring on the real runtime: health, and the costs in the log.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, project, startForTests } from "./support.mjs";

const worker = startForTests({ faulty: true, changes: { LOG: "all" } });

const health = async () => {
  const { status, text } = await worker.send({ method: "GET", target: "/health" });
  return { status, ...JSON.parse(text) };
};

test("health checks KV and a separate object, and repeats its last result", async () => {
  assert.deepEqual(await health(), { status: "ok", worker: "ok", kv: "ok", object: "ok" });
  // The last result is repeated, even if KV fails meanwhile.
  await worker.control({ reads: "fail" });
  assert.equal((await health()).kv, "ok");
  await worker.control({ reads: "pass" });
});

test("a line of the log has the statements and rows of its call, as the platform counts them", async () => {
  const name = project();
  const at = `/${name}/resource`;
  await worker.call(`POST ${at}`, { body: { id: "first", objectTypeProperty: {} } });
  // After its alarm, the object runs no statements beside calls for seconds.
  await eventually(async () => {
    const { json } = await worker.call(`GET /${name}/status`);
    assert.equal(json.replicatedRevision, json.newestRevision);
  });
  const update = { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "new" }] };
  /** @type {[string, object | undefined][]} */
  const calls = [
    [`POST ${at}`, { id: "a", objectTypeProperty: { arrayOfIntExample: [1, 2] } }],
    [`POST ${at}/a`, update],
    [`GET ${at}?limit=1`, undefined],
  ];
  for (const [line, body] of calls) {
    const id = `cost of ${line}`;
    await worker.calls();
    await worker.call(line, { body, headers: { "X-Correlation-ID": id } });
    const counted = await worker.calls();
    const logged = await eventually(() => JSON.parse(worker.log.find((text) => text.includes(id))));
    assert.deepEqual([logged.statements, logged.rowsWritten], [counted.statements, counted.rowsWritten], line);
    assert.ok(logged.statements > 0 && logged.rowsRead > 0, JSON.stringify(logged));
    assert.equal("byIndex" in logged, body === undefined);
  }
});
