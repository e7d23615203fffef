// Writes of the npm package's client whose responses are lost, and their repeats, against the service in memory.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { clientWith, deliver, DRAFT, failure, lost, project, resource, serviceForTests } from "./clients.mjs";

const { client } = serviceForTests();

/** Returns a `fetch` that loses the responses of writes while `isLosing` is set. The service performs the requests. */
function losing() {
  const send = (url, init) =>
    send.isLosing && init.headers["Idempotency-Key"] !== undefined ? lost(url, init) : deliver(url, init);
  send.isLosing = true;
  return send;
}

/** Repeats a call as the README advises. Each failure calls `failed`. */
async function repeat(write, failed) {
  let idempotencyKey;
  for (let tries = 1; ; tries++) {
    try {
      return await write({ idempotencyKey });
    } catch (error) {
      if (!error.retryable || tries === 3) throw error;
      ({ idempotencyKey } = error);
      await failed(error);
    }
  }
}

const increment = ({ someProperty = "0" }) => [
  { action: /** @type {const} */ ("changeSomeProperty"), someProperty: String(Number(someProperty) + 1) },
];

describe("a repeat of a write whose responses were lost", () => {
  const writes = {
    createOrUpdate: (c, _, options) => c.createOrUpdate({ custom: "new", objectTypeProperty: {} }, options),
    overwrite: (c, { id }, options) => c.overwrite({ id, version: 1, objectTypeProperty: {} }, options),
    createOrOverwrite: (c, { id }, options) => c.createOrOverwrite({ id, version: 1, objectTypeProperty: {} }, options),
    updateByPath: (c, { id }, options) => c.updateByPath("a", "b", { id, custom: "x" }, undefined, options),
    updateWithUrnLinks: (c, _, options) => c.updateWithUrnLinks({ custom: "new" }, undefined, options),
    updateById: (c, { id }, options) => c.updateById(id, { version: 1, actions: [{ action: "doSomeThing" }] }, options),
    deleteById: (c, { id }, options) => c.deleteById(id, undefined, options),
  };
  for (const [name, write] of Object.entries(writes)) {
    test(`is not performed again: ${name}`, async () => {
      const project_ = project();
      const send = losing();
      const c = await client(project_, { fetch: send });
      const first = await (await client(project_)).createOrUpdate(DRAFT);
      const seen = [];
      let replayed;
      const onResponse = ({ headers }) => (replayed = headers.get("Idempotency-Replayed"));
      await repeat(
        (options) => write(c, first, { ...options, onResponse }),
        (error) => {
          seen.push(error);
          send.isLosing = false;
        },
      );
      const failures = seen.map(({ kind, outcome, retryable }) => [kind, outcome, retryable]);
      assert.deepEqual(failures, [["network", "unknown", true]]);
      assert.equal(replayed, "true");
      const { results } = await c.query();
      const versions = results.map(({ version }) => version).sort();
      const isNew = name === "createOrUpdate" || name === "updateWithUrnLinks";
      assert.deepEqual(versions, isNew ? [1, 1] : name === "deleteById" ? [] : [2]);
    });
  }

  test("is not performed again after a timeout", async () => {
    let isSlow = true;
    const slow = async (url, init) => {
      const response = await deliver(url, { ...init, signal: undefined });
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1000));
      return response;
    };
    const c = await client(project(), { fetch: slow, retry: false });
    const unsure = [];
    await repeat(
      (options) => c.createOrUpdate(DRAFT, { ...options, ...(isSlow && { timeout: 300 }) }),
      (error) => {
        unsure.push([error.kind, error.outcome]);
        isSlow = false;
      },
    );
    assert.deepEqual(unsure, [["timeout", "unknown"]]);
    assert.equal((await c.query()).total, 1);
  });
});

describe("a repeat of modify whose responses were lost", () => {
  async function counter(name, options) {
    const send = losing();
    const c = await client(name, { fetch: send, ...options });
    const { id } = await (await client(name)).createOrUpdate(DRAFT);
    const current = async () => (await (await client(name)).getById(id, {}, { fresh: true })).someProperty;
    return { c, id, send, current };
  }

  test("counts once", async () => {
    const { c, id, send, current } = await counter(project());
    const seen = [];
    const result = await repeat(
      (options) => c.modify(id, increment, options),
      async (error) => {
        seen.push([error.kind, error.outcome, error.retryable, await current()]);
        send.isLosing = seen.length < 2;
      },
    );
    assert.deepEqual(seen, Array(2).fill(["network", "unknown", true, "1"]));
    assert.deepEqual([result.someProperty, result.version, await current()], ["1", 2, "1"]);
  });

  test("counts once if others write in between, before or after the lost write", async () => {
    const name = project();
    const { c, id, send, current } = await counter(name);
    const other = await client(name);
    send.isLosing = false;
    let conflicts = 0;
    const contended = async (resource) => {
      if (conflicts++ === 0) await other.modify(id, increment);
      else send.isLosing = true;
      return increment(resource);
    };
    const result = await repeat(
      (options) => c.modify(id, contended, options),
      async () => {
        await other.modify(id, increment);
        send.isLosing = false;
      },
    );
    assert.deepEqual([conflicts, result.someProperty, await current()], [2, "2", "3"]);
  });

  test("by another client is rejected, and not performed", async () => {
    const name = project();
    const { c, id, current } = await counter(name);
    const { idempotencyKey } = await failure(c.modify(id, increment));
    const other = await client(name);
    for (let at = 0; at < 2; at++) {
      const error = await failure(other.modify(id, increment, { idempotencyKey }));
      assert.deepEqual(
        [error.status, error.code, error.outcome, error.idempotencyKey],
        [422, "IdempotencyKeyReused", "unknown", idempotencyKey],
      );
    }
    assert.equal(await current(), "1");
  });

  test("succeeds after conflicts that ended the call, with the same key", async () => {
    const name = project();
    const c = await client(name);
    const { id } = await c.createOrUpdate(DRAFT);
    const spoiled = async (resource) => {
      await c.modify(id, increment);
      return increment(resource);
    };
    const error = await failure(c.modify(id, spoiled, { tries: 2 }));
    assert.deepEqual([error.status, error.outcome], [409, "refused"]);
    const { idempotencyKey } = error;
    assert.equal((await c.modify(id, increment, { idempotencyKey })).someProperty, "3");
  });

  test("keeps the error that the change throws, and the outcome of each failure", async () => {
    const { c, id, send } = await counter(project());
    const inner = await failure(c.createOrUpdate(DRAFT));
    const thrown = await failure(c.modify(id, () => Promise.reject(inner)));
    assert.equal(thrown, inner);
    assert.notEqual(inner.idempotencyKey, undefined);
    const missing = await failure(c.modify("nobody", increment));
    assert.deepEqual([missing.status, missing.outcome], [404, "refused"]);
    const { idempotencyKey } = await failure(c.modify(id, increment));
    const early = await failure(c.modify(id, increment, { idempotencyKey, signal: AbortSignal.abort() }));
    assert.deepEqual([early.kind, early.outcome, early.idempotencyKey], ["aborted", "unknown", idempotencyKey]);
    send.isLosing = false;
    assert.equal((await c.modify(id, increment, { idempotencyKey })).someProperty, "1");
  });
});

describe("the error of a write", () => {
  const update = { version: 1, actions: [] };
  const refused = (status) => () => Response.json({ statusCode: status, errors: [] }, { status });

  test("says refused if no attempt was performed, and has its key", async () => {
    const conflict = clientWith(refused(409), { retry: false });
    const error = await failure(conflict.client.updateById("a", update));
    const key = conflict.sent[0].headers["Idempotency-Key"];
    assert.deepEqual([error.status, error.outcome, error.idempotencyKey], [409, "refused", key]);
    const { client, sent } = clientWith(resource());
    // @ts-expect-error: types refuse it already.
    const invalid = await failure(client.createOrUpdate({ nope: 1 }, { idempotencyKey: "mine" }));
    assert.deepEqual([invalid.kind, invalid.outcome, invalid.idempotencyKey], ["invalid", "refused", "mine"]);
    for (const options of [{ timeout: 0 }, { signal: AbortSignal.abort() }]) {
      assert.equal((await failure(client.updateById("a", update, options))).outcome, "refused");
    }
    assert.equal(sent.length, 0);
  });

  test("says unknown if an attempt may have been performed", async () => {
    for (const response of [refused(500), () => Promise.reject(new Error("lost")), () => new Response("<html>")]) {
      const { client } = clientWith(response, { retry: false });
      assert.equal((await failure(client.deleteById("a"))).outcome, "unknown");
    }
    const hung = clientWith(() => new Promise(() => {})).client;
    for (const options of [() => ({ timeout: 20 }), () => ({ signal: AbortSignal.timeout(20) })]) {
      assert.equal((await failure(hung.deleteById("a", undefined, options()))).outcome, "unknown");
    }
    const thrown = clientWith(resource()).client;
    const onResponse = () => {
      throw new Error("mine");
    };
    assert.equal((await failure(thrown.deleteById("a", undefined, { onResponse }))).outcome, "unknown");
  });

  test("says unknown if a later refusal is not about the write", async () => {
    for (const [status, outcome] of /** @type {[number, string][]} */ ([
      [404, "unknown"],
      [409, "refused"],
    ])) {
      const { client } = clientWith([refused(503), refused(status)], { retry: { retries: 1, baseDelay: 0 } });
      assert.equal((await failure(client.deleteById("a"))).outcome, outcome);
      // An earlier call may have had the caller's own key.
      const once = clientWith(refused(status), { retry: false }).client;
      const error = await failure(once.deleteById("a", undefined, { idempotencyKey: "mine" }));
      assert.deepEqual([error.outcome, error.idempotencyKey], [outcome, "mine"]);
    }
  });

  test("says refused in a pause after a refusal, and unknown in a pause after a lost response", async () => {
    for (const [first, outcome] of /** @type {[any, string][]} */ ([
      [() => new Response("{}", { status: 429, headers: { "Retry-After": "1" } }), "refused"],
      [() => new Response("{}", { status: 503, headers: { "Retry-After": "1" } }), "unknown"],
    ])) {
      const { client } = clientWith(first);
      const signal = AbortSignal.timeout(20);
      assert.equal((await failure(client.deleteById("a", undefined, { signal }))).outcome, outcome);
    }
  });

  test("is the call's own if several calls wait for one token", async () => {
    const options = { token: () => Promise.resolve("bad token") };
    const { client } = clientWith(resource(), options);
    const errors = await Promise.all([1, 2, 3].map(() => failure(client.deleteById("a"))));
    assert.equal(new Set(errors.map(({ idempotencyKey }) => idempotencyKey)).size, 3);
    for (const { kind, outcome } of errors) assert.deepEqual([kind, outcome], ["unexpected", "refused"]);
  });

  test("of a read has neither", async () => {
    const error = await failure(clientWith(refused(500)).client.getById("a"));
    assert.deepEqual([error.outcome, error.idempotencyKey], [undefined, undefined]);
  });
});
