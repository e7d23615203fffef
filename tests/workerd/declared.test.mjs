// Resources that a deployment declares (resources.json), end to end: `resource-edge serve` on plain workerd.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startGroup } from "../support/group.mjs";
import { eventually } from "../support/waiting.mjs";
import { connectTo, folder, ROOT, settings } from "./support.mjs";

const SCRIPT = join(ROOT, "build/self-hosted/serve.mjs");

const PRODUCT = {
  type: "object",
  required: ["title"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 20 },
    price: { type: "number", minimum: 0 },
    sku: { type: "string", pattern: "^\\p{Lu}{2}-[0-9]+$" },
    tags: { type: "array", items: { type: "string" } },
    size: { type: "object", properties: { width: { type: "number" } } },
  },
};
const SUPPLIER = {
  type: "object",
  required: ["email"],
  properties: { email: { type: "string", format: "email" }, title: { type: "integer" } },
};
const RESOURCES = {
  $schema: "node_modules/resource-edge/resources.schema.json",
  resources: { product: PRODUCT, supplier: SUPPLIER },
  projects: { products: "product", "suppliers-*": "supplier" },
};
const LAMP = { key: "lamp", title: "Desk lamp", price: 40, sku: "ÄB-7", tags: ["red"], size: { width: 2.5 } };

/** Writes the resources of a folder. */
function declare(path, /** @type {object} */ resources = RESOURCES) {
  writeFileSync(join(path, "resources.json"), JSON.stringify(resources));
}

/** Starts the script in a folder, on a free port. */
async function serve(cwd) {
  const env = { PATH: process.env.PATH, ...settings() };
  const server = startGroup(process.execPath, [SCRIPT, "--port", "0"], { cwd, env });
  const [, url] = (await server.printed(/Serving (http:\S+)/)) ?? [];
  return connectTo(server, new URL(url));
}

const where = (condition) => `where=${encodeURIComponent(condition)}`;

test("each project has its resource, and keeps it through a crash", { timeout: 60_000 }, async () => {
  const path = folder();
  declare(path);
  const first = await serve(path);
  const { status, json: lamp } = await first.call("POST /products/resource", { body: LAMP });
  assert.equal(status, 201);
  const system = ["id", "version", "key", "createdAt", "lastModifiedAt"];
  assert.deepEqual(Object.keys(lamp), [...system, "title", "price", "sku", "tags", "size"]);
  const body = { key: "one", email: "a@example.org", title: 7 };
  assert.equal((await first.call("POST /suppliers-1/resource", { body })).status, 201);
  const plain = await first.call("POST /demo/resource", { body: { objectTypeProperty: {} } });
  assert.deepEqual([plain.status, plain.json.objectTypeProperty.arrayOfIntExample], [201, []]);
  // The rules are those of the project, and the pattern is one of ECMAScript.
  const wrong = { ...LAMP, title: "", price: -1, sku: "ab-7", size: { width: "1" }, email: "a@example.org" };
  const refused = await first.call("POST /products/resource", { body: wrong });
  const paths = refused.json.errors.map(({ path }) => path);
  assert.deepEqual([refused.status, paths], [400, ["/title", "/price", "/sku", "/size/width", "/email"]]);
  await first.end("SIGKILL");

  const second = await serve(path);
  assert.deepEqual((await second.call("GET /products/resource/key=lamp")).json, lamp);
  const page = await second.call(`GET /products/resource?${where('size.width > 2 and title = "Desk lamp"')}`);
  assert.deepEqual(page.json, { limit: 20, offset: 0, count: 1, total: 1, results: [lamp] });
  /** @type {[string, string, number][]} */
  const conditions = [
    ["products", "title = 7", 400],
    ["suppliers-1", "title = 7", 200],
    ["suppliers-1", "price > 1", 400],
    ["demo", "price > 1", 400],
  ];
  for (const [project, condition, expected] of conditions) {
    const got = await second.call(`GET /${project}/resource?${where(condition)}`);
    assert.deepEqual([got.status, got.json.total], [expected, expected === 200 ? 1 : undefined], condition);
  }
  const unknown = await second.call("GET /products/resource?stringParameter=a");
  assert.deepEqual([unknown.status, unknown.json.errors[0].reason], [400, "unknownParameter"]);
  const line = "POST /products/resource/description-with-urn-links";
  const merged = await second.call(line, { body: { key: "lamp", price: 41 } });
  assert.deepEqual({ ...merged.json, lastModifiedAt: 0 }, { ...lamp, version: 2, price: 41, lastModifiedAt: 0 });
  // The write reaches KV, from which a plain read is.
  await eventually(async () => {
    assert.deepEqual((await second.call("GET /products/resource/key=lamp")).json, merged.json);
  });
  await second.end("SIGTERM");
});

test("a field may get another type: the index follows at the next start", { timeout: 60_000 }, async () => {
  const path = folder();
  declare(path);
  const first = await serve(path);
  assert.equal((await first.call("POST /products/resource", { body: LAMP })).status, 201);
  await first.end("SIGKILL");
  // The index has to be rebuilt, in parts. An alarm may begin that, whose object knows only the stored key.
  const { price, ...others } = PRODUCT.properties;
  const changed = { ...PRODUCT, properties: { ...others, price: { type: "string" } } };
  declare(path, { ...RESOURCES, resources: { product: changed, supplier: SUPPLIER } });
  const second = await serve(path);
  await eventually(async () => {
    const got = await second.call(`GET /products/resource?${where('price is not defined and title = "Desk lamp"')}`);
    assert.deepEqual([got.status, got.json.total], [200, 1]);
  });
  await second.end("SIGTERM");
  assert.ok(!second.output.includes("store fault") && !second.output.includes("trap"), second.output);
});
