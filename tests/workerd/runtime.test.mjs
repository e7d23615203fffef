// Faults that the Worker must survive on the real runtime: traps, endless bodies, and a KV that rejects puts.
// A trap of the WebAssembly ends only the requests of its instance: they get 500, and later requests succeed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, project, startForTests } from "./support.mjs";

let kv;
const worker = startForTests({ faulty: true }, async () => (kv = await worker.kv()));

/** Sends a request with faults that apply from then on, and further headers. */
const call = (line, { body, headers, faults } = /** @type {any} */ ({})) =>
  worker.call(line, { body, headers: { ...(faults && { "X-Faults": JSON.stringify(faults) }), ...headers } });
const write = (key, more) => call("POST /p/resource", { body: { key, objectTypeProperty: {} }, ...more });
const FRESH = { headers: { "Cache-Control": "no-cache" } };
const TRAP = { faults: { random: true } };
/** Waits until as many calls wait for the test. */
const isWaiting = (count) => eventually(async () => assert.equal((await worker.control({})).waiting, count));
const copied = (id) => eventually(async () => assert.ok(await kv.get(`r1:p:${id}`)));

function assertFault({ status, json, headers }) {
  assert.deepEqual([status, json.statusCode, json.errors[0].code], [500, 500, "General"]);
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.ok(headers["x-correlation-id"].length >= 8);
}

test("every request in flight gets a response if the instance traps, and later requests are served", async () => {
  const name = project();
  assert.equal((await worker.create(name, "a")).status, 201);
  for (let round = 0; round < 3; round += 1) {
    await worker.control({ reads: "trap" });
    const reads = Array.from({ length: 8 }, () => worker.call(`GET /${name}/resource/a`));
    const others = Array.from({ length: 8 }, () => worker.call(`GET /${name}/resource`));
    const answers = await Promise.all([...reads, ...others]);
    for (const { status, json, headers } of answers) {
      assert.ok([200, 500].includes(status), `${status}`);
      if (status === 500) assertFault({ status, json, headers });
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

test("reads that wait for a trapped instance restart, each with its own correlation ID", async () => {
  const line = `GET /p/resource/${(await write("waiting")).json.id}`;
  await copied(line.split("/").at(-1));
  const ids = ["first-slow", "second-slow"];
  await worker.control({ waitingReads: 2 });
  const slow = ids.map((id) => call(line, { headers: { "X-Correlation-ID": id } }));
  await isWaiting(2);
  // Traps while it continues after its KV read.
  assertFault(await call(line, TRAP));
  await worker.control({ waiting: 0 });
  for (const [at, { status, headers }] of (await Promise.all(slow)).entries())
    assert.deepEqual([status, headers["x-correlation-id"]], [200, ids[at]]);
  assert.equal((await call(line)).status, 200);
});

test("a write that waits for a trapped instance gets 500, and its repeat gets the first response", async () => {
  const headers = { "Idempotency-Key": "interrupted" };
  const slow = write("interrupted", { headers, faults: { waitingReplies: 1 } });
  await isWaiting(1);
  assertFault(await call("GET /p/resource", TRAP));
  await worker.control({ waiting: 0 });
  assertFault(await slow);
  const repeat = await write("interrupted", { headers });
  assert.deepEqual([repeat.status, repeat.headers["idempotency-replayed"]], [201, "true"]);
});

test("a trap in the object gets 500 and changes nothing", async () => {
  const answer = await write("trapped", { headers: { "X-Correlation-ID": "object-traps" }, ...TRAP });
  assertFault(answer);
  assert.equal(answer.headers["x-correlation-id"], "object-traps");
  const logged = (line) => line.includes('"event":"trap","about":"p"');
  await eventually(() => assert.ok(worker.log.some(logged)));
  assert.equal((await call("GET /p/resource/key=trapped", FRESH)).status, 404);
  assert.equal((await write("trapped")).status, 201);
  assert.equal((await call("GET /p/resource/key=trapped", FRESH)).status, 200);
});

test("a message in a format that the object does not support gets 503", async () => {
  const answer = await write("format", { faults: { format: true } });
  assert.equal(answer.status, 503);
  assert.ok(answer.headers["retry-after"]);
  assert.equal((await write("format")).status, 201);
});

test("short and long messages to an object arrive with every character", async () => {
  const id = "i".repeat(256);
  const key = "\u00ff\u0100\u{1f600}";
  for (const custom of ["", "short", "long".repeat(2_000)]) {
    const written = await write(key, { body: { id, key, custom, objectTypeProperty: {} } });
    assert.deepEqual([written.json.id, written.json.key, written.json.custom], [id, key, custom]);
    const read = await call(`GET /p/resource/${id}`, FRESH);
    assert.deepEqual([read.status, read.json], [200, written.json]);
  }
  const body = { version: 9, actions: [] };
  assert.equal((await call(`POST /p/resource/${id}`, { body })).json.errors[0].currentVersion, 3);
});

test("the service stops reading an endless body, and serves the next request", async () => {
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      if (sent > 256 * 1024 * 1024) controller.close();
      else controller.enqueue(new Uint8Array(65_536));
    },
  });
  // The response may be lost with the connection, because the caller is still sending.
  const headers = { Authorization: `Bearer ${await worker.token("p")}`, "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(10_000);
  await fetch(new URL("/p/resource", worker.url), { method: "POST", body, headers, duplex: "half", signal })
    .then((response) => response.text())
    .catch(() => {});
  assert.ok(sent < 128 * 1024 * 1024, `${sent} bytes were taken`);
  assert.equal((await call("GET /p/resource")).status, 200);
});

test("KV gets the newest state of a key that is written often, with at most one put a second", async () => {
  let newest;
  for (let count = 0; count < 20; count += 1) newest = (await write("hot")).json;
  const entry = `r1:p:${newest.id}`;
  await eventually(async () => assert.equal((await kv.getWithMetadata(entry)).metadata?.version, newest.version));
  const puts = (await worker.calls()).puts.filter((put) => put.entry === entry);
  assert.ok(puts.length >= 2, `${puts.length} puts`);
  for (const [at, put] of puts.slice(1).entries())
    assert.ok(put.at - puts[at].at >= 1000, `${put.at - puts[at].at} ms apart`);
});

test("helpers put when many entries wait, also those whose put failed, and KV gets every entry", async () => {
  await worker.calls();
  const numbers = Array.from({ length: 150 }, (_, number) => number);
  await worker.control({ puts: "hold" });
  const created = await Promise.all(numbers.map((number) => write(`many-${number}`)));
  await worker.control({ puts: "slow", failPuts: 3 });
  await eventually(async () => {
    const entries = await Promise.all(created.map(({ json }) => kv.get(`k1:p:${json.key}`)));
    assert.deepEqual(
      entries,
      created.map(({ json }) => json.id),
    );
  });
  const bodies = await Promise.all(created.map(({ json }) => kv.get(`r1:p:${json.id}`, "json")));
  assert.deepEqual(
    bodies,
    created.map(({ json }) => json),
  );
  const { objects, puts } = await worker.calls();
  const helpers = objects.map(({ name }) => name).filter((name) => name.startsWith("p1/"));
  assert.ok(helpers.length > 0 && helpers.every((name) => /^p1\/p\/\d+$/.test(name)), String(helpers));
  assert.equal(puts.filter((put) => put.failed).length, 3);
  await worker.control({ puts: "pass" });
});

test("a put that KV refuses is retried until it succeeds", async () => {
  await copied((await write("refused", { faults: { failPuts: 3 } })).json.id);
  assert.equal((await worker.calls()).puts.filter((put) => put.failed).length, 3);
});

test("the instance after a trap has the resources of the one before", async () => {
  const name = project();
  const own = (key) => call(`POST /${name}/resource`, { body: { key, title: key } });
  const product = { type: "object", properties: { title: { type: "string" } } };
  const resources = { resources: { product }, projects: { [name]: "product" } };
  assert.equal((await worker.call("POST /__resources", { body: resources })).status, 204);
  // The instance of now has begun without them.
  assertFault(await call(`GET /${name}/resource`, TRAP));
  assert.equal((await own("before")).json.title, "before");
  assertFault(await call(`GET /${name}/resource`, TRAP));
  assert.equal((await own("after")).json.title, "after");
  assert.equal((await call(`GET /${name}/resource?where=title%3D%22before%22`)).json.total, 1);
});
