// Faults that the Worker must survive on the real runtime: traps, endless bodies, and a KV that rejects puts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { startForTests } from "./support.mjs";

let token, kv;

const worker = startForTests({ faulty: true }, async () => {
  kv = await worker.kv();
  token = await worker.token("p");
});

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: any, headers?: Record<string, string>, faults?: object }} options
 */
async function call(method, path, { body, headers, faults } = {}) {
  const answer = await fetch(new URL(path, worker.url), {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(faults === undefined ? {} : { "X-Faults": JSON.stringify(faults) }),
      ...headers,
    },
    body:
      body === undefined || body instanceof ReadableStream || body instanceof Uint8Array ? body : JSON.stringify(body),
    duplex: "half",
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
}

const write = (key, more) => call("POST", "/p/resource", { body: { key, objectTypeProperty: {} }, ...more });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what, check) {
  for (let tries = 0; tries < 80; tries += 1) {
    const found = await check();
    if (found) return found;
    await wait(100);
  }
  assert.fail(`not within 8 s: ${what}`);
}

function assertFault(answer) {
  assert.equal(answer.status, 500);
  assert.equal(answer.body.statusCode, 500);
  assert.equal(answer.body.errors[0].code, "General");
  assert.equal(answer.headers.get("Access-Control-Allow-Origin"), "*");
  assert.ok(answer.headers.get("X-Correlation-ID"));
}

test("a trap gets a documented 500, and the next request succeeds", async () => {
  assertFault(await call("GET", "/health", { faults: { random: true } }));
  assert.equal((await call("GET", "/health")).status, 200);
});

test("reads that wait for a trapped instance restart, each with its own correlation ID", async () => {
  const { body } = await write("waiting");
  await until("the copy in KV", () => kv.get(`r1:p:${body.id}`));
  const slow = ["first-slow", "second-slow"].map((id) =>
    call("GET", `/p/resource/${body.id}`, { headers: { "X-Correlation-ID": id }, faults: { slowGet: 1000 } }),
  );
  await wait(300);
  // Traps while it continues after its KV read.
  assertFault(await call("GET", `/p/resource/${body.id}`, { faults: { random: true } }));
  const answers = await Promise.all(slow);
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get("X-Correlation-ID")]),
    [
      [200, "first-slow"],
      [200, "second-slow"],
    ],
  );
  assert.equal((await call("GET", `/p/resource/${body.id}`)).status, 200);
});

test("a write that waits for a trapped instance gets 500, and its repeat gets the first response", async () => {
  const headers = { "Idempotency-Key": "interrupted" };
  const slow = write("interrupted", { headers, faults: { slowPerform: 1000 } });
  await wait(300);
  assertFault(await call("GET", "/health", { faults: { random: true } }));
  assertFault(await slow);
  const repeat = await write("interrupted", { headers });
  assert.equal(repeat.status, 201);
  assert.equal(repeat.headers.get("Idempotency-Replayed"), "true");
});

test("a trap in the object gets 500 and changes nothing", async () => {
  const headers = { "X-Correlation-ID": "object-traps" };
  const answer = await write("trapped", { headers, faults: { random: true } });
  assertFault(answer);
  assert.equal(answer.headers.get("X-Correlation-ID"), "object-traps");
  await until("the project in the log", () => worker.log.some((line) => line.includes('"event":"trap","about":"p"')));
  const fresh = { headers: { "Cache-Control": "no-cache" } };
  assert.equal((await call("GET", "/p/resource/key=trapped", fresh)).status, 404);
  assert.equal((await write("trapped")).status, 201);
  assert.equal((await call("GET", "/p/resource/key=trapped", fresh)).status, 200);
});

test("a message in a format that the object does not support gets 503", async () => {
  const answer = await write("format", { faults: { format: true } });
  assert.equal(answer.status, 503);
  assert.ok(answer.headers.get("Retry-After"));
  assert.equal((await write("format")).status, 201);
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
  await call("POST", "/p/resource", { body }).catch(() => {});
  assert.ok(sent < 128 * 1024 * 1024, `${sent} bytes were taken`);
  assert.equal((await call("GET", "/health")).status, 200);
});

test("KV gets the newest state of a key that is written often, with at most one put a second", async () => {
  let version = 0;
  let id;
  for (let count = 0; count < 20; count += 1) ({ id, version } = (await write("hot")).body);
  await until("the newest version in KV", async () => {
    const { metadata } = await kv.getWithMetadata(`r1:p:${id}`);
    return metadata?.version === version;
  });
  const puts = (await worker.calls()).puts.filter(({ entry }) => entry === `r1:p:${id}`);
  assert.ok(puts.length >= 2 && puts.length <= 4, `${puts.length} puts`);
  for (const [at, put] of puts.slice(1).entries()) {
    assert.ok(put.at - puts[at].at >= 1000, `${put.at - puts[at].at} ms apart`);
  }
});

test("a put that KV refuses is retried until it succeeds", async () => {
  const { body } = await write("refused", { faults: { failPuts: 3 } });
  await until("the copy in KV", () => kv.get(`r1:p:${body.id}`));
  const { puts } = await worker.calls();
  assert.equal(puts.filter((put) => put.failed).length, 3);
});
