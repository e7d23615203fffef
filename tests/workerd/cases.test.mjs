// The case files of tests/cases against the built Worker, over real sockets, and against the OpenAPI document that it
// serves: the document describes every response.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
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
const worker = await workerFor();
after(async () => {
  for (const one of workers.values()) await (await one).stop();
});

test("the served document equals the committed one, and an independent validator accepts it", async () => {
  const { text } = await worker.send({ method: "GET", target: "/openapi.json" });
  assert.deepEqual(JSON.parse(text), JSON.parse(readFileSync(FILE, "utf8")));
  assert.deepEqual(await new Validator().validate(JSON.parse(text)), { valid: true });
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
      const send = async (target, body, key = "") => {
        const headers = {
          Authorization: `Bearer ${token}`,
          "Content-Type": media,
          ...(key && { "Idempotency-Key": key }),
        };
        const request = { method: method.toUpperCase(), target, headers, body };
        const answer = await worker.send(request);
        assert.equal(document.broken(request, answer), undefined);
        return answer.status;
      };
      if (operation.requestBody !== undefined) assert.equal(await send(target, " ".repeat(1024 * 1024 + 1)), 413, path);
      if (operation.tags.includes("service")) continue;
      const example = operation.requestBody?.content[media].example;
      await send(target, example && JSON.stringify(example), operation.operationId);
      const other = operation.requestBody === undefined ? `${target}?version=7` : target;
      const again = await send(other, example && JSON.stringify(example, null, 1), operation.operationId);
      assert.equal(again, 422, `${method} ${path}`);
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
  // Cases open no sockets: sockets.test.mjs does.
  const elsewhere = / (429|500|503|507)$|^restore 200$|^changes 101$/;
  const unseen = all.filter((answer) => !document.seen.has(answer) && !elsewhere.test(answer));
  assert.deepEqual(unseen, []);
});
