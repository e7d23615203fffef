// Views of resource-edge/live on a bad network: what they show meanwhile, and that they continue.

import assert from "node:assert/strict";
import { test } from "node:test";

import { live } from "../../pkg/dist/live.js";
import { ResourceClient } from "../../pkg/dist/node.js";
import { ownClock } from "../support/clock.mjs";
import { eventually, later } from "../support/waiting.mjs";
import { clientWith } from "./clients.mjs";
import { draft, ids, isLive, open, shown, start } from "./views.mjs";

test("a write does not wait for a view that is paused, and a view without a connection has it later", async (t) => {
  const { client, service } = await start(t);
  const view = live(client);
  const texts = shown(t, view);
  await isLive(view);
  view.pause();
  const began = Date.now();
  await client.createOrUpdate(draft("a"));
  assert.ok(Date.now() - began < 1000);
  view.resume();
  await eventually(() => assert.deepEqual(ids(view), ["a"]));
  const end = service.fail({ operation: "changes", networkError: true, times: Infinity });
  service.closeSockets();
  await eventually(() => assert.equal(view.getSnapshot().status, "reconnecting"));
  await client.createOrUpdate(draft("b"), { timeout: 500 });
  end();
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]));
  assert.deepEqual(texts.slice(0, 5), ["loading ", "live ", "paused ", "reconnecting ", "live a1"]);
  assert.deepEqual([texts[5], texts.at(-1)], ["reconnecting a1", "live a1,b1"]);
});

test("while a token function fails because the device is offline, views wait", async (t) => {
  const { service, other } = await start(t);
  let isOnline = true;
  const token = async () => (isOnline ? service.token() : Promise.reject(new TypeError("Failed to fetch")));
  const client = new ResourceClient({ ...service.clientOptions(), token });
  t.after(() => client.close());
  const views = [live(client), live(client, { sort: "id", limit: 5 })];
  await open(t, ...views);
  const are = (status) => () =>
    assert.deepEqual(
      views.map((view) => view.getSnapshot().status),
      [status, status],
    );
  isOnline = false;
  const end = service.fail({ operation: ["changes", "query"], status: 401, times: Infinity });
  await other.createOrUpdate(draft("a"));
  await eventually(() => assert.equal(views[1].getSnapshot().status, "reconnecting"));
  service.closeSockets({ code: 4401 });
  await eventually(are("reconnecting"));
  // A page may do that when it is hidden and shown.
  for (const view of views) view.pause();
  for (const view of views) view.resume();
  await later(300);
  are("reconnecting")();
  end();
  isOnline = true;
  await eventually(are("live"));
  assert.deepEqual(views.map(ids), [["a"], ["a"]]);
});

test("a view says at once that the device is offline, and continues when it is online again", async (t) => {
  const events = new EventTarget();
  const globals = {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  const before = Object.fromEntries(Object.keys(globals).map((name) => [name, globalThis[name]]));
  Object.assign(globalThis, globals);
  t.after(() => Object.assign(globalThis, before));
  const { client, other, service } = await start(t, { bodies: [draft("a")] });
  const view = live(client);
  await open(t, view);
  const end = service.fail({ operation: "changes", networkError: true, times: Infinity });
  // Its connection has not ended.
  events.dispatchEvent(new Event("offline"));
  await eventually(() => assert.equal(view.getSnapshot().status, "reconnecting"));
  await later(3000);
  end();
  events.dispatchEvent(new Event("online"));
  await eventually(() => assert.equal(view.getSnapshot().status, "live"), 1000);
  await other.createOrUpdate(draft("b"));
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]));
});

test("a view says soon that nothing responds", async (t) => {
  const pass = ownClock(t);
  const answers = ["h.0", "h.1"].map((from) => new Response(`${JSON.stringify({ from, to: "h.1" })}\n`));
  const { client } = clientWith(async () => answers.shift() ?? new Promise(() => {}));
  const view = live(client);
  const texts = shown(t, view);
  await pass();
  // An empty page came at once. The next request may wait for 25 seconds.
  await pass(1_000);
  await pass(34_000);
  assert.equal(view.getSnapshot().status, "live");
  answers.push(new Response(`${JSON.stringify({ from: "h.1", to: "h.2" })}\n`));
  await pass(1_000);
  assert.equal(view.getSnapshot().status, "reconnecting");
  await pass(5_000);
  await pass(5_000);
  assert.deepEqual(texts, ["loading ", "live ", "reconnecting ", "live "]);
});

test("requests that wait leave connections for the page's own calls", async (t) => {
  const pass = ownClock(t);
  let waiting = 0;
  let sent = 0;
  const answer = async (url, { signal }) => {
    sent += 1;
    const params = new URL(url).searchParams;
    if (params.get("wait") === "0")
      return new Response(`${JSON.stringify({ from: params.get("after") ?? "h.0", to: "h.1" })}\n`);
    waiting += 1;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        waiting -= 1;
        reject(signal.reason);
      });
    });
  };
  const { client } = clientWith(answer);
  const views = Array.from({ length: 8 }, (_, at) => live(client, { where: `version > ${at}` }));
  for (const view of views) shown(t, view);
  await pass();
  assert.ok(views.every((view) => view.getSnapshot().status === "live"));
  assert.equal(waiting, 3);
  // The others ask every three seconds.
  const before = sent;
  await pass(3_000);
  assert.deepEqual([waiting, sent - before], [3, 5]);
  // One of them waits instead when another one has ended.
  views[0].close();
  await pass(3_000);
  assert.equal(waiting, 3);
});
