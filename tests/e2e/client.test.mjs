// The npm package's client against the built Worker in workerd, through Node's `fetch`.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { predicate, ResourceClient } from "../../pkg/dist/node.js";
import { operations } from "../../pkg/dist/operations.js";
import { eventually, kvEqualsTruth, project, startForTests } from "./support.mjs";
import { clientOf, counted, failure, lagging, NASTY } from "../pkg/clients.mjs";

const worker = startForTests({ faulty: true });

const client = (project, options) => clientOf(worker, project, options);

describe("every operation", () => {
  test("works with gloo-net and with a custom fetch", async () => {
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
      /** @type {import("../../pkg/dist/client.js").ResponseEvent} */
      let received;
      const arrays = await c.updateByPath(
        "a/b",
        "c?d",
        { id: NASTY, custom: "x" },
        { queryParameterOne: -1.5 },
        { onResponse: (response) => (received = response) },
      );
      assert.deepEqual(arrays.arrayOfIntExample, [1, 2]);
      assert.deepEqual([received.status, received.headers.get("Resource-Revision").length], [200, 13]);
      const receipt = await c.updateWithUrnLinks({ id: NASTY }, undefined, { respondAsync: true });
      assert.match(receipt.dateTimeExampleRfc, / GMT$/);
      const gone = await c.deleteById(NASTY, { version: 6 });
      assert.deepEqual([gone.version, gone.custom], [6, "x"]);
      assert.equal((await failure(c.getById(NASTY))).code, "ResourceNotFound");
    }
  });

  test("has a method with its name", () => {
    for (const name of Object.keys(operations)) assert.equal(typeof ResourceClient.prototype[name], "function", name);
  });
});

test("a caller's headers replace no header of the client, and occur once", async () => {
  for (const options of [{ fetch: counted() }, {}]) {
    const name = project();
    const c = await client(name, {
      headers: { "cache-control": "max-age=9", "X-Correlation-ID": "of-the-client" },
      ...options,
    });
    const { id } = await c.createOrUpdate({ objectTypeProperty: {} });
    await eventually(() => kvEqualsTruth(worker, name));
    await lagging(worker, async () => {
      await (await client(name)).updateById(id, { version: 1, actions: [{ action: "doSomeThing" }] });
      /** @type {import("../../pkg/dist/client.js").ResponseEvent} */
      let received;
      const fresh = {
        fresh: true,
        headers: { "x-correlation-id": "of-the-call" },
        onResponse: ({ headers }) => (received = headers.get("X-Correlation-ID")),
      };
      assert.equal((await c.getById(id, {}, fresh)).version, 2);
      assert.equal(received, "of-the-call");
    });
  }
});
