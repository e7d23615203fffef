// The OpenAPI document of a declared resource, on workerd, beside the console's files: every response is as it says.
// tests/native/handler/documents.rs shows who gets which document.

import assert from "node:assert/strict";
import { test } from "node:test";
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

const worker = startForTests({ resources: { resources: { product: PRODUCT } }, site: true });
const FRESH = { "Cache-Control": "no-cache" };

/** Returns the document of a project, and a function that calls it and checks each response against the document. */
async function checked(project) {
  const document = new Document((await worker.send({ method: "GET", target: `/${project}/openapi.json` })).text);
  /** Calls it. A text is lines of an import, and any other body is JSON. */
  const send = async (line, body, headers = {}) => {
    const [method, path] = line.split(" ");
    const target = `/${project}${path}`;
    const sent = typeof body === "string" ? { lines: body } : { body };
    const answer = await worker.call(`${method} ${target}`, { ...sent, headers });
    const about = `${line} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`;
    assert.equal(document.broken({ method, target }, answer), undefined, about);
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
    [400, "POST /import", `${JSON.stringify({ ...line, title: "x" })}\n`],
    [200, "GET /status"],
  ])) {
    assert.equal((await send(.../** @type {[string, any?, any?]} */ (request))).status, status, request.join(" "));
  }
  const { id } = (await send("GET /resource/key=lamp", undefined, FRESH)).json;
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
  const { id, version } = (await send("GET /resource/key=first", undefined, FRESH)).json;
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
