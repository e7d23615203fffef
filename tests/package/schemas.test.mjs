// Twelve resources of real things, which teams write with zod, with valibot, with TypeBox, and by hand: their types,
// their rules in the page and in the service, their lines, and their queries.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { resource, ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { bodies, queries } from "./schemas/bodies.mjs";
import { closed } from "./schemas/closed.mjs";
import { printed as plain } from "./schemas/plain.mjs";
import { printed as typebox } from "./schemas/typebox.mjs";
import { printed as valibot } from "./schemas/valibot.mjs";
import { printed as zod } from "./schemas/zod.mjs";
import { project, root, run, tool } from "./support.mjs";

/** What `resources.json` has: a project of the name of each resource. @type {{ [name: string]: any }} */
const schemas = JSON.parse(JSON.stringify({ ...zod, ...valibot, ...typebox, ...plain }));
const names = Object.keys(schemas);
const RESOURCES = { resources: schemas, projects: Object.fromEntries(names.map((name) => [name, name])) };

// A creation without a property has its default (D39).
const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6, useDefaults: true, logger: false });
addFormats.default(ajv);

const TEXTS = [
  ..."|x|AB|DE|B-42|R0001|+4912345678|#fff|10.0.0.1|10.0.0.256|::1|a.example|a@b.example|@|red|high|news".split("|"),
  ..."2024-02-29|2023-02-29|2024-02-29T10:00:00Z|2024-02-29T25:00:00Z|10:00:00Z|10:00|not a uri".split("|"),
  ..."https://a.example/b|6ba7b810-9dad-41d1-80b4-00c04fd430c8|6ba7b810-9dad-41d1-80b4-00c04fd430cg".split("|"),
  "ä".repeat(30),
  "😀".repeat(61),
];
const VALUES = [
  ...TEXTS,
  -301,
  -1,
  0,
  0.25,
  0.005,
  1,
  2,
  3,
  19,
  100,
  501,
  2_000_000,
  true,
  false,
  [],
  [1],
  {},
  { a: 1 },
];

/** Returns bodies that differ from a valid one at one place, by their differences. */
function* variants(body, path = []) {
  const at = (value) => {
    const copy = structuredClone(body);
    let place = copy;
    for (const name of path.slice(0, -1)) place = place[name];
    if (value === undefined) delete place[path.at(-1)];
    else place[path.at(-1)] = value;
    return copy;
  };
  const here = path.reduce((value, name) => value[name], body);
  if (path.length > 0) {
    for (const value of VALUES) yield at(value);
    if (typeof path.at(-1) === "string") yield at(undefined);
  }
  if (typeof here !== "object") return;
  if (Array.isArray(here)) {
    yield at([...here, ...here.slice(0, 1)]);
    yield at([...here, ...here, ...here]);
  } else if (path.length > 0) {
    yield at({ ...here, unknown: 1 });
  }
  for (const name of Object.keys(here)) yield* variants(body, [...path, Array.isArray(here) ? Number(name) : name]);
}

/** Starts a service with these projects. */
async function start(t) {
  const service = await createService({ resources: RESOURCES, authenticate: false });
  const clientOf = (name, projectKey = name) =>
    new ResourceClient({ ...service.clientOptions({ projectKey }), resource: resource(RESOURCES, name) });
  t.after(() => service.close());
  return { service, clientOf };
}

const HEADERS = { "Content-Type": "application/json" };

for (const name of names) {
  test(`bodies of '${name}' have the verdict of ajv in the page and in the service`, async (t) => {
    const check = ajv.compile(closed(schemas[name]));
    const page = resource(RESOURCES, name);
    const { service } = await start(t);
    const counts = { true: 0, false: 0 };
    const accepts = async (body) => {
      const init = { method: "POST", headers: HEADERS, body: JSON.stringify(body) };
      const response = await service.fetch(`/${name}/resource`, init);
      const { errors = [] } = await response.json();
      // The body is valid if only its unique value is not new.
      return response.status < 300 || errors.every(({ code }) => code === "DuplicateField");
    };
    for (const [index, body] of bodies[name].entries()) {
      assert.ok(check(structuredClone(body)), `${index}: ${JSON.stringify(check.errors)}`);
      assert.ok(await accepts(body));
      let turn = 0;
      for (const variant of variants(body)) {
        const expected = check(structuredClone(variant));
        counts[String(expected)]++;
        const text = JSON.stringify(variant);
        assert.equal(page.validate("draft", variant).valid, expected, `${text}: ${JSON.stringify(check.errors)}`);
        if (turn++ % 7 === 0) assert.equal(await accepts(variant), expected, text);
      }
    }
    assert.ok(counts.true > 20 && counts.false > 200, JSON.stringify(counts));
  });
}

test("conditions on several nested paths find what matches, and an import has the bytes of the export", async (t) => {
  const { service, clientOf } = await start(t);
  for (const name of names) {
    const client = clientOf(name);
    for (const [at, body] of bodies[name].entries()) {
      const stored = await client.createOrUpdate({ ...body, key: `k${at}` });
      assert.deepEqual({ ...stored, ...body }, stored, name);
    }
    for (const [where, expected] of queries[name]) {
      const { results } = await client.query({ where });
      const keys = expected.map((at) => `k${at}`);
      assert.deepEqual(results.map(({ key }) => key).sort(), keys, `${name}: ${where}`);
    }
    const lines = await exported(client);
    assert.equal(lines.length, bodies[name].length);
    for (const [at, line] of lines.entries()) {
      const { id, key, version, createdAt, lastModifiedAt, ...content } = JSON.parse(line);
      assert.deepEqual([key, version], [`k${at}`, 1]);
      for (const [field, value] of Object.entries(bodies[name][at]))
        assert.deepEqual(content[field], value, `${name}: ${field} of ${id}, ${createdAt}, ${lastModifiedAt}`);
    }
    await service.reset();
    await client.importLines(lines);
    assert.deepEqual(await exported(client), lines, name);
    const { results } = await client.query({ where: queries[name][0][0] });
    assert.equal(results.length, queries[name][0][1].length);
  }
});

/** Returns the lines of the resources that a project has. */
async function exported(client) {
  const lines = [];
  for await (const line of client.exportLines()) lines.push(line);
  return lines.slice(0, -1);
}

/** The types that libraries infer, by the modules of the schemas. */
const INFERRED = {
  zod: ["z.input<typeof zod.NAME>", "Product Order Job"],
  valibot: ["v.InferInput<typeof valibot.NAME>", "Contact Event Article"],
  typebox: ["Static<typeof typebox.NAME>", "Vehicle Reading Ticket"],
};

const clients = names.map((name) => {
  const type = `own.${name[0].toUpperCase()}${name.slice(1)}`;
  const made = `resource<${type}>(resources, "${name}")`;
  return `export const ${name} = new ResourceClient({ ...options, resource: ${made} });`;
});
const comparisons = Object.values(INFERRED).flatMap(([type, list]) =>
  list.split(" ").map((name) => `export const same${name}: Same<${type.replace("NAME", name)}, own.${name}> = true;`),
);
const TYPES = `
import type { Static } from "typebox";
import type * as v from "valibot";
import type * as z from "zod";
import { resource, ResourceClient } from "resource-edge";
import resources from "./resources.json" with { type: "json" };
import type * as own from "./resource-edge.d.ts";
import * as typebox from "./schemas/typebox.mjs";
import * as valibot from "./schemas/valibot.mjs";
import * as zod from "./schemas/zod.mjs";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

${comparisons.join("\n")}
// @ts-expect-error: types are compared
export const different: Same<z.input<typeof zod.Product>, own.Order> = true;
const options = { projectKey: "a", baseUrl: "https://api.test" };
${clients.join("\n")}
`;

test("the written types compile, and are those that the libraries infer", () => {
  const folder = join(root, "tests/package/schemas");
  const files = Object.fromEntries(
    readdirSync(folder).map((file) => [`schemas/${file}`, readFileSync(join(folder, file), "utf8")]),
  );
  const libraries = ["zod", "valibot", "@valibot/to-json-schema", "typebox"];
  const content = { "resources.json": JSON.stringify(RESOURCES), "main.ts": TYPES, ...files };
  const place = project("schemas", content, libraries);
  run(process.execPath, ["node_modules/resource-edge/cli/main.js", "types"], place);
  const options = "--noEmit --strict --allowJs --resolveJsonModule --skipLibCheck --noUncheckedIndexedAccess".split(
    " ",
  );
  try {
    run(tool("tsc"), [...options, "--target", "es2022", "--module", "nodenext", "main.ts"], place);
  } catch (error) {
    throw new Error(error.stdout);
  }
});
