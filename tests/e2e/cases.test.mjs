// The case files of tests/cases against the built Worker, over real sockets, and against the OpenAPI document that it
// serves: the document describes every response.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { runAll } from "./cases.mjs";
import { Document, FILE } from "./support/document.mjs";
import { ROOT, project, start } from "./support.mjs";

const folder = join(ROOT, "tests/cases");
const document = new Document();
const workers = new Map();
/** Starts one Worker for all files with the same settings. */
const workerFor = (changes) => {
  const name = JSON.stringify(changes ?? {});
  if (!workers.has(name)) workers.set(name, start({ changes, site: true }));
  return workers.get(name);
};
let worker;
before(async () => {
  worker = await workerFor();
});
after(async () => {
  for (const one of workers.values()) await (await one).stop();
});

const get = (headers = {}, method = "GET") => worker.send({ method, target: "/openapi.json", headers });

test("the served document needs no token and equals the committed one", async () => {
  const answer = await get();
  assert.equal(answer.status, 200);
  assert.deepEqual(JSON.parse(answer.text), JSON.parse(readFileSync(FILE, "utf8")));
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(answer.headers["cache-control"], "public, max-age=300");
  assert.equal(answer.headers["access-control-allow-origin"], "*");
  const { etag } = answer.headers;
  const again = await get({ "If-None-Match": etag });
  assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag]);
  const other = await get({ "If-None-Match": '"another"' });
  assert.deepEqual([other.status, other.text], [200, answer.text]);
  const head = await get({}, "HEAD");
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", etag]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const refused = await get({}, method);
    assert.deepEqual([refused.status, refused.headers.allow], [405, "GET, HEAD"], method);
  }
});

test("an independent validator accepts the document", async () => {
  const result = await new Validator().validate(JSON.parse((await get()).text));
  assert.deepEqual(result, { valid: true });
});

test("every example in the document is accepted, and gets the documented response", async () => {
  const name = project();
  const { paths } = document.json;
  const draft = paths["/{projectKey}/resource"].post.requestBody.content["application/json"].example;
  const created = await worker.call(`POST /${name}/resource`, { body: draft });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  const send = async (operation, path, method) => {
    const filled = path
      .replace("{projectKey}", name)
      .replace("{id}", id)
      .replace("{key}", "first")
      .replace(/\{\w+\}/g, "x");
    const query = new URLSearchParams();
    const parameters = (operation.parameters ?? []).map((one) => document.resolve(one));
    for (const one of parameters.filter((parameter) => parameter.in === "query" && parameter.name !== "version")) {
      const value = one.example ?? JSON.stringify(one.content["application/json"].example);
      if (Array.isArray(value)) for (const item of value) query.append(one.name, item);
      else if (typeof value === "object") for (const [inner, text] of Object.entries(value)) query.append(inner, text);
      else query.append(one.name, value);
    }
    const media = operation.requestBody?.content["application/json"];
    const token = await worker.token(name);
    const headers = { Authorization: `Bearer ${token}`, ...(media ? { "Content-Type": "application/json" } : {}) };
    const body = media ? JSON.stringify(media.example) : undefined;
    const target = query.size > 0 ? `${filled}?${query}` : filled;
    const request = { method: method.toUpperCase(), target, headers, body };
    const answer = await worker.send(request);
    const what = `${request.method} ${target} ${body ?? ""}: ${answer.status} ${answer.text}`;
    // A query with every parameter, or an update of another version, may find nothing. No request is malformed.
    assert.ok(answer.status < 300 || [404, 409].includes(answer.status), what);
    assert.equal(document.broken(request, answer), undefined, what);
  };
  let count = 0;
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (method === "parameters" || operation.tags.includes("service") || method === "delete") continue;
      await send(operation, path, method);
      count += 1;
    }
  }
  assert.equal(count, 12);
});

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  test(`${file}: every response is the expected one, in the documented form`, async () => {
    const cases = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const real = await workerFor(cases.settings);
    const broken = [];
    const send = async (request) => {
      const answer = await real.send(request);
      const wrong = document.broken(request, answer);
      if (wrong !== undefined) {
        broken.push(`${request.method} ${request.target.slice(0, 200)}: ${wrong}\n  ${answer.text.slice(0, 300)}`);
      }
      return answer;
    };
    await runAll(cases, { ...real, send }, project);
    assert.deepEqual(broken, []);
  });
}

test("a body that is too large and a reused idempotency key get the documented responses", async () => {
  const name = project();
  const token = await worker.token(name);
  for (const [path, item] of Object.entries(document.json.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.requestBody === undefined && method !== "delete") continue;
      const target = path.replace("{projectKey}", name).replace(/\{\w+\}/g, "a");
      const [media] = Object.keys(operation.requestBody?.content ?? { none: {} });
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": media };
      const expect = async (status, change, body) => {
        const request = { method: method.toUpperCase(), target, headers: { ...headers, ...change }, body };
        const answer = await worker.send(request);
        assert.equal(answer.status, status, `${request.method} ${target}: ${answer.text}`);
        assert.equal(document.broken(request, answer), undefined);
      };
      if (operation.requestBody !== undefined) await expect(413, {}, " ".repeat(1024 * 1024 + 1));
      if (operation.tags.includes("service")) continue;
      const key = { "Idempotency-Key": operation.operationId };
      const example = operation.requestBody?.content[media].example;
      const first = {
        method: method.toUpperCase(),
        target,
        headers: { ...headers, ...key },
        body: example && JSON.stringify(example),
      };
      const response = await worker.send(first);
      assert.equal(document.broken(first, response), undefined);
      const other = operation.requestBody === undefined ? `${target}?version=7` : target;
      const again = { ...first, target: other, body: example && JSON.stringify(example, null, 1) };
      const refused = await worker.send(again);
      assert.equal(refused.status, 422, `${again.method} ${other}: ${refused.text}`);
      assert.equal(document.broken(again, refused), undefined);
    }
  }
});

test("every documented response occurs, except those of outages and platform limits", () => {
  const all = Object.values(document.json.paths).flatMap((item) =>
    Object.entries(item)
      .filter(([name]) => name !== "parameters")
      .flatMap(([, operation]) =>
        Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`),
      ),
  );
  // The local platform keeps no past: restore.test.mjs has one. Its disk has room: full.test.mjs has a full one.
  const elsewhere = / (429|500|503|507)$|^restore 200$/;
  const unseen = all.filter((answer) => !document.seen.has(answer) && !elsewhere.test(answer));
  assert.deepEqual(unseen, []);
});
