// The npm package's client with a `fetch` of the tests: what it sends, what it accepts as a result, and what a page
// needs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { bytes } from "../../pkg/core.js";
import { ResourceClient, ResourceError, shareReads } from "../../pkg/node.js";
import { failure } from "./support/clients.mjs";

const resource = (id = "a", version = 1) => ({
  id,
  key: `k-${id}`,
  version,
  lastModifiedAt: `2026-01-01T00:00:0${version}.000Z`,
  objectTypeProperty: {},
});
const DRAFT = { objectTypeProperty: {} };
const OPTIONS = { projectKey: "demo", baseUrl: "http://h", token: "secret", retry: { baseDelay: 0 } };

/** Creates a client that gets the responses in turn, and the last one repeatedly. Also returns the sent requests. */
function clientOf(responses, options = {}) {
  const sent = [];
  const answers = [responses].flat();
  const fetch = async (url, init) => {
    sent.push({ url, ...init });
    const next = answers.length > 1 ? answers.shift() : answers[0];
    const answer = typeof next === "function" ? await next(url, init) : next;
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  };
  return { sent, fetch, client: new ResourceClient({ ...OPTIONS, fetch, ...options }) };
}

describe("a successful response that is not the service's", () => {
  const wrong = [
    {},
    [],
    [resource()],
    null,
    5,
    { hello: "world" },
    { id: "a" },
    { id: 5, version: 1 },
    { results: {} },
    { results: [null] },
    { results: [[]] },
  ];
  const calls = {
    query: (client) => client.query(),
    querySorted: (client) => client.querySorted(),
    search: (client) => client.search(),
    pages: (client) => client.pages().next(),
    all: (client) => client.all().next(),
    getById: (client) => client.getById("a"),
    getByKey: (client) => client.getByKey("k"),
    createOrUpdate: (client) => client.createOrUpdate(DRAFT),
    updateById: (client) => client.updateById("a", { version: 1, actions: [] }),
    deleteById: (client) => client.deleteById("a"),
    modify: (client) => client.modify("a", () => [{ action: "doSomeThing" }]),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`is unexpected: ${name}`, async () => {
      for (const body of wrong) {
        const error = await failure(call(clientOf(() => Response.json(body)).client));
        assert.deepEqual([error.kind, error.status], ["unexpected", 200], JSON.stringify(body));
      }
    });
  }

  test("is no result of the complex updates if it is an array, and is not observed", async () => {
    const { client, sent } = clientOf([[1], resource("a", 5)]);
    assert.equal((await failure(client.updateWithUrnLinks({}))).kind, "unexpected");
    const other = clientOf([[resource("a", 5)], resource("a", 1)]);
    await failure(other.client.getById("a"));
    await other.client.getById("a");
    assert.equal(other.sent[1].headers["Resource-Min-Revision"], undefined);
    assert.equal(sent.length, 1);
  });
});

describe("parameters", () => {
  test("of a wrong type, range or name are not sent, and each is named", async () => {
    const { client, sent } = clientOf({ results: [] });
    for (const [call, names] of [
      [client.query({ limit: 501 }), ["limit"]],
      // @ts-expect-error: types refuse it already.
      [client.query({ limit: -1, offset: 10_001, withTotal: "yes" }), ["limit", "offset", "withTotal"]],
      [client.query({ limit: 1.5 }), ["limit"]],
      // @ts-expect-error: types refuse it already.
      [client.query({ limit: "x" }), ["limit"]],
      [client.query({ integerParameter: 2 ** 53 }), ["integerParameter"]],
      [client.query({ integerParameter: 1.5 }), ["integerParameter"]],
      [client.query({ objectParameter: { arrayOfIntExample: [1.5] } }), ["objectParameter"]],
      // @ts-expect-error: types refuse it already.
      [client.query({ objectParameter: [] }), ["objectParameter"]],
      // @ts-expect-error: types refuse it already.
      [client.query({ objectParameter: "x" }), ["objectParameter"]],
      // @ts-expect-error: types refuse it already.
      [client.query({ where: {} }), ["where"]],
      [client.query({ var: { "a b": 1 } }), ["var.a b"]],
      // @ts-expect-error: types refuse it already.
      [client.query({ limt: 1, "": 2 }), ["A name"]],
      // @ts-expect-error: types refuse it already.
      [client.query({ limt: 1 }), ["limt"]],
      [client.search({ text: { EN: "x" }, fuzzyLevel: 3 }), ["text.EN", "fuzzyLevel"]],
      [client.deleteById("a", { version: -1 }), ["version"]],
      [client.pages({ limit: 501 }).next(), ["limit"]],
      [client.getById(""), ["id"]],
    ]) {
      const error = await failure(call);
      assert.deepEqual([error.kind, error.code, error.isValidation], ["invalid", "InvalidInput", true]);
      assert.deepEqual(
        error.errors.map(({ parameter }) => parameter),
        names,
      );
      for (const { code, message } of error.errors) assert.match(message, /^Malformed parameter: .*\.$/, code);
    }
    assert.equal(sent.length, 0);
    const { errors } = await failure(client.query({ limit: 501 }));
    assert.equal(errors[0].message, "Malformed parameter: limit: expected a whole number from 0 to 500, found '501'.");
  });

  test("of every type are sent", async () => {
    const { client, sent } = clientOf({ results: [] });
    await client.query({
      limit: 5,
      integerParameter: 2 ** 53 - 1,
      withTotal: false,
      objectParameter: { arrayOfIntExample: [1] },
      // @ts-expect-error: bigints are sent all the same.
      var: { d: new Date(0), n: [1, 2n] },
    });
    const query = new URL(sent[0].url).searchParams;
    assert.deepEqual([...query.keys()].sort(), [
      "integerParameter",
      "limit",
      "objectParameter",
      "var.d",
      "var.n",
      "var.n",
      "withTotal",
    ]);
    assert.deepEqual([query.get("objectParameter"), query.getAll("var.n")], ['{"arrayOfIntExample":[1]}', ["1", "2"]]);
    await client.query(null, null);
    assert.equal(new URL(sent[1].url).search, "");
  });
});

describe("a body", () => {
  test("that writes itself otherwise than it reads is judged as it is sent", async () => {
    const { client, sent } = clientOf(resource());
    const hidden = (object, value) => Object.defineProperty(object, "toJSON", { value: () => value });
    const turns = [1, 1, 1, "x"];
    for (const body of [
      hidden({ objectTypeProperty: {} }, { wrong: 1 }),
      { objectTypeProperty: { arrayOfIntExample: hidden([1], ["x"]) } },
      {
        objectTypeProperty: {
          get arrayOfIntExample() {
            return [turns.length > 1 ? turns.shift() : "x"];
          },
        },
      },
    ]) {
      // The sent body is valid, no matter how often the getter is read.
      const error = await client.createOrUpdate(body).catch((error) => error);
      if (error instanceof ResourceError) assert.equal(error.kind, "invalid");
    }
    for (const { body } of sent) assert.ok(!/wrong|"x"/.test(body), body);
  });

  test("is an object: a text or bytes are refused", async () => {
    const { client, sent } = clientOf(resource());
    for (const body of ['{"objectTypeProperty":{}}', new TextEncoder().encode('{"objectTypeProperty":{}}')]) {
      // @ts-expect-error: types refuse it already.
      assert.equal((await failure(client.createOrUpdate(body))).kind, "invalid");
    }
    assert.equal(sent.length, 0);
  });

  test("that is too large is refused with the code of the service", async () => {
    const { client } = clientOf(resource());
    const error = await failure(client.createOrUpdate({ ...DRAFT, custom: "ä".repeat(2 ** 19) }));
    assert.deepEqual([error.kind, error.code, error.errors[0].code], ["invalid", "ContentTooLarge", "ContentTooLarge"]);
  });
});

describe("the session", () => {
  test("asks once more for what is older than what it has seen, and what it has seen never falls", async () => {
    const { client, sent } = clientOf([resource("a", 5), resource("a", 4)]);
    await client.updateById("a", { version: 4, actions: [] });
    assert.equal((await client.getById("a")).version, 4);
    await client.getById("a");
    const headers = sent.map(({ headers }) => [headers["Resource-Min-Revision"], headers["Cache-Control"]]);
    const newest = String(Date.parse("2026-01-01T00:00:05.000Z"));
    assert.deepEqual(headers.slice(1), [
      [newest, undefined],
      [newest, "no-cache"],
      [newest, undefined],
      [newest, "no-cache"],
    ]);
  });

  test("sees a complex update through a proxy that drops its tag", async () => {
    const answer = () => Response.json({}, { headers: { "Resource-Revision": "1767225605000" } });
    const { client, sent } = clientOf([answer, resource("a", 5)]);
    await client.updateWithUrnLinks({ id: "a", key: "k" });
    await client.getById("a");
    await client.getByKey("k");
    assert.deepEqual(
      sent.slice(1).map(({ headers }) => headers["Resource-Min-Revision"]),
      ["1767225605000", "1767225605000"],
    );
  });
});

describe("a conditional read", () => {
  const unchanged = () => new Response(null, { status: 304, headers: { "Resource-Revision": "1767225605000" } });

  test("of what is unchanged resolves to undefined", async () => {
    const { client, sent } = clientOf(unchanged);
    assert.equal(await client.getById("a", {}, { ifNoneMatch: '"a.1"' }), undefined);
    assert.equal(await client.getByKey("k", {}, { headers: { "If-None-Match": '"a.1"' } }), undefined);
    assert.deepEqual(
      sent.map(({ headers }) => headers["If-None-Match"]),
      ['"a.1"', '"a.1"'],
    );
    // The client has observed its revision.
    await client.getById("a", {}, { ifNoneMatch: '"a.1"' });
    assert.equal(sent[2].headers["Resource-Min-Revision"], "1767225605000");
  });

  test("of what is changed resolves to the resource", async () => {
    const { client } = clientOf(resource("a", 2));
    assert.equal((await client.getById("a", {}, { ifNoneMatch: '"a.1"' })).version, 2);
  });
});

describe("an error", () => {
  const refused = (status, body) => () =>
    Response.json(body, { status, headers: { "X-Correlation-ID": "of-the-log" } });

  test("says by flags what it is", async () => {
    const flags = [
      "isValidation",
      "isUnauthorized",
      "isForbidden",
      "isNotFound",
      "isConflict",
      "isPreconditionFailed",
      "isRateLimited",
    ];
    for (const [at, status] of [400, 401, 403, 404, 409, 412, 429].entries()) {
      const { client } = clientOf(refused(status, {}), { retry: false });
      const error = await failure(client.getById("a"));
      assert.deepEqual(
        flags.filter((flag) => error[flag]),
        [flags[at]],
        String(status),
      );
    }
  });

  test("tells its message and kind in JSON, and keeps its stack out", async () => {
    const { client } = clientOf(
      refused(409, {
        message: "Object a has a different version.",
        errors: [{ code: "ConcurrentModification", currentVersion: 3 }],
      }),
    );
    const error = await failure(client.updateById("a", { version: 1, actions: [] }));
    const { name, message, kind, code, currentVersion, correlationId, stack } = JSON.parse(JSON.stringify(error));
    assert.deepEqual([name, message, kind], ["ResourceError", "Object a has a different version.", "api"]);
    assert.deepEqual(
      [code, currentVersion, correlationId, stack],
      ["ConcurrentModification", 3, "of-the-log", undefined],
    );
  });

  test("of a problem (RFC 9457) says its detail, or its title", async () => {
    for (const [problem, message] of [
      [{ type: "about:blank", title: "InvalidField", status: 400, detail: "Unknown field 'x'." }, "Unknown field 'x'."],
      [{ title: "Too hot" }, "Too hot"],
    ]) {
      const { client } = clientOf(refused(400, problem));
      assert.equal((await failure(client.getById("a"))).message, message);
    }
  });

  test("is every failure of a caller's input too", async () => {
    const { client } = clientOf(resource());
    // @ts-expect-error: types refuse it already.
    for (const options of [undefined, null, 5]) assert.throws(() => new ResourceClient(options), ResourceError);
    for (const call of [
      client.getById(null),
      // @ts-expect-error: types refuse it already.
      client.getByKey("k", {}, { headers: 5n, timeout: NaN }),
      client.query({
        // @ts-expect-error: types refuse it already.
        get limit() {
          throw new Error("mine");
        },
      }),
      // @ts-expect-error: types refuse it already.
      client.getById("a", {}, { headers: [["a"]], ifNoneMatch: Symbol("x") }),
      client.createOrUpdate(null),
      // @ts-expect-error: types refuse it already.
      client.createOrUpdate(),
      client.modify(null, () => []),
      client.modify(undefined, () => []),
      // @ts-expect-error: types refuse it already.
      client.modify({}, () => []),
      client.pages({ where: null, limit: null }).next(),
    ]) {
      await failure(call);
    }
    for (const call of [
      client.getById("a", null, null),
      client.modify("a", () => undefined, null),
      client.pages(null, null).next(),
      client.all(null, null).next(),
    ]) {
      await call.catch((error) => assert.ok(error instanceof ResourceError, error));
    }
  });
});

test("a resource that does not exist is undefined on request, and nothing else is", async () => {
  const missing = () => Response.json({ message: "m", errors: [{ code: "ResourceNotFound" }] }, { status: 404 });
  const { client } = clientOf(missing);
  assert.equal(await client.getById("a", {}, { orUndefined: true }), undefined);
  assert.equal(await client.getByKey("k", {}, { orUndefined: true }), undefined);
  assert.ok((await failure(client.getById("a"))).isNotFound);
  // A wrong address.
  const elsewhere = clientOf(() => new Response("<html>", { status: 404 })).client;
  assert.ok((await failure(elsewhere.getById("a", {}, { orUndefined: true }))).isNotFound);
});

test("headers may have every form that fetch accepts", async () => {
  const wanted = { "x-a": "1", "x-b": "2, 3" };
  /** @type {[string, string][]} */
  const pairs = [
    ["X-A", "1"],
    ["X-B", "2"],
    ["x-b", "3"],
  ];
  for (const headers of [
    { "X-A": "1", "X-B": "2, 3", "X-C": undefined },
    pairs,
    new Headers(pairs),
    new Map([
      ["X-A", "1"],
      ["X-B", "2, 3"],
    ]),
  ]) {
    const { client, sent } = clientOf(resource());
    await client.getById("a", {}, { headers });
    const { client: second, sent: other } = clientOf(resource(), { headers });
    await second.getById("a");
    for (const [{ headers }] of [sent, other]) {
      delete headers.Authorization;
      assert.deepEqual(Object.fromEntries(new Headers(headers)), wanted);
    }
  }
  const { client, sent } = clientOf(resource(), { headers: [["x-a", "of the client"]] });
  await client.getById("a", {}, { headers: new Headers({ "X-A": "of the call" }) });
  assert.equal(new Headers(sent[0].headers).get("x-a"), "of the call");
  for (const headers of [
    [["Authorization", "x"]],
    new Headers({ authorization: "x" }),
    new Map([["AUTHORIZATION", "x"]]),
  ]) {
    const error = await failure(client.getById("a", {}, { headers }));
    assert.deepEqual([error.kind, error.errors[0].header.toLowerCase()], ["invalid", "authorization"]);
  }
});

test("a timeout of 0 ends a call before it sends anything", async () => {
  const { client, sent } = clientOf(resource());
  for (const timeout of [0, -1]) assert.equal((await failure(client.getById("a", {}, { timeout }))).kind, "timeout");
  assert.equal(sent.length, 0);
});

test("many calls under one signal need one listener, and leave none", async () => {
  const warnings = [];
  const warn = (warning) => warnings.push(warning);
  process.on("warning", warn);
  const controller = new AbortController();
  const { signal } = controller;
  let most = 0;
  let now = 0;
  for (const [name, step] of /** @type {[string, number][]} */ ([
    ["addEventListener", 1],
    ["removeEventListener", -1],
  ])) {
    const real = signal[name].bind(signal);
    signal[name] = (...all) => {
      now += step;
      most = Math.max(most, now);
      real(...all);
    };
  }
  const { client } = clientOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return resource();
  });
  await Promise.all(Array.from({ length: 50 }, () => client.getById("a", {}, { signal })));
  const left = Promise.all(Array.from({ length: 20 }, () => failure(client.getById("a", {}, { signal }))));
  controller.abort("enough");
  for (const error of await left) assert.deepEqual([error.kind, error.cause], ["aborted", "enough"]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("warning", warn);
  assert.deepEqual([most, now, warnings], [1, 0, []]);
});

describe("a client that is closed", () => {
  test("ends its calls, makes no more, and may be closed again", async () => {
    const { client } = clientOf(() => new Promise(() => {}));
    const call = failure(client.getById("a"));
    const disposed = clientOf(resource()).client;
    client.close();
    client.close();
    if (Symbol.dispose !== undefined) disposed[Symbol.dispose]();
    else disposed.close();
    for (const error of [await call, await failure(client.getById("a")), await failure(disposed.getById("a"))]) {
      assert.deepEqual([error.kind, error.cause.message], ["aborted", "The client is closed."]);
    }
  });

  test("and short-lived clients hold little memory", async () => {
    const one = async () => {
      const { client } = clientOf(resource());
      await client.getById("a");
      return client;
    };
    for (let at = 0; at < 100; at++) (await one()).close();
    const before = bytes().length;
    for (let at = 0; at < 2000; at++) (await one()).close();
    assert.equal(bytes().length, before);
    // Neither closed nor necessarily collected: less than 2 KiB each.
    const kept = [];
    for (let at = 0; at < 500; at++) kept.push(await one());
    assert.ok(bytes().length - before <= 500 * 2048, `${bytes().length - before}`);
    assert.equal(kept.length, 500);
  });
});

describe("hooks", () => {
  test("see each attempt with its call, number, time and status, and never the token", async () => {
    const events = [];
    const hook = (name) => (event) => events.push([name, event]);
    const busy = () => new Response("", { status: 503, headers: { "Retry-After": "0" } });
    const hooks = { onRequest: hook("request"), onResponse: hook("response"), onRetry: hook("retry") };
    const { client } = clientOf([busy, () => Promise.reject(new TypeError("offline")), resource()], hooks);
    /** @type {import("../../pkg/client.js").ResponseEvent} */
    let own;
    await client.getById("a", {}, { onResponse: (event) => (own = event) });
    const url = "http://h/demo/resource/a";
    assert.deepEqual(
      events.map(([name, { operation, attempt, method, url, status, reason }]) => [
        name,
        operation,
        attempt,
        method,
        url,
        status,
        reason,
      ]),
      [
        ["request", "getById", 1, "GET", url, undefined, undefined],
        ["response", "getById", 1, "GET", url, 503, undefined],
        ["retry", "getById", 1, "GET", url, 503, "unavailable"],
        ["request", "getById", 2, "GET", url, undefined, undefined],
        ["retry", "getById", 2, "GET", url, 0, "unavailable"],
        ["request", "getById", 3, "GET", url, undefined, undefined],
        ["response", "getById", 3, "GET", url, 200, undefined],
      ],
    );
    const retries = events.filter(([name]) => name === "retry").map(([, event]) => event);
    assert.ok(retries.every(({ pause, milliseconds }) => pause >= 0 && milliseconds >= 0));
    assert.equal(retries[1].cause.message, "offline");
    assert.deepEqual([own.status, own.attempt, own.headers.get("content-type")], [200, 3, "application/json"]);
    assert.ok(!JSON.stringify(events).includes("secret"));
  });

  test("say why another attempt follows: a refused token, an older response", async () => {
    const reasons = [];
    const options = {
      token: ({ refresh }) => (refresh ? "new" : "old"),
      onRetry: ({ reason, attempt, pause }) => reasons.push([reason, attempt, pause]),
    };
    const { client } = clientOf([() => new Response("", { status: 401 }), resource("a", 5), resource("a", 4)], options);
    await client.getById("a");
    await client.getById("a");
    assert.deepEqual(reasons, [
      ["unauthorized", 1, 0],
      ["outdated", 1, 0],
    ]);
  });

  test("that throw end the call as unexpected", async () => {
    for (const name of ["onRequest", "onResponse"]) {
      const { client } = clientOf(resource(), {
        [name]: () => {
          throw new Error("mine");
        },
      });
      const error = await failure(client.getById("a"));
      assert.deepEqual([error.kind, error.cause.message], ["unexpected", "mine"]);
    }
  });
});

describe("modify", () => {
  test("reads by key and writes by id", async () => {
    const { client, sent } = clientOf([resource("a", 3), resource("a", 4)]);
    const changed = await client.modify({ key: "k-a" }, ({ version }) => {
      assert.equal(version, 3);
      return [{ action: "doSomeThing" }];
    });
    assert.equal(changed.version, 4);
    assert.deepEqual(
      sent.map(({ method, url }) => `${method} ${url}`),
      ["GET http://h/demo/resource/key=k-a", "POST http://h/demo/resource/a"],
    );
    assert.equal(JSON.parse(sent[1].body).version, 3);
  });
});

describe("pages", () => {
  const answer = (url) => {
    const query = new URL(url).searchParams;
    const after = Number(
      query
        .getAll("where")
        .join()
        .match(/"(\d+)"/)?.[1] ?? 0,
    );
    const results = Array.from({ length: Math.min(Number(query.get("limit")), 5 - after) }, (_, at) =>
      resource(String(after + at + 1)),
    );
    return { results, ...(query.get("withTotal") === "true" ? { total: 5 } : {}) };
  };

  test("count what was seen, and know the total of the first page on request", async () => {
    const { client, sent } = clientOf(answer);
    const pages = [];
    for await (const { total, seen, results } of client.pages({ limit: 2, withTotal: true }))
      pages.push([results.length, seen, total]);
    assert.deepEqual(pages, [
      [2, 2, 5],
      [2, 4, 5],
      [1, 5, 5],
    ]);
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).searchParams.get("withTotal")),
      ["true", "false", "false"],
    );
    for await (const { total, seen } of client.pages({ limit: 5 })) assert.deepEqual([seen, total], [5, undefined]);
  });

  test("report the progress of all", async () => {
    const { client } = clientOf(answer);
    const progress = [];
    let count = 0;
    for await (const one of client.all(
      { limit: 2, withTotal: true },
      { onPage: ({ seen, total }) => progress.push(`${seen} of ${total}`) },
    ))
      count += one.version;
    assert.deepEqual([count, progress], [5, ["2 of 5", "4 of 5", "5 of 5"]]);
  });
});

describe("shared reads", () => {
  function shared(respond) {
    const { fetch, sent } = clientOf(respond);
    return { sent, client: new ResourceClient({ ...OPTIONS, fetch: shareReads(fetch) }) };
  }
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return resource();
  };

  test("are one request while it is in flight, and one more after it", async () => {
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

  test("go on for the others if one caller aborts, and end with the last", async () => {
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

test("calls of a token function that is slow share it if they start within five seconds", async () => {
  const real = Date.now;
  let ahead = 0;
  Date.now = () => real() + ahead;
  try {
    let asked = 0;
    const token = () => {
      asked += 1;
      return new Promise((resolve) => setTimeout(() => resolve("t"), 50));
    };
    const { client } = clientOf(resource(), { token });
    const calls = [client.getById("a")];
    ahead = 4900;
    calls.push(client.getById("a"));
    ahead = 5100;
    calls.push(client.getById("a"));
    await Promise.all(calls);
    assert.equal(asked, 2);
  } finally {
    Date.now = real;
  }
});
