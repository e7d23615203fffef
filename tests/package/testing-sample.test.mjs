// Sample resources of `resource-edge/testing`: valid for their schema, and the same in each run.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ResourceClient, resource } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";

const properties = {
  title: { type: "string", minLength: 3, maxLength: 12 },
  sku: { type: "string", pattern: "^[A-Z]{2}-(?:\\d{1,4}|x[^a-z]+)\\w?$", "x-unique": true },
  price: { type: "number", minimum: 0.5, exclusiveMaximum: 2 },
  stock: { type: "integer", exclusiveMinimum: 3, multipleOf: 5, maximum: 5000, "x-unique": true },
  status: { enum: ["draft", "active"] },
  fixed: { const: "one" },
  side: { anyOf: [{ const: "left" }, { enum: ["right"] }, { const: null }] },
  isNew: { type: ["boolean", "null"] },
  tags: { type: "array", items: { $ref: "#/$defs/a~1~0tag" }, uniqueItems: true, minItems: 1, maxItems: 2 },
  size: { type: "object", required: ["width"], properties: { width: { type: "number" }, height: { type: "number" } } },
  variants: { type: "array", items: { type: "object", properties: { color: { examples: ["red"], type: "string" } } } },
  ...Object.fromEntries(
    ["date-time", "date", "time", "email", "uri", "uuid", "hostname", "ipv4", "ipv6"].map((format) => [
      `a_${format.replace("-", "_")}`,
      { anyOf: [{ type: "string", format }, { type: "null" }] },
    ]),
  ),
};
const tag = { type: "string", maxLength: 5 };
const product = { type: "object", required: ["title", "sku", "price"], properties, $defs: { "a/~tag": tag } };

/** Returns the content of a service's resources. */
async function contentOf(t, options) {
  const resources = { resources: { product } };
  const service = await createService({ resources, ...options });
  t.after(() => service.close());
  const client = new ResourceClient({ ...service.clientOptions(), resource: resource(resources, "product") });
  const all = [];
  for await (const { id, version, createdAt, lastModifiedAt, ...content } of client.all()) all.push(content);
  return all.sort((a, b) => (a.sku < b.sku ? -1 : 1));
}

test("a sample is valid, has every field, and is the same for the same seed", async (t) => {
  const first = await contentOf(t, { sample: 300 });
  assert.equal(first.length, 300);
  assert.deepEqual(
    Object.keys(properties).filter((name) => first.every((content) => content[name] === undefined)),
    [],
  );
  assert.ok(first.some(({ stock }) => stock === undefined) && new Set(first.map(({ stock }) => stock)).size > 200);
  assert.deepEqual([...new Set(first.map(({ side }) => side))].sort(), ["left", "right", undefined]);
  assert.deepEqual(await contentOf(t, { sample: 300 }), first);
  assert.notDeepEqual(await contentOf(t, { sample: 300, seed: 2 }), first);
  const beside = await contentOf(t, { sample: 2, bodies: [{ title: "Own", sku: "ZZ-0", price: 1 }] });
  assert.deepEqual([beside.length, beside.at(-1).title], [3, "Own"]);
});

test("what cannot be made is an error that says what to do", async () => {
  const lookahead = { ...properties, sku: { type: "string", pattern: "^(?=a)\\w+$" } };
  const resources = { resources: { product: { ...product, properties: lookahead } } };
  await assert.rejects(createService({ resources, sample: 1 }), {
    message: "sample: no text for the pattern of '/sku' was found. Pass bodies instead.",
  });
  await assert.rejects(createService({ sample: 1 }), {
    message: "sample: the project 'demo' has no resource of 'resources'. Pass bodies instead.",
  });
});
