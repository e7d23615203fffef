// `watch` and `live` of the npm package against the built Worker, through crashes and the deletion of the data.

import assert from "node:assert/strict";
import { test } from "node:test";

import WebSocket from "ws";

import { live, watch } from "../../pkg/dist/live.js";
import { clientOf } from "../package/clients.mjs";
import { eventually, project, startIn } from "./support.mjs";

test("a watcher has the state of the project after crashes and the deletion of its data", {
  timeout: 240_000,
}, async (t) => {
  for (const transport of /** @type {const} */ (["socket", "wait"])) await followThroughCrashes(t, transport);
});

/**
 * @param {import("node:test").TestContext} t
 * @param {"socket" | "wait"} transport
 */
async function followThroughCrashes(t, transport) {
  const worker = await startIn(t);
  const name = project();
  const copy = new Map();
  const seen = [];
  let stop = new AbortController();
  let position;
  const follow = async () => {
    // Each start has another port, so it is another client, which continues from the stored position.
    const client = await clientOf(worker, name, { retry: false, WebSocket });
    for await (const change of watch(client, { after: position, signal: stop.signal, transport })) {
      seen.push(change.type);
      if (change.type === "set") copy.set(change.id, change.resource);
      else if (change.type === "reset") copy.clear();
      else if (change.type !== "ready") copy.delete(change.id);
      position = change.position;
    }
  };
  const equal = () =>
    eventually(async () => {
      const { results } = (await worker.call(`GET /${name}/resource?limit=500&sort=id`)).json;
      assert.deepEqual(
        [...copy.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
        results,
      );
    });
  await worker.create(name, "a");
  let following = follow();
  await equal();
  for (let round = 0; round < 3; round += 1) {
    await worker.create(name, `b${round}`);
    if (round > 0) await worker.call(`DELETE /${name}/resource/b${round - 1}`);
    await equal();
    stop.abort();
    await following;
    await worker.crash();
    await worker.create(name, `c${round}`);
    stop = new AbortController();
    following = follow();
    await equal();
  }
  assert.ok(!seen.includes("reset"), seen.join());
  assert.equal((await worker.call(`DELETE /${name}/data?confirm=${name}`)).status, 200);
  await worker.create(name, "new");
  await eventually(() => assert.ok(seen.includes("reset"), seen.join()));
  await equal();
  assert.deepEqual([...copy.keys()], ["new"]);
  stop.abort();
  await following;
}

test("views of two clients show each other's writes over one socket each, and connect again", {
  timeout: 120_000,
}, async (t) => {
  const worker = await startIn(t);
  const name = project();
  const opened = [];
  class Counted extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols);
      opened.push(this);
    }
  }
  const [one, two] = await Promise.all([1, 2].map(() => clientOf(worker, name, { WebSocket: Counted })));
  t.after(() => {
    one.close();
    two.close();
  });
  const queries = [{}, { sort: "id desc", limit: 2 }];
  const views = [one, two].flatMap((client) => queries.map((query) => live(client, query)));
  for (const view of views) t.after(view.subscribe(() => {}));
  const ids = () =>
    views.map((view) =>
      view
        .getSnapshot()
        .items.map(({ id }) => id)
        .join(),
    );
  const create = (client, id) => client.createOrUpdate({ id, objectTypeProperty: {} });
  await eventually(() => assert.ok(views.every((view) => view.getSnapshot().status === "live")));
  await eventually(() =>
    assert.deepEqual(
      opened.map(({ readyState }) => readyState),
      [1, 1],
    ),
  );
  await create(one, "a");
  assert.deepEqual(ids().slice(0, 2), ["a", "a"]);
  await create(two, "b");
  await eventually(() => assert.deepEqual(ids(), ["a,b", "b,a", "a,b", "b,a"]));
  assert.equal(opened.length, 2);
  // The network ends the connections.
  for (const socket of opened.splice(0)) socket.terminate();
  await create(two, "c");
  await eventually(() => assert.deepEqual(ids(), ["a,b,c", "c,b", "a,b,c", "c,b"]));
  await eventually(() =>
    assert.deepEqual(
      opened.map(({ readyState }) => readyState),
      [1, 1],
    ),
  );
});
