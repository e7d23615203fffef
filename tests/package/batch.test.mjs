// Batches: what the client sends and returns, what a session reads after one, and that no follower sees a part of one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { live, watch } from "../../pkg/dist/live.js";
import { limits, ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { Random } from "../support/random.mjs";
import { clientWith, counted, failure, project, serviceForTests } from "./clients.mjs";

const { client, settle } = serviceForTests();
const draft = (id, more = {}) => ({ id, ...more, objectTypeProperty: {} });
/** @returns {any} */
const create = (id, more) => ({ operation: "createOrUpdate", body: draft(id, more) });
/** @returns {any} */
const set = (id, version, someProperty) => ({
  operation: "updateById",
  id,
  body: { version, actions: [{ action: "changeSomeProperty", someProperty }] },
});

test("a batch returns the status and the resource of each write, in their order", async () => {
  const mine = await client(project());
  const [first, second, third] = await mine.batch([
    create("a", { key: "k" }),
    set("a", 1, "x"),
    { operation: "deleteById", id: "a", version: 2 },
  ]);
  assert.deepEqual(
    [first, second, third].map(({ status, resource: { id, version } }) => [status, id, version]),
    [
      [201, "a", 1],
      [200, "a", 2],
      [200, "a", 2],
    ],
  );
  assert.equal(second.resource.someProperty, "x");
  assert.equal(await mine.getById("a", {}, { orUndefined: true }), undefined);
});

test("a batch that fails has changed nothing, and names its write", async () => {
  const mine = await client(project());
  const error = await failure(mine.batch([create("a"), set("b", 1, "x")]));
  assert.deepEqual(
    [error.status, error.code, error.errors[0].index, error.outcome],
    [404, "ResourceNotFound", 1, "refused"],
  );
  assert.equal(await mine.exists(), false);
});

test("a wrong batch is not sent, and all its problems are listed", async () => {
  const { client: mine, sent } = clientWith([]);
  const wrong = /** @type {any} */ ([
    create("a", { custom: 1 }),
    { operation: "deleteById" },
    { operation: "query", id: "a" },
  ]);
  const { kind, issues } = await failure(mine.batch(wrong));
  assert.deepEqual(
    [kind, ...issues.map(({ pointer, reason }) => `${pointer} ${reason}`)],
    ["invalid", "/writes/0/body/custom type", "/writes/1/id required", "/writes/2/operation enum"],
  );
  for (const writes of [[], Array(limits.batchWrites + 1).fill(create("a"))]) {
    const [issue] = (await failure(mine.batch(writes))).issues;
    assert.deepEqual([issue.pointer, issue.reason, issue.maxItems], ["/writes", "count", limits.batchWrites]);
  }
  assert.equal(sent.length, 0);
});

test("a response that does not have a resource for each write is no success", async () => {
  for (const body of [{}, { results: [{ status: 200 }] }, { results: [null] }, []]) {
    const { client: mine } = clientWith(() => Response.json(body));
    assert.equal((await failure(mine.batch([create("a")]))).kind, "unexpected");
  }
});

test("a batch whose response is lost is performed once", async (t) => {
  const service = await createService();
  t.after(() => service.close());
  const mine = new ResourceClient({ ...service.clientOptions(), retry: { baseDelay: 1 } });
  service.fail({ operation: "batch", lostResponse: true });
  const [{ resource }] = await mine.batch([create(undefined), create("b")]);
  assert.equal(resource.version, 1);
  assert.equal((await mine.querySorted({ withTotal: true })).total, 2);
  service.fail({ operation: "batch", conflict: true });
  assert.equal((await failure(mine.batch([set("b", 1, "x"), create("c")]))).status, 409);
  assert.equal(await mine.getById("c", {}, { orUndefined: true }), undefined);
  mine.close();
});

test("a session reads what its batch wrote and deleted while KV is behind", async () => {
  const name = project();
  const mine = await client(name);
  await mine.batch([create("a", { key: "ka" }), create("b", { key: "kb" })]);
  await settle();
  await mine.batch([set("a", 1, "x"), { operation: "deleteById", id: "b", version: 1 }]);
  assert.equal((await mine.getById("a")).version, 2);
  assert.equal((await mine.getByKey("ka")).version, 2);
  for (const read of [mine.getById("b"), mine.getByKey("kb")]) assert.equal((await failure(read)).status, 404);
  const other = await client(name);
  assert.deepEqual([(await other.getById("a")).version, (await other.getById("b")).version], [1, 1], "copies");
});

test("a key that a batch moves to a new resource is read in one request", async () => {
  const fetch = counted();
  const mine = await client(project(), { fetch });
  await mine.batch([create("a", { key: "k" })]);
  await mine.batch([{ operation: "deleteById", id: "a", version: 1 }, create("b", { key: "k" }), create("c")]);
  await settle();
  fetch.calls.length = 0;
  assert.equal((await mine.getByKey("k")).id, "b");
  assert.equal(fetch.calls.length, 1);
});

/** The accounts, and what all of them have together. */
const ACCOUNTS = ["a", "b", "c", "d", "e"];
const SUM = 500;
const amountOf = ({ someProperty }) => Number(someProperty);
const sumOf = (items) => [...items].reduce((sum, item) => sum + amountOf(item), 0);

/** Moves amounts between accounts, each move in a batch. */
async function move(mine, times, random) {
  for (let at = 0; at < times; at += 1) {
    const [from, to] = [random.pick(ACCOUNTS), random.pick(ACCOUNTS)];
    if (from === to) continue;
    // Frames leave at most every 100 ms.
    if (at % 8 === 0) await setTimeout(150);
    const [one, other] = await Promise.all([from, to].map((id) => mine.getById(id)));
    const amount = random.below(50);
    await mine.batch([
      set(from, one.version, `${amountOf(one) - amount}`),
      set(to, other.version, `${amountOf(other) + amount}`),
    ]);
  }
}

for (const transport of /** @type {const} */ (["socket", "wait"])) {
  test(`no follower sees a part of a batch (${transport})`, async (t) => {
    const service = await createService({
      bodies: ACCOUNTS.map((id) => ({ ...draft(id), someProperty: `${SUM / ACCOUNTS.length}` })),
    });
    const options = service.clientOptions();
    const [mine, reader] = [1, 2].map(() => new ResourceClient(options));
    t.after(() => {
      mine.close();
      reader.close();
      service.close();
    });
    const ended = new AbortController();
    const followed = [1, 500].map(async (limit) => {
      const items = new Map();
      let ready = 0;
      for await (const change of watch(reader, { transport, limit, signal: ended.signal })) {
        if (change.type === "set") items.set(change.id, change.resource);
        if (change.type !== "ready") continue;
        ready += 1;
        assert.equal(sumOf(items.values()), SUM, `at limit ${limit}`);
      }
      return ready;
    });
    const sums = new Set();
    const view = live(reader, {}, { transport });
    const leave = view.subscribe(({ status, items }) => status !== "loading" && sums.add(sumOf(items)));
    await move(mine, 40, new Random(1));
    // The views of a client have its own writes, so this client waits for all.
    await reader.batch([create("z", { someProperty: "0" })]);
    leave();
    view.close();
    ended.abort();
    assert.ok((await Promise.all(followed)).every((ready) => ready > 3));
    assert.deepEqual([...sums], [SUM]);
  });
}
