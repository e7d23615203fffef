// The feed of changes on the real runtime: pages, and requests that wait for the first change.

import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { parseLines } from "../support/lines.mjs";
import { eventually, project, startForTests, startIn } from "./support.mjs";
import { connect, refused } from "./support/socket.mjs";

const worker = startForTests();

const changes = (worker, name, query = "") => worker.call(`GET /${name}/changes${query}`);

/** Returns the lines of a page. */
function linesOf({ status, text }) {
  assert.equal(status, 200, text);
  return parseLines(text);
}

/** Waits until as many requests wait in the project. */
const listening = (worker, name, count) =>
  eventually(async () => assert.equal((await worker.call(`GET /${name}/status`)).json.listeners, count));

test("a request that waits gets the first change at once", { timeout: 60_000 }, async () => {
  const name = project();
  await worker.create(name, "a");
  const [{ to }] = linesOf(await changes(worker, name));
  const waiting = changes(worker, name, `?after=${to}&wait=25`);
  const other = changes(worker, name, "?after=now&wait=25&where=id%3D%22c%22");
  await listening(worker, name, 2);
  const written = await worker.create(name, "b");
  const began = performance.now();
  const [window, record, ...rest] = linesOf(await waiting);
  assert.deepEqual([window.from, record, rest], [to, written.json, []]);
  const [, outside] = linesOf(await other);
  const ms = performance.now() - began;
  assert.ok(ms < 15_000, `${ms} ms`);
  assert.deepEqual(outside, { outside: ["b"] });
});

test("a request that waits gets an empty page if nothing changes", { timeout: 60_000 }, async () => {
  const name = project();
  await worker.create(name, "a");
  const began = performance.now();
  const [{ from, to }, ...lines] = linesOf(await changes(worker, name, "?after=now&wait=2"));
  const ms = performance.now() - began;
  assert.deepEqual([from, lines], [to, []]);
  assert.ok(ms > 1_900 && ms < 15_000, `${ms} ms`);
});

test("a request that waits gets 410 when the data is deleted", { timeout: 60_000 }, async () => {
  const name = project();
  await worker.create(name, "a");
  const waiting = changes(worker, name, "?after=now&wait=25");
  await listening(worker, name, 1);
  assert.equal((await worker.call(`DELETE /${name}/data?confirm=${name}`)).status, 200);
  const { status, json } = await waiting;
  assert.deepEqual([status, json.errors[0].code], [410, "HistoryChanged"]);
});

test("a thousand requests wait in one project, and those of one caller leave room for others", {
  timeout: 120_000,
}, async (t) => {
  const crowded = await startIn(t);
  crowded.agent.maxSockets = 2_000;
  const name = project();
  await crowded.create(name, "a");
  const [{ to }] = linesOf(await changes(crowded, name));
  const [pages, refused] = [[], []];
  const wait = async (client = "tests") => {
    const headers = { Authorization: `Bearer ${await crowded.token(name, "view_test", client)}` };
    const page = await crowded.call(`GET /${name}/changes?after=${to}&wait=25`, { headers });
    (page.status === 503 ? refused : pages).push(page);
  };
  const waiting = Array.from({ length: 1_000 }, () => wait());
  // On a slow machine some have waited long enough to make room, by empty pages.
  const ended = (/** @type {number} */ count) => eventually(() => assert.equal(refused.length + pages.length, count));
  await ended(100);
  for (const { headers } of refused) assert.ok(Number(headers["retry-after"]) > 0);
  for (let number = 0; number < 90; number += 1) waiting.push(wait("tests-two"));
  await listening(crowded, name, 990);
  waiting.push(wait("tests-two"));
  await ended(101);
  // Another project has its own waiters, and a page without a wait needs none.
  assert.equal((await changes(crowded, project(), "?wait=1")).status, 200);
  assert.equal((await changes(crowded, name)).status, 200);
  await crowded.create(name, "b");
  assert.ok(refused.length + pages.length < 1_091, "the write waited for the requests");
  await Promise.all(waiting);
  const got = pages.map((page) => linesOf(page)[1]?.id).filter((id) => id !== undefined);
  assert.deepEqual([got.length, new Set(got)], [990, new Set(["b"])]);
});

test("other calls are performed while requests with different predicates get a change", {
  timeout: 60_000,
}, async () => {
  const name = project();
  await worker.create(name, "a");
  const [{ to }] = linesOf(await changes(worker, name));
  const long = "x".repeat(2_000);
  let pages = 0;
  // As many connections as there are beside two.
  const waiting = Array.from({ length: 120 }, async (_, number) => {
    linesOf(await changes(worker, name, `?after=${to}&wait=25&where=custom%3D%3Ax&var.x=${number}${long}`));
    pages += 1;
  });
  await listening(worker, name, waiting.length);
  await worker.create(name, "b");
  await Promise.race(waiting);
  assert.equal((await worker.fresh(`GET /${name}/resource/b`)).status, 200);
  assert.ok(pages < waiting.length, "the read waited for the requests");
  await Promise.all(waiting);
});

/** Sends a request that waits, and ends its connection. */
async function leave(staged, name) {
  const { hostname, port } = staged.url;
  const raw = net.connect({ host: hostname, port: Number(port) });
  const bearer = await staged.token(name, "view_test");
  raw.write(`GET /${name}/changes?after=now&wait=25 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${bearer}\r\n\r\n`);
  return raw;
}

test("requests whose callers have left make room after five seconds", async (t) => {
  const staged = await startIn(t, { staged: true, changes: { LISTENERS: 3 } });
  const name = project();
  await staged.create(name, "a");
  const left = await Promise.all(Array.from({ length: 3 }, () => leave(staged, name)));
  await listening(staged, name, 3);
  for (const raw of left) raw.destroy();
  assert.equal((await changes(staged, name, "?after=now&wait=1")).status, 503);
  await staged.send({ method: "POST", target: "/__clock?ms=5000" });
  assert.equal((await changes(staged, name, "?after=now&wait=1")).status, 200);
  const socket = await connect(staged, name);
  await socket.close();
});

test("a token that has just expired reads pages, but nothing waits with it", async (t) => {
  const staged = await startIn(t, { staged: true });
  const name = project();
  await staged.create(name, "a");
  // Tokens are valid for an hour.
  await staged.send({ method: "POST", target: "/__clock?ms=3601000" });
  assert.equal((await changes(staged, name)).status, 200);
  assert.equal((await changes(staged, name, "?wait=25")).status, 401);
  const headers = { Accept: "text/event-stream" };
  assert.equal((await staged.call(`GET /${name}/changes`, { headers })).status, 401);
  assert.equal((await refused(staged, name, { token: await staged.token(name) })).status, 401);
});

test("what a page had is there after a crash, and its position continues", { timeout: 60_000 }, async (t) => {
  const crashing = await startIn(t);
  const name = project();
  await crashing.create(name, "a");
  const waiting = changes(crashing, name, "?after=now&wait=25");
  await listening(crashing, name, 1);
  crashing.create(name, "b").catch(() => {});
  const [{ to }, record] = linesOf(await waiting);
  await crashing.crash();
  assert.deepEqual((await crashing.fresh(`GET /${name}/resource/b`)).json, record);
  await crashing.create(name, "c");
  const [, next, ...rest] = linesOf(await changes(crashing, name, `?after=${to}`));
  assert.deepEqual([next.id, rest], ["c", []]);
});
