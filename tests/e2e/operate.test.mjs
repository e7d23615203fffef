// Monitoring on the real runtime: health, and the status of a project.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, project, startIn, startForTests } from "./support.mjs";

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

test("the status of a project follows its writes, its puts, and its sweep", async () => {
  const name = project();
  const status = async () => {
    const { status, json } = await worker.call(`GET /${name}/status`);
    assert.equal(status, 200);
    return json;
  };
  const empty = await status();
  assert.deepEqual(
    [empty.resources, empty.backlog, empty.newestRevision, empty.isIndexed, empty.lastSweepAt],
    [0, 0, 0, true, undefined],
  );
  await worker.control({ puts: "fail" });
  for (const id of ["a", "b"]) {
    assert.equal(
      (await worker.call(`POST /${name}/resource`, { body: { id, key: id, objectTypeProperty: {} } })).status,
      201,
    );
  }
  const waiting = await status();
  assert.deepEqual([waiting.resources, waiting.backlog], [2, 4]);
  assert.ok(waiting.backlogAgeMs >= 0, JSON.stringify(waiting));
  await worker.control({ puts: "pass" });
  await eventually(async () => {
    const { backlog, backlogAgeMs, replicatedRevision, newestRevision } = await status();
    assert.deepEqual([backlog, backlogAgeMs, replicatedRevision], [0, undefined, newestRevision]);
  });
  await worker.send({ method: "POST", target: `/__sweep?project=${name}` });
  await eventually(async () => assert.match((await status()).lastSweepAt ?? "", /^20\d\d-.*Z$/));
});

test("the database of a project has a size", async (t) => {
  const plain = await startIn(t);
  const name = project();
  const { json: before } = await plain.call(`GET /${name}/status`);
  const body = { objectTypeProperty: {}, custom: "x".repeat(200_000) };
  assert.equal((await plain.call(`POST /${name}/resource`, { body })).status, 201);
  const { json: later } = await plain.call(`GET /${name}/status`);
  assert.ok(
    before.databaseBytes > 0 && later.databaseBytes - before.databaseBytes >= 200_000,
    `${before.databaseBytes}, ${later.databaseBytes}`,
  );
});

test("a line of the log has the caller's trace", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  await worker.send({ method: "GET", target: "/health", headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
  await eventually(() =>
    assert.ok(
      worker.log.some((line) => line.includes(`"traceId":"${trace}"`)),
      worker.log.join("\n"),
    ),
  );
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
