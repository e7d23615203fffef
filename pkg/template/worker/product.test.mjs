// Tests with the service in memory: `npm test`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, beforeEach, test } from "node:test";
import { ResourceClient } from "resource-edge";
import { createService } from "resource-edge/testing";
import { product } from "./resource-edge.js";

const resources = JSON.parse(readFileSync("resources.json", "utf8"));
// Random products that the schema allows, the same in each run.
const service = await createService({ resources, sample: 20 });
const connect = () => new ResourceClient({ ...service.clientOptions(), resource: product });

beforeEach(() => service.reset());
after(() => service.close());

test("a product needs a title and a price", async () => {
  const { errors } = await connect()
    .create(/** @type {any} */ ({ price: -1 }))
    .catch((error) => error);
  assert.deepEqual(
    errors.map(({ path }) => path),
    ["/price", "/title"],
  );
});

test("somebody else's change is not lost", async () => {
  const client = connect();
  const { id } = await client.create({ title: "Lamp", price: 40 });
  service.fail({ operation: "createOrUpdate", conflict: true });
  const lamp = await client.modify(id, (now) => ({ price: now.price - 5 }));
  assert.deepEqual([lamp.price, lamp.version], [35, 3]);
  assert.equal((await client.query()).total, 21);
});
