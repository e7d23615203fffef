// Calls of the npm package's client without a result: calls that end early, invalid responses, and requests that it
// does not send.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";

import { predicate, ResourceClient, ResourceError } from "../../pkg/dist/node.js";
import { counted, deliver, failure, NASTY, page, project, serviceForTests } from "./clients.mjs";

const { client } = serviceForTests();

describe("a call ends", () => {
  const silent = () => new Promise(() => {});

  test("when its signal aborts, even if fetch ignores the signal", async () => {
    const c = await client(project(), { fetch: silent });
    const controller = new AbortController();
    const call = failure(c.query({}, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("enough")), 20);
    const error = await call;
    assert.deepEqual([error.kind, error.cause.message, error.retryable], ["aborted", "enough", false]);
    const watched = counted();
    const before = await failure(
      (await client(project(), { fetch: watched })).query({}, { signal: AbortSignal.abort("early") }),
    );
    assert.deepEqual([before.kind, before.cause, watched.calls.length], ["aborted", "early", 0]);
  });

  test("with its request when its timeout has passed", async () => {
    /** @type {AbortSignal} */
    let signal;
    const fetch = (_, init) => {
      signal = init.signal;
      return silent();
    };
    const c = await client(project(), { timeout: 30, fetch });
    const error = await failure(c.query());
    assert.deepEqual([error.kind, error.retryable, signal.aborted], ["timeout", true, true]);
    assert.equal((await failure(c.query({}, { timeout: 0 }))).kind, "timeout");
  });

  test("when its signal aborts in a pause, while it waits for a token, or over gloo-net", async () => {
    const busy = async () => new Response("", { status: 503, headers: { "Retry-After": "5" } });
    const slow = createServer(() => {});
    await new Promise((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const ends = [
      await client(project(), { fetch: busy, timeout: 60_000 }),
      await client(project(), { token: silent, timeout: 1000 }),
      await client(project(), { baseUrl: `http://127.0.0.1:${slow.address().port}`, fetch: undefined }),
    ];
    for (const c of ends) {
      const began = Date.now();
      assert.equal((await failure(c.query({}, { signal: AbortSignal.timeout(30) }))).kind, "aborted");
      assert.ok(Date.now() - began < 2000);
    }
    assert.equal((await failure(ends[2].query({}, { timeout: 30 }))).kind, "timeout");
    slow.closeAllConnections();
    slow.close();
  });

  test("immediately if Retry-After is longer than the rest of the timeout", async () => {
    const c = await client(project(), { fetch: page(503, { "Retry-After": "3600" }) });
    const error = await failure(c.query());
    assert.deepEqual([error.kind, error.status, error.retryable], ["api", 503, true]);
  });

  test("after its retries if the network fails, over both transports", async () => {
    const closed = "http://127.0.0.1:1";
    let calls = 0;
    const watched = (url, init) => {
      calls += 1;
      return fetch(url, init);
    };
    for (const options of [{ fetch: undefined }, { fetch: watched }]) {
      const error = await failure((await client(project(), { baseUrl: closed, ...options })).query());
      assert.deepEqual([error.kind, error.status, error.retryable], ["network", undefined, true]);
      assert.ok(error.cause instanceof Error);
    }
    assert.equal(calls, 5);
  });

  test("with a network error, whatever the global fetch rejects with or throws", async () => {
    const c = await client(project(), { retry: false, fetch: undefined });
    const real = globalThis.fetch;
    try {
      for (const odd of [
        () => Promise.reject("offline"),
        () => Promise.reject(undefined),
        () => {
          throw "thrown";
        },
        () => undefined,
        () => Promise.resolve(null),
      ]) {
        globalThis.fetch = odd;
        assert.equal((await failure(c.query())).kind, "network");
      }
      globalThis.fetch = deliver;
      assert.equal((await c.query()).total, 0, "the WebAssembly is whole");
    } finally {
      globalThis.fetch = real;
    }
  });
});

describe("a response", () => {
  test("that is a page instead of JSON is an error with its status, or unexpected if its status is 200", async () => {
    for (const status of [403, 413, 500, 507]) {
      const watched = counted(page(status));
      const error = await failure((await client(project(), { fetch: watched })).query());
      assert.equal(watched.calls.length, 1);
      assert.deepEqual(
        [error.kind, error.status, error.code, error.errors, error.retryable],
        ["api", status, undefined, [], false],
      );
    }
    for (const answer of [page(200), async () => new Response("null"), async () => new Response("")]) {
      const error = await failure((await client(project(), { fetch: answer })).query());
      assert.deepEqual([error.kind, error.status], ["unexpected", 200]);
    }
  });

  test("of the service lists all errors", async () => {
    const error = await failure((await client(project())).querySorted({ where: "nope = 1", sort: "nope" }));
    assert.deepEqual([error.kind, error.status], ["api", 400]);
    assert.deepEqual(error.errors.map(({ parameter }) => parameter).sort(), ["sort", "where"]);
  });
});

describe("a response that does not come from the service", () => {
  test("keeps its status, and its values of wrong types are ignored", async () => {
    const json = (body) => async () => Response.json(body, { status: 400 });
    for (const body of [{ errors: [null], message: "m" }, { error: { code: 503 } }, { errors: [{ code: 5 }] }]) {
      const error = await failure((await client(project(), { fetch: json(body) })).query());
      assert.deepEqual([error.kind, error.status, error.code], ["api", 400, undefined], JSON.stringify(body));
    }
  });

  test("is no result if fetch followed a redirect", async () => {
    const body = { id: "a", version: 1, lastModifiedAt: "2026-01-01T00:00:00.000Z" };
    const followed = counted(async () => Object.defineProperty(Response.json(body), "redirected", { value: true }));
    const error = await failure((await client(project(), { fetch: followed })).getById("a"));
    assert.deepEqual([error.kind, error.status, error.retryable], ["api", 302, false]);
    assert.match(error.message, /does not follow redirects/);
    assert.equal(followed.calls.length, 1);
  });

  test("delays a retry only if its Retry-After is valid", async () => {
    for (const [value, min] of /** @type {[string, number][]} */ ([
      ["1.5", 50],
      ["-1", 50],
      ["Mon, 01 Jan 2001 00:00:00 GMT", 50],
      ["0", 0],
      [new Date(Date.now() + 3000).toUTCString(), 1000],
    ])) {
      const times = [];
      const busy = async () => {
        times.push(performance.now());
        return new Response("", times.length === 1 ? { status: 503, headers: { "Retry-After": value } } : {});
      };
      const random = Math.random;
      Math.random = () => 0.999;
      try {
        const c = await client(project(), { fetch: busy, retry: { baseDelay: 60, maxDelay: 60 } });
        await c.exists();
      } finally {
        Math.random = random;
      }
      assert.ok(times[1] - times[0] >= min, `${value}: ${times[1] - times[0]} ms`);
    }
  });
});

describe("an error", () => {
  test("in a body is reported without a request, as the service reports it", async () => {
    const watched = counted();
    const c = await client(project(), { fetch: watched });
    const error = await failure(
      // @ts-expect-error: types refuse it already.
      c.createOrUpdate({ objectTypeProperty: { arrayOfIntExample: [1.5] }, eleventhProperty: "x" }),
    );
    assert.equal(error.kind, "invalid");
    assert.deepEqual(
      error.errors.map(({ path }) => path),
      ["/objectTypeProperty/arrayOfIntExample/0", "/eleventhProperty"],
    );
    assert.deepEqual(
      error.issues.map(({ path }) => path),
      [["objectTypeProperty", "arrayOfIntExample", 0], ["eleventhProperty"]],
    );
    // @ts-expect-error: types refuse it already.
    assert.equal((await failure(c.updateById("a", { version: 1, actions: [{ action: "nope" }] }))).kind, "invalid");
    assert.equal(watched.calls.length, 0);
  });

  test("in arguments is reported without a request", async () => {
    const circle = {};
    circle.arrayOfIntExample = circle;
    const watched = counted();
    const c = await client(project(), { fetch: watched });
    const calls = [
      c.getById(""),
      c.getById("searchApiPattern"),
      c.getById(".."),
      c.getById(undefined),
      c.getById("\ud800"),
      c.getByKey("a\0b"),
      c.updateByPath("a", "..", {}),
      c.query({ limit: NaN }),
      // @ts-expect-error: types refuse it already.
      c.query({ "": 1, "X-Evil": "2" }),
      c.query({ var: { "x\0\0\0X-Evil": "1" } }),
      // @ts-expect-error: types refuse it already.
      c.query({ where: Symbol("x") }),
      c.query({}, { headers: { Authorization: "Bearer x" } }),
      c.query({}, { headers: { "X-A": "a\r\nX-B: c" } }),
      c.query({}, { headers: { "X A": "a" } }),
      // @ts-expect-error: types refuse it already.
      c.query({}, { timeout: "soon" }),
      c.createOrUpdate({ objectTypeProperty: {} }, { idempotencyKey: "\0" }),
      c.createOrUpdate({ objectTypeProperty: {}, custom: "x".repeat(2 ** 21) }),
      c.query({ var: { d: new Date(NaN) } }),
      // @ts-expect-error: types refuse it already.
      c.query({ objectParameter: circle }),
      c.pages({ limit: 0 }).next(),
    ].map(failure);
    for (const [at, call] of calls.entries()) assert.equal((await call).kind, "invalid", String(at));
    assert.equal(watched.calls.length, 0);
  });

  test("in options is reported when the client is created", () => {
    const options = { projectKey: "demo", region: "eu", cloudProvider: "gcp", domain: "example.com" };
    assert.ok(new ResourceClient(options));
    for (const change of [
      { projectKey: "a/b" },
      { region: "eu.evil" },
      { region: "evil.com/" },
      { cloudProvider: "a@b" },
      { domain: "" },
      { baseUrl: "https://a" },
      { token: "a b" },
      { headers: { authorization: "x" } },
      { retry: { retries: Infinity } },
      { retry: { baseDelay: 0.5 } },
      { retry: { maxDelay: -1 } },
    ]) {
      // @ts-expect-error: types refuse it already.
      assert.throws(() => new ResourceClient({ ...options, ...change }), ResourceError, JSON.stringify(change));
    }
  });
});

describe("predicates", () => {
  test("quote any value as a literal", async () => {
    const c = await client(project());
    const keys = [NASTY, '" or key is defined or key = "', "line\u2028\u0085", "$1 `x`"].filter(
      (key) => !/[\u0080-\u009f]/.test(key),
    );
    for (const key of keys) await c.createOrUpdate({ key, objectTypeProperty: { arrayOfFloatExample: [-1.5e-7] } });
    for (const key of keys)
      assert.deepEqual(
        (await c.query({ where: predicate`key = ${key}` })).results.map((one) => one.key),
        [key],
      );
    assert.equal(
      (await c.query({ where: predicate`key in ${keys} and arrayOfFloatExample = ${-1.5e-7}` })).total,
      keys.length,
    );
    assert.equal((await c.query({ where: predicate`createdAt < ${new Date(0)} or not(key in ${keys})` })).total, 0);
    for (const odd of [NaN, Infinity, new Date(NaN), null, undefined, {}, [], [[1]], () => {}]) {
      // @ts-expect-error: types refuse most of them already.
      assert.throws(() => predicate`a = ${odd}`, TypeError);
    }
  });
});
