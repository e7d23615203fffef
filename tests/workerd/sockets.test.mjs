// Sockets that listen to the changes of a project, on the real runtime (D36).

import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { parseLines } from "../support/lines.mjs";
import { eventually, project, startForTests, startIn } from "./support.mjs";
import { connect, PROTOCOL, refused } from "./support/socket.mjs";

const worker = startForTests({ staged: true });

const listeners = async (name) => (await worker.call(`GET /${name}/status`)).json.listeners;

test("sockets get a write as the page that follows their position, and the status counts them", async () => {
  const name = project();
  await worker.create(name, "a");
  const sockets = await Promise.all([connect(worker, name), connect(worker, name)]);
  assert.deepEqual(
    sockets.map(({ socket }) => socket.protocol),
    [PROTOCOL, PROTOCOL],
  );
  const first = await Promise.all(sockets.map((socket) => socket.next()));
  const page = (await worker.call(`GET /${name}/changes?after=now`)).text;
  for (const lines of first) assert.deepEqual(lines, [JSON.parse(page)]);
  assert.equal(await listeners(name), 2);
  const { json } = await worker.create(name, "b");
  for (const socket of sockets) {
    const text = await socket.text();
    assert.equal(text, (await worker.call(`GET /${name}/changes?after=${first[0][0].to}`)).text);
    assert.deepEqual(JSON.parse(text.split("\n")[1]), json);
  }
  for (const socket of sockets) assert.equal(await socket.close(), 1000);
  await eventually(async () => assert.equal(await listeners(name), 0));
});

test("changes within 100 ms are in one frame, and a slow series has a frame for each", async () => {
  const name = project();
  const socket = await connect(worker, name);
  const [{ to }] = await socket.next();
  const began = performance.now();
  await Promise.all(Array.from({ length: 40 }, (_, number) => worker.create(name, `r${number}`)));
  const frames = [];
  let ids = new Set();
  while (ids.size < 40) {
    const lines = await socket.next();
    frames.push(lines[0]);
    ids = new Set([...ids, ...lines.slice(1).map(({ id }) => id)]);
  }
  assert.ok(frames.length <= 2 + (performance.now() - began) / 100, `${frames.length} frames`);
  for (const [at, { from }] of frames.entries()) assert.equal(from, at === 0 ? to : frames[at - 1].to);
  await socket.close();
});

test("a socket with a predicate gets what matches, deletions, and the IDs of the rest", async () => {
  const name = project();
  const options = { query: "?where=custom%3D%3Ax&var.x=in" };
  const sockets = [await connect(worker, name, options), await connect(worker, name, options)];
  for (const socket of sockets) await socket.next();
  const created = (await worker.create(name, "a", { custom: "in" })).json;
  for (const socket of sockets) assert.deepEqual((await socket.next()).slice(1), [created]);
  await worker.create(name, "a", { custom: "out" });
  for (const socket of sockets) assert.deepEqual((await socket.next()).slice(1), [{ outside: ["a"] }]);
  await worker.call(`DELETE /${name}/resource/a`);
  for (const socket of sockets) {
    const [, deleted, ...rest] = await socket.next();
    assert.deepEqual([deleted.id, deleted.version, rest], ["a", 2, []]);
    await socket.close();
  }
});

test("the platform stores the longest predicate of a socket", async () => {
  const name = project();
  const value = "x".repeat(8_000);
  const socket = await connect(worker, name, { query: `?where=custom%3D%3Ax&var.x=${value}` });
  await socket.next();
  const { json } = await worker.create(name, "a", { custom: value });
  assert.deepEqual((await socket.next()).slice(1), [json]);
  await socket.close();
  const error = await refused(worker, name, { query: `?where=custom%3D%3Ax&var.x=${value}${value}` });
  assert.equal(error.status, 400, error.message);
});

test("a socket is refused like any other request", async () => {
  const name = project();
  await worker.create(name, "a");
  const other = await worker.token(project(), "view_test");
  const bearer = `bearer.${await worker.token(name, "view_test")}`;
  const longest = Array.from({ length: 600 }, () => "version=1").join(" or ");
  for (const [options, status, part] of /** @type {[any, number, string][]} */ ([
    [{ protocols: [PROTOCOL] }, 401, "invalid_token"],
    [{ token: "not.a.token" }, 401, "invalid_token"],
    [{ token: other }, 403, "insufficient_scope"],
    [{ protocols: [bearer] }, 400, PROTOCOL],
    [{ query: "?wait=1" }, 400, "parameter: wait"],
    [{ query: "?limit=1" }, 400, "parameter: limit"],
    [{ query: "?where=nope%3D1" }, 400, "nope"],
    [{ query: `?where=${encodeURIComponent(longest)}` }, 400, "too long for a socket"],
    [{ query: "?after=a.1" }, 410, "HistoryChanged"],
  ])) {
    const error = await refused(worker, name, options);
    assert.equal(error.status, status, error.message);
    assert.ok(error.message.includes(part), error.message);
    assert.ok(error.headers["x-correlation-id"].length >= 8);
  }
  // A program may send the usual header, and its own position.
  const Authorization = `Bearer ${await worker.token(name)}`;
  const [{ to }] = parseLines((await worker.call(`GET /${name}/changes`)).text);
  const options = { protocols: [PROTOCOL], headers: { Authorization }, query: `?after=${to}` };
  const socket = await connect(worker, name, options);
  assert.equal((await socket.next())[0].to, to);
  await socket.close();
});

test("sockets and waiting requests together have a bound", async (t) => {
  const small = await startIn(t, { changes: { LISTENERS: 2 } });
  const name = project();
  const socket = await connect(small, name);
  const waiting = small.call(`GET /${name}/changes?after=now&wait=25`);
  await eventually(async () => assert.equal((await small.call(`GET /${name}/status`)).json.listeners, 2));
  const error = await refused(small, name);
  assert.deepEqual([error.status, error.headers["retry-after"]], [503, "1"]);
  assert.equal((await small.call(`GET /${name}/changes?after=now&wait=1`)).status, 503);
  await eventually(() => assert.ok(small.log.some((line) => line.includes("as many as LISTENERS allows"))));
  assert.equal((await small.call(`GET /${name}/changes`)).status, 200);
  await small.create(name, "a");
  assert.equal((await waiting).status, 200);
  await (await connect(small, name)).close();
  await socket.close();
});

test("the platform answers a ping, and any other message closes the socket", async () => {
  const name = project();
  const socket = await connect(worker, name);
  await socket.next();
  const { calls } = await worker.around(`GET /__counts?project=${name}`);
  socket.socket.send("ping");
  assert.equal(await socket.text(), "pong");
  assert.deepEqual(await worker.around(`GET /__counts?project=${name}`), { starts: 1, calls, alarms: 0 });
  socket.socket.send("hello");
  assert.equal(await socket.closed, 1008);
});

test("nothing is sent after the token has expired", async () => {
  const name = project();
  await worker.create(name, "a");
  const socket = await connect(worker, name);
  await socket.next();
  // Tokens are valid for an hour.
  await worker.around("POST /__clock?ms=3600000");
  worker.tokens.clear();
  await worker.create(name, "b");
  assert.deepEqual([await socket.closed, socket.texts], [4401, []]);
});

test("a deletion of the data closes the sockets with another history", async () => {
  const name = project();
  await worker.create(name, "a");
  const socket = await connect(worker, name);
  await socket.next();
  assert.equal((await worker.call(`DELETE /${name}/data?confirm=${name}`)).status, 200);
  assert.deepEqual([await socket.closed, socket.texts], [4410, []]);
});

/** How long the sockets are idle. workerd removes an object from memory after ten seconds without a request. */
const IDLE_MS = 1_000 * Number(process.env.IDLE_SECONDS ?? 25);

/** Lets a project's object break a rule of staged.mjs. */
const breakRule = (worker, name, rule) =>
  worker.around(`POST /__break?project=${name}&rule=${encodeURIComponent(rule)}`);

/** Checks that sockets survive hibernation, idle cost nothing, and get the write that wakes their object. */
async function checkIdle(worker, count, rule) {
  const name = project();
  if (rule !== undefined) await breakRule(worker, name, rule);
  const counted = () => worker.around(`GET /__counts?project=${name}`);
  await worker.create(name, "a");
  const options = { query: "?where=id%3D%22b%22" };
  // The alarm of the creation rings within five seconds.
  const before = await eventually(async () => {
    const counts = await counted();
    assert.equal(counts.alarms, 1);
    return counts;
  });
  const sockets = [await connect(worker, name), await connect(worker, name, options)];
  while (sockets.length < count) sockets.push(await connect(worker, name));
  const [[{ to }]] = await Promise.all(sockets.map((socket) => socket.next()));
  await wait(IDLE_MS);
  sockets[0].socket.send("ping");
  assert.equal(await sockets[0].text(), "pong");
  assert.deepEqual(await counted(), before);
  assert.ok(sockets.every(({ texts, socket }) => texts.length === 0 && socket.readyState === socket.OPEN));
  const { json } = await worker.create(name, "b");
  const after = await counted();
  assert.deepEqual([after.starts, after.calls], [before.starts + 1, before.calls + 1]);
  for (const socket of sockets) {
    const [window, ...lines] = await socket.next();
    assert.deepEqual([window.from, lines], [to, [json]]);
  }
  assert.equal((await worker.call(`GET /${name}/status`)).json.listeners, count);
  await Promise.all(sockets.map((socket) => socket.close()));
}

test("a thousand sockets survive hibernation, idle cost nothing, and get the write that wakes their object", {
  timeout: 120_000 + IDLE_MS,
}, async (t) => {
  // No other test has moved its clock, so its alarms ring.
  const idle = await startIn(t, { staged: true, changes: { LISTENERS: 1_200 } });
  const rules = ["pings wake no object", "idle sockets have no alarm", "idle sockets have no timer"];
  await Promise.all([
    checkIdle(idle, 1_000),
    ...rules.map((rule) => assert.rejects(checkIdle(idle, 2, rule), { code: "ERR_ASSERTION" }, rule)),
  ]);
  t.diagnostic(`1,000 sockets were idle for ${IDLE_MS / 1_000} s`);
});

test("what a frame had is there after a crash, and its position continues", async (t) => {
  const crashing = await startIn(t);
  const name = project();
  await crashing.create(name, "a");
  let socket = await connect(crashing, name);
  await socket.next();
  for (let round = 0; round < 3; round += 1) {
    crashing.create(name, `b${round}`).catch(() => {});
    const [{ to }, record] = await socket.next();
    await crashing.crash();
    assert.deepEqual((await crashing.fresh(`GET /${name}/resource/b${round}`)).json, record);
    socket = await connect(crashing, name, { query: `?after=${to}` });
    assert.deepEqual(await socket.next(), [{ from: to, to }]);
  }
});

/** Lets an object with a socket trap. Returns the project, the socket, and its position. */
async function trapWithSocket(faulty, faults) {
  const name = project();
  await faulty.create(name, "a");
  const socket = await connect(faulty, name);
  const [{ to }] = await socket.next();
  const headers = { "X-Faults": JSON.stringify({ random: true, ...faults }), "X-Correlation-ID": "it-traps" };
  const body = { id: "b", objectTypeProperty: {} };
  assert.equal((await faulty.call(`POST /${name}/resource`, { body, headers })).status, 500);
  return { name, socket, to };
}

test("a trap of its object closes a socket, and the next one continues", async (t) => {
  const faulty = await startIn(t, { faulty: true });
  const { name, socket, to } = await trapWithSocket(faulty, {});
  assert.equal(await socket.closed, 1012);
  const next = await connect(faulty, name);
  assert.equal((await next.next())[0].to, to);
  const { json } = await faulty.create(name, "c");
  assert.deepEqual((await next.next()).slice(1), [json]);
  await next.close();
  // The test would notice a trap that leaves sockets open.
  const { socket: left } = await trapWithSocket(faulty, { lostSockets: true });
  assert.equal(await Promise.race([left.closed, wait(1_000)]), undefined);
  left.socket.terminate();
});

test("an object that cannot read the epoch closes its sockets, and its instance continues", async (t) => {
  const faulty = await startIn(t, { faulty: true });
  const name = project();
  await faulty.create(name, "a");
  const socket = await connect(faulty, name);
  await socket.next();
  const traps = () => faulty.log.filter((line) => line.includes('"event":"trap"')).length;
  // The instance after a trap of another project has not read the epoch.
  const headers = { "X-Faults": JSON.stringify({ random: true }) };
  const body = { id: "a", objectTypeProperty: {} };
  assert.equal((await faulty.call(`POST /${project()}/resource`, { body, headers })).status, 500);
  await eventually(() => assert.equal(traps(), 1));
  const unavailable = { "X-Faults": JSON.stringify({ epoch: true }) };
  assert.equal((await faulty.call(`POST /${name}/resource`, { body, headers: unavailable })).status, 200);
  assert.deepEqual([await socket.closed, socket.texts], [1012, []]);
  await eventually(() => assert.ok(faulty.log.some((line) => line.includes('"event":"epoch not read"'))));
  assert.equal(traps(), 1);
  const next = await connect(faulty, name);
  await next.next();
  const { json } = await faulty.create(name, "b");
  assert.deepEqual((await next.next()).slice(1), [json]);
  await next.close();
});

test("a restore closes the sockets with another history", async (t) => {
  const restored = await startIn(t, { past: true });
  const name = project();
  await restored.create(name, "a");
  const kept = JSON.parse((await restored.send({ method: "POST", target: `/__keep?project=${name}` })).text);
  await restored.create(name, "b");
  const socket = await connect(restored, name);
  await socket.next();
  const line = `POST /${name}/restore?confirm=${name}&bookmark=${kept.bookmark}`;
  assert.equal((await restored.call(line)).status, 200);
  assert.deepEqual([await socket.closed, socket.texts], [4410, []]);
});

/** Opens a socket that reads nothing but the response. */
async function openSilent(bearer, name) {
  const raw = net.connect({ host: worker.url.hostname, port: Number(worker.url.port) });
  // The service may end the connection while the test writes.
  raw.on("error", () => {});
  raw.write(
    `GET /${name}/changes HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
      `Sec-WebSocket-Protocol: ${PROTOCOL}, bearer.${bearer}\r\n\r\n`,
  );
  await new Promise((resolve) => raw.once("data", resolve));
  return raw.pause();
}

/** A frame with the text `ping`, masked by zeros. */
const PING = Buffer.from([0x81, 0x84, 0, 0, 0, 0, ...Buffer.from("ping")]);

const MIB = 1024 * 1024;
/** Checks that each of 40 readers that read nothing holds two mebibytes of workerd's memory at most. */
async function checkMemory(t, rule) {
  const name = project();
  if (rule !== undefined) await breakRule(worker, name, rule);
  const bearer = await worker.token(name, "view_test");
  const reading = await connect(worker, name);
  await reading.next();
  const silent = /** @type {net.Socket[]} */ ([]);
  const write = async () => {
    for (const raw of silent) raw.write(PING);
    await worker.create(name, "a", { custom: `${silent.length}${"x".repeat(200_000)}` });
    await reading.next();
    reading.socket.send("ping");
    assert.equal(await reading.text(), "pong");
  };
  try {
    // At first, workerd also grows for other reasons.
    for (let number = 0; number < 20; number += 1) await write();
    while (silent.length < 40) silent.push(await openSilent(bearer, name));
    const before = worker.residentBytes();
    // The first 5 MB of each are in the buffers of the system.
    for (let number = 0; number < 60; number += 1) await write();
    const grown = worker.residentBytes() - before;
    t.diagnostic(`40 readers got up to 12 MB each, and workerd grew by ${(grown / MIB).toFixed(0)} MiB`);
    assert.ok(grown < (2 * silent.length + 40) * MIB, `${grown} bytes`);
  } finally {
    for (const raw of silent.splice(0)) raw.destroy();
  }
  // workerd does not report the end of such a connection. The first change after a minute does.
  await worker.around("POST /__clock?ms=61000");
  reading.socket.send("ping");
  assert.equal(await reading.text(), "pong");
  await write();
  await eventually(async () => assert.equal(await listeners(name), 1));
  await reading.close();
}

test("a reader that sends pings, but reads nothing, holds two mebibytes of workerd's memory at most", {
  timeout: 120_000,
}, async (t) => {
  await checkMemory(t);
  await assert.rejects(checkMemory(t, "unread frames are counted"), /bytes/);
});

test("a reader that stops reading gets a bounded number of bytes, and is closed", { timeout: 60_000 }, async () => {
  const name = project();
  const raw = await openSilent(await worker.token(name, "view_test"), name);
  const reading = await connect(worker, name);
  await reading.next();
  let frames = 0;
  for (let number = 0; number < 30; number += 1) {
    await worker.create(name, "a", { custom: `${number}${"x".repeat(200_000)}` });
    const [{ behind }, record] = await reading.next();
    frames += behind ? 0 : 1;
    assert.ok(record.custom.startsWith(`${number}x`));
    reading.socket.send("ping");
    assert.equal(await reading.text(), "pong");
  }
  assert.equal(frames, 30);
  let [bytes, last] = [0, ""];
  raw.on("data", (chunk) => {
    bytes += chunk.length;
    last = (last + chunk.toString("latin1")).slice(-100);
  });
  raw.resume();
  await eventually(() => assert.ok(bytes > 200_000, `${bytes} bytes`));
  await wait(500);
  assert.ok(bytes < 1_200_000, `${bytes} bytes`);
  // It has not sent a ping for a minute, but the other one has.
  await worker.around("POST /__clock?ms=61000");
  reading.socket.send("ping");
  assert.equal(await reading.text(), "pong");
  await worker.create(name, "a", { custom: "x".repeat(200_000) });
  await eventually(() => assert.ok(last.includes("\x03\xf5too slow"), `${bytes} bytes`));
  raw.destroy();
  assert.equal((await reading.next()).length, 2);
  await reading.close();
  await eventually(async () => assert.equal(await listeners(name), 0));
});
