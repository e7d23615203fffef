// `live` with a function that reads, and with one that gets the changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { live } from "../../pkg/dist/live.js";
import { eventually, later } from "../support/waiting.mjs";
import { draft, ids, isLive, open, RED, shown, start } from "./views.mjs";

/** Returns a function that reads a resource, and how often it was called. */
function reader(client, id) {
  let times = 0;
  const read = async (options) => {
    times += 1;
    const found = await client.getById(id, undefined, { ...options, fresh: true, orUndefined: true });
    return { results: found ? [found] : [], times };
  };
  return { read, times: () => times };
}

test("a view that reads with a function does so at once, when it is connected, and after what concerns it", async (t) => {
  const { client, other, service, sockets } = await start(t, { bodies: [draft("a"), draft("b")] });
  service.fail({ operation: "changes", delay: 500 });
  const { read, times } = reader(other, "a");
  const view = live(client, { read, concerns: ({ id }) => id === "a" });
  const texts = shown(t, view);
  await isLive(view);
  assert.deepEqual([texts, times()], [["loading ", "loading a1", "live a1"], 2]);
  await other.createOrUpdate(draft("b", "blue"));
  await other.deleteById("b");
  await later(300);
  assert.equal(times(), 2);
  await other.createOrUpdate(draft("a", "blue"));
  await eventually(() => assert.equal(view.getSnapshot().items[0].custom, "blue"));
  assert.deepEqual([view.getSnapshot().page.times, times()], [3, 3]);
  await other.deleteById("a");
  await eventually(() => assert.deepEqual(ids(view), []));
  // On a connected feed, what it reads first is current.
  const all = reader(other, "c");
  await open(t, live(client, { read: all.read }));
  await later(1200);
  assert.deepEqual([all.times(), sockets()], [1, 1]);
  // Without `concerns`, every change may.
  await other.createOrUpdate(draft("x"));
  await eventually(() => assert.equal(all.times(), 2));
  await other.deleteById("x");
  await eventually(() => assert.equal(all.times(), 3));
});

test("a view that reads with a function shows what it read if it cannot connect", async (t) => {
  const { client, other, service } = await start(t, { bodies: [draft("a")] });
  const end = service.fail({ operation: "changes", networkError: true, times: Infinity });
  const { read } = reader(other, "a");
  const view = live(client, { read });
  shown(t, view);
  await eventually(() => assert.deepEqual([view.getSnapshot().status, ids(view)], ["reconnecting", ["a"]]));
  end();
  await isLive(view);
  // @ts-expect-error: the types refuse it, too
  assert.throws(() => live(client, { read, limit: 5 }), { kind: "invalid" });
});

test("a program gets each change before its view shows it", async (t) => {
  const { client, other } = await start(t, { bodies: [draft("a"), draft("b")] });
  const changes = [];
  const onChange = (change) => changes.push(change && `${change.type} ${change.id} of ${ids(view)}`);
  const view = live(client, { ...RED, sort: "id", limit: 2 }, { onChange });
  await open(t, view);
  await other.createOrUpdate(draft("a", "blue"));
  await eventually(() => assert.deepEqual(ids(view), ["b"]));
  await other.createOrUpdate(draft("c"));
  await eventually(() => assert.deepEqual(ids(view), ["b", "c"]));
  await other.deleteById("c");
  await eventually(() => assert.deepEqual(ids(view), ["b"]));
  assert.deepEqual(changes, [undefined, "leave a of a,b", "set c of b", "delete c of b,c"]);
});

test("a view whose subscribers have left reads nothing until it has one again", async (t) => {
  const { client, other, requests } = await start(t, { bodies: [draft("a")] });
  const view = live(client, { sort: "id", limit: 5 });
  t.after(view.close);
  const unsubscribe = view.subscribe(() => {});
  await isLive(view);
  unsubscribe();
  await other.createOrUpdate(draft("b"));
  await later(1500);
  assert.equal(requests("query").length, 1);
  shown(t, view);
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]));
});

test("a view whose function fails for lack of a network continues, and ends if the function is wrong", async (t) => {
  const { client } = await start(t, { bodies: [draft("a")] });
  let isOnline = false;
  let failures = 0;
  const read = async ({ signal }) => {
    if (!isOnline) {
      failures += 1;
      throw new TypeError("Failed to fetch");
    }
    return client.query({}, { signal });
  };
  const view = live(client, { read });
  await open(t, live(client));
  shown(t, view);
  await eventually(() => assert.ok(failures > 0));
  await later(100);
  assert.equal(view.getSnapshot().status, "loading");
  isOnline = true;
  await isLive(view);
  assert.deepEqual(ids(view), ["a"]);
  // @ts-expect-error: the types refuse it, too
  const wrong = live(client, { read: async () => [] });
  shown(t, wrong);
  await eventually(() => assert.equal(wrong.getSnapshot().status, "error"));
  assert.match(wrong.getSnapshot().error.message, /'read' must return an object with 'results'/);
});

test("a view whose function reads twice reads again after a change that only its second read has", async (t) => {
  const { client, other, service, requests, sockets } = await start(t, { bodies: [draft("a")] });
  let held = Promise.resolve();
  const read = async (options) => {
    const { total } = await client.query({ limit: 1 }, options);
    await held;
    return { ...(await client.query({ sort: "id" }, options)), total };
  };
  const view = live(client, { read, concerns: ({ id }) => id !== "z" });
  await open(t, view);
  await eventually(() => assert.equal(sockets(), 1));
  const before = requests("query").length;
  let pass = () => {};
  held = new Promise((resolve) => {
    pass = resolve;
  });
  await other.createOrUpdate(draft("a", "blue"));
  await eventually(() => assert.equal(requests("query").length, before + 1));
  // The view has the resource before it gets the change.
  service.fail({ frame: "delay" });
  await other.createOrUpdate(draft("b"));
  pass();
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]));
  await other.createOrUpdate(draft("z"));
  await eventually(() => assert.equal(view.getSnapshot().page.total, 3), 5_000);
});

test("a view that continues reads at once, and waits for no connection", async (t) => {
  const { client, other, service } = await start(t, { bodies: [draft("a")] });
  const view = live(client, { read: reader(other, "a").read });
  await open(t, view);
  view.pause();
  await other.createOrUpdate(draft("a", "blue"));
  const end = service.fail({ operation: "changes", networkError: true, times: Infinity });
  view.resume();
  await eventually(() => assert.equal(view.getSnapshot().items[0].custom, "blue"), 5_000);
  assert.equal(view.getSnapshot().status, "reconnecting");
  end();
  await isLive(view);
});

test("a view that is left ends its read, and reads again when it has a subscriber", async (t) => {
  const { client, other } = await start(t, { bodies: [draft("a")] });
  const signals = [];
  let held = Promise.resolve();
  const read = async ({ signal }) => {
    signals.push(signal);
    await held;
    return client.query({ sort: "id" });
  };
  const view = live(client, { read });
  t.after(view.close);
  const unsubscribe = view.subscribe(() => {});
  await isLive(view);
  const before = signals.length;
  let pass = () => {};
  held = new Promise((resolve) => {
    pass = resolve;
  });
  await other.createOrUpdate(draft("b"));
  await eventually(() => assert.equal(signals.length, before + 1));
  await other.createOrUpdate(draft("c"));
  // The second change arrives, too.
  await later(300);
  unsubscribe();
  assert.equal(signals.at(-1).aborted, true);
  pass();
  await later(1500);
  assert.equal(signals.length, before + 1);
  shown(t, view);
  await eventually(() => assert.deepEqual(ids(view), ["a", "b", "c"]));
});
