// What a shop keeper does all day: change prices, return to the list, edit several products, and undo mistakes.

import assert from "node:assert/strict";
import { describe } from "node:test";

import { readNumber } from "../../build/console/model/edit/numbers.js";
import { LAMP, openShop } from "./declared-shop.mjs";
import {
  addChips,
  audit,
  chooseFile,
  eventually,
  save as saveForm,
  saveFile,
  screenshot,
  testsOf,
} from "./support.mjs";

const { console, openProducts, openLamp } = openShop();

const PRODUCTS = Array.from({ length: 24 }, (_, at) => ({
  key: `chair-${at}`,
  title: `Chair ${String(at).padStart(2, "0")}`,
  price: 10 + at,
  status: "draft",
}));
const test = testsOf((bodies = PRODUCTS, path = "?text=chair&sort=title+asc") => openProducts(path, bodies));
const row = (page, name) => page.getByRole("link", { name, exact: true });
const focused = (page) => page.evaluate(() => document.activeElement?.textContent);
const matches = (page, text) => page.locator(".query-status").getByText(text, { exact: true }).waitFor();

describe("a number", () => {
  testsOf(() => openLamp("/edit"))(
    "has a decimal point or comma, and one with two meanings is not saved",
    async (shop) => {
      const { page, read } = shop;
      const price = page.locator('[data-field="price"]');
      await price.getByRole("textbox").fill("1,990");
      await page.getByRole("button", { name: "Save" }).click();
      await price.getByText("'1,990' can mean 1990 or 1.99. Write one of them.").waitFor();
      assert.equal((await read()).version, 1);
      await price.getByRole("textbox").fill("19,50");
      await saveForm(page, "Lamp");
      assert.equal((await read()).price, 19.5);
    },
  );

  testsOf(async () => ({ page: await console.open() }))("is read as people write it", () => {
    const cases = { "": undefined, "19.90": 19.9, "-0,125": -0.125, "1.299,00": 1299, "1,299.00": 1299, "1 299": 1299 };
    for (const [text, number] of Object.entries(cases)) assert.deepEqual(readNumber(text).number, number, text);
    for (const text of ["1,299", "12,34,5", "EUR 5", "1e999"]) assert.ok(readNumber(text).problem, text);
  });
});

describe("the way back to the list", () => {
  test("leads from a saved resource to its row in the same search, in one step", async ({ page }) => {
    await row(page, "Chair 15").click();
    await page.getByRole("heading", { name: "Chair 15" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("title").fill("Chair 15b");
    await saveForm(page, "Chair 15b");
    await page.goBack();
    await matches(page, "24 matches");
    await eventually(async () => assert.equal(await focused(page), "Chair 15b"));
    assert.ok(await row(page, "Chair 15b").evaluate((link) => link.getBoundingClientRect().bottom < innerHeight));
    await page.keyboard.press("j");
    assert.equal(await focused(page), "Chair 16");
  });

  test("is the list itself if a price was edited from its cell", async ({ page, read }) => {
    await row(page, "Chair 03").locator("xpath=ancestor::tr").getByRole("cell", { name: "13", exact: true }).dblclick();
    await page.getByRole("button", { name: "Save" }).waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest("[data-field]")?.getAttribute("data-field")),
      "price",
    );
    await page.keyboard.press("Control+A");
    await page.keyboard.type("14,5");
    await page.keyboard.press("Enter");
    await matches(page, "24 matches");
    await eventually(async () => assert.equal(await focused(page), "Chair 03"));
    assert.equal((await read("key=chair-3")).price, 14.5);
  });

  test("shows a draft that was left on the page of its resource", async ({ page }) => {
    await row(page, "Chair 05").click();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("title").fill("Chair 05b");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("link", { name: "Continue your unsaved draft" }).click();
    await page.getByText("This is your unsaved draft from").waitFor();
    assert.equal(await page.getByLabel("title").inputValue(), "Chair 05b");
  });

  test("keeps the search behind the name above a resource, and after a deletion", async ({ page }) => {
    await row(page, "Chair 03").click();
    await page.getByRole("heading", { name: "Chair 03" }).waitFor();
    await page.locator("main").getByRole("link", { name: "Resources" }).click();
    await matches(page, "24 matches");
    await row(page, "Chair 04").click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await matches(page, "23 matches");
    assert.match(page.url(), /text=chair&|&text=chair/);
  });
});

test("beside a condition, choices have the counts of its matches", [...PRODUCTS, LAMP], "", async ({ page }) => {
  const box = page.getByRole("combobox", { name: "Search or condition" });
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await box.fill("price >= 30");
  await matches(page, "5 matches");
  const counts = page.getByRole("region", { name: "Facet status" }).locator(".numeric");
  await eventually(async () => assert.deepEqual(await counts.allTextContents(), ["4", "1"]));
  // The counts of a field ignore its own filters, so that a second value can be chosen.
  await page.getByRole("region", { name: "Facet status" }).getByRole("button", { name: "active" }).click();
  await matches(page, "1 match");
  await eventually(async () => assert.deepEqual(await counts.allTextContents(), ["4", "1"]));
});

test("an article number in the box completes nothing, and Escape leads to the keys of the list", async ({ page }) => {
  const box = page.getByRole("combobox", { name: "Search or condition" });
  await box.fill("CH-0");
  await page.waitForTimeout(500);
  assert.ok(await page.getByRole("listbox", { name: "Completions" }).isHidden());
  await box.fill("chair");
  await matches(page, "24 matches");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  assert.match(await focused(page), /^Chair \d\d$/);
});

test("a list without a connection stays, and continues with the connection", async ({ page }) => {
  const box = page.getByRole("combobox", { name: "Search or condition" });
  await matches(page, "24 matches");
  await page.context().setOffline(true);
  await box.fill("chair 07");
  await page.getByText("No connection. The list is that of before").waitFor();
  assert.ok(await row(page, "Chair 00").isVisible());
  await page.context().setOffline(false);
  await matches(page, "1 match");
  assert.ok(await row(page, "Chair 07").isVisible());
});

test("a list that takes long says so", async ({ page }) => {
  await matches(page, "24 matches");
  await page.route("**/resource/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.getByRole("combobox", { name: "Search or condition" }).fill("chair 07");
  await matches(page, "Loading …");
  await matches(page, "1 match");
});

describe("a deletion", () => {
  test("of one resource can be undone", async ({ page, read }) => {
    await row(page, "Chair 02").click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Chair 02 was deleted.").waitFor();
    await screenshot(page, "shop-undo");
    assert.deepEqual(await audit(page), []);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("1 resource restored.").waitFor();
    await page.getByRole("heading", { name: "Chair 02" }).waitFor();
    const { price, title } = await read("key=chair-2");
    assert.deepEqual([price, title], [12, "Chair 02"]);
  });

  test("of several can be undone, unless another resource has a key by then", async ({ page, name, read }) => {
    for (const title of ["Chair 00", "Chair 01"]) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole("button", { name: "Delete selected" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 resources deleted.").waitFor();
    const taken = { ...LAMP, key: "chair-0" };
    assert.equal((await console.worker.call(`POST /${name}/resource`, { body: taken })).status, 201);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog", { name: "1 resource not restored" }).getByText("Chair 00").waitFor();
    assert.equal((await read("key=chair-0")).title, "Lamp");
    assert.equal((await read("key=chair-1")).title, "Chair 01");
  });
});

describe("several products", () => {
  const edit = async (page, field, change) => {
    for (const title of ["Chair 00", "Chair 01"]) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole("button", { name: "Edit selected" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Field", { exact: true }).selectOption(field);
    if (change !== undefined) await dialog.getByLabel("Change", { exact: true }).selectOption(change);
    return dialog;
  };
  const save = async (page, count = "2 resources") => {
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText(`${count} changed.`).waitFor();
  };

  test("get one of the choices of a field", async ({ page, read }) => {
    const dialog = await edit(page, "Status");
    await dialog.getByLabel("Status").selectOption("active");
    await save(page);
    assert.equal((await read("key=chair-0")).status, "active");
  });

  test("get their values back, unless somebody has changed them since", async ({ page, name, read }) => {
    const dialog = await edit(page, "Price in euros");
    await dialog.getByLabel("Price in euros").fill("1");
    await save(page);
    const { id, version } = await read("key=chair-1");
    const body = { id, version, status: "active" };
    assert.equal((await console.worker.call(`POST /${name}/resource`, { body })).status, 200);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog", { name: "1 resource not changed back" }).getByText("Chair 01").waitFor();
    assert.deepEqual([(await read("key=chair-0")).price, (await read(id)).price], [10, 1]);
  });

  test("get a percentage of another number, in the steps of the field", async ({ page, read }) => {
    const dialog = await edit(page, "Price in euros", "A percentage of Price in euros");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This field is required.").waitFor();
    await dialog.getByRole("textbox", { name: "Percent" }).fill("87,5");
    await screenshot(page, "shop-percent");
    await save(page);
    // 87.5 % of 10 and of 11 in steps of 0.5.
    assert.deepEqual([(await read("key=chair-0")).price, (await read("key=chair-1")).price], [9, 9.5]);
    await edit(page, "Size, Width", "A percentage of Size, Height");
    await page.getByRole("dialog").getByRole("textbox", { name: "Percent" }).fill("50");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    const report = page.getByRole("dialog", { name: "2 resources not changed" });
    await report.getByText("Chair 00: It has no value of Size, Height.").waitFor();
  });

  test("get and lose items of a list, and keep the others", async ({ page, name, read }) => {
    const { id } = await read("key=chair-0");
    const body = { id, version: 1, tags: ["oak"] };
    assert.equal((await console.worker.call(`POST /${name}/resource`, { body })).status, 200);
    await page.locator("td").getByText("oak").waitFor();
    await edit(page, "Tags");
    await addChips(page.getByRole("dialog"), "tags", "sale", "oak");
    await save(page);
    assert.deepEqual(
      [(await read(id)).tags, (await read("key=chair-1")).tags],
      [
        ["oak", "sale"],
        ["sale", "oak"],
      ],
    );
    // It remains for some time, because it offers to undo the edit.
    await page.getByRole("button", { name: "Close this notice" }).click();
    await edit(page, "Tags", "Remove");
    await addChips(page.getByRole("dialog"), "tags", "oak");
    await save(page);
    assert.deepEqual([(await read(id)).tags, (await read("key=chair-1")).tags], [["sale"], ["sale"]]);
  });
});

test("an export for the accountant has the columns of the list, for a spreadsheet", async ({ page }) => {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("24 resources of ").waitFor();
  await dialog.getByLabel("Only the columns of the list").check();
  const { text } = await saveFile(page, () => dialog.getByRole("button", { name: "Export" }).click());
  const [names, first] = text.split("\r\n");
  assert.match(names, /^\ufefftitle,price,status,.*lastModifiedAt,key,version$/);
  assert.match(first, /^Chair \d\d,\d\d,draft,/);
  assert.doesNotMatch(names, /createdAt|,id,/);
});

describe("a price list of a supplier", () => {
  test(
    "has the columns by their labels, decimal commas, and the failed rows as a table",
    [],
    "import",
    async (shop) => {
      const { page, name } = shop;
      const rows = ["Lamp A;LA-1;19,50;active", "Lamp B;LA-2;-1;active", "Lamp C;LA-3;5;aktive"];
      await chooseFile(page, "prices.csv", `Title;SKU;Price in Euros;Status\n${rows.join("\n")}\n`);
      const field = page.getByLabel("Field of the column Price in Euros");
      assert.equal(await field.inputValue(), "price");
      await page.getByRole("button", { name: "Continue" }).click();
      const failed = page.getByRole("region", { name: "Failed items" }).locator("tbody tr");
      await failed.first().waitFor();
      assert.deepEqual(await failed.allTextContents(), [
        "23Lamp BPrice in euros: Expected a number of at least 0, found -1.",
        "34Lamp CStatus: Expected one of 'draft' or 'active', found \"aktive\". Did you mean 'active'?",
      ]);
      const button = page.getByRole("button", { name: "Download the failed items" });
      const file = await saveFile(page, () => button.click());
      assert.match(file.name, /^failed-.*\.csv$/);
      assert.equal(file.text, "title,price,status,sku\r\nLamp B,-1,active,LA-2\r\nLamp C,5,aktive,LA-3\r\n");
      await chooseFile(page, file.name, file.text.replace("-1", "1").replace("aktive", "active"));
      await page.getByRole("button", { name: "Import 2 resources" }).click();
      await page.getByRole("heading", { name: "Imported", exact: true }).waitFor();
      const { total } = (await console.worker.fresh(`GET /${name}/resource?where=status%3D%22active%22`)).json;
      assert.equal(total, 2);
    },
  );
});

testsOf(() => openLamp("/edit"))("a save that fails says so in the window", async ({ page }) => {
  await page.getByLabel("title").fill("Lamp 2");
  await page.route("**/resource", (route) => route.abort());
  await page.getByRole("button", { name: "Save" }).click();
  const problem = page.getByRole("alert").filter({ hasText: "Your input is kept." });
  await problem.waitFor();
  const { y, height } = await problem.boundingBox();
  assert.ok(y >= 0 && y + height <= page.viewportSize().height, "the problem is in the window");
});
