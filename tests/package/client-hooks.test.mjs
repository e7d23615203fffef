// Hooks, signals, shared reads, and token functions of the npm package's client, and closing a client.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";

import { bytes, core } from "../../pkg/dist/core/instance.js";
import { ResourceClient, shareReads } from "../../pkg/dist/node.js";
import { clientWith, failure, OPTIONS, resource } from "./clients.mjs";

test("many calls with one signal use one listener, and remove it", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const counts = new Set();
  const { client } = clientWith(async () => {
    counts.add(getEventListeners(signal, "abort").length);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return resource();
  });
  await Promise.all(Array.from({ length: 50 }, () => client.getById("a", {}, { signal })));
  const left = Promise.all(Array.from({ length: 20 }, () => failure(client.getById("a", {}, { signal }))));
  controller.abort("enough");
  for (const error of await left) assert.deepEqual([error.kind, error.cause], ["aborted", "enough"]);
  assert.deepEqual([[...counts], getEventListeners(signal, "abort")], [[1], []]);
});

test("a closed client ends its calls, rejects new calls, and may be closed again", async () => {
  const { client } = clientWith(() => new Promise(() => {}));
  const call = failure(client.getById("a"));
  const modifying = clientWith(resource()).client;
  const change = () => new Promise(() => setTimeout(() => modifying.close()));
  const modified = failure(modifying.modify("a", change, { timeout: 5_000 }));
  const disposed = clientWith(resource()).client;
  client.close();
  client.close();
  if (Symbol.dispose !== undefined) disposed[Symbol.dispose]();
  else disposed.close();
  for (const error of [
    await call,
    await modified,
    await failure(client.getById("a")),
    await failure(disposed.getById("a")),
  ]) {
    assert.deepEqual([error.kind, error.cause.message], ["aborted", "The client is closed."]);
  }
});

test("neither calls nor closed clients grow the memory, and an unclosed client needs less than 2 KiB", async () => {
  const create = async () => {
    const { client } = clientWith(resource());
    await client.getById("a");
    return client;
  };
  const client = await create();
  const call = async (at) => {
    await client.getById(`a${at}`);
    await client.updateById(`a${at}`, { version: 1, actions: [{ action: "doSomeThing" }] });
    await client.getById("", {}, {}).catch(() => {});
    (await create()).close();
  };
  for (let at = 0; at < 100; at++) await call(at);
  const before = bytes().length;
  for (let at = 0; at < 3400; at++) await call(at);
  assert.equal(bytes().length, before);
  // Neither closed nor necessarily collected.
  const kept = [];
  for (let at = 0; at < 500; at++) kept.push(await create());
  assert.ok(bytes().length - before <= kept.length * 2048, `${bytes().length - before}`);
});

test("a call is freed when it ends, however it ends", async () => {
  const { begin_call: begin, end_call: end } = core();
  const first = begin(0);
  assert.equal(end(first), 0);
  const slow = () => new Promise((resolve) => setTimeout(resolve, 100, resource()));
  const hung = () => new Promise(() => {});
  const busy = () => new Response("", { status: 503 });
  const credentials = { token: undefined, credentials: { clientId: "a", clientSecret: "b" } };
  const signal = AbortSignal.timeout(50);
  const closing = clientWith(hung).client;
  const closed = failure(closing.getById("a"));
  setTimeout(() => closing.close(), 20);
  await Promise.all([
    clientWith([busy, resource()]).client.getById("a"),
    clientWith([busy, { access_token: "t" }, resource()], credentials).client.getById("a"),
    failure(clientWith(busy).client.getById("a")),
    failure(clientWith({ error: "x" }, credentials).client.getById("a")),
    failure(clientWith(resource()).client.getById("")),
    failure(clientWith(slow).client.getById("a", {}, { timeout: 20 })),
    failure(clientWith(slow).client.getById("a", {}, { timeout: 60, attemptTimeout: 20 })),
    failure(clientWith(slow).client.getById("a", {}, { signal })),
    failure(clientWith(slow, credentials).client.getById("a", {}, { signal })),
    failure(clientWith(resource(), { token: hung }).client.getById("a", {}, { signal })),
    closed,
  ]);
  // Eleven calls, and four requests for tokens. What arrives later finds nothing.
  for (const pause of [0, 150]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    assert.equal(end(0), 0);
  }
  assert.equal(begin(0) - first - 1, 15);
  end(first + 16);
});

describe("hooks", () => {
  test("receive each attempt with its call, number, time, and status, and never the token", async () => {
    const events = [];
    const hook = (name) => (event) => events.push([name, event]);
    const busy = () => new Response("", { status: 503, headers: { "Retry-After": "0" } });
    const hooks = { onRequest: hook("request"), onResponse: hook("response"), onRetry: hook("retry") };
    const { client } = clientWith([busy, () => Promise.reject(new TypeError("offline")), resource()], hooks);
    /** @type {import("../../pkg/dist/node.js").ResponseEvent} */
    let own;
    await client.getById("a", {}, { onResponse: (event) => (own = event) });
    assert.deepEqual(
      events.map(([name, { attempt, status, reason }]) => [name, attempt, status, reason]),
      [
        ["request", 1, undefined, undefined],
        ["response", 1, 503, undefined],
        ["retry", 1, 503, "unavailable"],
        ["request", 2, undefined, undefined],
        ["retry", 2, 0, "unavailable"],
        ["request", 3, undefined, undefined],
        ["response", 3, 200, undefined],
      ],
    );
    const calls = new Set(events.map(([, { operation, method, url }]) => `${operation} ${method} ${url}`));
    assert.deepEqual([...calls], ["getById GET http://h/demo/resource/a"]);
    const retries = events.filter(([name]) => name === "retry").map(([, event]) => event);
    assert.ok(retries.every(({ pause, milliseconds }) => pause >= 0 && milliseconds >= 0));
    assert.equal(retries[1].cause.message, "offline");
    assert.deepEqual([own.status, own.attempt, own.headers.get("content-type")], [200, 3, "application/json"]);
    assert.ok(!JSON.stringify(events).includes("secret"));
  });

  test("receive the reason for another attempt: a rejected token, an older response", async () => {
    const reasons = [];
    const options = {
      token: ({ refresh }) => (refresh ? "new" : "old"),
      onRetry: ({ reason, attempt, pause }) => reasons.push([reason, attempt, pause]),
    };
    const { client } = clientWith(
      [() => new Response("", { status: 401 }), resource("a", 5), resource("a", 4)],
      options,
    );
    await client.getById("a");
    await client.getById("a");
    assert.deepEqual(reasons, [
      ["unauthorized", 1, 0],
      ["outdated", 1, 0],
    ]);
  });

  test("that throw end the call as unexpected", async () => {
    for (const name of ["onRequest", "onResponse"]) {
      const { client } = clientWith(resource(), {
        [name]: () => {
          throw new Error("mine");
        },
      });
      const error = await failure(client.getById("a"));
      assert.deepEqual([error.kind, error.cause.message], ["unexpected", "mine"]);
    }
  });
});

describe("shared reads", () => {
  function shared(respond) {
    const { fetch, sent } = clientWith(respond);
    return { sent, client: new ResourceClient({ ...OPTIONS, fetch: shareReads(fetch) }) };
  }
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return resource();
  };

  test("are one request while it is in flight, and another request after it", async () => {
    const { client, sent } = shared(slow);
    const all = await Promise.all([
      client.getById("a"),
      client.getById("a"),
      client.getById("b"),
      client.getById("a", {}, { fresh: true }),
    ]);
    assert.equal(sent.length, 3);
    assert.deepEqual(all[0], all[1]);
    assert.notEqual(all[0], all[1], "each caller has a separate object");
    await client.getById("b");
    assert.equal(sent.length, 4);
    await Promise.all([client.deleteById("c"), client.deleteById("c")]);
    assert.equal(sent.length, 6, "writes are not shared");
  });

  test("continue for the other callers if one caller aborts, and end with the last caller", async () => {
    const signals = [];
    const { client } = shared(async (_, { signal }) => {
      signals.push(signal);
      return slow();
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const [one, two] = [first, second].map(({ signal }) => client.getById("a", {}, { signal }));
    const aborted = failure(one);
    first.abort();
    assert.equal((await aborted).kind, "aborted");
    assert.equal(signals[0].aborted, false);
    assert.equal((await two).id, "a");
    const [three, four] = [client.getById("b", {}, { timeout: 5 }), client.getById("b", {}, { timeout: 5 })].map(
      failure,
    );
    assert.deepEqual([(await three).kind, (await four).kind, signals[1].aborted], ["timeout", "timeout", true]);
    // A new call does not join a read that has ended.
    assert.equal((await client.getById("b")).id, "a");
  });
});
