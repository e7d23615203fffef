// The service in memory with resources of your own.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createService } from "../../pkg/dist/testing/index.js";

const resources = {
  resources: {
    product: {
      type: "object",
      required: ["title"],
      properties: {
        title: { type: "string", minLength: 1 },
        size: { type: "object", properties: { width: { type: "number" } } },
      },
    },
    supplier: { type: "object", required: ["email"], properties: { email: { type: "string", format: "email" } } },
  },
  projects: { products: "product", suppliers: "supplier" },
};

test("each project of the service in memory has its resource", async () => {
  const bodies = [{ key: "lamp", title: "Desk lamp", size: { width: 2.5 } }];
  const service = await createService({ resources, bodies, projectKey: "products", authenticate: false });
  const call = async (path, body) => {
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await service.fetch(path, body === undefined ? {} : init);
    return [response.status, await response.json()];
  };
  for (let run = 0; run < 2; run += 1) {
    const [, page] = await call("/products/resource?where=size.width%20%3E%202");
    assert.deepEqual(
      [page.total, page.results[0].title, page.results[0].objectTypeProperty],
      [1, "Desk lamp", undefined],
    );
    const [status, { errors }] = await call("/suppliers/resource", { email: "none", title: "x" });
    assert.deepEqual([status, errors.map(({ path }) => path)], [400, ["/email", "/title"]]);
    assert.equal((await call("/other/resource", { objectTypeProperty: {} }))[0], 201);
    await service.reset();
  }
  service.close();
});
