// The service of a team that has applied fork.patch: one more operation, and one more parameter. `.ci/fork` runs it in
// a patched copy.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { clientOf } from "../../package/clients.mjs";
import { project, ROOT, startForTests } from "../../workerd/support.mjs";

const name = project();
const call = (line, options) => worker.call(line, options);
const worker = startForTests({ site: true }, async () => {
  for (const [id, someProperty] of Object.entries({ a: "first", b: "second", c: undefined })) {
    const { status, text } = await call(`POST /${name}/resource`, {
      body: { id, someProperty, objectTypeProperty: {} },
    });
    assert.equal(status, 201, text);
  }
});

/** Returns the OpenAPI document that the service serves. */
const document = async () => JSON.parse((await worker.send({ method: "GET", target: "/openapi.json" })).text);
/** Returns the IDs that a query with these parameters finds, in its order. */
async function found(params, path) {
  const { status, json, text } = await call(`GET /${name}/resource${path}?${new URLSearchParams(params)}`);
  assert.equal(status, 200, text);
  return json.results.map(({ id }) => id).join("");
}

/** Checks a program against the types of the package. */
function compile(program) {
  const file = join(ROOT, "tests/repository/fork/sample.ts");
  writeFileSync(file, program);
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"];
  try {
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), [...options, "--types", "node", file], {
      cwd: ROOT,
      encoding: "utf8",
    });
  } catch (error) {
    throw new Error(/** @type {{ stdout: string }} */ (error).stdout);
  }
}

test("the operation returns resources in the order of changes, with either scope", async () => {
  await call(`POST /${name}/resource`, { body: { id: "b", key: "second", objectTypeProperty: {} } });
  assert.equal(await found({}, "/recent"), "bca");
  assert.equal(await found({ limit: "1", where: "someProperty is defined" }, "/recent"), "b");
  assert.equal(await found({ sort: "someProperty asc" }, "/recent"), "abc");
  const line = `/${name}/resource/recent`;
  assert.equal((await call(`GET ${line}`, { permission: "view_test" })).status, 200);
  const { headers, status } = await call(`POST ${line}`, { body: {} });
  assert.deepEqual([status, headers.allow], [405, "GET, HEAD"]);
  assert.equal((await worker.send({ method: "GET", target: line })).status, 401);
  const other = { Authorization: `Bearer ${await worker.token(project(), "view_test")}` };
  assert.equal((await worker.send({ method: "GET", target: line, headers: other })).status, 403);
  const get = (await document()).paths["/{projectKey}/resource/recent"].get;
  assert.equal(get.operationId, "queryRecent");
  assert.ok(get.security.some(({ bearer }) => bearer?.includes("view_test")));
});

test("the parameter limits the results, and is checked", async () => {
  const sorted = "/sorted-query-parameters";
  assert.equal(await found({ withoutKey: "true" }, sorted), "ac");
  assert.equal(await found({ withoutKey: "false" }, sorted), "abc");
  assert.equal(await found({ withoutKey: "true", where: 'id != "a"' }, sorted), "c");
  const { status, json } = await call(`GET /${name}/resource${sorted}?withoutKey=yes`);
  assert.deepEqual([status, json.errors[0].parameter, json.errors[0].expected], [400, "withoutKey", ["boolean"]]);
  assert.equal((await call(`GET /${name}/resource?withoutKey=true`)).status, 400);
  const api = await document();
  const { parameters } = api.paths["/{projectKey}/resource/sorted-query-parameters"].get;
  const named = parameters.map(({ $ref, ...one }) => ($ref ? api.components.parameters[$ref.split("/").pop()] : one));
  assert.equal(named.find((one) => one.name === "withoutKey").schema.type, "boolean");
});

test("the client has a method for the operation, and the parameter in its types", async () => {
  const client = /** @type {any} */ (await clientOf(worker, name));
  const recent = await client.queryRecent({ limit: 2 });
  assert.deepEqual(
    recent.results.map(({ id }) => id),
    ["b", "c"],
  );
  const keyless = await client.querySorted({ withoutKey: true });
  assert.equal(keyless.total, 2);
  await assert.rejects(client.querySorted({ withoutKey: "maybe" }), /withoutKey/);
  client.close();
  compile(`
    import type { Page, ResourceClient } from "../../../pkg/dist/browser.js";
    export async function pages(client: ResourceClient): Promise<Page[]> {
      // @ts-expect-error: no boolean
      const wrong = client.querySorted({ withoutKey: "yes" });
      // @ts-expect-error: a parameter of another operation
      const other = client.queryRecent({ withoutKey: true });
      const recent = await client.queryRecent({ limit: 2 });
      return [recent, await client.querySorted({ withoutKey: true }), await wrong, await other];
    }
  `);
});
