// Status, export, and import by the npm package's client, against the service in memory.

import assert from "node:assert/strict";
import { test as plainTest } from "node:test";

import { importBackup } from "../../pkg/dist/backup/backup.js";
import { ResourceClient } from "../../pkg/dist/node.js";
import { programOf } from "../support/blocks.mjs";
import { clientWith, failure } from "./clients.mjs";
import { draft, test } from "./service.mjs";

/** Returns a client of another project of the service. */
const other = (service) => new ResourceClient(service.clientOptions({ projectKey: "other" }));

async function listed(lines) {
  const all = [];
  for await (const line of lines) all.push(line);
  return all;
}

test("the guide's recipe copies a project exactly", async ({ service, client: from }) => {
  const to = other(service);
  for (let at = 0; at < 3; at++) await from.createOrUpdate(draft({ key: `k${at}`, custom: "ä".repeat(at) }));
  const { id } = await from.getByKey("k1");
  await from.deleteById(id);
  const recipe = programOf("js", "importLines");
  const printed = [];
  const run = new Function("from", "to", "console", `return (async () => {${recipe}\nreturn result;})();`);
  const result = await run(from, to, { log: (count) => printed.push(count) });
  const { newestRevision } = await from.status();
  assert.deepEqual(result, { imported: 3, skipped: 0, isComplete: true, newestRevision });
  assert.deepEqual(printed, [3]);
  // The end has the position, which is another project's.
  const states = async (client) => (await listed(client.exportLines())).slice(0, -1);
  assert.deepEqual(await states(to), await states(from));
  assert.deepEqual(await to.getByKey("k2"), await from.getByKey("k2"));
  assert.equal((await to.status()).resources, 2);
});

test("pages and requests follow each other, and a repeat skips what the project has", async ({ service, client }) => {
  for (let at = 0; at < 7; at++) await client.createOrUpdate(draft({ custom: "x".repeat(100_000) }));
  const lines = await listed(client.exportLines());
  assert.equal(lines.length, 8);
  const requests = ({ operation }) => operation;
  const exports = () => service.requests.filter(({ path }) => path.endsWith("/export")).length;
  assert.ok(exports() > 2, service.requests.map(requests).join());
  const to = other(service);
  const counts = [];
  // An interrupted import: its first lines, as an iterable that is not asynchronous, and with line feeds.
  await to.importLines(lines.slice(0, 3).map((line) => `${line}\n`));
  const result = await to.importLines(lines, {
    onProgress: ({ imported, skipped }) => counts.push([imported, skipped]),
  });
  assert.deepEqual([result.imported, result.skipped, result.isComplete], [4, 3, true]);
  assert.ok(counts.length > 2, JSON.stringify(counts));
  assert.deepEqual(counts.at(-1), [4, 3]);
});

test("an export continues after the position in its end", async ({ client }) => {
  await client.createOrUpdate(draft({ key: "a" }));
  const { end } = JSON.parse((await listed(client.exportLines())).at(-1));
  await client.createOrUpdate(draft({ key: "b" }));
  const [line, ...rest] = await listed(client.exportLines({ after: end }));
  assert.equal(JSON.parse(line).key, "b");
  assert.equal(rest.length, 1);
});

test("a page that failed is requested again, and a lost import is repeated", async ({ service, client }) => {
  await client.createOrUpdate(draft({ key: "a" }));
  const failed = [];
  // The first request is not answered, and that of an import is performed.
  const fetch = async (url, init) => {
    const response = url.endsWith("/export") && failed.length === 0 ? undefined : await service.fetch(url, init);
    if (failed.includes(init.method)) return response;
    failed.push(init.method);
    throw new TypeError("fetch failed");
  };
  const options = (projectKey) => ({ ...service.clientOptions({ projectKey }), fetch, retry: { baseDelay: 1 } });
  const lines = await listed(new ResourceClient(options("demo")).exportLines());
  const { imported, skipped, isComplete } = await new ResourceClient(options("other")).importLines(lines);
  assert.deepEqual(failed, ["GET", "POST"]);
  assert.deepEqual([imported, skipped, isComplete], [0, 1, true]);
});

test("an import's error has the number of the line, also in a later request", async ({ service, client }) => {
  for (let at = 0; at < 5; at++) await client.createOrUpdate(draft({ custom: "x".repeat(100_000) }));
  const lines = await listed(client.exportLines());
  lines[4] = lines[4].replace('"version":1', '"version":"1"');
  const error = await failure(other(service).importLines(lines));
  assert.deepEqual([error.status, error.errors[0].line, error.errors[0].path], [400, 5, "/version"]);
  assert.equal((await failure(client.importLines([{}]))).kind, "invalid");
});

test("without manage_test the calls are refused", async ({ service }) => {
  const viewer = new ResourceClient(service.clientOptions({ scope: "view_test" }));
  for (const call of [viewer.status(), viewer.exportLines().next(), viewer.importLines(["{}"])])
    assert.ok((await failure(call)).isForbidden);
});

plainTest("a response that is not the service's is no result", async () => {
  const { client, sent } = clientWith(() => new Response("[]"));
  assert.equal((await failure(client.importLines(["{}"]))).kind, "unexpected");
  assert.equal((await failure(clientWith(() => new Response("<html>")).client.status())).kind, "unexpected");
  const [{ method, url, headers, body }] = sent;
  assert.deepEqual(
    [method, url, headers["Content-Type"], body],
    ["POST", "http://h/demo/import", "application/x-ndjson", "{}"],
  );
  assert.equal(headers["Idempotency-Key"], undefined);
});

plainTest("a backup of which the service takes no line ends with an error", async () => {
  const { signal } = new AbortController();
  const file = new Blob(['{"id":"a"}\n']);
  const contents = { imported: 0, next: { offset: 0, number: 1 } };
  let sent = 0;
  const send = async () => {
    // An endless loop would not let the test end.
    if (++sent > 3) throw new Error("it was sent again");
    return { taken: 0, imported: 0, skipped: 0 };
  };
  const importing = importBackup(file, /** @type {any} */ ({ contents, signal, send, progress() {} }));
  await assert.rejects(importing, { message: "The service has taken no line of the import." });
  assert.equal(sent, 1);
});
