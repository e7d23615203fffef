// `resource-edge query` beyond a page of the service: its order is the service's, and nothing is missing.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as plainTest } from "node:test";
import { setFields } from "../../pkg/dist/node.js";
import { sorted } from "../../pkg/dist/cli/query.js";
import { parseLines } from "../support/lines.mjs";
import { folderFor, run, serve } from "./npm-project.mjs";
import { test } from "./service.mjs";
import { root } from "./support.mjs";

const KINDS = ["text", "integer", "number", "boolean", "datetime"];
const fields = KINDS.flatMap((type) => [
  { name: type, type },
  { name: `${type}s`, type: `${type}[]` },
]);
setFields({ fields });

/** Values of each type, some of which have another order as UTF-16 or as texts. */
const VALUES = {
  text: ["", "B", "a", "ä", "\u{1F600}", "\uFFFD", "10", "9"],
  integer: [-2, 0, 10, 9],
  number: [-0.5, 0.1, 1e21, 3],
  boolean: [true, false],
  datetime: ["2026-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "2025-12-31T23:59:59.000Z"],
};
const SAMPLES = ["custom", "createdBy.firstName", "arrayOfIntExample", "arrayOfObjectType.integerExample"];
const ALWAYS = ["id", "key", "version", "createdAt", "lastModifiedAt"];

/** Returns a body with a value of each field, or without it. */
function body(at) {
  const pick = (type, step) => VALUES[type][Math.floor(at / step) % (VALUES[type].length + 1)];
  const list = (type) => [pick(type, 1), pick(type, 3), pick(type, 5)].filter((value) => value !== undefined);
  const own = KINDS.flatMap((type) => [
    [type, pick(type, 2)],
    [`${type}s`, list(type)],
  ]);
  const items = list("integer").map((integerExample) => ({ integerExample }));
  return {
    key: `k${(at * 37) % 101}`,
    ...Object.fromEntries(own),
    objectTypeProperty: { arrayOfIntExample: list("integer"), arrayOfObjectType: items },
  };
}

test("the order is the service's, for every field and direction", { fields: { fields } }, async ({ client }) => {
  for (let at = 0; at < 90; at++) await client.createOrUpdate(body(at));
  const all = [];
  for await (const resource of client.all()) all.push(resource);
  const paths = [...fields.map(({ name }) => name), ...SAMPLES, ...ALWAYS];
  const orders = paths.flatMap((path) => [[path], [`${path} desc`], ["boolean DESC", ` ${path}  asc`]]);
  for (const sort of orders) {
    const { results } = await client.query({ sort, limit: 500 });
    const ids = (resources) => resources.map(({ id }) => id);
    assert.deepEqual(ids(sorted(all, sort)), ids(results), sort.join());
  }
});

plainTest("a sorted query prints all resources, in each form", { timeout: 120_000 }, async () => {
  const MAIN = join(root, "pkg/dist/cli/main.js");
  const folder = folderFor("resource-edge-query-");
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: "1", RESOURCE_EDGE_TOKEN: "any" };
  const count = 1200;
  const bodies = Array.from({ length: count }, (_, at) => ({ key: `k${at % 7}-${at}`, objectTypeProperty: {} }));
  writeFileSync(join(folder, "bodies.ndjson"), bodies.map((body) => JSON.stringify(body)).join("\n"));
  const args = [MAIN, "mock", "--port", "0", "--json", "--bodies", "bodies.ndjson"];
  const mock = await serve(process.execPath, args, { cwd: folder, env }, /\n/);
  const { url } = JSON.parse(mock.output);
  const query = async (...more) => {
    const { code, stdout, stderr } = await run(process.execPath, [MAIN, "query", "--url", url, ...more], {
      cwd: folder,
      env,
      maxBuffer: 1e8,
    });
    assert.equal(code, 0, stderr);
    return (more.includes("--json") ? JSON.parse(stdout).results : parseLines(stdout)).map(({ key }) => key);
  };
  const expected = bodies.map(({ key }) => key).sort();
  assert.deepEqual(await query("--sort", "key"), expected);
  assert.deepEqual(await query("--sort", "key desc", "--json"), expected.toReversed?.() ?? [...expected].reverse());
  assert.deepEqual(await query("--sort", "key", "--limit", "501"), expected.slice(0, 501));
  assert.deepEqual(await query("--sort", "key", "--limit", "3"), expected.slice(0, 3));
  assert.deepEqual((await query("--json")).sort(), expected);
  assert.deepEqual(await query("--json", "--limit", "0"), []);
});
