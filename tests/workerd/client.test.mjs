// The npm package's client against the built Worker in workerd, through Node's `fetch`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { predicate } from "../../pkg/dist/node.js";
import { project, startForTests } from "./support.mjs";
import { clientOf, failure, NASTY } from "../package/clients.mjs";

const worker = startForTests();

test("every operation works with gloo-net and with a custom fetch", async () => {
  for (const options of [{}, { fetch }]) {
    const c = await clientOf(worker, project(), options);
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
    /** @type {import("../../pkg/dist/node.js").ResponseEvent} */
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
