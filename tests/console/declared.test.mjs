// The forms of declared resources (resources.json).

import assert from "node:assert/strict";
import { describe } from "node:test";

import { LAMP, openShop, product } from "./declared-shop.mjs";
import {
  addAction,
  addChips,
  audit,
  box,
  enter,
  fill,
  heldBack,
  isFocused,
  project,
  readFresh,
  save,
  screenshot,
  testsOf,
} from "./support.mjs";

const { console, openProducts, openLamp } = openShop();

const said = (page, path) => page.locator(`[data-field="${path}"] .field-error`);
const errorOf = async (page, path) => (await said(page, path).textContent()).trim();
const row = (page, number) => page.getByRole("listitem", { name: `Variants ${number}`, exact: true });
const create = (page) => page.getByRole("button", { name: "Create", exact: true }).click();
/** Returns the content of a record. */
const contentOf = (/** @type {any} */ { id, version, key, createdAt, lastModifiedAt, ...content }) => content;

describe("a form for a declared resource", () => {
  const form = testsOf(() => openProducts("new", [], { timezoneId: "Europe/Berlin" }));

  form("has its fields in their order, with hints, marks, choices, and defaults", async ({ page }) => {
    await page.getByRole("heading", { name: "New product" }).waitFor();
    const names = await page
      .locator("section[aria-label=Product] > *")
      .evaluateAll((fields) =>
        fields.map((field) => field.dataset.field ?? field.querySelector("[data-field]")?.dataset.field),
      );
    assert.deepEqual(names, [...Object.keys(product.properties), "key"]);
    assert.equal(await page.getByText("someProperty").count(), 0);
    await page.getByText("The name in the shop. At most 20 characters.").waitFor();
    assert.equal(await page.getByLabel("title").getAttribute("aria-required"), "true");
    assert.equal(await page.getByLabel("sku").getAttribute("aria-required"), null);
    const price = page.getByLabel("Price in euros");
    const attributes = ["type", "inputmode"].map((name) => price.getAttribute(name));
    assert.deepEqual(await Promise.all(attributes), [null, "decimal"]);
    const status = page.getByLabel("status");
    assert.deepEqual(await status.locator("option").allTextContents(), ["not set", "draft", "active"]);
    assert.equal(await status.locator("option:checked").textContent(), "draft");
    for (const [name, type] of [
      ["supplier", "email"],
      ["page", "url"],
      ["since", "date"],
      ["opens", "text"],
    ])
      assert.equal(await page.getByLabel(name).getAttribute("type"), type, name);
    assert.deepEqual(await audit(page), []);
    await screenshot(page, "declared-form", { fullPage: true });
  });

  form("reports errors at the fields and in a summary with their places, and creates a resource", async (opened) => {
    const { page, read } = opened;
    await page.getByLabel("sku").fill("x");
    await create(page);
    const summary = page.getByRole("alert", { name: "3 problems to correct before saving" });
    const problems = await summary.getByRole("button").allTextContents();
    assert.deepEqual(
      problems.map((text) => text.split(":")[0]),
      ["Title", "Price in euros", "Sku"],
    );
    await summary.getByRole("button", { name: "Price in euros: This field is required." }).click();
    assert.ok(await isFocused(page.getByLabel("Price in euros")));
    assert.equal(await errorOf(page, "price"), "This field is required.");
    await page.getByLabel("Price in euros").fill("cheap");
    assert.equal(await errorOf(page, "price"), "This is not a number.");
    await page.getByLabel("Price in euros").fill("0.7");
    assert.equal(await errorOf(page, "price"), "Expected a multiple of 0.5, found 0.7.");
    await page.getByLabel("Price in euros").fill("-1");
    assert.equal(await errorOf(page, "price"), "Expected a number of at least 0, found -1.");
    await page.getByLabel("Price in euros").fill("12.5");
    assert.equal(await errorOf(page, "price"), "");
    await page.getByLabel("title").fill("A title that is too long");
    await said(page, "title").getByText("Expected 1 to 20 characters.").waitFor();
    await page.getByLabel("title").fill("Chair");
    await said(page, "sku").getByText('Expected a text that matches ^[A-Z]{2}-[0-9]+$, found "x".').waitFor();
    await page.getByLabel("sku").fill("AB-1");
    await page.getByLabel("supplier").fill("nobody");
    await said(page, "supplier").getByText("Expected an e-mail address").waitFor();
    await page.getByLabel("supplier").fill("b@example.com");
    await page.getByLabel("height").fill("3");
    assert.equal(await errorOf(page, "size.width"), "This field is required.");
    await page.getByRole("button", { name: "Add an item" }).click();
    await page.getByRole("button", { name: "Add an item" }).click();
    await row(page, 1).getByLabel("color").fill("blue");
    await row(page, 2).getByLabel("stock").fill("-2");
    await create(page);
    const places = page.getByRole("alert", { name: "3 problems to correct before saving" });
    await places.getByRole("button", { name: "Size, Width: This field is required." }).click();
    assert.ok(await isFocused(page.getByLabel("width")));
    await places.getByRole("button", { name: "Variants 2, Color: This field is required." }).click();
    assert.ok(await isFocused(row(page, 2).getByLabel("color")));
    assert.deepEqual(await audit(page), []);
    await row(page, 2).getByLabel("color").fill("red");
    await row(page, 2).getByLabel("stock").fill("2");
    await page.getByLabel("width").fill("1.5");
    await addChips(page, "tags", "a", "b");
    await page.getByLabel("store").check();
    await page.getByLabel("sold").selectOption("Yes");
    await page.getByLabel("since").fill("2026-01-31");
    await page.getByLabel("opens").fill("09:00:00Z");
    // In the time zone of the person.
    await page.getByLabel("At", { exact: true }).fill("2026-01-31T11:00");
    await box(page, "key").fill("chair");
    await create(page);
    await page.getByText("Created Chair, version 1.").waitFor();
    assert.deepEqual(contentOf(await read("key=chair")), {
      title: "Chair",
      price: 12.5,
      status: "draft",
      sku: "AB-1",
      tags: ["a", "b"],
      channels: ["store"],
      size: { width: 1.5, height: 3 },
      variants: [{ color: "blue" }, { color: "red", stock: 2 }],
      sold: true,
      supplier: "b@example.com",
      since: "2026-01-31",
      opens: "09:00:00Z",
      at: "2026-01-31T10:00:00.000Z",
    });
  });

  testsOf(() => openProducts("new", [{ title: "First", price: 1, sku: "AB-1" }]))(
    "shows at its field that another resource has a unique value",
    async ({ page }) => {
      await page.getByLabel("title").fill("Second");
      await page.getByLabel("Price in euros").fill("1");
      await page.getByLabel("sku").fill("AB-1");
      await create(page);
      await said(page, "sku").getByText("AB-1").waitFor();
    },
  );
});

describe("editing a declared resource", () => {
  const edit = testsOf(() => openLamp("/edit"));

  edit("changes values inside of objects and lists, and the order of items", async ({ page, read }) => {
    await page.getByLabel("width").fill("21");
    await row(page, 2).getByLabel("stock").fill("7");
    await page.getByRole("button", { name: "Move item 2 of Variants up" }).click();
    assert.equal(await row(page, 1).getByLabel("color").inputValue(), "green");
    await page.getByRole("button", { name: "Add an item" }).click();
    assert.ok(await isFocused(row(page, 3).getByLabel("color")));
    await page.keyboard.type("blue");
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("Item 3 of Variants is now number 2 of 3.").waitFor();
    await page.getByRole("button", { name: "Remove item 3 of Variants" }).click();
    await page.getByLabel("store").check();
    await save(page, "Lamp");
    const { variants, size, channels } = await read();
    assert.deepEqual(variants, [{ color: "green", stock: 7 }, { color: "blue" }]);
    assert.deepEqual([size, channels], [{ width: 21, height: 45 }, ["web", "store"]]);
  });

  edit("removes the values of optional fields that are cleared, and sends only what changed", async (opened) => {
    const { page, read } = opened;
    await page.getByLabel("supplier").fill("");
    for (const tag of ["old", "brass"]) await page.getByRole("button", { name: `Remove ${tag}` }).click();
    await page.getByLabel("sold").selectOption("not set");
    await page.getByLabel("status").selectOption("not set");
    await page.getByLabel("width").fill("");
    await page.getByLabel("height").fill("");
    await page.getByRole("button", { name: "Remove item 1 of Variants" }).click();
    await page.getByRole("button", { name: "Remove item 1 of Variants" }).click();
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/resource")),
      save(page, "Lamp"),
    ]);
    const { id, version, ...sent } = request.postDataJSON();
    const removed = { status: null, tags: null, size: null, variants: null, sold: null, supplier: null };
    assert.deepEqual(sent, removed);
    assert.deepEqual(contentOf(await read()), { title: "Lamp", price: 40, channels: ["web"] });
  });

  edit("keeps required values and the key", async ({ page, read }) => {
    await page.getByLabel("title").fill("");
    await said(page, "title").getByText("This field is required.").waitFor();
    await page.getByLabel("title").fill("Lamp");
    await box(page, "key").fill("");
    await said(page, "key").getByText("1 to 256 bytes").waitFor();
    await box(page, "key").fill("lamp");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("There are no changes to save.").waitFor();
    assert.equal((await read()).version, 1);
  });

  edit("asks about a field that another person changed too, and merges the others", async (opened) => {
    const { page, read, change } = opened;
    await page.getByLabel("title").fill("Mine");
    await page.getByLabel("supplier").fill("");
    await addChips(page, "tags", "new");
    await change({ version: 1, title: "Theirs", price: 41, tags: ["brass"] });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("2 fields were changed by both").waitFor();
    assert.deepEqual(await audit(page), []);
    await page.getByRole("radio", { name: "Title: Yours" }).check();
    await page.getByRole("radio", { name: "Tags: both" }).check();
    await page.getByRole("button", { name: "Save the result" }).click();
    await page.getByText("Saved Mine, version 3.").waitFor();
    const { title, price, tags, supplier, size } = await read();
    assert.deepEqual(
      { title, price, tags, supplier, size },
      { title: "Mine", price: 41, tags: ["brass", "new"], supplier: undefined, size: LAMP.size },
    );
  });

  // A page that was open before the schema grew, or before a rule became stricter.
  const stale = testsOf(async () => {
    const name = `products-${project()}`;
    const [{ id }] = await fill(console.worker, name, [LAMP]);
    const page = await console.open();
    await page.route(`**/${name}/openapi.json`, async (route) => {
      const response = await route.fetch();
      const document = await response.json();
      const { sold, supplier, ...properties } = product.properties;
      const strict = { ...properties, status: { enum: ["new"] }, legacy: { type: "string" } };
      const schema = { ...product, required: [...product.required, "legacy"], properties: strict };
      await route.fulfill({ response, json: { ...document, "x-resource": { name: "product", schema } } });
    });
    await enter(page, name);
    await page.goto(`${console.url}/#/p/${name}/r/${id}/edit`);
    await page.getByRole("button", { name: "Save" }).waitFor();
    return { page, name, id };
  });

  stale("keeps what the page does not know, and what earlier rules allowed", async ({ page, name, id }) => {
    assert.deepEqual(await page.getByLabel("status").locator("option").allTextContents(), ["not set", "new", "active"]);
    await page.getByLabel("title").fill("Changed");
    await save(page, "Changed");
    assert.deepEqual(contentOf(await readFresh(console.worker, name, id)), { ...contentOf(LAMP), title: "Changed" });
  });
});

describe("update actions of a declared resource", () => {
  const actions = testsOf(() => openLamp("/actions"));

  actions("set fields, remove their values, and change lists", async ({ page, read }) => {
    const offered = await page.getByLabel("Action to add").locator("option").allTextContents();
    const added = ["addTags", "removeTags", "addChannels", "removeChannels"];
    const titled = (name) => name[0].toUpperCase() + name.slice(1);
    assert.deepEqual(offered, [...Object.keys(product.properties).map((name) => `set${titled(name)}`), ...added]);
    for (const name of ["setPrice", "setSupplier", "setVariants", "addTags", "removeChannels"])
      await addAction(page, name);
    const action = (number) => page.getByRole("listitem", { name: new RegExp(`^Action ${number}:`) });
    await action(1).getByText("This field is required.").waitFor();
    await action(1).getByLabel("Price in euros").fill("41");
    await action(3).getByRole("button", { name: "Add an item" }).click();
    await row(page, 1).getByLabel("color").fill("black");
    await box(page, "tags").fill("new");
    await action(5).getByLabel("web").check();
    assert.deepEqual(await audit(page), []);
    await page.getByRole("button", { name: "Send 5 actions" }).click();
    await page.getByText("Updated Lamp, version 2.").waitFor();
    const { price, supplier, variants, tags, channels = [] } = await read();
    assert.deepEqual(
      { price, supplier, variants, tags, channels },
      { price: 41, supplier: undefined, variants: [{ color: "black" }], tags: ["brass", "old", "new"], channels: [] },
    );
  });

  actions("are merged with what another person saved", async ({ page, read, change }) => {
    for (const name of ["setPrice", "addTags"]) await addAction(page, name);
    await page.getByLabel("Price in euros").fill("41");
    await box(page, "tags").fill("new");
    const sent = await heldBack(page, "**/resource/**");
    await page.getByRole("button", { name: "Send 2 actions" }).click();
    await sent.wait();
    await change({ version: 1, tags: ["brass"], title: "Theirs" });
    await sent.answer();
    await page.getByText("1 field was changed by both").waitFor();
    await page.getByRole("radio", { name: "Tags: both" }).check();
    await page.getByRole("button", { name: "Save the result" }).click();
    await page.getByText("Updated Theirs, version 3.").waitFor();
    const { title, price, tags } = await read();
    assert.deepEqual({ title, price, tags }, { title: "Theirs", price: 41, tags: ["brass", "new"] });
  });
});
