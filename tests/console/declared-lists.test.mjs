// The lists of declared resources: the table, its conditions, the search, and imports. One service has two kinds, and
// projects with the interface's resource.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test as plainTest } from "node:test";

import { ResourceModel } from "../../build/console/model/fields.js";
import { check } from "../../build/console/model/import/importer.js";
import { Columns } from "../../build/console/model/query/columns.js";
import { BoxText } from "../../build/console/model/query/box-text.js";
import { csvRows } from "../../build/console/model/csv-lines.js";
import { Facets } from "../../build/console/model/query/facets.js";
import { valueAt } from "../../build/console/model/schema.js";
import { init } from "../../build/console/pkg/browser.js";
import { parseLines } from "../support/lines.mjs";
import { isConnected, isMarked, names } from "./live-page.mjs";
import {
  chooseFile,
  eventually,
  fill,
  openProject,
  project,
  saveFile,
  screenshot,
  serveForTests,
  testsOf,
} from "./support.mjs";

// The types of the package do not have these parts for tests.
const { itemsOf } = /** @type {any} */ (await import("../../build/console/pkg/items/items.js"));
const { loadSyntax } = /** @type {any} */ (await import("../../build/console/pkg/syntax.js"));

await init(readFileSync(new URL("../../build/console/pkg/wasm/resource_edge_bg.wasm", import.meta.url)));

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
const box = (page) => page.getByRole("combobox", { name: "Search or condition" });
const facetNames = (page) => page.locator(".facet h2").allTextContents();
const total = (page, text) => page.locator(".query-status").getByText(text, { exact: true }).waitFor();
const openFilters = (page) => page.getByRole("button", { name: "Filters", exact: true }).click();

describe("the table", () => {
  test("has the title first, then the fields of the shape, numbers at the end and choices", async ({ page, to }) => {
    await page.getByRole("link", { name: "Green chair", exact: true }).waitFor();
    // The newest change is first.
    assert.deepEqual(await names(page), ["Lamp", "Green chair"]);
    const expected = ["Title", "Sku", "Price", "Status", "Sold", "Tags", "Released", "Changed", "Key", "Version"];
    assert.deepEqual(await headings(page), expected);
    const price = page.getByRole("cell", { name: "49.5", exact: true });
    assert.equal(await price.evaluate((cell) => getComputedStyle(cell).textAlign), "end");
    const colors = await page
      .locator("td .mark")
      .evaluateAll((all) => all.map((one) => [one.textContent, getComputedStyle(one, "::before").backgroundColor]));
    assert.deepEqual(
      colors.map(([text]) => text),
      ["draft", "active"],
    );
    assert.notEqual(colors[0][1], colors[1][1]);
    await screenshot(page, "declared-collection");
    await to("?columns=size.width,size.parts,variants,key&sort=size.width desc");
    await page.getByRole("cell", { name: "leg seat", exact: true }).waitFor();
    await page.getByRole("cell", { name: "red 3, mint green 0", exact: true }).waitFor();
    assert.deepEqual(await headings(page), ["Title", "Size, Width", "Size, Parts", "Variants", "Key"]);
    assert.deepEqual(await names(page), ["Green chair", "Lamp"]);
    await page.getByRole("button", { name: "Size, Width" }).click();
    await page.locator("[aria-sort]").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Title" }).click();
    await page.locator("[aria-sort=ascending]").waitFor();
    assert.match(page.url(), /sort=title\+asc/);
    // The order of the columns is a person's choice, too.
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("button", { name: "Move Key up" }).click();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    assert.deepEqual(await headings(page), ["Title", "Size, Width", "Key", "Size, Parts", "Variants"]);
    await page.reload();
    await page.getByRole("columnheader", { name: "Key" }).waitFor();
    assert.deepEqual(await headings(page), ["Title", "Size, Width", "Key", "Size, Parts", "Variants"]);
  });

  test("fits a window of 390 pixels", undefined, { viewport: { width: 390, height: 844 } }, async ({ page }) => {
    await page.getByRole("cell", { name: "49.5" }).waitFor();
    assert.deepEqual(await headings(page), ["Title", "Price", "Status"]);
    await screenshot(page, "declared-collection-390");
    const hidden = await page.locator(".table-frame").evaluate((frame) => frame.scrollWidth - frame.clientWidth);
    assert.equal(hidden, 0);
  });

  test(
    "has a project and buttons on one line of 360 pixels",
    undefined,
    { viewport: { width: 360, height: 740 } },
    async ({ page }) => {
      await page.locator(".project > .clip").evaluate((name) => (name.textContent = "products"));
      const middleOf = (element) => element.boundingBox().then(({ y, height }) => Math.round(y + height / 2));
      const lines = ["link", "button"].map((role) => middleOf(page.getByRole(role, { name: /^(products|Sign out)$/ })));
      const [project, button] = await Promise.all(lines);
      assert.ok(Math.abs(project - button) < 5, `${project}, ${button}`);
    },
  );

  test("keeps the columns of each kind, and names no field of another", async ({ page, name }) => {
    await page.getByText("Columns", { exact: true }).click();
    const menu = page.getByRole("group", { name: "Columns" });
    await menu.getByText("without taxes").waitFor();
    await menu.getByText("one of draft, active").waitFor();
    await menu.getByText("a list of objects: color, stock").waitFor();
    assert.ok(!(await menu.textContent()).includes("arrayOfIntExample"));
    await menu.getByLabel("Size, Width", { exact: true }).check();
    await page.getByRole("columnheader", { name: "Size, Width" }).waitFor();
    /** @type {[string, object[], string][]} */
    const others = [
      [`suppliers-${project()}`, [{ name: "Ada & Sons", rating: 2 }], "Name,Mail,Rating,Changed,Key,Version"],
      [project(), [{ key: "a", objectTypeProperty: {} }], "Key,Array of int example,Array of string example"],
    ];
    for (const [other, bodies, expected] of others) {
      await fill(console.worker, other, bodies);
      await page.goto(`${console.url}/#/p/${other}`);
      await eventually(async () => assert.equal((await headings(page)).join().slice(0, expected.length), expected));
    }
    await page.goto(`${console.url}/#/p/${name}`);
    await page.getByRole("columnheader", { name: "Size, Width" }).waitFor();
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
  test("finds values inside of objects, and names what is wrong", async ({ page }) => {
    assert.equal(await box(page).getAttribute("placeholder"), "Search, or a condition: price > 10");
    await box(page).fill('size.width > 3 and variants(color = "red" and stock > 1)');
    await total(page, "1 match");
    assert.deepEqual(await names(page), ["Green chair"]);
    await box(page).fill("size.with > 3");
    await page.getByText("There is no field 'size.with'.").waitFor();
  });
});

describe("facets", () => {
  test("are of choices, booleans, lists, and numbers, and filter", async ({ page }) => {
    await openFilters(page);
    await page.locator(".facet").first().waitFor();
    // Each tag is that of one product.
    assert.deepEqual(await facetNames(page), ["Status", "Sold", "Price", "Size, Width"]);
    await screenshot(page, "declared-search");
    const offered = await page.getByLabel("Add a facet").locator("option").allTextContents();
    for (const name of ["Variants, Color", "Variants, Stock", "Size, Height", "Tags"])
      assert.ok(offered.includes(name), name);
    for (const name of ["Sku", "Variants", "Array of int example"]) assert.ok(!offered.includes(name), name);
    await page.getByRole("region", { name: "Facet status" }).getByRole("button", { name: "draft" }).click();
    await total(page, "1 match");
    assert.deepEqual(await names(page), ["Lamp"]);
    await page.getByRole("button", { name: "Remove the filter Status: draft" }).click();
    await total(page, "2 resources");
    await page.getByRole("region", { name: "Facet size.width" }).waitFor();
    await page.getByLabel("Add a facet").selectOption("variants.stock");
    await page.getByRole("region", { name: "Facet variants.stock" }).getByRole("button", { name: "9" }).click();
    await total(page, "1 match");
    await page.reload();
    await total(page, "1 match");
    await page.getByRole("button", { name: /^Remove the filter Variants, Stock: / }).click();
    await total(page, "2 resources");
    await page.getByRole("region", { name: "Facet size.width" }).getByRole("button").nth(1).click();
    await total(page, "1 match");
    // Another filter and a condition hold together.
    await box(page).fill("price > 1000");
    await total(page, "0 matches");
  });

  test("fit a window of 390 pixels", undefined, { viewport: { width: 390, height: 844 } }, async ({ page }) => {
    await openFilters(page);
    await page.locator(".facet").first().waitFor();
    await screenshot(page, "declared-search-390");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  });
});

describe("a bulk edit", () => {
  const edit = async (page) => {
    await page.getByLabel("Select all resources of this page").check();
    await page.getByRole("button", { name: "Edit selected" }).click();
    return page.getByRole("dialog");
  };

  test("sets a field of the chosen rows, checks the value first, and reports what failed", async ({
    page,
    name,
    read,
  }) => {
    const dialog = await edit(page);
    await dialog.getByLabel("Field", { exact: true }).selectOption({ label: "Price" });
    await dialog.getByLabel("Price").fill("-1");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Expected a number of at least 0, found -1.").waitFor();
    const { id, version } = await read("key=chair");
    const { status } = await console.worker.call(`POST /${name}/resource`, { body: { id, version, sold: true } });
    assert.equal(status, 200);
    await dialog.getByLabel("Price").fill("20");
    await dialog.getByRole("button", { name: "Save" }).click();
    const report = page.getByRole("dialog", { name: "1 resource not changed" });
    await report.getByText("Green chair: Somebody has changed it since.").waitFor();
    await report.getByRole("button", { name: "Close" }).click();
    await page.getByText("1 resource changed.").waitFor();
    const { results } = (await console.worker.fresh(`GET /${name}/resource?sort=title`)).json;
    assert.deepEqual(
      results.map(({ price, version }) => [price, version]),
      [
        [49.5, 2],
        [20, 2],
      ],
    );
  });

  test("removes values, and keeps the other values of an object", async ({ page, name }) => {
    const dialog = await edit(page);
    await dialog.getByLabel("Field", { exact: true }).selectOption({ label: "Size, Width" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("2 resources changed.").waitFor();
    const { results } = (await console.worker.fresh(`GET /${name}/resource?sort=title`)).json;
    const { width, ...rest } = CHAIR.size;
    assert.deepEqual([results[0].size, results[1].size?.width], [rest, undefined]);
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
    await dialog.getByLabel("NDJSON").check();
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

plainTest("a CSV file has what an import reads again", async () => {
  const { names: header, row } = csvRows(model.columns);
  const others = [
    { ...CHAIR, title: 'A "wide", long\nchair; 5|6', tags: ["a|b", " c"], released: undefined },
    { title: "-x", price: 1e21, tags: ["[a"], variants: [], size: { width: 0 } },
  ];
  const text = header + [CHAIR, ...others].map(row).join("");
  /** @type {object[]} */
  const read = [];
  for await (const { items } of itemsOf(
    new File([text], "x.csv"),
    "x.csv",
    model.columns,
    new AbortController().signal,
  ))
    read.push(...items.map((item) => JSON.parse(item.text)));
  const { variants, ...last } = others[1];
  assert.deepEqual(read, JSON.parse(JSON.stringify([CHAIR, others[0], last])));
});

plainTest("completions lead to conditions that the service's check accepts, for each field", async () => {
  const language = new BoxText(model, (await loadSyntax(model.declared)).where);
  const SAMPLES = {
    text: '"x"',
    number: "1",
    boolean: "true",
    date: '"2026-01-31T00:00:00.000Z"',
    texts: '"x"',
    name: '"x"',
  };
  const seen = new Set();
  /** Completes a text until it is a condition. */
  const finish = (text, field) => {
    for (let steps = 0; steps < 12; steps++) {
      if (language.check(text) === undefined) return text;
      const { options } = language.complete(text);
      const [first] = options.filter((one) => !["not ", ", "].includes(one.text));
      const end = options.find((one) => one.text.trim() === ")");
      text += (end ?? first)?.text ?? (/[\w"]$/.test(text) ? " " : `${SAMPLES[field?.kind] ?? '"x"'} `);
    }
    return text;
  };
  for (const { text } of language.complete("").options) seen.add(text.trim());
  assert.deepEqual([...seen].slice(0, 3), ["sku", "title", "price"]);
  for (const { name } of [...new Columns(model).all, new Columns(model).first]) {
    const field = model.find(name);
    const begun = field.kind === "objects" ? `${name}(` : `${name} `;
    const { options } = language.complete(begun);
    assert.ok(options.length > 1, name);
    for (const { text } of options) {
      if (text === "not ") continue;
      const kind = text.startsWith("stock") ? "number" : "text";
      const whole = finish(begun + text, field.kind === "objects" ? { kind } : field);
      assert.equal(language.check(whole)?.message, undefined, whole);
      assert.equal(language.isCondition(whole), true, whole);
    }
  }
  const of = (text) => language.complete(text).options.map((one) => one.text);
  assert.deepEqual(of("status = "), ['"draft" ', '"active" ']);
  assert.deepEqual(of('status = "a'), ['"active" ']);
  assert.deepEqual(of("sold = "), ["true ", "false "]);
  assert.deepEqual(of("price > 1 and sta"), ["status "]);
  assert.deepEqual(of("variants(").slice(0, 2), ["color ", "stock "]);
  assert.ok(!of("price ").includes("contains any ("));
  for (const words of ["price", "status draft", "not a chair", "title of (a) chair", "sku in wood", "size (large)"])
    assert.equal(language.isCondition(words), false, words);
  for (const wrong of ["price > x", 'title contains "a"', 'colour = "red"', "size(width >", "status is def"])
    assert.equal(language.isCondition(wrong), true, wrong);
});

plainTest("what a shape has decides about columns, facets, and examples", () => {
  const many = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, { type: "number" }]));
  const of = (properties) => new ResourceModel({ name: "thing", schema: { type: "object", properties } });
  const empty = of({});
  assert.deepEqual(
    [new Columns(empty).first.name, new Columns(empty).defaults],
    ["key", ["lastModifiedAt", "version"]],
  );
  assert.deepEqual(new Facets(empty).first, []);
  const shown = ["a", "b", "c", "d", "e", "f", "lastModifiedAt", "version"];
  assert.deepEqual(new Columns(of(many)).defaults, shown);
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
  assert.deepEqual(facets.first, ["money", "level", "sizes", "constructor", "deep.deeper.version"]);
  assert.deepEqual(facets.first.map(facets.kindOf), ["terms", "terms", "terms", "ranges", "ranges"]);
  for (const name of ["code", "at"]) assert.equal(facets.kindOf(name), undefined, name);
  const terms = (...all) => ({
    type: /** @type {const} */ ("terms"),
    dataType: /** @type {const} */ ("text"),
    missing: 0,
    other: 0,
    total: all.reduce((sum, one) => sum + one, 0),
    terms: all.map((count, at) => ({ term: `t${at}`, count })),
  });
  const helpful = (found, ...filtered) => facets.helpful(["money", "text"], found, new Set(filtered));
  assert.deepEqual(helpful({ money: terms(1, 1), text: terms(1, 1, 2) }), ["money"]);
  assert.deepEqual(helpful({ money: terms(9), text: terms(3, 3, 2) }), ["text"]);
  assert.deepEqual(helpful({ money: terms(9), text: terms(1, 1) }, "text"), ["text"]);
  const columns = new Map(new Columns(marked).all.map(({ name, label, help }) => [name, [label, help]]));
  assert.deepEqual(columns.get("deep.deeper.version"), ["Deep, Deeper, Version", "a whole number"]);
  assert.deepEqual(columns.get("constructor"), ["Constructor", "a number"]);
  assert.equal(valueAt({}, ["constructor"]), undefined);
});
