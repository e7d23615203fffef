// The lists of declared resources: the table, its conditions, the search, and imports. One service has two kinds, and
// projects with the interface's resource.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test as plainTest } from "node:test";

import { ResourceModel } from "../../build/site/model/fields.js";
import { check } from "../../build/site/model/import/importer.js";
import { Columns } from "../../build/site/model/query/columns.js";
import { Facets } from "../../build/site/model/query/facets.js";
import { fieldExamples, firstExample } from "../../build/site/model/query/predicate-examples.js";
import { valueAt } from "../../build/site/model/schema.js";
import { init } from "../../build/site/pkg/browser.js";
import { parseLines } from "../support/lines.mjs";
import { isConnected, isMarked, names } from "./live-page.mjs";
import { chooseFile, fill, openProject, project, saveFile, screenshot, serveForTests, testsOf } from "./support.mjs";

await init(readFileSync(new URL("../../build/site/pkg/wasm/resource_edge_bg.wasm", import.meta.url)));

const product = {
  type: "object",
  required: ["title", "price"],
  properties: {
    sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$", "x-unique": true },
    title: { type: "string", minLength: 1, maxLength: 80, "x-title": true },
    price: { type: "number", minimum: 0, description: "without taxes" },
    status: { enum: ["draft", "active"], default: "draft" },
    sold: { type: "boolean" },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    released: { type: "string", format: "date" },
    size: {
      type: "object",
      properties: {
        width: { type: "number" },
        height: { type: "integer" },
        parts: { type: "array", items: { type: "string" } },
        packed: { type: "object", properties: { weight: { type: "number" } } },
      },
    },
    variants: {
      type: "array",
      items: {
        type: "object",
        required: ["color"],
        properties: { color: { type: "string" }, stock: { type: "integer", minimum: 0 } },
      },
    },
  },
};
const supplier = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, mail: { type: "string", format: "email" }, rating: { enum: [1, 2, 3] } },
};
const RESOURCES = {
  resources: { product, supplier },
  projects: { "products-*": "product", "suppliers-*": "supplier" },
};
const console = serveForTests(undefined, undefined, { resources: RESOURCES });

const CHAIR = {
  key: "chair",
  sku: "CH-1",
  title: "Green chair",
  price: 49.5,
  status: "active",
  sold: false,
  tags: ["wood", "green"],
  released: "2026-01-31",
  size: { width: 4, height: 90, parts: ["leg", "seat"], packed: { weight: 1.5 } },
  variants: [
    { color: "red", stock: 3 },
    { color: "mint green", stock: 0 },
  ],
};
const LAMP = { title: "Lamp", price: 12, tags: ["brass"], size: { width: 2 }, variants: [{ color: "red", stock: 9 }] };

/** Declares a test with a page that is signed in to a project of products. */
const test = testsOf((bodies = [CHAIR, LAMP], options = {}) =>
  openProject(console, bodies, { name: `products-${project()}`, acceptDownloads: true, ...options }),
);
const headings = async (page) => {
  const texts = await page.getByRole("columnheader").filter({ visible: true }).allTextContents();
  return texts.map((text) => text.replace(/[↑↓]/, "")).filter((text) => text !== "");
};
const condition = (page) => page.getByRole("textbox", { name: "Condition" });
const facetNames = (page) => page.locator(".facet h3").allTextContents();

describe("the table", () => {
  test("has the title first, then the fields of the shape, numbers at the end and choices", async ({ page, to }) => {
    await page.getByRole("link", { name: "Green chair chair", exact: true }).waitFor();
    const expected = ["title", "Version", "sku", "price", "status", "sold", "tags", "Changed", "Created"];
    assert.deepEqual(await headings(page), expected);
    const price = page.getByRole("cell", { name: "49.5", exact: true });
    assert.equal(await price.evaluate((cell) => getComputedStyle(cell).textAlign), "end");
    assert.equal(await page.locator("td .badge").first().textContent(), "active");
    await screenshot(page, "declared-collection");
    await to("?columns=size.width,size.parts,variants,key&sort=size.width desc");
    await page.getByRole("cell", { name: "leg, seat", exact: true }).waitFor();
    await page.getByRole("cell", { name: "red 3, mint green 0", exact: true }).waitFor();
    assert.deepEqual(await headings(page), ["title", "Key", "size.width", "size.parts", "variants"]);
    assert.deepEqual(await names(page), ["Green chair", "Lamp"]);
    await page.getByRole("button", { name: "size.width" }).click();
    await page.locator("[aria-sort]").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "title" }).click();
    await page.locator("[aria-sort=ascending]").waitFor();
    assert.match(page.url(), /sort=title\+asc/);
  });

  test("fits a window of 390 pixels", undefined, { viewport: { width: 390, height: 844 } }, async ({ page }) => {
    await page.getByRole("cell", { name: "49.5" }).waitFor();
    assert.deepEqual(await headings(page), ["title", "sku", "price"]);
    await screenshot(page, "declared-collection-390");
    const hidden = await page.locator(".table-frame").evaluate((frame) => frame.scrollWidth - frame.clientWidth);
    assert.equal(hidden, 0);
  });

  test("keeps the columns of each kind, and names no field of another", async ({ page, name }) => {
    await page.getByText("Columns", { exact: true }).click();
    const menu = page.getByRole("group", { name: "Columns" });
    await menu.getByText("without taxes").waitFor();
    await menu.getByText("one of draft, active").waitFor();
    await menu.getByText("a list of objects: color, stock").waitFor();
    assert.ok(!(await menu.textContent()).includes("arrayOfIntExample"));
    await menu.getByLabel("size.width", { exact: true }).check();
    await page.getByRole("columnheader", { name: "size.width" }).waitFor();
    /** @type {[string, object[], string][]} */
    const others = [
      [`suppliers-${project()}`, [{ name: "Ada & Sons", rating: 2 }], "name,Version,mail,rating,Changed,Created"],
      [project(), [{ key: "a", objectTypeProperty: {} }], "Key,Version,arrayOfIntExample,arrayOfStringExample"],
    ];
    for (const [other, bodies, expected] of others) {
      await fill(console.worker, other, bodies);
      await page.goto(`${console.url}/#/p/${other}`);
      await page.getByRole("columnheader", { name: expected.split(",")[0] }).waitFor();
      assert.ok((await headings(page)).join().startsWith(expected), expected);
    }
    await page.goto(`${console.url}/#/p/${name}`);
    await page.getByRole("columnheader", { name: "size.width" }).waitFor();
  });

  test("stays current, and names what is selected", async ({ page, name, made, read }) => {
    await isConnected(page);
    const [{ id, version }, lamp] = made;
    const body = { version, actions: [{ action: "setTitle", title: "Blue chair" }] };
    const { status, text } = await console.worker.call(`POST /${name}/resource/${id}`, { body });
    assert.equal(status, 200, text);
    await isMarked(page, ["Blue chair"]);
    await page.getByLabel("Select Lamp", { exact: true }).check();
    const button = page.getByRole("button", { name: "Export selected" });
    const { text: exported } = await saveFile(page, () => button.click());
    assert.deepEqual(parseLines(exported), [await read(lamp.id)]);
  });
});

describe("a condition", () => {
  test("may be one of the examples, all of which are valid", async ({ page }) => {
    assert.equal(await condition(page).getAttribute("placeholder"), "For example: price > 1");
    const examples = await page.locator(".example > code").allTextContents();
    for (const expected of ["size.width > 1", 'status = "draft"', 'variants(color = "red" and stock > 1)'])
      assert.ok(examples.includes(expected), examples.join("; "));
    assert.ok(!examples.join().includes("Example"), examples.join("; "));
    for (const example of new Set(examples)) {
      await condition(page).fill(example);
      await page.locator(".predicate-status .muted").filter({ hasText: /match/ }).waitFor();
    }
    await condition(page).fill('size.width > 3 and variants(color = "red" and stock > 1)');
    await page.getByText("1 match", { exact: true }).waitFor();
    await condition(page).press("Enter");
    await page.getByText("1–1 of 1").waitFor();
    assert.deepEqual(await names(page), ["Green chair"]);
    await condition(page).fill("size.with > 3");
    await page.getByText("There is no field 'size.with'.").waitFor();
  });
});

describe("a search", () => {
  const found = (page) => page.locator(".found .name > :first-child").allTextContents();
  const total = (page, text) => page.getByRole("status").getByText(text, { exact: true }).waitFor();

  test("has facets of choices, booleans, lists, and numbers, which filter", async ({ page, to }) => {
    await to("search");
    await total(page, "2 resources");
    assert.deepEqual(await facetNames(page), ["price", "status", "sold", "tags", "size.width"]);
    await screenshot(page, "declared-search");
    const offered = await page.getByLabel("Add a facet").locator("option").allTextContents();
    for (const name of ["variants.color", "variants.stock", "size.height"]) assert.ok(offered.includes(name), name);
    for (const name of ["sku", "variants", "arrayOfIntExample"]) assert.ok(!offered.includes(name), name);
    await page.getByRole("region", { name: "Facet status" }).getByRole("button", { name: "draft" }).click();
    await total(page, "1 resource");
    assert.deepEqual(await found(page), ["Lamp"]);
    await page.getByRole("button", { name: "Remove the filter status: draft" }).click();
    await total(page, "2 resources");
    await page.getByLabel("Add a facet").selectOption("variants.stock ranges");
    await page.getByRole("region", { name: "Facet variants.stock" }).getByRole("button", { name: "9" }).click();
    await total(page, "1 resource");
    await page.reload();
    await total(page, "1 resource");
    await page.getByRole("button", { name: /^Remove the filter variants.stock: / }).click();
    await page.getByRole("region", { name: "Facet size.width" }).getByRole("button").nth(1).click();
    await total(page, "1 resource");
  });

  test("finds the texts of objects, and marks them", async ({ page, to }) => {
    await to("search?text=mint");
    await total(page, "1 resource");
    assert.deepEqual(await found(page), ["Green chair"]);
    assert.equal(await page.locator(".snippets dt").allTextContents().then(String), "variants.color");
    assert.equal(await page.locator(".snippets mark").textContent(), "mint");
    await page.getByLabel("Words").fill("seat green");
    await page.locator(".snippets dt").getByText("size.parts").waitFor();
    const names = await page.locator(".snippets dt").allTextContents();
    assert.deepEqual(names, ["title", "tags", "size.parts", "variants.color"]);
  });

  test("fits a window of 390 pixels", undefined, { viewport: { width: 390, height: 844 } }, async ({ page, to }) => {
    await to("search");
    await total(page, "2 resources");
    await screenshot(page, "declared-search-390");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  });
});

describe("an import", () => {
  const start = (page, count) => page.getByRole("button", { name: `Import ${count}` }).click();
  const result = (page) => page.getByRole("region", { name: "Result" }).getByRole("status").textContent();
  const HEADER =
    "key,sku,title,price,status,sold,tags,released,size.width,size.height,size.parts,size.packed.weight,variants\n";
  const variants = `"${JSON.stringify(CHAIR.variants).replaceAll('"', '""')}"`;
  const chair = `chair,CH-1,Green chair,49.5,active,FALSE,wood|green,2026-01-31,4,90,leg|seat,1.5,${variants}`;
  const CSV = `${HEADER}${chair}\n,,Lamp,12,,,,,,,,,\n`;

  test("of CSV has nested columns and lists", [], { path: "import" }, async ({ page, name, read }) => {
    await page.getByText(", such as sku and size.width. The items of a list").waitFor();
    await chooseFile(page, "products.csv", CSV);
    await page.getByText("2 items: 2 valid, 0 invalid.").waitFor();
    await screenshot(page, "declared-import");
    await start(page, "2 resources");
    await page.getByRole("heading", { name: "Imported", exact: true }).waitFor();
    assert.equal(await result(page), "2 created · 0 updated.");
    const { id, version, createdAt, lastModifiedAt, ...chair } = await read("key=chair");
    assert.deepEqual(chair, CHAIR);
    const { results } = (await console.worker.fresh(`GET /${name}/resource?where=title%3D%22Lamp%22`)).json;
    assert.deepEqual([results[0].status, results[0].price, results[0].size], ["draft", 12, undefined]);
  });

  test("of an export changes nothing, and reports the lines of what is invalid", async ({ page, name, to }) => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 resources of ").waitFor();
    const { text } = await saveFile(page, () => dialog.getByRole("button", { name: "Export" }).click());
    await to("import");
    await chooseFile(page, "x.ndjson", `${text}\n{"title":"x","price":-1}\n[{"title":"x"}]\n{"title":"y","prise":1}\n`);
    await page.getByText("5 items: 2 valid, 3 invalid.").waitFor();
    const rows = await page.getByRole("region", { name: "Failed items" }).locator("tbody tr").allTextContents();
    assert.deepEqual(
      rows.map((row) => row.slice(0, 2)),
      ["34", "45", "56"],
    );
    assert.match(rows[2], /prise/);
    await start(page, "2 resources");
    await page.getByRole("heading", { name: "Partly imported", exact: true }).waitFor();
    assert.equal(await result(page), "0 created · 2 updated · 3 failed.");
    const contentOf = ({ version, lastModifiedAt, ...rest }) => rest;
    const { results } = (await console.worker.fresh(`GET /${name}/resource`)).json;
    assert.deepEqual(results.map(contentOf), parseLines(text).map(contentOf));
  });
});

const model = new ResourceModel({ name: "product", schema: product });
await init();
const checked = (name, text) =>
  check(new File([text], name), { model, signal: new AbortController().signal, progress: () => {} });

plainTest("an item is validated by its shape, with one issue and the line of each", async () => {
  const lines = [
    '{"title":"a","price":1}',
    '{"title":"b","price":-1}',
    "[1,2]",
    '{"title":"c","price":1,}',
    '{"title":""}',
  ];
  const { valid, failures } = await checked("x.ndjson", lines.join("\n"));
  assert.equal(valid, 1);
  assert.deepEqual(
    failures.map(({ line, errors }) => [line, errors.map((one) => "pointer" in one && one.pointer)]),
    [
      [2, ["/price"]],
      [3, [""]],
      [4, [""]],
      [5, ["/title", "/price"]],
    ],
  );
  assert.match(failures[2].message, /^Invalid JSON at line 4, column /);
});

plainTest("a CSV header names nested fields, and no field of another resource", async () => {
  const { fault } = await checked("x.csv", "title,price,size.packed.weight\na,1,2\n");
  assert.equal(fault, undefined);
  /** @type {[string, RegExp][]} */
  const refused = [
    ["title,price,size.depth", /no field has the name 'size\.depth' \(column 3\)/],
    ["title,price,variants.color", /no field has the name 'variants\.color'/],
    ["title,price,custom", /no field has the name 'custom'/],
    ["title,size,size.width", /column 2 has the values of 'size\.width' too/],
  ];
  for (const [header, message] of refused)
    assert.match((await checked("x.csv", `${header}\na,1,2\n`)).fault ?? "", message);
});

plainTest("what a shape has decides about columns, facets, and examples", () => {
  const many = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, { type: "number" }]));
  const of = (properties) => new ResourceModel({ name: "thing", schema: { type: "object", properties } });
  const empty = of({});
  assert.deepEqual(
    [new Columns(empty).first.name, new Columns(empty).defaults],
    ["key", ["version", "lastModifiedAt", "createdAt"]],
  );
  assert.deepEqual([new Facets(empty).first, firstExample(empty)], [[], "For example: version > 1"]);
  assert.deepEqual(new Columns(of(many)).defaults, ["version", "a", "b", "c", "d", "e", "lastModifiedAt", "createdAt"]);
  const marked = of({
    money: { enum: ["$1", "$2"] },
    hidden: { type: "boolean", "x-index": false },
    code: { type: "string", "x-unique": true },
    level: { enum: [1, 2] },
    sizes: { type: "array", items: { enum: ["S", "M", "L"] } },
    at: { type: "string", format: "date-time" },
    constructor: { type: "number" },
    deep: { type: "object", properties: { deeper: { type: "object", properties: { version: { type: "integer" } } } } },
  });
  const facets = new Facets(marked);
  assert.deepEqual(facets.first, [
    ["money", "terms"],
    ["level", "terms"],
    ["sizes", "terms"],
    ["constructor", "ranges"],
    ["deep.deeper.version", "ranges"],
  ]);
  for (const name of ["code", "at", "deep.deeper.version"]) assert.ok(!facets.terms.includes(name), name);
  const examples = Object.fromEntries(fieldExamples(marked).map(({ name, text }) => [name, text]));
  assert.equal(examples.money, 'money = "$1"');
  assert.equal(examples.sizes, 'sizes contains any ("S", "M")');
  assert.equal(examples["deep.deeper.version"], "deep.deeper.version > 1");
  const columns = new Map(new Columns(marked).all.map(({ name, label, help }) => [name, [label, help]]));
  assert.deepEqual(columns.get("deep.deeper.version"), ["deep.deeper.version", "a whole number"]);
  assert.deepEqual(columns.get("constructor"), ["constructor", "a number"]);
  assert.equal(valueAt({}, ["constructor"]), undefined);
});
