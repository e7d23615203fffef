// `live` of resource-edge/live: what views show, when, and over how many connections.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

import { live } from "../../pkg/dist/live.js";
import { ResourceClient } from "../../pkg/dist/node.js";
import { ownClock } from "../support/clock.mjs";
import { eventually, later } from "../support/waiting.mjs";
import { clientWith, resource } from "./clients.mjs";
import { draft, ids, isLive, open, RED, shown, start } from "./views.mjs";

test("a view shows what matches, in the order of IDs, and replaces only what has changed", async (t) => {
  const { client, other } = await start(t, { bodies: [draft("b"), draft("a"), draft("x", "blue")] });
  const view = live(client, RED);
  assert.deepEqual(view.getSnapshot(), { status: "loading", items: [] });
  const texts = shown(t, view);
  await isLive(view);
  const [a, b] = view.getSnapshot().items;
  await other.createOrUpdate(draft("aa"));
  await eventually(() => assert.deepEqual(ids(view), ["a", "aa", "b"]));
  assert.ok(view.getSnapshot().items[0] === a && view.getSnapshot().items[2] === b);
  await other.createOrUpdate(draft("a", "blue"));
  await eventually(() => assert.deepEqual(ids(view), ["aa", "b"]));
  await other.deleteById("b");
  await eventually(() => assert.deepEqual(ids(view), ["aa"]));
  assert.deepEqual(texts, ["loading ", "live a1,b1", "live a1,aa1,b1", "live aa1,b1", "live aa1"]);
  // What does not concern it changes nothing.
  const before = view.getSnapshot();
  await other.createOrUpdate(draft("y", "blue"));
  await other.deleteById("x");
  await later(250);
  assert.equal(view.getSnapshot(), before);
  assert.throws(() => {
    Object.assign(before, { status: "error" });
  }, TypeError);
});

test("an own write is in every view when its promise resolves", async (t) => {
  const { client } = await start(t, { bodies: [draft("a")] });
  const [all, red] = [live(client), live(client, RED)];
  const page = live(client, { sort: "lastModifiedAt desc", limit: 2, withTotal: true });
  await open(t, all, red, page);
  const state = () => [ids(all), ids(red), ids(page), page.getSnapshot().page.total];
  await client.createOrUpdate(draft("b"));
  assert.deepEqual(state(), [["a", "b"], ["a", "b"], ["b", "a"], 2]);
  await client.createOrUpdate(draft("c", "blue"));
  assert.deepEqual(state(), [["a", "b", "c"], ["a", "b"], ["c", "b"], 3]);
  // Its response has no resource.
  await client.updateWithUrnLinks({ id: "a", custom: "blue" });
  assert.deepEqual(state(), [["a", "b", "c"], ["b"], ["a", "c"], 3]);
  await client.deleteById("b");
  assert.deepEqual(state(), [["a", "c"], [], ["a", "c"], 2]);
  await client.modify("c", () => ({ custom: "red" }));
  assert.deepEqual(state(), [["a", "c"], ["c"], ["c", "a"], 2]);
});

test("an own write is in a view that is loading or not connected when its promise resolves", async (t) => {
  const { client, service } = await start(t, { bodies: [draft("a")] });
  const [all, page] = [live(client), live(client, { sort: "id", limit: 5 })];
  service.fail({ operation: "changes", delay: 300 });
  for (const view of [all, page]) shown(t, view);
  await client.createOrUpdate(draft("b"));
  assert.deepEqual(
    [ids(all), ids(page)],
    [
      ["a", "b"],
      ["a", "b"],
    ],
  );
  // Each request of a follower is tried twice, and so is a query.
  service.fail({ operation: "changes", networkError: true, times: 6 });
  service.fail({ operation: "query", status: 503, times: 2 });
  service.closeSockets();
  await eventually(() => assert.equal(all.getSnapshot().status, "reconnecting"));
  await client.createOrUpdate(draft("c"));
  assert.deepEqual(
    [ids(all), ids(page)],
    [
      ["a", "b", "c"],
      ["a", "b", "c"],
    ],
  );
});

test("a write does not wait for a feed longer than 5 seconds, its time, or its signal", async (t) => {
  const { client, service } = await start(t, { bodies: [draft("a")] });
  const view = live(client);
  await open(t, view);
  const end = service.fail({ operation: "changes", networkError: true, times: Infinity });
  service.closeSockets();
  const milliseconds = async (options) => {
    const began = performance.now();
    assert.equal((await client.createOrUpdate(draft("b"), options)).id, "b");
    return performance.now() - began;
  };
  assert.ok((await milliseconds({ timeout: 500 })) < 3_000);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  assert.ok((await milliseconds({ signal: controller.signal })) < 3_000);
  const whole = await milliseconds();
  assert.ok(whole > 4_900 && whole < 8_000, `${whole}`);
  assert.deepEqual([view.getSnapshot().status, ids(view)], ["reconnecting", ["a"]]);
  // The writes have not made the pauses longer.
  end();
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]), 20_000);
});

test("an own write is in a view when its promise resolves, also if its change is not on the last page", async (t) => {
  const { service, client, other } = await start(t);
  const view = live(client);
  shown(t, view);
  await isLive(view);
  service.fail({ frame: "drop" });
  // The page with the first one has no room for the second.
  const large = (id) => draft(id, "x".repeat(200_000));
  const own = client.createOrUpdate(large("a"));
  await other.createOrUpdate(large("b"));
  service.fail({ operation: "changes", skip: 1, delay: 300 });
  await own;
  assert.ok(ids(view).includes("a"), `${ids(view)}`);
});

test("a query is repeated after a relevant change, at most once a second", async (t) => {
  const { client, other, requests } = await start(t, { bodies: [draft("a"), draft("b"), draft("x", "blue")] });
  const view = live(client, { ...RED, sort: "id desc", limit: 2, withTotal: false });
  await open(t, view);
  assert.deepEqual(ids(view), ["b", "a"]);
  assert.equal(requests("query").length, 1);
  const [b] = view.getSnapshot().items;
  await other.createOrUpdate(draft("y", "blue"));
  await other.deleteById("x");
  await later(300);
  // The feed names changes of resources that do not match, and the deletion of one that was not on the page.
  assert.equal(requests("query").length, 1);
  const began = Date.now();
  for (const id of ["c", "d", "e", "f"]) {
    await other.createOrUpdate(draft(id));
    await later(150);
  }
  await eventually(() => assert.deepEqual(ids(view), ["f", "e"]));
  await later(100);
  assert.ok(requests("query").length <= 2 + (Date.now() - began) / 1000, `${requests("query").length} queries`);
  await other.deleteById("f");
  await other.deleteById("e");
  await other.deleteById("d");
  await other.deleteById("c");
  await eventually(() => assert.deepEqual(ids(view), ["b", "a"]));
  assert.equal(view.getSnapshot().items[0].version, b.version);
  assert.deepEqual(view.getSnapshot().page.results, view.getSnapshot().items);
});

test("a search is repeated, too", async (t) => {
  const { client, other } = await start(t, { bodies: [{ ...draft("a"), someProperty: "blue lamp" }] });
  const view = live(client, { search: { text: { en: "lamp" } } });
  await open(t, view);
  await other.createOrUpdate({ ...draft("b"), someProperty: "green lamp" });
  await eventually(() => assert.deepEqual(ids(view).sort(), ["a", "b"]));
  assert.equal(view.getSnapshot().page.total, 2);
  // @ts-expect-error: the types refuse it, too
  assert.throws(() => live(client, { where: "key is defined", search: {} }), { kind: "invalid" });
});

test("views with the same conditions share one connection, whatever they show of it", async (t) => {
  const { client, other, sockets } = await start(t, { bodies: [draft("a")] });
  const page = live(client, { ...RED, sort: "id", limit: 1 });
  await open(t, page);
  await eventually(() => assert.equal(sockets(), 1));
  // It begins while the feed has only what follows.
  const [one, two] = [live(client, RED), live(client, RED)];
  await open(t, one);
  assert.deepEqual(shown(t, two), ["live a1"]);
  assert.equal(two.getSnapshot().items, one.getSnapshot().items);
  await other.createOrUpdate(draft("0"));
  await eventually(() => assert.deepEqual([page, one, two].map(ids), [["0"], ["0", "a"], ["0", "a"]]));
  assert.equal(sockets(), 1);
});

test("a restore replaces everything at once, and keeps what is the same", async (t) => {
  const { client, service, other } = await start(t, { bodies: [draft("a"), draft("b")] });
  const [view, page] = [live(client), live(client, { sort: "id", limit: 5 })];
  const texts = [shown(t, view), shown(t, page)];
  await isLive(view);
  await isLive(page);
  const restore = await service.backup();
  await other.createOrUpdate(draft("a", "blue"));
  await other.createOrUpdate(draft("c"));
  await eventually(() =>
    assert.deepEqual(
      [ids(view), ids(page)],
      [
        ["a", "b", "c"],
        ["a", "b", "c"],
      ],
    ),
  );
  const b = view.getSnapshot().items[1];
  await restore();
  await eventually(() =>
    assert.deepEqual(
      [ids(view), ids(page)],
      [
        ["a", "b"],
        ["a", "b"],
      ],
    ),
  );
  assert.equal(view.getSnapshot().items[1], b);
  assert.equal(view.getSnapshot().items[0].custom, "red");
  for (const all of texts) assert.ok(!all.slice(1).includes("live "), all.join(" | "));
});

test("an error that would repeat ends a view, and resume tries again", async (t) => {
  const { client, service } = await start(t);
  service.fail({ operation: "changes", status: 403, times: 1 });
  const view = live(client);
  const texts = shown(t, view);
  await eventually(() => assert.equal(view.getSnapshot().status, "error"));
  assert.equal(view.getSnapshot().error.status, 403);
  view.resume();
  await isLive(view);
  assert.equal(view.getSnapshot().error, undefined);
  const wrong = live(client, { where: "nope = 1" });
  shown(t, wrong);
  await eventually(() => assert.equal(wrong.getSnapshot().error?.status, 400));
  const sorted = live(client, { sort: "nope", limit: 1 });
  shown(t, sorted);
  await eventually(() => assert.equal(sorted.getSnapshot().error?.status, 400));
  client.close();
  await eventually(() => assert.equal(view.getSnapshot().error?.kind, "aborted"));
  assert.deepEqual(texts.slice(0, 2), ["loading ", "error "]);
});

test("a view starts with its first subscriber, and ends some seconds after the last", async (t) => {
  const pass = ownClock(t);
  const lines = [{ from: "h.0", to: "h.1" }, resource("a")].map((line) => `${JSON.stringify(line)}\n`).join("");
  const { client, sent } = clientWith([() => new Response(lines), () => new Promise(() => {})]);
  const view = live(client);
  await pass();
  assert.equal(sent.length, 0);
  const end = view.subscribe(() => {});
  const endOther = view.subscribe(() => {});
  await pass();
  assert.deepEqual([view.getSnapshot().status, sent.length], ["live", 2]);
  end();
  endOther();
  await pass(4_900);
  assert.equal(sent[1].signal.aborted, false);
  // Somebody comes back in time.
  const endLast = view.subscribe(() => {});
  await pass(10_000);
  assert.equal(sent[1].signal.aborted, false);
  endLast();
  endLast();
  await pass(5_000);
  assert.equal(sent[1].signal.aborted, true);
  // What it has may be old.
  assert.deepEqual([view.getSnapshot().status, ids(view)], ["loading", ["a"]]);
  view.close();
});

test("a subscriber that throws does not disturb the others", async (t) => {
  const { client, other } = await start(t);
  const errors = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => errors.push(error.message));
  t.after(() => {
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) process.on("uncaughtException", listener);
  });
  const view = live(client);
  const end = view.subscribe(({ status, items }) => {
    if (status === "loading" || items.length > 0) throw new Error(status);
  });
  const texts = shown(t, view);
  await isLive(view);
  await other.createOrUpdate(draft("a"));
  await eventually(() => assert.equal(texts.at(-1), "live a1"));
  await later(10);
  assert.deepEqual(errors, ["loading", "live"]);
  end();
});

test("a query that was due before a pause is repeated after it", async (t) => {
  const { client, other } = await start(t, { bodies: [draft("a")] });
  const view = live(client, { sort: "id", limit: 5 });
  const began = performance.now();
  await open(t, view);
  // It is due a second after the first one.
  await other.createOrUpdate(draft("b"));
  await later(300);
  assert.ok(ids(view).join() === "a" || performance.now() - began > 1000);
  view.pause();
  view.resume();
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]));
  await isLive(view);
});

test("resume repeats a query that was refused, and a view with an error sends nothing", async (t) => {
  const { client, other, service, requests } = await start(t, { bodies: [draft("a")] });
  const views = [1, 2].map((limit) => live(client, { sort: "id desc", limit }));
  await open(t, ...views);
  service.fail({ operation: "query", status: 403, times: 2 });
  await other.createOrUpdate(draft("b"));
  for (const view of views) await eventually(() => assert.equal(view.getSnapshot().error?.status, 403));
  const sent = requests("query").length;
  const [first, second] = views;
  first.resume();
  await eventually(() => assert.deepEqual(ids(first), ["b"]));
  assert.equal(first.getSnapshot().status, "live");
  await other.createOrUpdate(draft("c"));
  await eventually(() => assert.deepEqual(ids(first), ["c"]));
  assert.deepEqual([second.getSnapshot().status, requests("query").length], ["error", sent + 2]);
});

test("what is deleted while a query is under way does not stay on the page", async (t) => {
  const { service, other } = await start(t, { bodies: [draft("a")] });
  const options = service.clientOptions();
  let release = () => {};
  let held = Promise.resolve();
  const fetch = async (url, init) => {
    const answer = await options.fetch(url, init);
    if (url.includes("/resource?")) await held;
    return answer;
  };
  const client = new ResourceClient({ ...options, fetch });
  const view = live(client, { sort: "id", limit: 5, withTotal: false });
  await open(t, view);
  held = new Promise((resolve) => (release = resolve));
  await other.createOrUpdate(draft("b"));
  const queries = () => service.requests.filter(({ operation, status }) => operation === "query" && status === 200);
  await eventually(() => assert.equal(queries().length, 2));
  await other.deleteById("b");
  await later(300);
  held = Promise.resolve();
  release();
  await eventually(() => assert.equal(queries().length, 3));
  await eventually(() => assert.deepEqual(ids(view), ["a"]));
  client.close();
});

test("each of two own writes at once is in a page when its promise resolves", async (t) => {
  const { client } = await start(t);
  const page = live(client, { sort: "id", limit: 50 });
  await open(t, page);
  const write = async (id) => {
    await client.createOrUpdate(draft(id));
    assert.ok(ids(page).includes(id), `${id} is not in ${ids(page)}`);
  };
  for (let round = 0; round < 3; round += 1) await Promise.all(["a", "b", "c", "d"].map((id) => write(id + round)));
});

test("a clock that is set back does not delay a view", async (t) => {
  const { client, other } = await start(t);
  const view = live(client, { sort: "id", limit: 5 });
  await open(t, view);
  const { now } = Date;
  t.mock.method(Date, "now", () => now() - 3_600_000);
  await other.createOrUpdate(draft("a"));
  await eventually(() => assert.deepEqual(ids(view), ["a"]));
});

test("the order of IDs is the service's, by code points", async (t) => {
  const names = ["\u{1f600}", "\uff5e", "z", "\u{1f600}a", "ä"];
  const { client } = await start(t, { bodies: names.map((id) => draft(id)) });
  const [all, page] = [live(client), live(client, { sort: "id", limit: 10 })];
  await open(t, all, page);
  assert.deepEqual(ids(all), ids(page));
  assert.deepEqual(ids(all), ["z", "ä", "\uff5e", "\u{1f600}", "\u{1f600}a"]);
});

test("a service in memory that starts again closes its sockets, so that views continue", async (t) => {
  const { client, other, service, sockets } = await start(t, { bodies: [draft("a")] });
  const view = live(client);
  await open(t, view);
  await eventually(() => assert.equal(sockets(), 1));
  await other.createOrUpdate(draft("b"));
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]));
  await service.reset();
  await eventually(() => assert.deepEqual([ids(view), sockets()], [["a"], 1]));
  service.close();
  await eventually(() => assert.equal(view.getSnapshot().status, "reconnecting"));
});

test("a process ends soon after a follower of a service in memory has ended", async () => {
  const dist = new URL("../../pkg/dist/", import.meta.url);
  const program = `
    const { watch } = await import("${dist}live.js");
    const { ResourceClient } = await import("${dist}node.js");
    const { createService } = await import("${dist}testing/index.js");
    const service = await createService();
    const client = new ResourceClient(service.clientOptions());
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    for await (const _ of watch(client, { transport: "wait", signal: controller.signal }));
    const other = watch(client, { transport: "wait" });
    await other.next();
    const next = other.next().catch(() => {});
    setTimeout(() => service.close(), 300);
    setTimeout(() => client.close(), 600);
    await next;
    console.log("end");`;
  const began = Date.now();
  const args = ["--no-warnings", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
  assert.deepEqual([stdout, Date.now() - began < 10_000], ["end\n", true]);
});

test("a restore ends every socket and every request of the project, also those that are beginning", async (t) => {
  const { client, other, service } = await start(t, { bodies: [draft("a")] });
  const view = live(client, {}, { transport: "wait" });
  await open(t, view);
  const restore = await service.backup();
  await other.createOrUpdate(draft("b"));
  await eventually(() => assert.deepEqual(ids(view), ["a", "b"]));
  await restore();
  await eventually(() => assert.deepEqual(ids(view), ["a"]));
  const protocols = ["resource-edge.changes", `bearer.${await service.token()}`];
  const opened = [];
  for (let turns = 0; turns < 60; turns += 1) {
    opened.push(new service.WebSocket("ws://h/demo/changes", protocols));
    for (let turn = 0; turn < turns; turn += 1) await undefined;
    await restore();
  }
  await later(50);
  await restore();
  await eventually(() => assert.ok(opened.every(({ readyState }) => readyState === 3)));
});

test("with requests that wait instead of sockets it is the same", async (t) => {
  const { client, other, sockets } = await start(t);
  const view = live(client, RED, { transport: "wait" });
  await open(t, view);
  await other.createOrUpdate(draft("a"));
  await eventually(() => assert.deepEqual(ids(view), ["a"]));
  await client.createOrUpdate(draft("b"));
  assert.deepEqual([ids(view), sockets()], [["a", "b"], 0]);
});
