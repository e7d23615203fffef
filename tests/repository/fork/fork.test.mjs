// The service of a team that has applied fork.patch: three more fields, an operation, and a parameter. `.ci/fork`
// runs it in a patched copy, which also has two fields of each type: one of all bodies, and one of operations 6 to 8.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { validate } from "../../../pkg/dist/node.js";
import { clientOf } from "../../package/clients.mjs";
import { fill, project, screenshot, serve, signIn } from "../../console/support.mjs";

const ROOT = join(import.meta.dirname, "../../..");
const NEW_YEAR = "2026-01-01T00:00:00.000Z";
const OLD = "1969-07-20T20:17:40.000Z";
/** The fields of the patch, by the ID of a resource. */
const FIELDS = {
  a: { subtitle: "Straße nach Rom", flags: [true, false], dates: [NEW_YEAR, OLD] },
  b: { subtitle: "another", flags: [false], dates: [NEW_YEAR] },
  c: {},
};

let console;
let name;
before(async () => {
  console = await serve();
  name = project();
  await fill(
    console.worker,
    name,
    Object.entries(FIELDS).map(([id, fields]) => ({ id, ...fields, objectTypeProperty: {} })),
  );
});
after(() => console.stop());

const call = (line, options) => console.worker.call(line, options);
/** Returns the OpenAPI document that the service serves. */
const document = async () => JSON.parse((await console.worker.send({ method: "GET", target: "/openapi.json" })).text);
const fieldsOf = ({ subtitle, flags, dates }) => ({ subtitle, flags, dates });
/** Returns the IDs that a query with these parameters finds, in its order. */
async function found(params, path = "") {
  const { status, json, text } = await call(`GET /${name}/resource${path}?${new URLSearchParams(params)}`);
  assert.equal(status, 200, text);
  return json.results.map(({ id }) => id).join("");
}
const searched = (params) => found(params, "/searchApiPattern");

test("a value of another type is an issue at its place, in the service and in the package", async () => {
  const body = { subtitle: 5, flags: [true, "no"], dates: [NEW_YEAR, "2026-01-01"], objectTypeProperty: {} };
  const { status, json } = await call(`POST /${name}/resource`, { body });
  assert.equal(status, 400);
  assert.deepEqual(
    json.errors.map(({ path }) => path),
    ["/subtitle", "/flags/1", "/dates/1"],
  );
  const verdict = validate("resourceDraft", body);
  assert.deepEqual(
    !verdict.valid && verdict.issues.map(({ pointer, message }) => [pointer, message]),
    json.errors.map(({ path, message }) => [path, message]),
  );
  assert.equal(validate("resourceDraft", { ...FIELDS.a, objectTypeProperty: {} }).valid, true);
  // Only `subtitle` is a field of the bodies of operations 9 and 13.
  assert.equal(validate("complexBody", { subtitle: "x" }).valid, true);
  assert.equal(validate("complexBody", { flags: [] }).valid, false);
});

test("new fields are stored and returned, and a write without them keeps them", async () => {
  const { json: one } = await call(`GET /${name}/resource/a`);
  assert.deepEqual(fieldsOf(one), FIELDS.a);
  const { json: page } = await call(`GET /${name}/resource?sort=${encodeURIComponent("id asc")}`);
  assert.deepEqual(fieldsOf(page.results[1]), FIELDS.b);

  const fields = { ...FIELDS.a, subtitle: "new" };
  // Arrays that a body lacks are empty.
  assert.deepEqual((await call(`GET /${name}/resource/c`)).json.flags, []);
  const { json: made } = await call(`POST /${name}/resource`, {
    body: { id: "d", ...FIELDS.a, objectTypeProperty: {} },
  });
  assert.deepEqual(fieldsOf(made), FIELDS.a);
  const merged = await call(`POST /${name}/resource`, { body: { id: "d", subtitle: "new", objectTypeProperty: {} } });
  assert.deepEqual([merged.status, fieldsOf(merged.json)], [200, fields]);
  const complex = `/${name}/resource/description-with-urn-links`;
  assert.equal((await call(`POST ${complex}`, { body: { id: "d", subtitle: "newer" } })).status, 200);
  const fresh = { headers: { "Cache-Control": "no-cache" } };
  assert.deepEqual(fieldsOf((await call(`GET /${name}/resource/d`, fresh)).json), { ...fields, subtitle: "newer" });
  assert.equal((await call(`DELETE /${name}/resource/d`)).status, 200);
});

test("predicates, orders, and searches support new fields", async () => {
  for (const [where, ids] of [
    ["flags = true", "a"],
    ["flags contains all (true, false)", "a"],
    ["flags is empty", "c"],
    [`dates contains any ("${NEW_YEAR}")`, "ab"],
    ['dates < "1970-01-01T00:00:00.000Z"', "a"],
    ['subtitle matches ignore case "STRASSE NACH ROM"', "a"],
    ["subtitle is not defined", "c"],
  ])
    assert.equal(await found({ where, sort: "id asc" }), ids, where);
  for (const [sort, ids] of [
    ["subtitle asc", "abc"],
    ["subtitle desc", "bac"],
    ["flags desc", "abc"],
    ["dates asc", "abc"],
    ["dates desc", "abc"],
  ])
    assert.equal(await found({ sort }), ids, sort);

  assert.equal(await searched({ "text.en": "strasse" }), "a");
  assert.equal(await searched({ filter: "flags:true" }), "a");
  assert.equal(await searched({ filter: `dates:range("${OLD}" to "1970-01-01T00:00:00.000Z")` }), "a");
  const facets = new URLSearchParams([
    ["limit", "0"],
    ["facet", "flags"],
    ["facet", `dates:range(* to "${NEW_YEAR}"),("${NEW_YEAR}" to *)`],
  ]);
  const { json } = await call(`GET /${name}/resource/searchApiPattern?${facets}`);
  assert.deepEqual(
    json.facets.flags.terms.map(({ term, count }) => [term, count]),
    [
      ["false", 2],
      ["true", 1],
    ],
  );
  assert.deepEqual(
    json.facets.dates.ranges.map(({ count }) => count),
    [1, 2],
  );
});

/** Returns the example of a body, with the fields of each type only. */
async function exampleOf(path) {
  const { example } = (await document()).paths[path].post.requestBody.content["application/json"];
  return Object.fromEntries(Object.entries(example).filter(([field]) => /Of(All|Some)$/.test(field)));
}

test("a field of each type is checked, stored, returned, compared, ordered, and searched", async () => {
  const [all, complex] = await Promise.all(
    ["/{projectKey}/resource", "/{projectKey}/resource/description-with-urn-links"].map(exampleOf),
  );
  const names = Object.keys(all);
  assert.ok(names.length > 20, names.join());
  assert.deepEqual(
    Object.keys(complex),
    names.filter((field) => field.endsWith("OfAll")),
  );
  const other = project();
  const draft = { id: "typed", ...all, objectTypeProperty: {} };
  assert.equal(validate("resourceDraft", draft).valid, true);
  assert.equal(validate("complexBody", { id: "typed", ...complex }).valid, true);
  const wrong = Object.fromEntries(names.map((field) => [field, Array.isArray(all[field]) ? [{}] : {}]));
  const refused = validate("resourceDraft", { ...wrong, objectTypeProperty: {} });
  // An array of two numbers has an issue for its length too.
  const places = new Set(refused.valid ? [] : refused.issues.map(({ pointer }) => pointer.split("/")[1]));
  assert.deepEqual([...places], names);

  const created = await call(`POST /${other}/resource`, { body: draft });
  assert.equal(created.status, 201, created.text);
  const stored = ({ json }) => Object.fromEntries(names.map((field) => [field, json[field]]));
  assert.deepEqual(stored(created), all);
  const fresh = { headers: { "Cache-Control": "no-cache" } };
  assert.deepEqual(stored(await call(`GET /${other}/resource/typed`, fresh)), all);
  const merged = await call(`POST /${other}/resource/description-with-urn-links`, {
    body: { id: "typed", ...complex },
  });
  assert.equal(merged.status, 200, merged.text);
  assert.deepEqual(stored(await call(`GET /${other}/resource/typed`, fresh)), all);

  for (const field of names) {
    const value = JSON.stringify([all[field]].flat()[0]);
    const test = Array.isArray(all[field]) ? `contains any (${value})` : `= ${value}`;
    for (const query of [{ where: `${field} ${test}` }, { sort: `${field} desc` }, { filter: `${field}:${value}` }]) {
      const path = "filter" in query ? "/searchApiPattern" : "";
      const { text, json } = await call(`GET /${other}/resource${path}?${new URLSearchParams(query)}`);
      assert.equal(json.results?.[0]?.id, "typed", `${JSON.stringify(query)}: ${text}`);
    }
  }
});

test("the OpenAPI document and the types describe new fields", async () => {
  const json = await document();
  for (const schema of ["ResourceDraft", "ResourceOverwrite", "Resource"]) {
    const { properties } = json.components.schemas[schema];
    for (const field of Object.keys(FIELDS.a)) assert.ok(properties[field], `${schema}.${field}`);
  }
  assert.ok(json.components.schemas.ComplexBody.properties.subtitle);
  compile(`
    import type { Resource, ResourceClient, ResourceDraft } from "../../../pkg/dist/browser.js";
    import { predicate } from "../../../pkg/dist/predicate.js";
    export const draft: ResourceDraft = {
      subtitle: "x", flags: [true], dates: ["${NEW_YEAR}"], objectTypeProperty: {},
    };
    // @ts-expect-error: no boolean
    export const wrong: ResourceDraft = { flags: ["true"], objectTypeProperty: {} };
    export function read(one: Resource): [string | null | undefined, readonly boolean[], readonly string[]] {
      return [one.subtitle, one.flags ?? [], one.dates ?? []];
    }
  `);
});

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
  assert.equal(await found({ limit: "1", where: "flags is defined" }, "/recent"), "b");
  assert.equal(await found({ sort: "subtitle asc" }, "/recent"), "abc");
  const line = `/${name}/resource/recent`;
  assert.equal((await call(`GET ${line}`, { permission: "view_test" })).status, 200);
  const { headers, status } = await call(`POST ${line}`, { body: {} });
  assert.deepEqual([status, headers.allow], [405, "GET, HEAD"]);
  assert.equal((await console.worker.send({ method: "GET", target: line })).status, 401);
  const other = { Authorization: `Bearer ${await console.worker.token(project(), "view_test")}` };
  assert.equal((await console.worker.send({ method: "GET", target: line, headers: other })).status, 403);
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
  const client = /** @type {any} */ (await clientOf(console.worker, name));
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

test("the console's form has an input for each new field", async () => {
  const page = await console.open();
  await signIn(page, name);
  await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
  await page.goto(`${console.url}/#/p/${name}/new`);
  const input = (field) => page.locator(`[data-field="${field}"]`).locator("input, select, textarea");
  await input("id").fill("typed");
  await input("subtitle").fill("by hand");
  await input("flags").fill("true, maybe");
  await page.locator('[data-field="flags"] .field-error').getByText("Item 2", { exact: false }).waitFor();
  await input("flags").fill("true, false");
  await input("dates").fill(`${NEW_YEAR}\n${OLD}`);
  for (const field of Object.keys(await exampleOf("/{projectKey}/resource"))) {
    assert.ok((await input(field).count()) > 0, field);
  }
  await screenshot(page, "fork-form", { fullPage: true });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Created typed, version 1.").waitFor();
  const { json } = await call(`DELETE /${name}/resource/typed`);
  assert.deepEqual(fieldsOf(json), { subtitle: "by hand", flags: [true, false], dates: [NEW_YEAR, OLD] });
  await page.done();
});
