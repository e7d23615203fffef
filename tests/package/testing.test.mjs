// `resource-edge/testing`: the guarantees for tests of programs. testing-cases.test.mjs checks that it returns
// the responses of the service.

import assert from "node:assert/strict";
import { test as plainTest } from "node:test";

import { ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { draft, FIXED, outcome, test } from "./service.mjs";

plainTest("with a fixed clock and a seed every run is the same, also after a reset", async () => {
  const story = async (service) => {
    const client = new ResourceClient(service.clientOptions());
    const made = await client.createOrUpdate(draft({ key: "a" }));
    await service.advance(60_000);
    const changed = await client.updateById(made.id, { version: 1, actions: [{ action: "doSomeThing" }] });
    return [made, changed];
  };
  const service = await createService(FIXED);
  const first = await story(service);
  assert.equal(first[0].createdAt, "2026-01-02T03:04:05.678Z");
  assert.equal(first[1].lastModifiedAt, "2026-01-02T03:05:05.678Z");
  assert.deepEqual(await story(await createService(FIXED)), first);
  await service.reset();
  assert.deepEqual(await story(service), first);
  const [other] = await story(await createService({ ...FIXED, seed: 2 }));
  assert.notEqual(other.id, first[0].id);
});

test("a reset removes data, requests, and faults, and creates `bodies` again", {
  bodies: [draft({ key: "a" })],
}, async ({ service, client }) => {
  const found = await client.getByKey("a");
  await client.deleteById(found.id);
  await client.createOrUpdate(draft({ key: "b" }));
  service.fail({ status: 503, times: Infinity });
  const { requests } = service;
  assert.equal(requests.length, 3);
  await service.reset();
  assert.equal(requests, service.requests);
  assert.deepEqual(requests, []);
  const { results } = await new ResourceClient(service.clientOptions()).query();
  const keys = results.map(({ key }) => key);
  assert.deepEqual(keys, ["a"]);
});

plainTest("a start with a resource that the service rejects fails", async () => {
  await assert.rejects(
    createService(/** @type {any} */ ({ bodies: [draft(), { key: "a" }] })),
    /^TypeError: bodies\[1\]: .*'objectTypeProperty'/,
  );
});

test("fake timers do not stop the service, and they set its time", async ({ service, client, mock }) => {
  mock.timers.enable({
    apis: ["setTimeout", "setInterval", "setImmediate", "Date"],
    now: Date.parse("2030-01-01T00:00:00Z"),
  });
  // More calls than the object performs in one turn of its event loop.
  for (let call = 0; call < 40; call++) await client.createOrUpdate(draft({ key: `k${call}` }));
  assert.match((await client.getByKey("k0")).createdAt, /^2030-01-01T00:00:00/);
  assert.equal((await client.query()).total, 40);
  await service.settle();
});

const BOTH = { ...FIXED, scope: ["manage_test", "view_test"] };
test("the list of requests has each request without tokens and secrets", BOTH, async ({ service, client }) => {
  const credentials = { ...service.credentials, scope: "manage_test:demo" };
  const own = new ResourceClient({ projectKey: "demo", baseUrl: service.baseUrl, fetch: service.fetch, credentials });
  await own.createOrUpdate(draft({ key: "a/b" }), { idempotencyKey: "once" });
  await own.getByKey("a/b");
  await client.query({ where: ['key = "a/b"', "version = 1"], limit: 5 });
  await client.exists();
  await service.fetch("/nowhere");
  const [token, write, read, query, exists, nowhere] = service.requests;
  assert.deepEqual(
    [token.operation, token.path, token.body, token.status],
    [undefined, "/oauth/token", undefined, 200],
  );
  const { headers, ...described } = write;
  assert.deepEqual(described, {
    operation: "createOrUpdate",
    projectKey: "demo",
    method: "POST",
    path: "/demo/resource",
    variables: {},
    params: {},
    body: { key: "a/b", objectTypeProperty: {} },
    time: "2026-01-02T03:04:05.678Z",
    status: 201,
    fault: undefined,
  });
  assert.equal(headers["idempotency-key"], "once");
  assert.deepEqual(
    [read.operation, read.path, read.variables],
    ["getByKey", "/demo/resource/key=a%2Fb", { key: "a/b" }],
  );
  assert.deepEqual(query.params, { where: ['key = "a/b"', "version = 1"], limit: "5" });
  assert.deepEqual([exists.operation, nowhere.operation, nowhere.status], ["exists", undefined, 404]);
  const text = JSON.stringify(service.requests);
  for (const secret of [service.credentials.clientSecret, await service.token(), "Basic ", "Bearer "])
    assert.ok(!text.includes(secret), secret);
});

test("the list of requests has a maximum length", { authenticate: false }, async ({ service }) => {
  for (let call = 0; call < 1003; call++) await service.fetch(`/demo/resource/${call}`);
  assert.deepEqual([service.requests.length, service.requests[0].variables.id], [1000, "3"]);
});

plainTest("scopes are checked unless an option disables the check", async () => {
  const service = await createService({ scope: "view_test" });
  const client = new ResourceClient(service.clientOptions());
  assert.equal((await client.query()).total, 0);
  assert.equal((await outcome(client.createOrUpdate(draft()))).status, 403);
  const manager = new ResourceClient(service.clientOptions({ scope: "manage_test" }));
  assert.equal((await manager.createOrUpdate(draft())).version, 1);
  assert.equal((await service.fetch("/demo/resource")).status, 401);
  const open = await createService({ authenticate: false, scope: "view_test" });
  const statuses = [];
  for (const method of ["GET", "DELETE"])
    statuses.push(
      (await open.fetch("https://api.example.com/other/resource/a", { method, headers: { Authorization: "Bearer x" } }))
        .status,
    );
  assert.deepEqual(statuses, [404, 403]);
  assert.equal((await open.fetch("/a%20b/resource")).status, 400);
  open.fail({ status: 403 });
  assert.equal((await open.fetch("/demo/resource")).status, 403);
});

test("no route of a project needs a token if an option disables the check", { authenticate: false }, async ({
  service,
}) => {
  const document = await (await service.fetch("/openapi.json")).json();
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path]),
  );
  const calls = [...routes, ["POST", "/{projectKey}/mcp"]].filter(
    ([method, path]) => method !== "PARAMETERS" && path.startsWith("/{projectKey}/"),
  );
  assert.equal(calls.length, 22);
  for (const [method, path] of calls) {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "projectKey" ? "demo" : "a"));
    for (const Authorization of ["", "Bearer x"]) {
      const { status } = await service.fetch(url, { method, headers: Authorization ? { Authorization } : {} });
      assert.ok(status !== 401 && status !== 403, `${method} ${url}: ${status}`);
    }
  }
  // The token endpoint still needs a client.
  assert.equal((await service.fetch("/oauth/token", { method: "POST", body: new URLSearchParams() })).status, 401);
  assert.equal((await service.fetch("/health")).status, 200);
});

test("with `lag` other clients read an older copy, as in production, until the service has settled", {
  ...FIXED,
  lag: 60_000,
}, async ({ service, client }) => {
  const other = new ResourceClient(service.clientOptions());
  const made = await client.createOrUpdate(draft({ someProperty: "old" }));
  await service.settle();
  await client.updateById(made.id, { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "new" }] });
  const read = async (reader, options) => (await reader.getById(made.id, {}, options)).someProperty;
  assert.deepEqual([await read(other), await read(client)], ["old", "new"]);
  await service.settle();
  assert.equal(await read(other), "new");
  await client.updateById(made.id, {
    version: 2,
    actions: [{ action: "changeSomeProperty", someProperty: "newest" }],
  });
  await service.advance(59_000);
  assert.equal(await read(new ResourceClient(service.clientOptions())), "new");
  assert.equal(await read(new ResourceClient(service.clientOptions()), { fresh: true }), "newest");
  await service.advance(5_000);
  assert.equal(await read(new ResourceClient(service.clientOptions())), "newest");
});

test("a copy that is put twice within a second is current when the service has settled", { ...FIXED, lag: 0 }, async ({
  service,
  client,
}) => {
  const { id } = await client.createOrUpdate(draft());
  for (let version = 1; version < 5; version++)
    await client.updateById(id, { version, actions: [{ action: "doSomeThing" }] });
  await service.settle();
  assert.equal((await new ResourceClient(service.clientOptions()).getById(id)).version, 5);
});

test("after a restore, reads by ID and key return the restored project when the service has settled", {
  ...FIXED,
  lag: 0,
}, async ({ service, client }) => {
  await client.createOrUpdate(draft({ id: "kept", key: "k1" }));
  await client.createOrUpdate(draft({ id: "deleted", key: "k2" }));
  const restore = await service.backup();
  await client.createOrUpdate(draft({ id: "kept", key: "moved" }));
  await client.deleteById("deleted");
  await client.createOrUpdate(draft({ id: "made", key: "k3" }));
  const read = async () => {
    const reader = new ResourceClient(service.clientOptions());
    const found = [];
    for (const id of ["kept", "deleted", "made"])
      found.push((await reader.getById(id, {}, { orUndefined: true }))?.version);
    for (const key of ["k1", "moved", "k2", "k3"])
      found.push((await reader.getByKey(key, {}, { orUndefined: true }))?.id);
    return found;
  };
  await service.settle();
  assert.deepEqual(await read(), [2, undefined, 1, undefined, "kept", undefined, "made"]);
  await restore();
  await service.settle();
  assert.deepEqual(await read(), [1, 1, undefined, "kept", undefined, "deleted", undefined]);
  assert.deepEqual(
    (await client.query({ sort: "id" })).results.map(({ id }) => id),
    ["deleted", "kept"],
  );
});

test("tokens expire by the service's clock, and a client renews them", {
  ...FIXED,
  settings: { TOKEN_TTL: "60" },
}, async ({ service, client }) => {
  await client.query();
  const token = await service.token();
  await service.advance(200_000);
  assert.equal((await service.fetch("/demo/resource", { headers: { Authorization: `Bearer ${token}` } })).status, 401);
  assert.equal((await client.query()).total, 0);
});

test("`fetch` accepts the arguments of the global fetch", { authenticate: false }, async ({ service }) => {
  const body = JSON.stringify(draft({ key: "ä" }));
  const json = { "Content-Type": "application/json" };
  const inputs = [
    [new Request("http://any/demo/resource", { method: "POST", headers: json, body })],
    [new URL("http://any/demo/resource"), { method: "post", headers: json, body: new TextEncoder().encode(body) }],
    [
      "/demo/resource#part",
      { method: "POST", headers: new Headers(json), body: new Blob([body]).stream(), duplex: "half" },
    ],
    [new Request("http://any/demo/resource", { method: "POST", headers: json, body: "{}" }), { body }],
  ];
  const statuses = [];
  for (const input of inputs) statuses.push((await service.fetch(...input)).status);
  assert.deepEqual(statuses, [201, 200, 200, 200]);
  await assert.rejects(service.fetch("/demo/resource", { signal: AbortSignal.abort(new Error("before")) }), /before/);
  const large = await service.fetch("/demo/resource", {
    method: "POST",
    headers: json,
    body: new Uint8Array(2 ** 20 + 1),
  });
  assert.equal(large.status, 413);
});

plainTest("two services share nothing", async () => {
  const [one, two] = await Promise.all([
    createService(),
    createService({ settings: { CORS_ORIGINS: "https://a.example" } }),
  ]);
  await new ResourceClient(one.clientOptions()).createOrUpdate(draft());
  assert.equal((await new ResourceClient(two.clientOptions()).query()).total, 0);
  one.close();
  await assert.rejects(
    one.fetch("/health"),
    ({ name, cause }) => name === "TypeError" && /is closed/.test(cause.message),
  );
  await one.reset();
  assert.equal((await one.fetch("/health")).status, 200);
  assert.equal((await new ResourceClient(two.clientOptions()).query()).total, 0);
});
