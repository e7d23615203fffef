// The OpenAPI documents of projects with a declared resource, on workerd: without a token, beside the console's files,
// and every response is as its document describes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Document } from "./support/document.mjs";
import { startForTests } from "./support.mjs";

const PRODUCT = {
  type: "object",
  required: ["title"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 20, "x-title": true },
    price: { type: ["number", "null"], minimum: 0 },
    status: { enum: ["draft", "active"], default: "draft" },
    sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$", "x-unique": true },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    size: { $ref: "#/$defs/size" },
    parts: { type: "array", items: { $ref: "#/$defs/size" } },
  },
  $defs: { size: { type: "object", required: ["width"], properties: { width: { type: "integer", minimum: 1 } } } },
};
const SUPPLIER = { type: "object", properties: { email: { type: "string", format: "email" } } };
const RESOURCES = {
  resources: { product: PRODUCT, supplier: SUPPLIER },
  projects: { "products*": "product", suppliers: "supplier" },
};

const worker = startForTests({ resources: RESOURCES, site: true });

/** Requests a document without a token. */
const read = (project, headers = {}, method = "GET") =>
  worker.send({ method, target: `/${project}/openapi.json`, headers });

test("each project has the document of its resource, which an independent validator accepts", async () => {
  const { text: general } = await worker.send({ method: "GET", target: "/openapi.json" });
  assert.equal((await read("demo")).text, general);
  for (const [project, name, field] of [
    ["products", "product", "title"],
    ["products-2", "product", "title"],
    ["suppliers", "supplier", "email"],
  ]) {
    const { status, text, headers } = await read(project);
    assert.equal(status, 200);
    const document = JSON.parse(text);
    assert.equal(document["x-resource"].name, name);
    assert.deepEqual(document["x-resource"].schema.properties[field], RESOURCES.resources[name].properties[field]);
    assert.deepEqual(await new Validator().validate(JSON.parse(text)), { valid: true });
    assert.equal(headers["content-type"], "application/json; charset=utf-8");
    assert.equal(headers["cache-control"], "public, max-age=300");
    assert.match(headers.etag, /^"[\w-]{43}"$/);
  }
});

test("a document is read by pages of any origin, and not sent again", async () => {
  const { headers } = await read("products", { Origin: "https://shop.example" });
  assert.equal(headers["access-control-allow-origin"], "*");
  const { etag } = headers;
  const again = await read("products", { "If-None-Match": etag });
  assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag]);
  const head = await read("products", {}, "HEAD");
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", etag]);
  assert.equal((await read("suppliers", { "If-None-Match": etag })).status, 200);
  const { status, headers: allowed } = await read("products", {}, "DELETE");
  assert.deepEqual([status, allowed.allow], [405, "GET, HEAD"]);
});

/** Returns the document of a project, and a function that calls it and checks each response against the document. */
async function checked(project) {
  const document = new Document((await read(project)).text);
  const token = await worker.token(project);
  const send = async (line, body, headers = {}) => {
    const [method, path] = line.split(" ");
    const all = { Authorization: `Bearer ${token}`, ...headers };
    if (body !== undefined && all["Content-Type"] === undefined) all["Content-Type"] = "application/json";
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = { method, target: `/${project}${path}`, headers: all, body: text };
    const answer = await worker.send(request);
    assert.equal(document.broken(request, answer), undefined, `${line} ${text}: ${answer.status} ${answer.text}`);
    return answer;
  };
  return { document, send };
}

test("every response of a declared resource is as its document describes it", async () => {
  const { document, send } = await checked("products");
  const byPath = "POST /resource/artificially-complex/path/uri-parameter-one=a/b";
  const urn = "POST /resource/description-with-urn-links";
  const lamp = { key: "lamp", title: "Lamp", sku: "AB-1", tags: ["red"], size: { width: 2 }, parts: [{ width: 1 }] };
  const where = encodeURIComponent('size.width > 1 and tags contains any ("red")');
  const search = "GET /resource/searchApiPattern?text.en=lamp&facet=status&facet=price:range(0%20to%2010)";
  const set = { version: 3, actions: [{ action: "setPrice", price: 2 }] };
  const line = {
    id: "x",
    version: 1,
    createdAt: "2020-01-01T00:00:00.000Z",
    lastModifiedAt: "2020-01-01T00:00:00.000Z",
  };
  for (const [status, ...request] of /** @type {[number, string, any?, any?][]} */ ([
    [201, "POST /resource", lamp],
    [200, "POST /resource", { key: "lamp", version: 1, price: 4 }],
    [200, "PATCH /resource", { ...lamp, version: 2 }],
    [400, "POST /resource", { key: "other", title: "", price: -1, sku: "x", unknown: 1 }],
    [400, "POST /resource", { key: "other", title: "Other", sku: "AB-1" }],
    [404, "POST /resource", { key: "other", version: 1 }],
    [404, "PATCH /resource", { key: "other", title: "x", version: 1 }],
    [201, "PUT /resource", { key: "two", title: "Two", version: 1, sku: "AB-2" }],
    [400, "PUT /resource", { title: "x", version: 1 }],
    [404, byPath, { key: "other", title: "Other" }],
    [404, urn, { key: "other" }],
    [400, urn, { title: "Which?" }],
    [200, byPath, { key: "two", price: 1 }],
    [200, urn, { key: "two", price: 2 }],
    [202, urn, { key: "two", price: 3 }, { Prefer: "respond-async" }],
    [400, byPath, { key: "two", sku: "AB-1" }],
    [200, `GET /resource?where=${where}`],
    [400, "GET /resource?stringParameter=a"],
    [200, "HEAD /resource?where=price%20is%20defined"],
    [404, "HEAD /resource?where=price%20%3E%20100"],
    [200, search],
    [200, "GET /resource/sorted-query-parameters?sort=price%20desc"],
    [200, "GET /resource/key=lamp"],
    [404, "GET /resource/key=none"],
    [200, "GET /export"],
    [200, "GET /changes"],
    [400, "POST /import", `${JSON.stringify({ ...line, title: "x" })}\n`, { "Content-Type": "application/x-ndjson" }],
    [200, "GET /status"],
  ])) {
    assert.equal((await send(.../** @type {[string, any?, any?]} */ (request))).status, status, request.join(" "));
  }
  const { id } = JSON.parse((await send("GET /resource/key=lamp", undefined, { "Cache-Control": "no-cache" })).text);
  assert.equal((await send(`POST /resource/${id}`, set)).status, 200);
  assert.equal((await send(`POST /resource/${id}`, set)).status, 409);
  const same = {
    version: 4,
    actions: [
      { action: "setSku", sku: "AB-2" },
      { action: "addTags", tags: ["blue"] },
    ],
  };
  assert.equal((await send(`POST /resource/${id}`, same)).status, 400);
  assert.equal((await send("POST /resource/none", set)).status, 404);
  assert.equal((await send(`DELETE /resource/${id}?version=4`)).status, 200);
  assert.ok(document.seen.size >= 28, [...document.seen].join(", "));
});

test("every example of a body is accepted, and the examples of parameters too", async () => {
  const { document, send } = await checked("products-2");
  const example = (operation) => operation.requestBody.content["application/json"].example;
  const { post, patch, put } = document.json.paths["/{projectKey}/resource"];
  assert.equal((await send("POST /resource", example(post))).status, 201);
  assert.equal((await send("PATCH /resource", example(patch))).status, 200);
  assert.equal((await send("PUT /resource", { ...example(put), version: 2 })).status, 200);
  const urn = document.json.paths["/{projectKey}/resource/description-with-urn-links"].post;
  assert.equal((await send("POST /resource/description-with-urn-links", example(urn))).status, 200);
  const { id, version } = JSON.parse(
    (await send("GET /resource/key=first", undefined, { "Cache-Control": "no-cache" })).text,
  );
  const update = document.json.paths["/{projectKey}/resource/{id}"].post;
  assert.equal((await send(`POST /resource/${id}`, { ...example(update), version })).status, 200);
  for (const path of ["/resource", "/resource/searchApiPattern", "/resource/sorted-query-parameters"]) {
    for (const reference of document.json.paths[`/{projectKey}${path}`].get.parameters) {
      const { in: place, name, example: value } = document.resolve(reference);
      if (place !== "query") continue;
      const pairs = Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]];
      const query = new URLSearchParams(typeof value === "object" && !Array.isArray(value) ? value : pairs);
      if (name === "fuzzyLevel") query.set("fuzzy", "true");
      assert.equal((await send(`GET ${path}?${query}`)).status, 200, `${path}?${query}`);
    }
  }
});
