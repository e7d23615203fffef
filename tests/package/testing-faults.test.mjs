// Faults of `resource-edge/testing`.

import assert from "node:assert/strict";
import { test as plainTest } from "node:test";

import { ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { ownClock } from "../support/clock.mjs";
import { draft, outcome, test } from "./service.mjs";

test("each fault is the service's own response and changes nothing, and a client retries all but 403 and 500", async ({
  service,
  client,
}) => {
  const strict = new ResourceClient({ ...service.clientOptions(), token: await service.token(), retry: false });
  for (const [fault, kind, code, isRetried] of /** @type {[any, string, string | undefined, boolean][]} */ ([
    [{ status: 401 }, "api", "invalid_token", true],
    [{ status: 403 }, "api", "insufficient_scope", false],
    [{ status: 429 }, "api", "TooManyRequests", true],
    [{ status: 500 }, "api", "General", false],
    [{ status: 502 }, "unexpected", undefined, true],
    [{ status: 503 }, "api", "ServiceUnavailable", true],
    [{ status: 504 }, "unexpected", undefined, true],
    [{ networkError: true }, "network", undefined, true],
  ])) {
    service.fail({ operation: "createOrUpdate", ...fault });
    assert.deepEqual(await outcome(strict.createOrUpdate(draft())), { kind, status: fault.status, code });
    const before = service.requests.length;
    service.fail({ operation: "createOrUpdate", ...fault });
    await client.createOrUpdate(draft({ key: JSON.stringify(fault) })).catch(() => {});
    const statuses = service.requests.slice(before).map(({ status }) => status);
    assert.deepEqual(statuses, isRetried ? [fault.status, 201] : [fault.status]);
  }
  assert.equal((await client.query()).total, 6);
});

test("Retry-After is 0 unless the fault has another", { authenticate: false }, async ({ service }) => {
  service.fail({ status: 503 });
  service.fail({ status: 429, retryAfter: 7 });
  const read = async () => (await service.fetch("/demo/resource")).headers.get("Retry-After");
  assert.deepEqual([await read(), await read(), await read()], ["0", "7", null]);
});

test("a write with a lost response is performed, and its retry is not a second write", async ({ service, client }) => {
  service.fail({ operation: "createOrUpdate", lostResponse: true });
  const made = await client.createOrUpdate(draft({ key: "a" }));
  assert.equal(made.version, 1);
  const [lost, repeated] = service.requests;
  assert.deepEqual([lost.status, repeated.status], [201, 201]);
  assert.equal(lost.headers["idempotency-key"], repeated.headers["idempotency-key"]);
  assert.equal((await client.query()).total, 1);
});

test("a conflict is caused by another write, however a request names the resource", async ({ service, client }) => {
  const made = await client.createOrUpdate(draft({ key: "a" }));
  const calls = {
    updateById: (version) => client.updateById(made.id, { version, actions: [] }),
    deleteById: (version) => client.deleteById(made.id, { version }),
    overwrite: (version) => client.overwrite(draft({ id: made.id, version })),
    createOrOverwrite: (version) => client.createOrOverwrite(draft({ key: "a", version })),
    createOrUpdate: (version) => client.createOrUpdate(draft({ key: "a", version })),
    updateWithUrnLinks: (version) => client.updateWithUrnLinks({ key: "a", version: String(version) }),
    updateByPath: (version) => client.updateByPath("1", "2", { id: made.id, version: String(version) }),
  };
  let version = 1;
  for (const [operation, call] of Object.entries(calls)) {
    service.fail({ operation, conflict: true });
    const conflict = { kind: "api", status: 409, code: "ConcurrentModification", currentVersion: version + 1 };
    assert.deepEqual(await outcome(call(version)), conflict, operation);
    version += 1;
  }
  // The only resource is the target of a write that names none.
  service.fail({ conflict: true });
  assert.equal((await outcome(client.overwrite(draft({ version })))).status, 409);
  service.fail({ operation: "updateById", conflict: true, times: 2 });
  const { version: last } = await client.modify(made.id, () => [{ action: "doSomeThing" }]);
  assert.equal(last, version + 4);
  // If there are several resources, a write that names none has no target. A creation never has one.
  await client.createOrUpdate(draft({ key: "b" }));
  service.fail({ conflict: true, times: 2 });
  assert.equal((await outcome(client.overwrite(draft({ version: 1 })))).status, 400);
  assert.equal((await client.createOrUpdate(draft())).version, 1);
  assert.deepEqual([(await client.getByKey("b")).version, (await client.getById(made.id)).version], [1, last]);
  // Reads never have conflicts.
  service.fail({ conflict: true });
  await client.getByKey("b");
  assert.equal((await outcome(client.createOrUpdate(draft({ key: "b", version: 1 })))).currentVersion, 2);
  // Somebody else creates it first.
  service.fail({ conflict: true });
  const taken = { kind: "api", status: 412, code: "PreconditionFailed" };
  assert.deepEqual(await outcome(client.create(draft({ key: "c" }))), taken);
  // There is no resource to overtake, so the request is performed unchanged.
  service.fail({ conflict: true });
  assert.equal((await outcome(client.updateById("none", { version: 1, actions: [] }))).status, 404);
});

test("a fault may run a function of the test before the request", async ({ service, client }) => {
  const other = new ResourceClient(service.clientOptions());
  service.fail({
    operation: "getByKey",
    before: ({ variables }) => other.createOrUpdate(draft({ key: variables.key })),
  });
  assert.equal((await client.getByKey("ä/b")).key, "ä/b");
});

test("a fault applies to its requests, as often as set, and until it is removed", async ({ service, client }) => {
  const read = (key) =>
    outcome(new ResourceClient({ ...service.clientOptions(), retry: false }).getByKey(key)).then(
      ({ status }) => status,
    );
  await client.createOrUpdate(draft({ key: "a" }));
  const end = service.fail({
    operation: ["getById", "getByKey"],
    status: 500,
    skip: 1,
    times: Infinity,
    match: ({ variables }) => variables.key === "a",
  });
  const seen = [await read("b"), await read("a"), await read("b"), await read("a"), await read("a")];
  end();
  assert.deepEqual([...seen, await read("a")], [404, undefined, 404, 500, 500, undefined]);
  service.fail({ projectKey: "other", status: 500 });
  assert.equal(await read("a"), undefined);
  assert.equal(
    (
      await outcome(
        new ResourceClient({ ...service.clientOptions({ projectKey: "other" }), retry: false }).getByKey("a"),
      )
    ).status,
    500,
  );
  assert.equal((await client.query()).total, 1);
});

plainTest("an invalid fault or option is a TypeError that lists the valid ones", async () => {
  const service = /** @type {any} */ (await createService());
  const wrong = [
    [{ status: 418 }, /the status cannot be 418\. Expected 401, 403, 429, 500, 502, 503, 504\./],
    [{ operation: "read", status: 503 }, /unknown operation 'read'\. Expected .*getById/],
    [{ operation: "getById" }, /expected what goes wrong: one of status, conflict/],
    [{ statuss: 503 }, /unknown member 'statuss'/],
    [{ status: 503, times: 0 }, /times: expected a whole number of 1 or more/],
    [{ delay: -1 }, /delay: expected/],
  ];
  for (const [fault, message] of wrong) assert.throws(() => service.fail(fault), { name: "TypeError", message });
  await assert.rejects(
    createService(/** @type {any} */ ({ project: "a" })),
    /^TypeError: createService: unknown option 'project'\. Expected projectKey/,
  );
  await assert.rejects(createService({ now: "soon" }), /^TypeError: now: expected/);
  await assert.rejects(createService(/** @type {any} */ ({ sqlite: "other" })), /^TypeError: sqlite: expected/);
});

test("a delay uses the program's timers, and ends with the caller's signal", async ({ service, client, mock }) => {
  await client.createOrUpdate(draft({ key: "a" }));
  const pass = ownClock({ mock });
  service.fail({ operation: "getByKey", delay: 5000, times: 2 });
  let found;
  const reading = client.getByKey("a").then((resource) => (found = resource));
  await pass();
  assert.equal(found, undefined);
  await pass(5000);
  assert.equal((await reading).key, "a");
  const controller = new AbortController();
  const aborted = service.fetch("/demo/resource/key=a", { signal: controller.signal });
  await pass();
  controller.abort(new Error("enough"));
  await assert.rejects(aborted, /enough/);
});
