// Clients of a declared resource, against the service in memory: what they send, `modify`, views, and collections.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createCollection } from "@tanstack/db";

import { resource, ResourceClient } from "../../pkg/dist/node.js";
import { liveAfter } from "../../pkg/dist/feed/live-view.js";
import { live, watch } from "../../pkg/dist/live.js";
import { resourceCollectionOptions } from "../../pkg/dist/tanstack-db.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { eventually } from "../support/waiting.mjs";
import { clientWith } from "./clients.mjs";
import { RESOURCES } from "./resources.mjs";

const product = resource(RESOURCES, "product");
const lamp = { key: "lamp", title: "Lamp", price: 40, tags: ["a"], size: { height: 5 } };

/** Starts a service, with a client of its project `products`. */
async function start(t, bodies = []) {
  const service = await createService({ projectKey: "products", resources: RESOURCES, bodies });
  const clientOf = (options = {}) => new ResourceClient({ ...service.clientOptions(), resource: product, ...options });
  const client = clientOf();
  t.after(() => {
    client.close();
    service.close();
  });
  return { service, client, clientOf };
}

test("a body that breaks a rule is not sent, and one that keeps all is sent unchanged", async () => {
  const { client, sent } = clientWith({ id: "a", version: 1, lastModifiedAt: "" }, { resource: product });
  for (const [call, expected] of /** @type {[(client: any) => Promise<any>, string][]} */ ([
    [(client) => client.createOrUpdate({ title: "", price: 1 }), "/title length"],
    [(client) => client.create({ title: "Lamp", objectTypeProperty: {} }), "/objectTypeProperty unknownField"],
    [(client) => client.overwrite({ version: 1, price: 1 }), "/title required"],
    [(client) => client.updateById("a", { version: 1, actions: [{ action: "setPrice", price: -1 }] }), "/price range"],
    [(client) => client.updateByPath("a", "b", { price: "1" }), "/price type"],
  ])) {
    const error = await call(client).catch((error) => error);
    const { pointer, reason } = error.issues[0];
    assert.deepEqual([error.kind, `${pointer} ${reason}`.endsWith(expected)], ["invalid", true], expected);
  }
  assert.equal(sent.length, 0);
  /** @type {any} */ (await client.createOrUpdate(/** @type {any} */ (lamp)));
  assert.equal(sent[0].body, JSON.stringify(lamp));
});

test("an option that is no declared resource is refused", () => {
  // @ts-expect-error: types refuse it already.
  const wrong = () => clientWith({}, { resource: RESOURCES }) && new ResourceClient({ resource: {} });
  assert.throws(wrong, { kind: "invalid", message: /^resource: expected the result of a call such as resource\(/ });
});

test("a read of some fields has only these, and the session continues with it", async (t) => {
  const { client } = await start(t, [{ ...lamp, size: { height: 5, unit: "cm" } }]);
  const size = { height: 5 };
  const one = await client.getByKey("lamp", { fields: ["title", "size.height"] });
  assert.deepEqual([Object.keys(one).slice(5), one.size], [["title", "size"], size]);
  await client.createOrUpdate({ id: one.id, version: one.version, price: 41 });
  const { results } = await client.query({ fields: ["price"], where: 'title = "Lamp"' });
  assert.deepEqual([results[0].price, Object.keys(results[0]).at(-1)], [41, "price"]);
  const found = await client.search({ fields: "size.height", facet: "title" });
  const { title } = /** @type {any} */ (found.facets);
  assert.deepEqual([found.results[0].size, title.terms[0].count], [size, 1]);
  for await (const each of client.all({ fields: ["tags"] })) assert.deepEqual(Object.keys(each).at(-1), "tags");
  const wrong = await client.getById(one.id, /** @type {any} */ ({ fields: ["titel"] })).catch((error) => error);
  assert.deepEqual([wrong.status, wrong.errors[0].suggestion], [400, "title"]);
});

test("a view that shows the items of another one until it has read its own has its own fields then", async (t) => {
  const { client } = await start(t, [lamp]);
  const fieldsOf = async (view) => {
    const unsubscribe = view.subscribe(() => {});
    await eventually(() => assert.equal(view.getSnapshot().status, "live"));
    unsubscribe();
    return Object.keys(view.getSnapshot().items[0]).slice(5);
  };
  const first = live(client, { fields: ["title"], limit: 5 });
  assert.deepEqual(await fieldsOf(first), ["title"]);
  const second = liveAfter(client, { search: { fields: ["price"] } }, {}, first.getSnapshot());
  assert.deepEqual(await fieldsOf(second), ["price"]);
});

test("a client writes and reads what the schema describes", async (t) => {
  const { client } = await start(t);
  const made = await client.createOrUpdate(lamp);
  assert.deepEqual([made.title, made.status, made.version], ["Lamp", "draft", 1]);
  assert.deepEqual(Object.keys(made).includes("objectTypeProperty"), false);
  const changed = await client.createOrUpdate({ id: made.id, version: 1, price: 41, tags: null });
  assert.deepEqual([changed.title, changed.price, changed.tags ?? []], ["Lamp", 41, []]);
  /** @type {any[]} */
  const actions = [
    { action: "setStatus", status: "active" },
    { action: "addTags", tags: ["b", "c"] },
    { action: "removeTags", tags: ["b"] },
  ];
  const updated = await client.updateById(made.id, { version: 2, actions });
  assert.deepEqual([updated.status, updated.tags], ["active", ["c"]]);
  const placed = await client.updateByPath("a", "b", { id: made.id, size: { height: 6, width: 2 } });
  assert.deepEqual([placed.version, placed.size], [4, { height: 6, width: 2 }]);
  const where = product.where(({ price, size, tags }) => price.gt(40).and(size.width.eq(2), tags.containsAny(["c"])));
  assert.deepEqual((await client.query({ where })).results, [placed]);
  assert.deepEqual([await client.exists({ where }), await client.exists({ where: "price > 41" })], [true, false]);
  assert.deepEqual(await client.getByKey("lamp"), placed);
  const written = await client.overwrite({ id: made.id, version: 4, key: "lamp", title: "Desk", price: 1 });
  assert.deepEqual([written.title, written.size], ["Desk", undefined]);
});

test("`modify` changes the fields that it gets, and keeps the others", async (t) => {
  const { client, clientOf } = await start(t, [lamp]);
  const other = clientOf();
  let runs = 0;
  const changed = await client.modify({ key: "lamp" }, async (now) => {
    if (++runs === 1) await other.createOrUpdate({ id: now.id, version: now.version, title: "Other" });
    return { price: now.price + 1, tags: null };
  });
  assert.deepEqual([runs, changed.version, changed.title, changed.price, changed.tags ?? []], [2, 3, "Other", 41, []]);
  const moved = await client.modify(changed.id, (now) => ({ ...now, key: "desk" }));
  assert.deepEqual([moved.key, moved.title, moved.size], ["desk", "Other", { height: 5 }]);
  const acted = await client.modify(moved.id, () => [{ action: "setTitle", title: "Last" }]);
  assert.deepEqual([acted.title, acted.version], ["Last", 5]);
  await assert.rejects(
    client.modify(moved.id, () => ({ price: null })),
    { kind: "invalid", outcome: "refused" },
  );
  const removed = client.modify(moved.id, () => ({ key: null }));
  await assert.rejects(removed, { kind: "invalid", message: /^The value of 'key' cannot be removed\./ });
  assert.equal(await client.modify(moved.id, () => ({})).then(({ version }) => version), 5);
  const deleted = client.modify(moved.id, async () => {
    await other.deleteById(moved.id);
    return { price: 1 };
  });
  await assert.rejects(deleted, { kind: "api", status: 404 });
  other.close();
});

test("views, `watch`, and collections have the resources", async (t) => {
  const { client } = await start(t, [lamp, { key: "cheap", title: "Cheap", price: 1 }]);
  const where = product.where(({ price }) => price.gte(10));
  const view = live(client, { where });
  const unsubscribe = view.subscribe(() => {});
  const shown = () => view.getSnapshot().items.map(({ title, price }) => `${title} ${price}`);
  await eventually(() => assert.deepEqual(shown(), ["Lamp 40"]));
  await client.modify({ key: "cheap" }, () => ({ price: 11 }));
  assert.deepEqual(shown().sort(), ["Cheap 11", "Lamp 40"]);
  unsubscribe();
  view.close();
  const titles = [];
  for await (const change of watch(client, { where })) {
    if (change.type === "set") titles.push(change.resource.title);
    if (change.type === "ready") break;
  }
  assert.deepEqual(titles.sort(), ["Cheap", "Lamp"]);

  /** @type {import("@tanstack/db").Collection<any, string>} */
  const collection = createCollection(resourceCollectionOptions({ client, where }));
  await collection.preload();
  const { id } = await client.getByKey("lamp");
  await collection.update(id, (item) => {
    item.price = 50;
    item.tags = undefined;
    item.size.height = 7;
  }).isPersisted.promise;
  const { title, price, tags = [], size } = await client.getById(id);
  assert.deepEqual({ title, price, tags, size }, { title: "Lamp", price: 50, tags: [], size: { height: 7 } });
  await collection.insert({ id: "new", key: "new", title: "New", price: 20 }).isPersisted.promise;
  assert.equal((await client.getById("new")).title, "New");
  await collection.delete("new").isPersisted.promise;
  assert.equal(await client.getById("new", {}, { orUndefined: true }), undefined);
  await collection.cleanup();
});
