// The session of the npm package's client, against the service in memory: what a client reads after its earlier reads
// and writes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { counted, failure, project, deliver, serviceForTests } from "./clients.mjs";

const { client, settle } = serviceForTests();

/** @typedef {import("../../pkg/dist/node.js").ResourceClient} ResourceClient */
describe("a session", () => {
  test("reads its own writes by id and by key while KV is behind, and other sessions read the copy", async () => {
    const name = project();
    const mine = await client(name);
    const { id } = await mine.createOrUpdate({ key: "k", objectTypeProperty: {} });
    await settle();
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
    // A client never returns an older version than its fresh reads returned.
    assert.equal((await other.getById(id)).version, 2);
  });

  test("never reads an older version than a query or a search returned", async () => {
    const name = project();
    const writer = await client(name);
    const { id } = await writer.createOrUpdate({ key: "k", objectTypeProperty: {} });
    await settle();
    await writer.updateById(id, { version: 1, actions: [{ action: "doSomeThing" }] });
    for (const look of ["query", "querySorted", "search"]) {
      const reader = await client(name);
      assert.equal((await reader.getById(id)).version, 1, "a copy");
      assert.equal((await reader[look]()).results[0].version, 2);
      assert.equal((await reader.getById(id)).version, 2, look);
      assert.equal((await reader.getByKey("k")).version, 2, look);
    }
  });

  test("does not find a resource that it deleted, or a key that it moved", async () => {
    const name = project();
    const mine = await client(name);
    const { id } = await mine.createOrUpdate({ key: "old", objectTypeProperty: {} });
    const second = await mine.createOrUpdate({ key: "second", objectTypeProperty: {} });
    await settle();
    await mine.createOrUpdate({ id, key: "new", objectTypeProperty: {} });
    assert.equal((await failure(mine.getByKey("old"))).status, 404);
    assert.equal((await mine.getByKey("new")).id, id);
    await mine.deleteById(second.id);
    assert.equal((await failure(mine.getById(second.id))).status, 404);
    assert.equal((await failure(mine.getByKey("second"))).status, 404);
    assert.equal((await (await client(name)).getById(second.id)).version, 1, "others have the copy");
  });

  test("finds no older copy by an unseen key of a resource that it wrote or missed", async () => {
    const name = project();
    const writer = await client(name);
    const made = [];
    for (const [key, id] of [["by-id"], ["moved"], ["gone"], ["by-key", 'ä"b.7%2F']])
      made.push(await writer.createOrUpdate({ id, key, objectTypeProperty: {} }));
    const [written, moved, gone, named] = made.map(({ id }) => id);
    await settle();
    const mine = await client(name);
    await mine.updateWithUrnLinks({ id: written, custom: "x" });
    assert.equal((await mine.getByKey("by-id")).custom, "x");
    await mine.updateWithUrnLinks({ key: "by-key", custom: "x" }, undefined, { respondAsync: true });
    assert.equal((await mine.getById(named)).custom, "x");
    await mine.createOrUpdate({ id: moved, key: "elsewhere", objectTypeProperty: {} });
    assert.equal((await failure(mine.getByKey("moved"))).status, 404);
    await writer.deleteById(gone);
    assert.equal((await failure(mine.getById(gone, {}, { fresh: true }))).status, 404);
    assert.equal((await failure(mine.getByKey("gone"))).status, 404);
  });

  test("gets results of an allowed age, with all that it has written and seen", async () => {
    for (const look of ["query", "querySorted", "search"]) {
      const name = project();
      const ids = async (reader, options) => (await reader[look]({}, options)).results.map(({ id }) => id);
      const [mine, reader] = [await client(name, { maxAge: 60 }), await client(name)];
      await mine.createOrUpdate({ id: "a", objectTypeProperty: {} });
      assert.deepEqual(await ids(mine), ["a"]);
      const writer = await client(name);
      await writer.createOrUpdate({ id: "b", objectTypeProperty: {} });
      assert.deepEqual(await ids(mine), ["a"], "a remembered page");
      assert.deepEqual(await ids(reader, { maxAge: 60 }), ["a"]);
      assert.deepEqual(await ids(reader), ["a", "b"]);
      assert.deepEqual(await ids(mine, { maxAge: 0 }), ["a", "b"]);
      // Nothing in the page says that it was deleted.
      await writer.deleteById("b");
      assert.deepEqual(await ids(writer, { maxAge: 60 }), ["a"]);
      assert.deepEqual(await ids(mine), ["a"]);
      await mine.deleteById("a");
      assert.deepEqual(await ids(mine), []);
      assert.deepEqual([await mine.exists(), await writer.exists({}, { maxAge: 60 })], [false, false]);
    }
    const [reader, failed] = [await client(project()), /maxAge: expected a whole number of seconds/];
    for (const maxAge of [-1, 0.5, NaN, "5"]) {
      await assert.rejects(reader.query({}, { maxAge: /** @type {any} */ (maxAge) }), failed);
      await assert.rejects(async () => client(project(), { maxAge }), failed);
    }
  });

  describe("a read that began before a newer response returns no older response", () => {
    const actions = [{ action: /** @type {const} */ ("doSomeThing") }];
    /** Creates a client whose first response is delayed until `release()`. */
    async function slow(name) {
      /** @type {(value?: unknown) => void} */
      let release;
      const released = new Promise((resolve) => (release = resolve));
      const late = async (url, init) => {
        const response = await deliver(url, init);
        await released;
        return response;
      };
      const watched = counted(late);
      return { reader: await client(name, { fetch: watched }), release, calls: watched.calls };
    }
    /** Waits until the service has responded to the older read, which the client has not yet received. */
    const answered = () => new Promise((resolve) => setTimeout(resolve, 100));

    test("by a key that has moved to another resource or to none", async () => {
      for (const taken of [true, false]) {
        const name = project();
        const writer = await client(name);
        const first = await writer.createOrUpdate({ key: "k", objectTypeProperty: {} });
        await settle();
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

    test("as a 404 of a resource that was created meanwhile", async () => {
      for (const read of [(c) => c.getById("a"), (c) => c.getByKey("k")]) {
        const { reader, release } = await slow(project());
        const older = read(reader);
        await answered();
        await reader.createOrUpdate({ id: "a", key: "k", objectTypeProperty: {} });
        release();
        assert.equal((await older).id, "a");
      }
    });

    test("in a page of a query or a search", async () => {
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

    test("in any of many pages", async () => {
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
          const response = await deliver(url, init);
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

    test("and fails if each response is outdated", async () => {
      const name = project();
      const writer = await client(name);
      const { id } = await writer.createOrUpdate({ objectTypeProperty: {} });
      let version = 1;
      const reader = await client(name, {
        retry: { retries: 2, baseDelay: 1 },
        fetch: async (url, init) => {
          const response = await deliver(url, init);
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
});
