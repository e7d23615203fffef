// The feed of changes on the real runtime: pages, and requests that wait for the first change.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, project, startForTests, startIn } from "./support.mjs";

const worker = startForTests();

const create = (worker, name, id) => worker.call(`POST /${name}/resource`, { body: { id, objectTypeProperty: {} } });
const changes = (worker, name, query = "") => worker.call(`GET /${name}/changes${query}`);

/** Returns the lines of a page. */
function linesOf({ status, text }) {
  assert.equal(status, 200, text);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Returns the milliseconds that a promise takes, and its value. */
async function timed(promise) {
  const begin = performance.now();
  const value = await promise;
  return [performance.now() - begin, value];
}

test("a request that waits gets the first change at once", { timeout: 60_000 }, async () => {
  const name = project();
  await create(worker, name, "a");
  const [{ to }] = linesOf(await changes(worker, name));
  const waiting = timed(changes(worker, name, `?after=${to}&wait=25`));
  const other = timed(changes(worker, name, "?after=now&wait=25&where=id%3D%22c%22"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const [, written] = await timed(create(worker, name, "b"));
  const [ms, page] = await waiting;
  assert.ok(ms < 5_000, `${ms} ms`);
  const [window, record, ...rest] = linesOf(page);
  assert.deepEqual([window.from, record, rest], [to, written.json, []]);
  const [, outside] = linesOf((await other)[1]);
  assert.deepEqual(outside, { outside: ["b"] });
});

test("a request that waits gets an empty page if nothing changes", { timeout: 60_000 }, async () => {
  const name = project();
  await create(worker, name, "a");
  const [ms, page] = await timed(changes(worker, name, "?after=now&wait=2"));
  const [{ from, to }, ...lines] = linesOf(page);
  assert.deepEqual([from, lines], [to, []]);
  assert.ok(ms > 1_900 && ms < 6_000, `${ms} ms`);
});

test("a request that waits gets 410 when the data is deleted", { timeout: 60_000 }, async () => {
  const name = project();
  await create(worker, name, "a");
  const waiting = changes(worker, name, "?after=now&wait=25");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal((await worker.call(`DELETE /${name}/data?confirm=${name}`)).status, 200);
  const { status, json } = await waiting;
  assert.deepEqual([status, json.errors[0].code], [410, "HistoryChanged"]);
});

test("a thousand requests wait in one project, and the next one gets 503", { timeout: 120_000 }, async (t) => {
  const crowded = await startIn(t);
  crowded.agent.maxSockets = 2_000;
  const name = project();
  await create(crowded, name, "a");
  const refused = [];
  const waiting = Array.from({ length: 1_010 }, async () => {
    const page = await changes(crowded, name, "?after=now&wait=25");
    if (page.status === 503) refused.push(page);
    return page;
  });
  await eventually(() => assert.equal(refused.length, 10));
  assert.ok(Number(refused[0].headers["retry-after"]) > 0);
  // Another project has its own waiters, and a page without a wait needs none.
  assert.equal((await changes(crowded, project(), "?wait=1")).status, 200);
  assert.equal((await changes(crowded, name)).status, 200);
  const [ms] = await timed(create(crowded, name, "b"));
  const pages = (await Promise.all(waiting)).filter(({ status }) => status !== 503).map(linesOf);
  assert.equal(pages.length, 1_000);
  assert.deepEqual(new Set(pages.map(([, record]) => record.id)), new Set(["b"]));
  assert.ok(ms < 2_000, `the write took ${ms} ms`);
});

test("what a page had is there after a crash, and its position continues", { timeout: 60_000 }, async (t) => {
  const crashing = await startIn(t);
  const name = project();
  await create(crashing, name, "a");
  const waiting = changes(crashing, name, "?after=now&wait=25");
  await new Promise((resolve) => setTimeout(resolve, 300));
  create(crashing, name, "b").catch(() => {});
  const [{ to }, record] = linesOf(await waiting);
  await crashing.crash();
  assert.deepEqual((await crashing.fresh(`GET /${name}/resource/b`)).json, record);
  await create(crashing, name, "c");
  const [, next, ...rest] = linesOf(await changes(crashing, name, `?after=${to}`));
  assert.deepEqual([next.id, rest], ["c", []]);
});
