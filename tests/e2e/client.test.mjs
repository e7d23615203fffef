// The npm package's client against the built Worker in workerd, through Node's `fetch`: sessions, retries, tokens,
// pages.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inspect } from "node:util";

import { bytes } from "../../pkg/core.js";
import { predicate, ResourceClient } from "../../pkg/node.js";
import { operations } from "../../pkg/operations.js";
import { eventually, kvEqualsTruth, project, start } from "./support.mjs";
import { clientOf, counted, failure, NASTY, page } from "./support/clients.mjs";

let worker;
before(async () => {
  worker = await start({ faulty: true });
});
after(() => worker.stop());

const client = (project, options) => clientOf(worker, project, options);

/** The request arrives and is performed, but its response is lost. */
const lost = async (url, init) => {
  await (await fetch(url, init)).text();
  throw new TypeError("fetch failed");
};

/** Runs while KV holds all puts back. */
async function lagging(run) {
  await worker.control({ puts: "hold" });
  try {
    await run();
  } finally {
    await worker.control({ puts: "pass" });
  }
}

describe("every operation", () => {
  test("works over gloo-net and over a fetch of one's own alike", async () => {
    for (const options of [{}, { fetch }]) {
      const c = await client(project(), options);
      const made = await c.createOrUpdate({
        id: NASTY,
        key: `k${NASTY}`,
        objectTypeProperty: { arrayOfIntExample: [1, 2] },
      });
      assert.deepEqual([made.id, made.version], [NASTY, 1]);
      assert.deepEqual(await c.getById(NASTY, { optionalQueryParameter: NASTY }), made);
      assert.deepEqual(await c.getByKey(`k${NASTY}`, { expand: ["a.b", "c"] }), made);
      const queried = await c.query({
        where: predicate`key = ${`k${NASTY}`}`,
        objectParameter: { arrayOfIntExample: [2] },
      });
      assert.deepEqual([queried.total, queried.results, queried.arrayOfIntExample], [1, [made], [1, 2]]);
      const sorted = await c.querySorted({
        where: ["key = :k", "arrayOfIntExample contains any (1)"],
        var: { k: `k${NASTY}` },
        sort: "id desc",
        limit: 3,
      });
      assert.deepEqual([sorted.limit, sorted.results], [3, [made]]);
      assert.equal(await c.exists({ integerParameter: 2 }), true);
      assert.equal(await c.exists({ integerParameter: 3 }), false);
      const found = await c.search({ "filter.query": "arrayOfIntExample:1", facet: "arrayOfIntExample" });
      assert.deepEqual([found.results, found.facets.arrayOfIntExample.type], [[made], "terms"]);
      assert.equal((await c.overwrite(made)).version, 2);
      assert.equal((await c.createOrOverwrite({ ...made, version: 2 })).version, 3);
      const change = { action: /** @type {const} */ ("changeSomeProperty"), someProperty: NASTY };
      assert.equal(
        (await c.updateById(NASTY, { version: 3, actions: [{ action: "doSomeThing" }, change] })).someProperty,
        NASTY,
      );
      /** @type {import("../../pkg/client.js").ResponseEvent} */
      let told;
      const arrays = await c.updateByPath(
        "a/b",
        "c?d",
        { id: NASTY, custom: "x" },
        { queryParameterOne: -1.5 },
        { onResponse: (response) => (told = response) },
      );
      assert.deepEqual(arrays.arrayOfIntExample, [1, 2]);
      assert.deepEqual([told.status, told.headers.get("Resource-Revision").length], [200, 13]);
      const receipt = await c.updateWithUrnLinks({ id: NASTY }, undefined, { respondAsync: true });
      assert.match(receipt.dateTimeExampleRfc, / GMT$/);
      const gone = await c.deleteById(NASTY, { version: 6 });
      assert.deepEqual([gone.version, gone.custom], [6, "x"]);
      assert.equal((await failure(c.getById(NASTY))).code, "ResourceNotFound");
    }
  });

  test("has a method of its name", () => {
    for (const name of Object.keys(operations)) assert.equal(typeof ResourceClient.prototype[name], "function", name);
  });
});

/** @typedef {[string, (c: ResourceClient, id: string, options?: object) => Promise<any>, object?]} Read */
describe("a session", () => {
  test("reads its own writes while KV is behind, by id and by key, and others do not", async () => {
    const name = project();
    const mine = await client(name);
    const { id } = await mine.createOrUpdate({ key: "k", objectTypeProperty: {} });
    await eventually(() => kvEqualsTruth(worker, name));
    await lagging(async () => {
      await mine.updateById(id, { version: 1, actions: [{ action: "doSomeThing" }] });
      const other = await client(name);
      for (const [c, version] of /** @type {[ResourceClient, number][]} */ ([
        [mine, 2],
        [other, 1],
      ])) {
        assert.equal((await c.getById(id)).version, version);
        assert.equal((await c.getByKey("k")).version, version);
      }
      assert.equal((await other.getById(id, {}, { fresh: true })).version, 2);
      // It never returns an older version than it has seen fresh.
      assert.equal((await other.getById(id)).version, 2);
    });
  });

  test("never goes back behind what a query or a search showed", async () => {
    const name = project();
    const writer = await client(name);
    const { id } = await writer.createOrUpdate({ key: "k", objectTypeProperty: {} });
    await eventually(() => kvEqualsTruth(worker, name));
    await lagging(async () => {
      await writer.updateById(id, { version: 1, actions: [{ action: "doSomeThing" }] });
      for (const look of ["query", "querySorted", "search"]) {
        const reader = await client(name);
        assert.equal((await reader.getById(id)).version, 1, "a copy");
        assert.equal((await reader[look]()).results[0].version, 2);
        assert.equal((await reader.getById(id)).version, 2, look);
        assert.equal((await reader.getByKey("k")).version, 2, look);
      }
    });
  });

  test("does not find what it deleted, nor under a key what it moved away", async () => {
    const name = project();
    const mine = await client(name);
    const { id } = await mine.createOrUpdate({ key: "old", objectTypeProperty: {} });
    const second = await mine.createOrUpdate({ key: "second", objectTypeProperty: {} });
    await eventually(() => kvEqualsTruth(worker, name));
    await lagging(async () => {
      await mine.createOrUpdate({ id, key: "new", objectTypeProperty: {} });
      assert.equal((await failure(mine.getByKey("old"))).status, 404);
      assert.equal((await mine.getByKey("new")).id, id);
      await mine.deleteById(second.id);
      assert.equal((await failure(mine.getById(second.id))).status, 404);
      assert.equal((await failure(mine.getByKey("second"))).status, 404);
      assert.equal((await (await client(name)).getById(second.id)).version, 1, "others have the copy");
    });
  });

  test("finds no older copy by a key that it had not seen on what it wrote or missed", async () => {
    const name = project();
    const writer = await client(name);
    const made = [];
    for (const key of ["by-id", "moved", "gone"])
      made.push(await writer.createOrUpdate({ key, objectTypeProperty: {} }));
    const [written, moved, gone] = made.map(({ id }) => id);
    await eventually(() => kvEqualsTruth(worker, name));
    await lagging(async () => {
      const mine = await client(name);
      await mine.updateWithUrnLinks({ id: written, custom: "x" });
      assert.equal((await mine.getByKey("by-id")).custom, "x");
      await mine.createOrUpdate({ id: moved, key: "elsewhere", objectTypeProperty: {} });
      assert.equal((await failure(mine.getByKey("moved"))).status, 404);
      await writer.deleteById(gone);
      assert.equal((await failure(mine.getById(gone, {}, { fresh: true }))).status, 404);
      assert.equal((await failure(mine.getByKey("gone"))).status, 404);
    });
  });

  describe("a read that began before a newer one returns no older response", () => {
    const actions = [{ action: /** @type {const} */ ("doSomeThing") }];
    /** Creates a client whose first response is held back until `release()`. */
    async function slow(name) {
      /** @type {(value?: unknown) => void} */
      let release;
      const released = new Promise((resolve) => (release = resolve));
      const late = async (url, init) => {
        const response = await fetch(url, init);
        await released;
        return response;
      };
      const watched = counted(late);
      return { reader: await client(name, { fetch: watched }), release, calls: watched.calls };
    }
    /** Waits until the service has responded to the older read, which the client has not yet received. */
    const answered = () => new Promise((resolve) => setTimeout(resolve, 100));

    for (const [by, read, options] of /** @type {Read[]} */ ([
      ["id", (c, id, options) => c.getById(id, {}, options)],
      ["key", (c, _id, options) => c.getByKey("k", {}, options)],
      ["id, fresh", (c, id, options) => c.getById(id, {}, options), { fresh: true }],
      ["key, fresh", (c, _id, options) => c.getByKey("k", {}, options), { fresh: true }],
    ])) {
      test(`by ${by}`, async () => {
        const name = project();
        const writer = await client(name);
        const { id } = await writer.createOrUpdate({ key: "k", objectTypeProperty: {} });
        await eventually(() => kvEqualsTruth(worker, name));
        const { reader, release, calls } = await slow(name);
        const older = read(reader, id, options);
        await answered();
        assert.equal((await reader.updateById(id, { version: 1, actions })).version, 2);
        release();
        assert.equal((await older).version, 2);
        assert.equal(calls.length, 3);
      });
    }

    test("by a key that another resource has by now, or that none has", async () => {
      for (const taken of [true, false]) {
        const name = project();
        const writer = await client(name);
        const first = await writer.createOrUpdate({ key: "k", objectTypeProperty: {} });
        await eventually(() => kvEqualsTruth(worker, name));
        const { reader, release } = await slow(name);
        const older = reader.getByKey("k");
        await answered();
        await writer.createOrUpdate({ id: first.id, key: "moved", objectTypeProperty: {} });
        const second = taken ? await writer.createOrUpdate({ key: "k", objectTypeProperty: {} }) : undefined;
        // The reader observes the key's new state, but never the first resource's new state.
        const newer = reader.getByKey("k", {}, { fresh: true });
        if (taken) assert.equal((await newer).id, second.id);
        else assert.equal((await failure(newer)).status, 404);
        release();
        if (taken) assert.equal((await older).id, second.id);
        else assert.equal((await failure(older)).status, 404);
      }
    });

    test("as a 404 of what was made meanwhile", async () => {
      for (const read of [(c) => c.getById("a"), (c) => c.getByKey("k")]) {
        const { reader, release } = await slow(project());
        const older = read(reader);
        await answered();
        await reader.createOrUpdate({ id: "a", key: "k", objectTypeProperty: {} });
        release();
        assert.equal((await older).id, "a");
      }
    });

    test("in a page that began before", async () => {
      for (const look of ["query", "querySorted", "search"]) {
        const name = project();
        const writer = await client(name);
        const { id } = await writer.createOrUpdate({ objectTypeProperty: {} });
        const gone = await writer.createOrUpdate({ objectTypeProperty: {} });
        const { reader, release, calls } = await slow(name);
        const older = reader[look]();
        await answered();
        await reader.updateById(id, { version: 1, actions });
        await reader.deleteById(gone.id);
        release();
        assert.deepEqual(
          (await older).results.map(({ id, version }) => [id, version]),
          [[id, 2]],
          look,
        );
        assert.equal(calls.length, 4, look);
      }
    });

    test("in any page of many", async () => {
      const name = project();
      const writer = await client(name);
      const made = await Promise.all(
        Array.from({ length: 6 }, () => writer.createOrUpdate({ objectTypeProperty: {} })),
      );
      const last = made
        .map(({ id }) => id)
        .sort()
        .at(-1);
      let version = 1;
      // Each page is outdated once: before it arrives, the client observes a newer version of its last resource.
      const overtaken = new Set();
      const reader = await client(name, {
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          const page = new URL(url).searchParams.getAll("where").join();
          if (init.method === "GET" && !overtaken.has(page)) {
            overtaken.add(page);
            await reader.updateById(last, { version: version++, actions });
          }
          return response;
        },
      });
      for await (const resource of reader.all({ limit: 2 }))
        if (resource.id === last) assert.equal(resource.version, version);
      assert.equal(version, 5, "four pages, the last of them empty");
    });

    test("but fails if each response is overtaken", async () => {
      const name = project();
      const writer = await client(name);
      const { id } = await writer.createOrUpdate({ objectTypeProperty: {} });
      let version = 1;
      const reader = await client(name, {
        retry: { retries: 2, baseDelay: 1 },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (init.method === "GET") await reader.updateById(id, { version: version++, actions });
          return response;
        },
      });
      const error = await failure(reader.query());
      assert.deepEqual([error.kind, error.status, error.retryable], ["api", 200, true]);
      assert.match(error.message, /newer/);
      assert.equal(version, 5, "the first answer, a fresh one, and two retries");
    });
  });

  test("sees its complex updates, whose responses have neither ID nor key", async () => {
    const name = project();
    const mine = await client(name);
    const { id } = await mine.createOrUpdate({ key: "k", objectTypeProperty: {} });
    await eventually(() => kvEqualsTruth(worker, name));
    await lagging(async () => {
      const blank = await client(name);
      await blank.updateWithUrnLinks({ key: "k", custom: "x" }, undefined, { respondAsync: true });
      assert.equal((await blank.getByKey("k")).custom, "x");
      assert.equal((await blank.getById(id)).custom, "x");
    });
  });
});

test("a caller's headers undo nothing, and occur once", async () => {
  for (const options of [{ fetch: counted() }, {}]) {
    const name = project();
    const c = await client(name, {
      headers: { "cache-control": "max-age=9", "X-Correlation-ID": "of-the-client" },
      ...options,
    });
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    await eventually(() => kvEqualsTruth(worker, name));
    await lagging(async () => {
      await (await client(name)).updateById(id, { version: 1, actions: [{ action: "doSomeThing" }] });
      /** @type {import("../../pkg/client.js").ResponseEvent} */
      let told;
      const fresh = {
        fresh: true,
        headers: { "x-correlation-id": "of-the-call" },
        onResponse: ({ headers }) => (told = headers.get("X-Correlation-ID")),
      };
      assert.equal((await c.getById(id, {}, fresh)).version, 2);
      assert.equal(told, "of-the-call");
    });
  }
});

describe("a lost response", () => {
  test("is asked for again without writing twice", async () => {
    const name = project();
    let replayed;
    const onResponse = ({ headers }) => (replayed = headers.get("Idempotency-Replayed"));
    const writes = [
      (c) => c.createOrUpdate({ objectTypeProperty: {} }, { onResponse }),
      (c, { id }) => c.updateById(id, { version: 1, actions: [{ action: "doSomeThing" }] }, { onResponse }),
      (c, { id }) => c.deleteById(id, { version: 2 }, { onResponse }),
    ];
    let resource;
    for (const write of writes) {
      const doubtful = counted(lost, lost);
      resource = await write(await client(name, { fetch: doubtful }), resource);
      assert.equal(doubtful.calls.length, 3);
      assert.equal(new Set(doubtful.calls.map(([, , headers]) => headers["Idempotency-Key"])).size, 1);
      assert.equal(replayed, "true");
    }
    assert.equal((await (await client(name)).query()).total, 0, "one was made, and deleted");
  });

  test("is asked for again after pages of proxies too, in the time that they ask for", async () => {
    const name = project();
    const soon = new Date(Date.now() + 1000).toUTCString();
    const shaky = counted(page(502), page(503, { "Retry-After": "0" }), page(504), page(429, { "Retry-After": soon }));
    assert.equal((await (await client(name, { fetch: shaky })).query()).total, 0);
    assert.equal(shaky.calls.length, 5);
  });
});

describe("contention", () => {
  test("is reported with the current version, and never retried automatically", async () => {
    const name = project();
    const watched = counted();
    const c = await client(name, { fetch: watched });
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    const error = await failure(c.updateById(id, { version: 7, actions: [] }));
    assert.deepEqual(
      [error.kind, error.status, error.code, error.currentVersion, error.retryable],
      ["api", 409, "ConcurrentModification", 1, false],
    );
    assert.ok(error.correlationId.length >= 8);
    assert.equal(watched.calls.length, 2);
  });

  test("is resolved by modify: no change of twelve at once is lost", async () => {
    const name = project();
    const { id } = await (await client(name)).createOrUpdate({ objectTypeProperty: {} });
    const letters = [..."abcdefghijkl"];
    const add = (letter) => (current) => [
      { action: /** @type {const} */ ("changeSomeProperty"), someProperty: (current.someProperty ?? "") + letter },
    ];
    const done = await Promise.all(
      letters.map(async (letter) => (await client(name)).modify(id, add(letter), { tries: 50 })),
    );
    const last = await (await client(name)).getById(id, {}, { fresh: true });
    assert.equal(last.version, 13);
    assert.deepEqual([...last.someProperty].sort(), letters);
    assert.equal(new Set(done.map(({ version }) => version)).size, 12);
  });

  test("ends after the tries that modify may have; without actions nothing is written", async () => {
    const c = await client(project());
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    assert.equal((await c.modify(id, () => undefined)).version, 1);
    assert.equal((await c.modify(id, async () => [])).version, 1);
    let changes = 0;
    const spoil = async (current) => {
      changes += 1;
      await c.updateById(id, { version: current.version, actions: [{ action: "doSomeThing" }] });
      return [{ action: /** @type {const} */ ("doSomeThing") }];
    };
    assert.equal((await failure(c.modify(id, spoil, { tries: 3 }))).status, 409);
    assert.equal(changes, 3);
  });
});

describe("tokens", () => {
  const granted = (calls) => calls.filter(([, url]) => url.endsWith("/oauth/token")).length;
  const expired = async (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, Authorization: "Bearer expired" } });

  test("are fetched once for all calls that wait, and once more when they expire in mid-flight", async () => {
    const name = project();
    const credentials = {
      clientId: "tests",
      clientSecret: "tests-secret",
      scope: [`manage_test:${name}`, `view_test:${name}`],
    };
    // The token request passes. Then the service rejects the token of two calls.
    const watched = counted(undefined, expired, expired);
    const c = await client(name, { token: undefined, credentials, fetch: watched });
    const results = await Promise.all(Array.from({ length: 8 }, () => c.query()));
    assert.ok(results.every(({ total }) => total === 0));
    assert.equal(granted(watched.calls), 2);
    assert.equal(watched.calls.length, 2 + 8 + 2);
  });

  test("of a function are requested again if they are rejected", async () => {
    const name = project();
    const good = await worker.token(name);
    const asked = [];
    const token = async ({ refresh }) => {
      asked.push(refresh);
      return refresh ? good : "stale.token";
    };
    const c = await client(name, { token });
    await Promise.all([c.query(), c.query(), c.query()]);
    await c.query();
    assert.deepEqual(asked, [false, true]);
  });

  test("that stay refused end as 401 after one more try", async () => {
    const watched = counted();
    const c = await client(project(), { token: () => "never.good", fetch: watched });
    const error = await failure(c.query());
    assert.deepEqual([error.kind, error.status, error.code, watched.calls.length], ["api", 401, "invalid_token", 2]);
    const fixed = counted();
    await failure((await client(project(), { token: "never.good", fetch: fixed })).query());
    assert.equal(fixed.calls.length, 1);
  });

  test("that still hold are used where another cannot be had, and those that have ended are not", async () => {
    const real = Date.now;
    let ahead = 0;
    Date.now = () => real() + ahead;
    try {
      const name = project();
      const good = await worker.token(name);
      let broken = false;
      const token = () => (broken ? Promise.reject(new Error("out of order")) : { token: good, expiresIn: 3600 });
      const c = await client(name, { token });
      await c.query();
      [broken, ahead] = [true, 3_545_000];
      assert.equal((await c.query()).total, 0);
      ahead = 3_601_000;
      assert.equal((await failure(c.query())).cause.message, "out of order");
    } finally {
      Date.now = real;
    }
  });

  test("that never come do not hold up calls for ever", async () => {
    const real = Date.now;
    let ahead = 0;
    Date.now = () => real() + ahead;
    try {
      const name = project();
      const credentials = { clientId: "tests", clientSecret: "tests-secret", scope: `manage_test:${name}` };
      // As in a Worker whose request has ended: the promise neither settles nor aborts.
      const watched = counted(() => new Promise(() => {}));
      const c = await client(name, { token: undefined, credentials, fetch: watched, timeout: 1500.5 });
      const quick = { timeout: 50 };
      assert.equal((await failure(c.query({}, quick))).kind, "timeout");
      assert.equal((await failure(c.query({}, quick))).kind, "timeout");
      assert.equal(granted(watched.calls), 1);
      ahead = 6000;
      assert.equal((await c.query()).total, 0);
      assert.equal(granted(watched.calls), 2);
    } finally {
      Date.now = real;
    }
  });

  test("and secrets are in no error", async () => {
    const name = project();
    const secrets = ["hush.hush.hush", "s3cret"];
    const failures = [
      new ResourceClient({ projectKey: name, baseUrl: worker.url.href, token: secrets[0] }).query(),
      new ResourceClient({ projectKey: name, baseUrl: worker.url.href, token: () => `${secrets[0]} \n` }).query(),
      new ResourceClient({
        projectKey: name,
        baseUrl: worker.url.href,
        credentials: { clientId: "tests", clientSecret: secrets[1] },
      }).query(),
      new ResourceClient({ projectKey: name, baseUrl: "http://127.0.0.1:1", token: secrets[0], retry: false }).query(),
    ].map(failure);
    for (const failed of failures) {
      const error = await failed;
      const text =
        inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error) + error.stack + inspect(error.cause);
      for (const secret of secrets) assert.ok(!text.includes(secret), text);
    }
  });

  test("that the endpoint does not give are told with its reason", async () => {
    const c = await client(project(), { token: undefined, credentials: { clientId: "tests", clientSecret: "wrong" } });
    const error = await failure(c.query());
    assert.deepEqual([error.kind, error.status, error.code], ["api", 401, "invalid_client"]);
    assert.match(error.message, /^No token was given: /);
    const broken = await failure((await client(project(), { token: () => Promise.reject(new Error("boom")) })).query());
    assert.deepEqual([broken.kind, broken.cause.message], ["unexpected", "boom"]);
    const none = await failure((await client(project(), { token: () => undefined })).query());
    assert.equal(none.kind, "unexpected");
  });
});

describe("modify", () => {
  const actions = [{ action: /** @type {const} */ ("doSomeThing") }];

  test("ends with its signal or its time while the change is made, and writes nothing then", async () => {
    const c = await client(project());
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    assert.equal(
      (await failure(c.modify(id, () => new Promise(() => {}), { signal: controller.signal }))).kind,
      "aborted",
    );
    assert.equal((await failure(c.modify(id, () => new Promise(() => {}), { timeout: 60 }))).kind, "timeout");
    const late = async () => {
      await new Promise((resolve) => setTimeout(resolve, 80));
      return actions;
    };
    assert.equal((await failure(c.modify(id, late, { timeout: 60 }))).kind, "timeout");
    const ended = new AbortController();
    const ends = () => void ended.abort();
    assert.equal((await failure(c.modify(id, ends, { signal: ended.signal }))).kind, "aborted");
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal((await c.getById(id, {}, { fresh: true })).version, 1);
  });

  test("writes nothing without actions, and tells what the change throws", async () => {
    const c = await client(project());
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    for (const none of [undefined, null, []]) assert.equal((await c.modify(id, () => none)).version, 1);
    const own = new Error("mine");
    await assert.rejects(
      c.modify(id, () => {
        throw own;
      }),
      own,
    );
  });

  test("takes a new idempotency key for each try, whatever it was given", async () => {
    const watched = counted();
    const c = await client(project(), { fetch: watched });
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    let first = true;
    const change = async ({ version }) => {
      if (first) await c.updateById(id, { version, actions });
      first = false;
      return actions;
    };
    // @ts-expect-error: types refuse it already.
    assert.equal((await c.modify(id, change, { idempotencyKey: "one" })).version, 3);
    const keys = watched.calls.map(([, , headers]) => headers["Idempotency-Key"]).filter((key) => key !== undefined);
    assert.equal(new Set(keys).size, 4);
    assert.ok(!keys.includes("one"));
  });
});

describe("pages", () => {
  test("give each resource once while others are made, changed and deleted", async () => {
    const name = project();
    const c = await client(name);
    const made = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        c.createOrUpdate({ key: `k${at}`, objectTypeProperty: { arrayOfIntExample: [at % 2] } }),
      ),
    );
    const even = made
      .filter((_, at) => at % 2 === 0)
      .map(({ id }) => id)
      .sort();
    const seen = [];
    for await (const { id } of c.all({ where: predicate`arrayOfIntExample = ${0}`, limit: 4 })) {
      seen.push(id);
      // Deleting seen resources would shift offsets.
      if (seen.length % 3 === 0) await c.deleteById(id);
    }
    assert.deepEqual(seen, even);
    const sizes = [];
    for await (const { results } of c.pages({ limit: 10 })) sizes.push(results.length);
    assert.deepEqual(sizes, [10, 10, 1]);
    for await (const none of c.pages({ where: 'key = "none"' })) assert.fail(JSON.stringify(none));
    let count = 0;
    // @ts-expect-error: types refuse it already.
    for await (const one of c.all({ limit: 10, offset: 5 })) count += one.version;
    assert.equal(count, 21, "an offset would leave some out");
  });

  test("shrink where they would be too large", async () => {
    const c = await client(project());
    const big = "x".repeat(900_000);
    for (let at = 0; at < 8; at++) await c.createOrUpdate({ custom: big, objectTypeProperty: {} });
    const sizes = [];
    for await (const { results } of c.pages({ limit: 8 })) sizes.push(results.length);
    assert.deepEqual(sizes, [4, 4]);
  });
});

test("ten thousand calls leave no memory behind", async () => {
  const body = JSON.stringify({ id: "a", key: "k", version: 1, lastModifiedAt: "2024-01-01T00:00:00.000Z" });
  const c = new ResourceClient({
    projectKey: "demo",
    baseUrl: "https://a.test",
    token: "t",
    fetch: async () => new Response(body),
  });
  const call = async (at) => {
    await c.getById(`a${at}`);
    await c.updateById(`a${at}`, { version: 1, actions: [{ action: "doSomeThing" }] });
    await c.getById("", {}, {}).catch(() => {});
  };
  for (let at = 0; at < 100; at++) await call(at);
  const before = bytes().length;
  for (let at = 0; at < 3400; at++) await call(at);
  assert.equal(bytes().length, before);
});
