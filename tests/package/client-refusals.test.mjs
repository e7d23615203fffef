// Calls of the npm package's client without a result: calls that end early, invalid responses, and requests that it
// does not send.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";

import { ResourceClient, ResourceError } from "../../pkg/dist/node.js";
import { listen } from "../support/server.mjs";
import { counted, deliver, failure, project, serviceForTests } from "./clients.mjs";

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
    const slow = await listen(createServer(() => {}));
    const ends = [
      await client(project(), { fetch: busy, timeout: 60_000 }),
      await client(project(), { token: silent, timeout: 1000 }),
      await client(project(), { baseUrl: slow.url, fetch: undefined }),
    ];
    for (const c of ends) {
      const began = Date.now();
      assert.equal((await failure(c.query({}, { signal: AbortSignal.timeout(30) }))).kind, "aborted");
      assert.ok(Date.now() - began < 2000);
    }
    assert.equal((await failure(ends[2].query({}, { timeout: 30 }))).kind, "timeout");
    slow.close();
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

  test("with a network error, whatever the global fetch rejects with or throws", async (t) => {
    const c = await client(project(), { retry: false, fetch: undefined });
    const { mock } = t.mock.method(globalThis, "fetch");
    for (const odd of [
      () => Promise.reject("offline"),
      () => Promise.reject(undefined),
      () => {
        throw "thrown";
      },
      () => undefined,
      () => Promise.resolve(null),
    ]) {
      mock.mockImplementation(/** @type {any} */ (odd));
      assert.equal((await failure(c.query())).kind, "network");
    }
    mock.mockImplementation(deliver);
    assert.equal((await c.query()).total, 0, "the WebAssembly is whole");
  });
});

describe("a response that does not come from the service", () => {
  test("keeps its status, and its values of wrong types are ignored", async () => {
    const json = (body) => async () => Response.json(body, { status: 400 });
    for (const body of [{ errors: [null], message: "m" }, { error: { code: 503 } }, { errors: [{ code: 5 }] }]) {
      const error = await failure((await client(project(), { fetch: json(body) })).query());
      assert.deepEqual([error.kind, error.status, error.code], ["unexpected", 400, undefined], JSON.stringify(body));
    }
  });

  test("is no result if fetch followed a redirect", async () => {
    const body = { id: "a", version: 1, lastModifiedAt: "2026-01-01T00:00:00.000Z" };
    const followed = counted(async () => Object.defineProperty(Response.json(body), "redirected", { value: true }));
    const error = await failure((await client(project(), { fetch: followed })).getById("a"));
    assert.deepEqual([error.kind, error.status, error.retryable], ["unexpected", 302, false]);
    assert.match(error.message, /does not follow redirects/);
    assert.equal(followed.calls.length, 1);
  });

  test("delays a retry only if its Retry-After is valid", async (t) => {
    t.mock.method(Math, "random", () => 0.999);
    for (const [value, min] of /** @type {[string, number][]} */ ([
      [new Date(Date.now() + 3000).toUTCString(), 1000],
      ["1.5", 50],
      ["-1", 50],
      ["Mon, 01 Jan 2001 00:00:00 GMT", 50],
      ["0", 0],
    ])) {
      const times = [];
      const busy = async () => {
        times.push(performance.now());
        return new Response("", times.length === 1 ? { status: 503, headers: { "Retry-After": value } } : {});
      };
      const c = await client(project(), { fetch: busy, retry: { baseDelay: 60, maxDelay: 60 } });
      await c.exists();
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
    const paths = error.errors.map(({ path }) => path);
    assert.deepEqual(paths, ["/objectTypeProperty/arrayOfIntExample/0", "/eleventhProperty"]);
    const places = error.issues.map(({ path }) => path);
    assert.deepEqual(places, [["objectTypeProperty", "arrayOfIntExample", 0], ["eleventhProperty"]]);
    // @ts-expect-error: types refuse it already.
    assert.equal((await failure(c.updateById("a", { version: 1, actions: [{ action: "nope" }] }))).kind, "invalid");
    assert.equal(watched.calls.length, 0);
  });

  test("in an argument is reported without a request, and names each wrong parameter", async () => {
    const circle = {};
    circle.arrayOfIntExample = circle;
    const bytes = new TextEncoder().encode('{"objectTypeProperty":{}}');
    const watched = counted();
    const c = /** @type {any}: types refuse most of them already */ (await client(project(), { fetch: watched }));
    for (const [call, names] of [
      [c.query({ limit: -1, offset: 10_001, withTotal: "yes" }), ["limit", "offset", "withTotal"]],
      [c.query({ limit: NaN }), ["limit"]],
      [c.query({ objectParameter: [] }), ["objectParameter"]],
      [c.query({ objectParameter: circle }), ["objectParameter"]],
      [c.query({ where: {} }), ["where"]],
      [c.search({ text: "x" }), ["text"]],
      [c.query({ var: ["x"] }), ["var"]],
      [c.query({ where: Symbol("x") }), ["where"]],
      [c.query({ var: { "a b": 1 } }), ["var.a b"]],
      [c.query({ var: { "x\0\0\0X-Evil": "1" } })],
      [c.query({ var: { d: new Date(NaN) } }), ["var.d"]],
      [c.query({ limt: 1 }), ["limt"]],
      [c.query({ "": 1, "X-Evil": "2" }), ["A name"]],
      [c.search({ text: { EN: "x" }, fuzzyLevel: 3 }), ["text.EN", "fuzzyLevel"]],
      [c.deleteById("a", { version: -1 }), ["version"]],
      [c.pages({ limit: 0 }).next(), ["limit"]],
      [c.pages({ limit: 501 }).next(), ["limit"]],
      ...["", "searchApiPattern", ".."].map((id) => [c.getById(id), ["id"]]),
      ...[undefined, null, "\ud800"].map((id) => [c.getById(id), ["argument 1 of getById"]]),
      [c.getByKey("a\0b")],
      [c.updateByPath("a", "..", {}), ["uriParameterTwo"]],
      ...[{ authorization: "x" }, new Map([["AUTHORIZATION", "x"]]), [["Authorization", "x"]]].map((headers) => [
        c.query({}, { headers }),
      ]),
      ...[{ "X-A": "a\r\nX-B: c" }, { "X A": "a" }].map((headers) => [c.query({}, { headers })]),
      [c.getById("a", {}, { ifNoneMatch: Symbol("x") })],
      [c.query({}, { timeout: "soon" })],
      [c.query({}, { attemptTimeout: NaN })],
      [c.createOrUpdate({ objectTypeProperty: {} }, { idempotencyKey: "\0" })],
      ...[null, undefined, '{"objectTypeProperty":{}}', bytes].map((body) => [c.createOrUpdate(body)]),
    ]) {
      const { kind, errors, isValidation, message } = await failure(call);
      assert.deepEqual([kind, isValidation], ["invalid", true], message);
      if (names === undefined) continue;
      const named = errors.map(({ parameter }) => parameter);
      assert.deepEqual(named, names);
      for (const { message } of errors) assert.match(message, /^Malformed parameter: .*\.$/);
    }
    const large = await failure(c.createOrUpdate({ objectTypeProperty: {}, custom: "ä".repeat(2 ** 19) }));
    assert.deepEqual([large.kind, large.code, large.errors[0].code], ["invalid", "ContentTooLarge", "ContentTooLarge"]);
    // Any other value of a wrong type is an error of the client, too.
    for (const call of [
      c.query({
        get limit() {
          throw new Error("mine");
        },
      }),
      c.getByKey("k", {}, { headers: 5n, timeout: NaN }),
      c.getById("a", {}, { headers: [["a"]], ifNoneMatch: Symbol("x") }),
      ...[null, undefined, {}].map((target) => c.modify(target, () => [])),
      c.pages({ where: null, limit: null }).next(),
    ])
      await failure(call);
    assert.equal(watched.calls.length, 0);
    for (const call of [c.getById("a", null, null), c.pages(null, null).next(), c.all(null, null).next()])
      await call.catch((error) => assert.ok(error instanceof ResourceError, error));
  });

  test("in options is reported when the client is created", () => {
    const options = { projectKey: "demo", region: "eu", cloudProvider: "gcp", domain: "example.com" };
    assert.ok(new ResourceClient(options));
    // @ts-expect-error: types refuse it already.
    for (const none of [undefined, null, 5]) assert.throws(() => new ResourceClient(none), ResourceError);
    for (const change of [
      { projectKey: "a/b" },
      { region: "eu.evil" },
      { baseUrl: "https://a" },
      { token: "a b" },
      { attemptTimeout: "1" },
      { headers: { authorization: "x" } },
      { retry: { retries: Infinity } },
      { retry: { baseDelay: 0.5 } },
    ]) {
      // @ts-expect-error: types refuse it already.
      assert.throws(() => new ResourceClient({ ...options, ...change }), ResourceError, JSON.stringify(change));
    }
    // An unknown option is often the one that is missing.
    for (const [given, message] of /** @type {[any, RegExp][]} */ ([
      [{ url: "http://h", project: "demo" }, /^Unknown option 'url'\. Expected baseUrl\.$/],
      [{ baseUrl: "http://h", project: "demo" }, /^Unknown option 'project'\. Expected projectKey\.$/],
      [{ ...options, tokn: "t" }, /^Unknown option 'tokn'\. Expected projectKey, .*token.*onRetry\.$/],
    ]))
      assert.throws(() => new ResourceClient(given), { kind: "invalid", message });
  });
});
