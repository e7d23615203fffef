// `watch` of resource-edge/live: what it yields, what it sends, and how it continues after failures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { programOf } from "../support/blocks.mjs";
import { eventually } from "../support/waiting.mjs";
import { watch } from "../../pkg/dist/live.js";
import { resource as declared, ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { clientWith, failure, resource } from "./clients.mjs";
import { catalogue } from "./shop.mjs";

const page = (lines, link) =>
  new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), {
    headers: { "Content-Type": "application/x-ndjson", ...(link ? { Link: '</demo/changes>; rel="next"' } : {}) },
  });
const error = (status, code, headers) =>
  Response.json({ statusCode: status, message: code, errors: [{ code, message: code }] }, { status, headers });
const gone = () => error(410, "HistoryChanged");

/** Returns the next changes of a watch, without resources. */
async function take(changes, count) {
  const taken = [];
  while (taken.length < count) {
    const { value, done } = await changes.next();
    if (done) break;
    const { resource, ...rest } = value;
    taken.push(rest);
  }
  return taken;
}

/** Returns the parameters of each request. */
const queries = (sent) => sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams));

test("pages become changes, each with the position to continue from", async () => {
  const [a, b] = [resource("a"), resource("b")];
  const { client, sent } = clientWith([
    page([{ from: "h.0.9", to: "h.5.9" }, a, b], true),
    page([
      { from: "h.5.9", to: "h.9" },
      { deletedAt: "2026-01-01T00:00:00.000Z", id: "c", version: 3 },
      { outside: ["d"] },
    ]),
    page([{ from: "h.9", to: "h.11" }]),
    () => new Promise(() => {}),
  ]);
  const changes = watch(client, { where: "key is defined", limit: 2 });
  const { value } = await changes.next();
  assert.deepEqual(value, { type: "set", id: "a", resource: a, position: "h.0.9" });
  assert.deepEqual(await take(changes, 5), [
    { type: "set", id: "b", position: "h.5.9" },
    { type: "delete", id: "c", version: 3, position: "h.5.9" },
    { type: "leave", id: "d", position: "h.9" },
    { type: "ready", position: "h.9" },
    { type: "ready", position: "h.11" },
  ]);
  const fixed = { where: "key is defined", limit: "2" };
  assert.deepEqual(queries(sent), [
    { ...fixed, wait: "0" },
    { after: "h.5.9", ...fixed, wait: "0" },
    { after: "h.9", ...fixed, wait: "25" },
  ]);
  assert.equal(new URL(sent[0].url).pathname, "/demo/changes");
});

test("a field of your own may have the name of a page's member", async () => {
  const named = { ...resource("a"), outside: ["b"], from: "c" };
  const { client } = clientWith(page([{ from: "h.0", to: "h.1" }, named, { outside: ["d"] }]));
  assert.deepEqual(await take(watch(client), 3), [
    { type: "set", id: "a", position: "h.0" },
    { type: "leave", id: "d", position: "h.1" },
    { type: "ready", position: "h.1" },
  ]);
});

test("another history resets, then the present state follows", async () => {
  const { client, sent } = clientWith([gone, page([{ from: "i.0", to: "i.0" }]), () => new Promise(() => {})]);
  const changes = watch(client, { after: "h.7" });
  assert.deepEqual(await take(changes, 2), [
    { type: "reset", position: undefined },
    { type: "ready", position: "i.0" },
  ]);
  assert.deepEqual(queries(sent), [{ after: "h.7", wait: "0" }, { wait: "0" }]);
});

test("after failures it continues from its position, first without a wait", async () => {
  const busy = () => error(503, "ServiceUnavailable", { "Retry-After": "0" });
  const offline = () => Promise.reject(new TypeError("offline"));
  const { client, sent } = clientWith(
    [
      page([{ from: "h.0", to: "h.1" }]),
      busy,
      offline,
      page([{ from: "h.1", to: "h.2" }]),
      () => new Promise(() => {}),
    ],
    { retry: false },
  );
  const changes = watch(client, { after: "now" });
  assert.deepEqual(await take(changes, 2), [
    { type: "ready", position: "h.1" },
    { type: "ready", position: "h.2" },
  ]);
  const next = changes.next();
  await new Promise((resolve) => setTimeout(resolve, 50));
  client.close();
  assert.equal((await next).done, true);
  assert.deepEqual(
    queries(sent).map(({ after, wait }) => [after, wait]),
    [
      ["now", "0"],
      ["h.1", "25"],
      ["h.1", "0"],
      ["h.1", "0"],
      ["h.2", "25"],
    ],
  );
});

test("a failure that would repeat is thrown", async () => {
  for (const [answer, kind, status] of [
    [() => error(403, "insufficient_scope"), "api", 403],
    [() => error(400, "InvalidInput"), "api", 400],
    [() => new Response("<html>"), "unexpected", 200],
    [() => Response.json({ results: [] }), "unexpected", 200],
    [() => page([{ from: "h.0", to: "h.1" }, { id: "a" }]), "unexpected", 200],
  ]) {
    const { client } = clientWith(answer, { retry: false });
    const thrown = await failure(watch(client).next());
    assert.deepEqual([thrown.kind, thrown.status], [kind, status]);
  }
  const { client, sent } = clientWith(page([{ from: "h.0", to: "h.0" }]));
  const thrown = await failure(watch(client, { limit: 501 }).next());
  assert.deepEqual([thrown.kind, sent.length], ["invalid", 0]);
});

test("once the service has responded, another server's page, a 500, and a token function that fails may end", async () => {
  const [answers, tokens] = [[], []];
  const watched = () => {
    const { client } = clientWith(async () => answers.shift() ?? new Promise(() => {}), {
      retry: false,
      token: async () => tokens.shift() ?? Promise.reject(new TypeError("Failed to fetch")),
    });
    return watch(client);
  };
  const wrong = await failure(watched().next());
  assert.equal(wrong.message, "TypeError: Failed to fetch");
  tokens.push("secret");
  answers.push(
    page([{ from: "h.0", to: "h.1" }]),
    error(401, "invalid_token"),
    new Response("<html>"),
    error(500, "x"),
  );
  const changes = watched();
  assert.deepEqual(await take(changes, 1), [{ type: "ready", position: "h.1" }]);
  const next = take(changes, 1);
  // The token has expired, and the device is offline.
  await eventually(() => assert.equal(answers.length, 2));
  tokens.push("secret");
  await eventually(() => assert.equal(answers.length, 0));
  answers.push(page([{ from: "h.1", to: "h.2" }]));
  assert.deepEqual(await next, [{ type: "ready", position: "h.2" }]);
  // The program says that it would repeat.
  tokens.push(Promise.reject(Object.assign(new Error("Signed out"), { retryable: false })));
  answers.push(error(401, "invalid_token"));
  assert.equal((await failure(changes.next())).message, "Error: Signed out");
});

test("an aborted call of a token function is thrown, like its other errors", async () => {
  const error = await failure(clientWith(gone).client.query({}, { signal: AbortSignal.abort() }));
  let calls = 0;
  const token = async () => {
    calls += 1;
    if (calls < 100) throw error;
    return "secret";
  };
  const { client } = clientWith(page([{ from: "h.0", to: "h.0" }]), { token });
  assert.equal((await failure(watch(client).next())).kind, "aborted");
  assert.equal(calls, 1);
});

test("a signal, and closing the client, end it without an error", async () => {
  for (const end of [(controller) => controller.abort(), (_, client) => client.close()]) {
    const { client } = clientWith([page([{ from: "h.0", to: "h.0" }]), () => new Promise(() => {})]);
    const controller = new AbortController();
    const changes = watch(client, { signal: controller.signal });
    assert.deepEqual(await take(changes, 1), [{ type: "ready", position: "h.0" }]);
    const next = changes.next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    end(controller, client);
    assert.equal((await next).done, true);
  }
  const aborted = watch(clientWith(gone).client, { signal: AbortSignal.abort() });
  assert.equal((await aborted.next()).done, true);
});

test("a signal that aborts between two changes of a page ends it", async () => {
  const lines = [{ from: "h.0", to: "h.3" }, resource("a"), resource("b"), resource("c")];
  const { client } = clientWith([page(lines), () => new Promise(() => {})]);
  const controller = new AbortController();
  const seen = [];
  for await (const { type } of watch(client, { signal: controller.signal })) {
    seen.push(type);
    controller.abort();
  }
  assert.deepEqual(seen, ["set"]);
});

test("an empty page that did not wait does not cause a request at once", async () => {
  const { client, sent } = clientWith(page([{ from: "h.0", to: "h.0" }]));
  const controller = new AbortController();
  const changes = watch(client, { signal: controller.signal });
  await take(changes, 1);
  const next = changes.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(sent.length, 2);
  controller.abort();
  assert.equal((await next).done, true);
});

test("the README's program shows what matches", { timeout: 60_000 }, async (t) => {
  const [, program] = programOf("js", "import { watch }").split("\n\n");
  const service = await createService({ resources: catalogue });
  t.after(() => service.close());
  const product = declared(catalogue, "product");
  const clientOf = () => new ResourceClient({ ...service.clientOptions(), resource: product });
  const writer = clientOf();
  const lamp = (id, status) => ({ id, title: id, price: 1, status });
  await writer.createOrUpdate(lamp("a", "active"));
  const shown = [];
  const controller = new AbortController();
  const AsyncFunction = /** @type {any} */ (async () => {}).constructor;
  const run = new AsyncFunction("watch", "client", "controller", "show", program);
  const running = run(watch, clientOf(), controller, (items) => shown.push(items.map(({ id }) => id)));
  const wanted = [["a"], ["a", "b"], ["b"]];
  const until = async (count) => {
    while (shown.length < count) await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 20))]);
  };
  await until(1);
  await writer.createOrUpdate(lamp("b", "active"));
  await until(2);
  await writer.createOrUpdate(lamp("a", "draft"));
  await until(3);
  assert.deepEqual(shown, wanted);
  controller.abort();
  await running;
});
