// `resource-edge/tanstack-db`: own changes that follow each other, and what a collection cannot write.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createCollection, createLiveQueryCollection } from "@tanstack/db";

import { ResourceClient } from "../../pkg/dist/node.js";
import { resourceCollectionOptions } from "../../pkg/dist/tanstack-db.js";
import { createService } from "../../pkg/dist/testing/index.js";

const draft = (id) => ({ id, custom: "red", someProperty: "0", objectTypeProperty: { arrayOfIntExample: [1] } });

/** Starts a service with the resource `a`, a collection, and a client of somebody else. */
async function start(t) {
  const service = await createService({ bodies: [draft("a")] });
  const [client, other] = [1, 2].map(() => new ResourceClient(service.clientOptions()));
  /** @type {import("@tanstack/db").Collection<any, string>} */
  const collection = createCollection(resourceCollectionOptions({ client, where: 'custom = "red"' }));
  await collection.preload();
  t.after(async () => {
    await collection.cleanup();
    client.close();
    other.close();
    service.close();
  });
  /** Changes members of an item. Returns a promise of the outcome: `undefined`, or the error. */
  const update = (id, changes) =>
    collection
      .update(id, (item) => void Object.assign(item, changes))
      .isPersisted.promise.then(
        () => undefined,
        (error) => error,
      );
  return { service, collection, other, update };
}

test("own changes in a row are no conflict, and each builds on the one before", async (t) => {
  const { collection, other, update } = await start(t);
  const texts = ["1", "2", "3"].map((someProperty) => update("a", { someProperty }));
  const integers = update("a", { objectTypeProperty: { arrayOfIntExample: [1, 2] } });
  assert.deepEqual(await Promise.all([...texts, integers]), [undefined, undefined, undefined, undefined]);
  const { version, someProperty, objectTypeProperty } = await other.getById("a");
  assert.deepEqual([version, someProperty, objectTypeProperty.arrayOfIntExample], [5, "3", [1, 2]]);
  assert.deepEqual([collection.get("a").version, collection.get("a").someProperty], [5, "3"]);
});

test("a new item can be changed and deleted before the service has it", async (t) => {
  const { collection, other, update } = await start(t);
  const inserted = collection.insert(draft("b"));
  const updated = update("b", { someProperty: "new" });
  await inserted.isPersisted.promise;
  assert.equal(await updated, undefined);
  const { version, someProperty } = await other.getById("b");
  assert.deepEqual([version, someProperty], [2, "new"]);
  const changed = update("b", { someProperty: "last" });
  await collection.delete("b").isPersisted.promise;
  assert.equal(await changed, undefined);
  assert.equal(await other.getById("b", {}, { orUndefined: true }), undefined);
});

test("somebody else's change between own changes is a conflict", async (t) => {
  const { service, other, update } = await start(t);
  service.fail({ operation: "overwrite", skip: 1, conflict: true });
  const outcomes = await Promise.all(["1", "2", "3"].map((someProperty) => update("a", { someProperty })));
  assert.deepEqual(
    outcomes.map((error) => error?.status),
    [undefined, 409, 409],
  );
  const { version, someProperty } = await other.getById("a");
  assert.deepEqual([version, someProperty], [3, "1"]);
});

test("a new item does not replace one that exists", async (t) => {
  const { service, collection, other } = await start(t);
  await other.createOrUpdate({ ...draft("b"), custom: "blue", someProperty: "theirs" });
  await assert.rejects(collection.insert(draft("b")).isPersisted.promise, { status: 412 });
  assert.equal((await other.getById("b")).someProperty, "theirs");
  // A lost response is no other item.
  service.fail({ operation: "createOrUpdate", lostResponse: true });
  await collection.insert(draft("c")).isPersisted.promise;
  assert.equal(collection.get("c").version, 1);
});

test("a row that a collection returned can be written back and copied", async (t) => {
  const { collection, other, update } = await start(t);
  const view = createLiveQueryCollection((q) => q.from({ item: collection }));
  await view.preload();
  for (const [at, row] of [collection.get("a"), view.get("a"), collection.toArray[0], view.toArray[0]].entries()) {
    // What this version adds. The names of fields begin with a letter.
    const added = Object.keys(row).filter((name) => !/^[a-z]/.test(name));
    assert.deepEqual(added.sort(), ["$collectionId", "$hasPendingWrites", "$key", "$origin", "$synced"]);
    const copy = collection.insert({ ...row, id: `copy${at}`, key: undefined });
    await copy.isPersisted.promise;
    assert.equal((await other.getById(`copy${at}`)).someProperty, row.someProperty);
    const changes = Object.fromEntries(added.map((name) => [name, "other"]));
    assert.equal(await update("a", { ...row, ...changes, someProperty: `${at + 1}` }), undefined);
    assert.equal((await other.getById("a")).someProperty, `${at + 1}`);
  }
  await collection.delete("copy0").isPersisted.promise;
  await view.cleanup();
});

test("a value that an overwrite cannot remove is an error, and stays", async (t) => {
  const { collection, other, update } = await start(t);
  for (const value of [undefined, null]) {
    const error = await update("a", { someProperty: value });
    assert.deepEqual(
      [error.kind, error.message.split(".")[0]],
      ["invalid", "The value of 'someProperty' cannot be removed"],
    );
  }
  assert.deepEqual([collection.get("a").someProperty, (await other.getById("a")).version], ["0", 1]);
});

test("several items of one call are written together or not at all", async (t) => {
  const { service, collection, other } = await start(t);
  const before = service.requests.length;
  const setAll = (someProperty) =>
    collection.update(["a", "b"], (items) => {
      for (const item of items) item.someProperty = someProperty;
    }).isPersisted.promise;
  await collection.insert(["b", "c", "d"].map(draft)).isPersisted.promise;
  await setAll("1");
  await collection.delete(["c", "d"]).isPersisted.promise;
  const batches = service.requests.slice(before).filter(({ operation }) => operation === "batch");
  assert.deepEqual(
    batches.map(({ status }) => status),
    [200, 200, 200],
  );
  // Somebody else was faster with one of them, or has one already.
  service.fail({ operation: "batch", match: ({ body }) => body.writes.length === 2, conflict: true });
  await assert.rejects(setAll("2"), { status: 409 });
  await other.createOrUpdate({ ...draft("x"), custom: "blue" });
  await assert.rejects(collection.insert(["e", "x"].map(draft)).isPersisted.promise, { status: 409 });
  const { results } = await other.querySorted({ sort: "id asc" });
  assert.deepEqual(
    results.map(({ id, someProperty }) => id + someProperty),
    ["a1", "b1", "x0"],
  );
});
