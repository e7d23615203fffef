// `resource-edge query` beyond a page of the service: its order is the service's, and nothing is missing.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as plainTest } from "node:test";
import { ResourceClient, resource } from "../../pkg/dist/node.js";
import { sorted } from "../../pkg/dist/cli/commands/query.js";
import { parseLines } from "../support/lines.mjs";
import { folderFor, KNOWN, runCommand, startMock } from "./npm-project.mjs";
import { test } from "./service.mjs";

/** The schemas of values. */
const KINDS = {
  text: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  datetime: { type: "string", format: "date-time" },
};
const of = (properties) => ({ type: "object", properties });
const lists = Object.fromEntries(Object.entries(KINDS).map(([kind, items]) => [`${kind}s`, { type: "array", items }]));
const PROPERTIES = { ...KINDS, ...lists, inner: of(KINDS), parts: { type: "array", items: of(KINDS) } };
const resources = { resources: { sample: of(PROPERTIES) }, projects: { samples: "sample" } };

/** Values of each type, some of which have another order as UTF-16 or as texts. */
const VALUES = {
  text: ["", "B", "a", "ä", "\u{1F600}", "\uFFFD", "10", "9"],
  integer: [-2, 0, 10, 9],
  number: [-0.5, 0.1, 1e21, 3],
  boolean: [true, false],
  datetime: ["2026-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "2025-12-31T23:59:59.000Z"],
};

const pick = (kind, at) => VALUES[kind][at % (VALUES[kind].length + 1)];
const several = (kind, at) =>
  [pick(kind, at), pick(kind, Math.floor(at / 3)), pick(kind, Math.floor(at / 5))].filter((one) => one !== undefined);
/** Returns an object with a value of each type, or without it. */
const values = (at) => Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, pick(kind, at)]));

/** Returns a body of the declared resource, and one of the interface's. */
const BODIES = {
  samples: (at) => ({
    ...values(Math.floor(at / 2)),
    ...Object.fromEntries(Object.keys(KINDS).map((kind) => [`${kind}s`, several(kind, at)])),
    inner: values(at),
    parts: [values(at), values(Math.floor(at / 4))],
  }),
  demo(at) {
    const items = several("integer", at).map((integerExample) => ({ integerExample }));
    return { objectTypeProperty: { arrayOfIntExample: several("integer", at), arrayOfObjectType: items } };
  },
};
const ALWAYS = ["id", "key", "version", "createdAt", "lastModifiedAt", "createdBy.firstName"];
const kinds = Object.keys(KINDS);
const PATHS = {
  samples: [...kinds, ...Object.keys(lists), ...kinds.flatMap((kind) => [`inner.${kind}`, `parts.${kind}`])],
  demo: ["custom", "arrayOfIntExample", "arrayOfObjectType.integerExample"],
};

for (const projectKey of /** @type {("samples" | "demo")[]} */ (["samples", "demo"])) {
  test(`the order is the service's, for every field and direction of ${projectKey}`, {
    resources,
  }, async ({ service }) => {
    const declared = projectKey === "samples" && { resource: resource(resources, "sample") };
    /** @type {any} */
    const client = new ResourceClient({ ...service.clientOptions({ projectKey }), ...declared });
    const create = BODIES[projectKey];
    for (let at = 0; at < 90; at++) await client.createOrUpdate({ key: `k${(at * 37) % 101}`, ...create(at) });
    const all = [];
    for await (const resource of client.all()) all.push(resource);
    const second = PATHS[projectKey][1];
    const orders = [...PATHS[projectKey], ...ALWAYS].flatMap((path) => [
      [path],
      [`${path} desc`],
      [`${second} DESC`, ` ${path}  asc`],
    ]);
    for (const sort of orders) {
      const { results } = await client.query({ sort, limit: 500 });
      const ids = (resources) => resources.map(({ id }) => id);
      assert.deepEqual(ids(sorted(all, sort)), ids(results), sort.join());
    }
  });
}

plainTest("a sorted query prints all resources, in each form", { timeout: 120_000 }, async () => {
  const folder = folderFor("resource-edge-query-");
  const env = { ...KNOWN, RESOURCE_EDGE_TOKEN: "any" };
  const count = 1200;
  const bodies = Array.from({ length: count }, (_, at) => ({ key: `k${at % 7}-${at}`, objectTypeProperty: {} }));
  writeFileSync(join(folder, "bodies.ndjson"), bodies.map((body) => JSON.stringify(body)).join("\n"));
  const { url } = await startMock(["--seed", "bodies.ndjson"], { cwd: folder, env });
  const print = async (command, ...more) => {
    const options = { cwd: folder, env, maxBuffer: 1e8 };
    const { code, stdout, stderr } = await runCommand([command, "--url", url, ...more], options);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const query = async (...more) => {
    const stdout = await print("query", ...more);
    return (more.includes("--json") ? JSON.parse(stdout).results : parseLines(stdout)).map(({ key }) => key);
  };
  const expected = bodies.map(({ key }) => key).sort();
  assert.deepEqual(await query("--sort", "key"), expected);
  assert.deepEqual(await query("--sort", "key desc", "--json"), expected.toReversed?.() ?? [...expected].reverse());
  assert.deepEqual(await query("--sort", "key", "--limit", "501"), expected.slice(0, 501));
  assert.deepEqual(await query("--sort", "key", "--limit", "3"), expected.slice(0, 3));
  assert.deepEqual((await query("--json")).sort(), expected);
  assert.deepEqual(await query("--json", "--limit", "0"), []);
  const wrapper = "objectTypeProperty";
  const only = ["--fields", "someProperty", "--fields", "arrayOfIntExample"];
  const names = (resource) => [...Object.keys(resource), ...Object.keys(resource[wrapper] ?? {})];
  const system = ["id", "version", "key", "createdAt", "lastModifiedAt"];
  const found = await print("get", "--key", expected[0], ...only);
  assert.deepEqual(names(JSON.parse(found)), [...system, wrapper, "arrayOfIntExample"]);
  // The order of several pages needs its field.
  const lines = parseLines(
    await print("query", "--fields", "id", "--sort", "arrayOfFloatExample", "--sort", "key desc"),
  );
  assert.deepEqual(
    lines.map(({ key }) => key),
    [...expected].reverse(),
  );
  assert.deepEqual(names(lines[0]), [...system, wrapper, "arrayOfFloatExample"]);
});
