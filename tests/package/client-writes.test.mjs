// Writes of the npm package's client, against the service in memory: creations, contention, `modify`, and
// pages while others write.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { predicate } from "../../pkg/dist/node.js";
import { counted, deliver, failure, lost, project, serviceForTests } from "./clients.mjs";

const { client } = serviceForTests();

describe("create", () => {
  test("changes no resource, and its error has the place of what is in use", async () => {
    const c = await client(project());
    const first = await c.create({ id: "a", key: "k", someProperty: "first", objectTypeProperty: {} });
    assert.equal((await c.create({ objectTypeProperty: {} })).version, 1);
    for (const [body, status, code, path] of /** @type {const} */ ([
      [{ key: "k" }, 412, "PreconditionFailed", "/key"],
      [{ id: "a" }, 412, "PreconditionFailed", "/id"],
      [{ id: "a", key: "k" }, 412, "PreconditionFailed", "/id"],
      [{ id: "b", key: "k" }, 400, "DuplicateField", "/key"],
      // A copy of a resource has its version.
      [{ ...first, id: undefined, version: 7 }, 412, "PreconditionFailed", "/key"],
    ])) {
      const options = { headers: { "If-None-Match": '"other"' } };
      const error = await failure(c.create({ someProperty: "other", objectTypeProperty: {}, ...body }, options));
      const { errors, outcome } = error;
      assert.deepEqual([error.status, error.code, errors[0].path, outcome], [status, code, path, "refused"]);
    }
    assert.deepEqual(await c.getById("a", {}, { fresh: true }), first);
    assert.equal((await c.create({ ...first, id: "c", key: "other" })).version, 1);
    const invalid = await failure(c.create(/** @type {any} */ (null)));
    assert.deepEqual([invalid.kind, invalid.errors[0].path], ["invalid", "/objectTypeProperty"]);
  });

  test("whose response is lost is no conflict with itself, also if its call is repeated", async () => {
    const name = project();
    const body = { key: "k", objectTypeProperty: {} };
    const made = await (await client(name, { fetch: counted(lost, lost) })).create(body);
    assert.deepEqual([made.key, made.version], ["k", 1]);
    const other = { key: "l", objectTypeProperty: {} };
    const c = await client(name, { fetch: counted(lost), retry: false });
    const { outcome, idempotencyKey } = await failure(c.create(other));
    assert.equal(outcome, "unknown");
    assert.equal((await c.create(other, { idempotencyKey })).version, 1);
    assert.equal((await failure(c.create(other))).status, 412);
  });
});

describe("contention", () => {
  test("is resolved by modify: twelve concurrent changes all succeed", async () => {
    const letters = [..."abcdefghijkl"];
    const changeTo = (someProperty) => [{ action: /** @type {const} */ ("changeSomeProperty"), someProperty }];
    // By actions, and by fields.
    for (const change of /** @type {((text: string) => any)[]} */ ([changeTo, (someProperty) => ({ someProperty })])) {
      const name = project();
      const { id } = await (await client(name)).createOrUpdate({ key: "k", objectTypeProperty: {} });
      const done = await Promise.all(
        letters.map(async (letter, at) => {
          const add = ({ someProperty = "" }) => change(someProperty + letter);
          return (await client(name)).modify(at % 2 ? id : { key: "k" }, add, { tries: 50 });
        }),
      );
      const last = await (await client(name)).getById(id, {}, { fresh: true });
      assert.equal(last.version, 13);
      assert.deepEqual([...last.someProperty].sort(), letters);
      assert.equal(new Set(done.map(({ version }) => version)).size, 12);
    }
  });
});

describe("modify", () => {
  const actions = [{ action: /** @type {const} */ ("doSomeThing") }];

  test("ends with its signal or its timeout during the change, and writes nothing", async () => {
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

  test("writes nothing without actions and without fields", async () => {
    const c = await client(project());
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    for (const none of [undefined, null, [], {}, Promise.resolve([]), Promise.resolve({})])
      assert.equal((await c.modify(id, () => none)).version, 1);
  });

  test("sets the fields that the change returns, and leaves all others", async () => {
    const c = await client(project());
    const arrays = { arrayOfIntExample: [1], arrayOfStringExample: ["a"] };
    const { id } = await c.createOrUpdate({ key: "k", someProperty: "s", custom: "c", objectTypeProperty: arrays });
    const changed = await c.modify({ key: "k" }, ({ custom }) => ({
      custom: `${custom}!`,
      objectTypeProperty: { arrayOfIntExample: [2, 3] },
    }));
    const { version, key, someProperty, custom, objectTypeProperty } = changed;
    assert.deepEqual([version, key, someProperty, custom], [2, "k", "s", "c!"]);
    assert.deepEqual(objectTypeProperty.arrayOfIntExample, [2, 3]);
    assert.deepEqual(objectTypeProperty.arrayOfStringExample, ["a"]);
    // All that it read, with a change.
    assert.equal((await c.modify(id, (now) => ({ ...now, key: "moved" }))).key, "moved");
  });

  test("says which value null cannot remove, at its place", async () => {
    const c = await client(project());
    const { id } = await c.createOrUpdate({ key: "k", custom: "c", objectTypeProperty: {} });
    for (const name of ["key", "custom"]) {
      const error = await failure(c.modify(id, () => /** @type {any} */ ({ [name]: null })));
      assert.deepEqual([error.kind, error.errors[0].path], ["invalid", `/${name}`]);
      assert.equal(error.message, `The value of '${name}' cannot be removed. Expected another value.`);
    }
    // There is none to remove.
    await c.modify(id, () => ({ someProperty: "s", lastModifiedBy: null }));
    assert.equal((await c.getById(id)).version, 2);
  });

  test("with fields, a lost response is not a second write, and a repeat writes once", async () => {
    const name = project();
    const { id } = await (await client(name)).createOrUpdate({ custom: "", objectTypeProperty: {} });
    const add = (now) => ({ custom: `${now.custom}x` });
    let isLost = true;
    const losing = (url, init) => (isLost && init.method === "PATCH" ? lost(url, init) : deliver(url, init));
    const c = await client(name, { fetch: losing, retry: false });
    const { outcome, idempotencyKey } = await failure(c.modify(id, add));
    assert.equal(outcome, "unknown");
    isLost = false;
    const { version, custom } = await c.modify(id, add, { idempotencyKey });
    assert.deepEqual([version, custom], [2, "x"]);
  });

  test("does not create a resource that was deleted meanwhile", async () => {
    const c = await client(project());
    const { id } = await c.createOrUpdate({ key: "k", objectTypeProperty: {} });
    const deletes = async () => {
      await c.deleteById(id).catch(() => {});
      return { custom: "x" };
    };
    assert.ok((await failure(c.modify(id, deletes))).isNotFound);
    assert.equal((await c.query()).total, 0);
  });

  test("rejects another ID or version, and a result that is neither actions nor fields, and writes nothing", async () => {
    const c = await client(project());
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    for (const [change, message] of /** @type {[any, RegExp][]} */ ([
      [{ id: "other" }, /another id or version/],
      [{ version: 7 }, /another id or version/],
      ["custom", /returned a string\. Expected actions, or an object of fields\.$/],
      [{ titel: "x" }, /^Unknown field 'titel'\.$/],
    ])) {
      const error = await failure(c.modify(id, () => change));
      assert.deepEqual([error.kind, error.outcome], ["invalid", "refused"]);
      assert.match(error.message, message);
    }
    assert.equal((await c.getById(id, {}, { fresh: true })).version, 1);
  });
});

describe("pages", () => {
  test("return each resource once while others are created, changed, and deleted", async () => {
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
    const pages = [];
    for await (const { results, seen, total } of c.pages({ limit: 10, withTotal: true }))
      pages.push([results.length, seen, total]);
    assert.deepEqual(pages, [
      [10, 10, 21],
      [10, 20, 21],
      [1, 21, 21],
    ]);
    for await (const { total } of c.pages({ limit: 25 })) assert.equal(total, undefined);
    for await (const none of c.pages({ where: 'key = "none"' })) assert.fail(JSON.stringify(none));
    let count = 0;
    const progress = [];
    const onPage = ({ seen }) => progress.push(seen);
    // @ts-expect-error: types refuse it already.
    for await (const one of c.all({ limit: 10, offset: 5 }, { onPage })) count += one.version;
    assert.deepEqual([count, progress], [21, [10, 20, 21]], "an offset would leave some out");
  });

  test("have fewer resources if they would be too large", async () => {
    const c = await client(project());
    const big = "x".repeat(900_000);
    for (let at = 0; at < 8; at++) await c.createOrUpdate({ custom: big, objectTypeProperty: {} });
    const sizes = [];
    for await (const { results } of c.pages({ limit: 8 })) sizes.push(results.length);
    assert.deepEqual(sizes, [4, 4]);
  });
});
