// The console of a service with own fields (fields.json).

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addAction,
  box,
  enter,
  fill,
  openProject,
  project,
  readFresh,
  save,
  serveForTests,
  testsOf,
} from "./support.mjs";

const TABLE = {
  fields: [
    { name: "title", type: "text" },
    { name: "price", type: "number" },
    { name: "sold", type: "boolean" },
    { name: "since", type: "datetime" },
    { name: "tags", type: "text[]" },
    { name: "sizes", type: "integer[]" },
  ],
};
const console = serveForTests(undefined, undefined, { fields: TABLE });

const OWN = {
  title: "Green chair",
  price: 49.5,
  sold: false,
  since: "2026-01-31T00:00:00.000Z",
  tags: ["wood"],
  sizes: [1, 2],
};
const CHAIR = { key: "chair", objectTypeProperty: {}, custom: "c", ...OWN };
const ownOf = (resource) => Object.fromEntries(Object.keys(OWN).map((name) => [name, resource[name]]));

const shown = testsOf(() => openProject(console, [CHAIR, { key: "none", objectTypeProperty: {} }]));

shown("own fields are the first columns, and examples of conditions that find resources", async ({ page }) => {
  await page.getByRole("cell", { name: "Green chair" }).waitFor();
  const headings = await page.getByRole("columnheader").allTextContents();
  const names = headings.map((text) => text.replace(/[↑↓]/, ""));
  assert.deepEqual(names.slice(0, 7), ["Key", "Version", "title", "price", "sold", "since", "tags"]);
  // The name of the link is the key and the ID.
  const none = page.getByRole("link", { name: /^none / });
  await none.waitFor();
  await page.locator(".examples summary").click();
  await page.locator(".example", { has: page.getByText("price", { exact: true }) }).click();
  assert.equal(await page.getByRole("textbox", { name: "Condition" }).inputValue(), "price > 1");
  await page.getByText("1 match", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Apply" }).click();
  await none.waitFor({ state: "detached" });
});

shown("own fields are first in the page of a resource, which lists no empty samples", async (opened) => {
  const { page, made, to } = opened;
  const condition = page.getByRole("textbox", { name: "Condition" });
  assert.equal(await condition.getAttribute("placeholder"), "For example: price > 1");
  const [{ id }, { id: none }] = made;
  await to(`r/${id}`);
  const details = page.getByRole("region", { name: "Details" });
  await details.getByText("Green chair").waitFor();
  assert.deepEqual((await details.locator("dt").allTextContents()).slice(0, 5), [
    "title",
    "price",
    "sold",
    "since",
    "ID",
  ]);
  assert.equal((await details.locator("dt").allTextContents()).at(-1), "custom");
  await page.getByRole("region", { name: "Arrays" }).getByText("wood").waitFor();
  assert.equal(await page.getByText("Empty:").count(), 0);
  await to(`r/${none}`);
  await page.getByText("Empty: tags, sizes", { exact: true }).waitFor();
});

shown("own fields are the first facets of the search", async ({ page, to }) => {
  await to("search");
  await page.getByRole("heading", { name: "title", exact: true }).waitFor();
  const names = await page.locator(".facet h2, .facet h3").allTextContents();
  assert.deepEqual(names, ["title", "price", "sold"]);
});

testsOf(() => openProject(console, [CHAIR], { viewport: { width: 390, height: 844 } }))(
  "a narrow window shows two own fields, and the tabs in one line",
  async ({ page }) => {
    await page.getByRole("cell", { name: "Green chair" }).waitFor();
    const headings = await page.getByRole("columnheader").filter({ visible: true }).allTextContents();
    assert.deepEqual(
      headings.map((text) => text.replace(/[↑↓]/, "")).filter((text) => text !== ""),
      ["Key", "Version", "title", "price"],
    );
    const tops = await page
      .locator(".tabs a")
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, tops.join());
  },
);

shown("a form creates and edits own fields, and names the action that removes a value", async (opened) => {
  const { page, made, to, read } = opened;
  await page.getByRole("link", { name: "New resource" }).first().click();
  const own = page.getByRole("region", { name: "Your fields" });
  await box(page, "key").fill("lamp");
  await own.getByLabel("title").fill("Lamp");
  await own.getByLabel("price").fill("cheap");
  await page.locator('[data-field="price"] .field-error').getByText("Expected a number").waitFor();
  await own.getByLabel("price").fill("12.5");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Created lamp, version 1.").waitFor();
  const lamp = await read("key=lamp");
  assert.deepEqual([lamp.title, lamp.price, lamp.tags], ["Lamp", 12.5, []]);

  const [{ id }] = made;
  await to(`r/${id}/edit`);
  assert.equal(await own.getByLabel("title").inputValue(), "Green chair");
  await own.getByLabel("title").fill("Blue chair");
  await own.getByLabel("price").fill("");
  await page.getByText("The field 'price' cannot be removed here.").first().waitFor();
  await page.getByText("An update action can remove the value.").first().waitFor();
  await own.getByLabel("price").fill("50");
  await save(page, "chair");
  assert.deepEqual(ownOf(await read(id)), { ...OWN, title: "Blue chair", price: 50 });
});

shown("update actions set own fields, or remove their values", async ({ page, made: [{ id }], to, read }) => {
  await to(`r/${id}/actions`);
  for (const name of ["setPrice", "setSold", "setSizes", "setTitle"]) await addAction(page, name);
  await page.getByLabel("sold", { exact: true }).selectOption("true");
  await page.getByLabel("sizes", { exact: true }).fill("3, x");
  await page.getByText("Item 2 “x”: Expected an integer").waitFor();
  await page.getByRole("button", { name: "Send 4 actions" }).click();
  assert.equal(await page.getByLabel("sizes", { exact: true }).getAttribute("aria-invalid"), "true");
  await page.getByLabel("sizes", { exact: true }).fill("3, 4");
  await page.getByLabel("title", { exact: true }).fill("Red chair");
  await page.getByRole("button", { name: "Send 4 actions" }).click();
  await page.getByText("Updated chair, version 2.").waitFor();
  const expected = { ...OWN, price: undefined, sold: true, sizes: [3, 4], title: "Red chair" };
  assert.deepEqual(ownOf(await read(id)), expected);
});

// A page that was open before the table grew, or that comes from a cache.
test("a page that does not know the own fields keeps their values when it saves", async () => {
  const name = project();
  const [{ id }] = await fill(console.worker, name, [CHAIR]);
  const page = await console.open();
  await page.route("**/openapi.json", async (route) => {
    const response = await route.fetch();
    const { "x-own-fields": _, ...document } = await response.json();
    await route.fulfill({ response, json: document });
  });
  await page.reload();
  await enter(page, name);
  assert.ok(!(await page.getByRole("columnheader").allTextContents()).join().includes("title"));
  await page.goto(`${console.url}/#/p/${name}/r/${id}/edit`);
  await box(page, "custom").fill("changed");
  await save(page, "chair");
  const now = await readFresh(console.worker, name, id);
  assert.equal(now.custom, "changed");
  assert.deepEqual(ownOf(now), OWN);
  await page.done();
});

test("the page says that it cannot read the own fields, and tries again", async () => {
  const page = await console.open();
  await page.route("**/openapi.json", (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
  await page.getByRole("alert").getByText("The OpenAPI document of the service cannot be read: status 503.").waitFor();
  await page.unroute("**/openapi.json");
  await page.getByRole("button", { name: "Try again" }).click();
  await enter(page, project());
  await page.done();
});
