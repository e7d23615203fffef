// The console with another schema: a new field of any kind appears in forms, columns, facets, and completions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { ResourceModel } from "../../build/console/model/fields.js";
import { notation, parseList } from "../../build/console/model/edit/lists.js";
import { choicesOf, describe, leaves, moved } from "../../build/console/model/schema.js";
import { init } from "../../build/console/pkg/browser.js";
import { enter, fill, MODULES, project, serveForTests } from "./support.mjs";

const console = serveForTests(undefined, undefined, { site: MODULES });

const NULLABLE = (type) => ({ type: [type, "null"] });
const LIST = (items) => ({ type: ["array", "null"], items });
const DATE = { type: "string", format: "date-time" };
/** New fields of a resource, and new arrays of its group. */
const FIELDS = {
  note: { type: ["string", "null"], pattern: "^[^\\u0000]*$" },
  amount: NULLABLE("integer"),
  ratio: NULLABLE("number"),
  isActive: NULLABLE("boolean"),
  plannedAt: { ...DATE, type: ["string", "null"] },
  flags: LIST({ type: "boolean" }),
  strange: { type: ["object", "null"], additionalProperties: true },
};
const ARRAYS = {
  arrayOfBooleanExample: LIST({ type: "boolean" }),
  arrayOfDateExample: LIST(DATE),
  arrayOfTextObject: LIST({ type: "object", properties: { name: { type: "string" } } }),
};

/** Some of them as columns. */
const COLUMNS = ["Amount", "Is active", "Flags", "Array of boolean example"];

/** Opens the console with a package whose schema has the new fields. */
async function opened(name) {
  const page = await console.open();
  await page.route("**/pkg/generated/json-schemas.js", async (route) => {
    const response = await route.fetch();
    const added = `
      Object.assign(schemas.ResourceDraft.properties, ${JSON.stringify(FIELDS)});
      Object.assign(schemas.ObjectTestType.properties, ${JSON.stringify(ARRAYS)});`;
    await route.fulfill({ response, body: (await response.text()) + added });
  });
  await page.reload();
  await enter(page, name);
  return page;
}

test("a field's kind follows from its schema", () => {
  const schema = {
    properties: { ...FIELDS, inside: { type: "object", properties: ARRAYS } },
  };
  const fields = leaves(describe(schema));
  assert.deepEqual(
    fields.map(({ name, kind }) => [name, kind]),
    [
      ["note", "text"],
      ["amount", "number"],
      ["ratio", "number"],
      ["isActive", "boolean"],
      ["plannedAt", "date"],
      ["flags", "booleans"],
      ["strange", "json"],
      ["arrayOfBooleanExample", "booleans"],
      ["arrayOfDateExample", "dates"],
      ["arrayOfTextObject", "objects"],
    ],
  );
  const [booleans, dates] = [fields[7], fields[8]].map(notation);
  assert.deepEqual(parseList(booleans, "true, false;\n[true] maybe").items, [true, false, true, "maybe"]);
  const times = ["2026-01-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z"];
  assert.deepEqual(parseList(dates, JSON.stringify(times)).items, times);
  for (const [form, list] of /** @type {const} */ ([
    [booleans, [true, false]],
    [dates, times],
  ]))
    assert.deepEqual(parseList(form, form.print(list)), { items: list, problems: [] });
});

test("a schema may refer to definitions, allow null in several ways, and list values", () => {
  const schema = {
    type: "object",
    required: ["a", "b"],
    properties: {
      a: { $ref: "#/$defs/~0na~1me", description: "of a" },
      b: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], title: "B" },
      c: { anyOf: [{ $ref: "#/$defs/size" }, { type: "null" }] },
      d: { enum: ["x", null, "y"] },
      e: { const: 2 },
      f: { type: "array", items: { $ref: "#/$defs/size" } },
      g: { anyOf: [{ const: "x" }, { type: "string", enum: ["y", "z"] }, { const: null }] },
    },
    $defs: {
      "~na/me": { type: "string", maxLength: 5, description: "a name" },
      size: {
        type: "object",
        required: ["width"],
        properties: { width: { type: "number" }, unit: { type: "string" } },
      },
    },
  };
  const [a, b, c, d, e, f, g] = describe(schema);
  assert.deepEqual(
    [a, b, c, d, e, f, g].map(({ kind, required }) => [kind, required]),
    [
      ["text", true],
      ["number", true],
      ["group", false],
      ["text", false],
      ["number", false],
      ["objects", false],
      ["text", false],
    ],
  );
  assert.deepEqual(a.schema, { type: "string", maxLength: 5, description: "of a" });
  assert.deepEqual(b.schema, { type: "integer", minimum: 1, title: "B" });
  assert.deepEqual([choicesOf(d.schema), choicesOf(e.schema), choicesOf(a.schema)], [["x", "y"], [2], undefined]);
  assert.deepEqual(choicesOf(g.schema), ["x", "y", "z"]);
  assert.ok(c.kind === "group" && f.kind === "objects");
  assert.deepEqual(
    [...c.fields, ...f.fields].map(({ path, required }) => [path.join("."), required]),
    [
      ["c.width", true],
      ["c.unit", false],
      ["f.width", true],
      ["f.unit", false],
    ],
  );
  assert.deepEqual([f.isTable, f.columns], [false, ["width", "unit"]]);
  const inside = moved(f, ["f", 3]);
  assert.ok(inside.kind === "objects");
  assert.deepEqual(inside.fields[0]?.path, ["f", 3, "width"]);
});

test("a declared resource has the fields of the system around its own, and the interface's has its order", async () => {
  await init(readFileSync(new URL("../../build/console/pkg/wasm/resource_edge_bg.wasm", import.meta.url)));
  const text = { type: "string" };
  const variants = { type: "array", items: { type: "object", properties: { color: text } } };
  const properties = {
    note: text,
    title: { ...text, "x-title": true },
    size: { type: "object", properties: { width: { type: "integer" } } },
    tags: { type: "array", items: text },
    variants,
    status: { enum: ["new"], default: "new" },
    kind: { const: "product" },
  };
  const schema = { type: "object", required: ["kind"], properties };
  const model = new ResourceModel({ name: "product", schema });
  await init();
  const names = (fields) => fields.map(({ name }) => name);
  const [identity, people] = [
    ["id", "version", "key"],
    ["createdAt", "createdBy", "lastModifiedAt", "lastModifiedBy"],
  ];
  assert.deepEqual(names(model.fields), [...identity, ...Object.keys(properties), ...people]);
  assert.deepEqual(names(model.content), Object.keys(properties));
  assert.deepEqual([model.label, model.title?.name], ["Product", "title"]);
  const resource = /** @type {any} */ ({ id: "a", key: "k", title: "T" });
  assert.deepEqual([model.nameOf(resource), model.nameOf({ ...resource, title: "" })], ["T", "k"]);
  assert.deepEqual(model.draft(), { status: "new", kind: "product" });
  assert.deepEqual(model.termFacets, ["tags", "note", "title", "variants.color", "status", "kind", "size.width"]);
  assert.deepEqual(model.rangeFacets, ["size.width", "version"]);
  assert.deepEqual([model.isWhole("size.width"), model.find("variants.color")?.kind], [true, "text"]);
  assert.deepEqual(Object.keys(model.actions).slice(-3), ["setKind", "addTags", "removeTags"]);
  assert.deepEqual(model.validate("draft", { kind: "product" }).valid, true);
  assert.deepEqual(model.validate("draft", {}).valid, false);
  assert.throws(() => new ResourceModel({ name: "a", schema: { type: "object", colour: 1 } }), /colour/);

  const interfaces = new ResourceModel();
  const own = names(interfaces.fields);
  assert.deepEqual(own.slice(0, 7), [...identity, "createdAt", "createdBy", "lastModifiedAt", "lastModifiedBy"]);
  assert.deepEqual([own[7], own.at(-1)], ["arrayOfIntExample", "custom"]);
  assert.deepEqual(interfaces.draft(), { objectTypeProperty: {} });
  assert.deepEqual(Object.keys(interfaces.actions), ["doSomeThing", "changeSomeProperty"]);
  assert.equal(interfaces.nameOf(resource), "k");
});

test("columns, facets, completions, and the page of a resource include the new fields", async () => {
  const name = project();
  await fill(console.worker, name, [{ id: "a", objectTypeProperty: {} }]);
  const page = await opened(name);
  // The service does not have the fields, so its response gets them here.
  await page.route(/\/resource(\/a)?(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const resource of body.results ?? [body]) {
      Object.assign(resource, { amount: 12, isActive: false, plannedAt: "2026-01-31T00:00:00.000Z", flags: [true] });
      Object.assign(resource.objectTypeProperty ?? {}, { arrayOfBooleanExample: [true, false, true, true] });
    }
    await route.fulfill({ response, json: body });
  });
  const condition = page.getByRole("combobox", { name: "Search or condition" });
  for (const field of ["isActive", "plannedAt", "arrayOfDateExample", "flags", "strange"]) {
    await condition.fill(`version > 0 and ${field.slice(0, -1)}`);
    await page.getByRole("option").getByText(field, { exact: true }).waitFor();
  }
  await condition.fill("");
  await condition.press("Enter");
  await page.getByText("Columns", { exact: true }).click();
  for (const column of COLUMNS) await page.getByRole("checkbox", { name: column, exact: true }).check();
  await page.keyboard.press("Escape");
  const headings = await page.getByRole("columnheader").allTextContents();
  assert.deepEqual(
    headings.slice(-COLUMNS.length).map((heading) => heading.replace(/\W$/, "")),
    COLUMNS,
  );
  await page.getByRole("cell", { name: "true, false, true +1" }).waitFor();
  assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /columns=.*amount.*flags/);
  await page.reload();
  await page.getByRole("cell", { name: "true, false, true +1" }).waitFor();

  await page.getByRole("link", { name: "a", exact: true }).click();
  await page.locator(".fields").waitFor();
  const texts = (row) => [...row.querySelectorAll("dt, li, dd > span, time")].map((part) => part.textContent).join(" ");
  const rows = page.locator(".fields > div");
  assert.deepEqual(await Promise.all((await rows.all()).map((row) => row.evaluate(texts))), [
    "Array of boolean example Yes No Yes Yes",
    "Amount 12",
    "Is active No",
    "Planned at 31 Jan, 00:00",
    "Flags Yes",
  ]);

  // The service has no facets of the new fields.
  await page.goto(`${console.url}/#/p/${name}/search?facet=none`);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Add a facet").waitFor();
  const facets = await page.getByLabel("Add a facet").locator("option").allTextContents();
  for (const field of ["Amount", "Is active", "Flags", "Array of boolean example"])
    assert.ok(facets.includes(field), field);
  // Resources seldom share a time.
  for (const field of ["Planned at", "Array of date example", "Strange"]) assert.ok(!facets.includes(field), field);
  await page.done();
});
