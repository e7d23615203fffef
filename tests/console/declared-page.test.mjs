// The pages of declared resources (resources.json).

import assert from "node:assert/strict";
import { describe } from "node:test";

import { openShop } from "./declared-shop.mjs";
import { addChips, audit, box, fill, isFocused, project, save, screenshot, testsOf } from "./support.mjs";

const { console, openProducts, openLamp } = openShop();

const said = (page, path) => page.locator(`[data-field="${path}"] .field-error`);
const errorOf = async (page, path) => (await said(page, path).textContent()).trim();
const create = (page) => page.getByRole("button", { name: "Create", exact: true }).click();

describe("the page of a declared resource", () => {
  for (const [device, options] of Object.entries({
    desktop: { viewport: { width: 1440, height: 900 } },
    phone: { viewport: { width: 390, height: 844 } },
  }))
    testsOf(() => openLamp("", options))(`shows its values in their order on a ${device}`, async ({ page }) => {
      await page.getByRole("heading", { level: 1, name: "Lamp" }).waitFor();
      const names = ["Price in euros", "Status", "Tags", "Channels", "Size", "Variants", "Sold", "Supplier", "Key"];
      assert.deepEqual(await page.locator(".fields > div > dt").allTextContents(), names);
      await page.getByRole("region", { name: "Variants: items" }).getByRole("cell", { name: "green" }).waitFor();
      const mail = page.getByRole("link", { name: "a@example.com" });
      assert.equal(await mail.getAttribute("href"), "mailto:a@example.com");
      const { y, height } = await page.getByRole("heading", { level: 1 }).boundingBox();
      assert.ok(y + height < page.viewportSize().height / 2, "the title is in the first screen");
      assert.deepEqual(await audit(page), []);
      await screenshot(page, `declared-resource-${device}`, { fullPage: true });
      await page.getByRole("link", { name: "Edit" }).click();
      await page.getByLabel("title").waitFor();
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      assert.equal(scrollWidth, clientWidth);
      await screenshot(page, `declared-edit-${device}`, { fullPage: true });
    });
});

describe("a value on the page of a declared resource", () => {
  const test = testsOf(() => openLamp("", { timezoneId: "Europe/Berlin" }));

  test("is edited with a click or the key e, and an empty field has a name to click", async (opened) => {
    const { page, id, name } = opened;
    const home = `${console.url}/#/p/${name}/r/${id}`;
    await page.locator('[data-field="size.height"] dd').click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    assert.ok(await isFocused(page.getByLabel("height")));
    await page.goto(home);
    await page.getByText("5 empty fields").click();
    await page.getByRole("link", { name: "Since" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    assert.ok(await isFocused(page.getByLabel("since")));
    await page.goto(home);
    await page.getByRole("link", { name: "Edit" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Save" }).waitFor();
    assert.ok(await isFocused(page.getByLabel("title")));
    assert.equal(await page.getByLabel("title").inputValue(), "Lamp");
  });

  test("is not edited where a link in it is pressed, and only web addresses are links", async (opened) => {
    const { page, id, change } = opened;
    await page.getByText("Saved", { exact: false }).first().waitFor();
    await change({ version: 1, page: "javascript:alert(1)", at: "2026-07-01T10:00:00.000Z" });
    await page.getByText(/^Saved \d+ s ago by another person$/).waitFor();
    await page.getByText("javascript:alert(1)").waitFor();
    assert.equal(await page.locator('[href^="javascript"]').count(), 0);
    await page.getByText("1 Jul, 12:00").waitFor();
    await change({ version: 2, page: "https://example.com/lamp" });
    const link = page.getByRole("link", { name: "https://example.com/lamp" });
    assert.deepEqual(
      [await link.getAttribute("rel"), await link.getAttribute("target")],
      ["noopener noreferrer", "_blank"],
    );
    await page.evaluate(() => addEventListener("click", (event) => event.preventDefault()));
    await link.click();
    assert.match(page.url(), new RegExp(`${id}$`));
  });

  testsOf(() => openLamp("", { timezoneId: "America/New_York" }))(
    "is a date and time of the person's time zone, and keeps the precision that a picker does not show",
    async ({ page, read, change }) => {
      const at = page.getByLabel("At", { exact: true });
      await page.keyboard.press("e");
      await page.getByText("Time zone: America/New_York.").waitFor();
      await at.fill("2026-07-01T08:30");
      await save(page, "Lamp");
      assert.equal((await read()).at, "2026-07-01T12:30:00.000Z");
      await change({ version: 2, at: "2026-07-01T12:30:15.250+02:00" });
      const stored = (await read()).at;
      await page.getByText(/^Saved \d+ s ago by another person$/).waitFor();
      await page.keyboard.press("e");
      await page.getByLabel("title").fill("Precise");
      await save(page, "Precise", 4);
      assert.equal((await read()).at, stored);
    },
  );

  testsOf(() => openLamp("/edit"))("is a list of texts that are chips, from keyboard to clipboard", async (opened) => {
    const { page, read } = opened;
    const tags = box(page, "tags");
    const chips = page.locator('[data-field="tags"] li > button:first-child');
    // Backspace takes the last one back.
    await tags.press("Backspace");
    assert.equal(await tags.inputValue(), "old");
    await tags.fill("older");
    // What is pressed in the middle returns to its place.
    await page.getByRole("button", { name: "Edit brass" }).click();
    assert.deepEqual([await tags.inputValue(), await chips.allTextContents()], ["brass", ["older"]]);
    await tags.fill("copper");
    await tags.press("Enter");
    assert.deepEqual(await chips.allTextContents(), ["copper", "older"]);
    await addChips(page, "tags", "older");
    await said(page, "tags").getByText("Item 3 “older”: Each item may occur only once.").waitFor();
    await page.getByRole("button", { name: "Remove older" }).last().click();
    assert.equal(await errorOf(page, "tags"), "");
    assert.ok(await isFocused(tags));
    // Text that is still in the box is saved.
    await tags.fill("new");
    await save(page, "Lamp");
    assert.deepEqual((await read()).tags, ["copper", "older", "new"]);
  });
});

testsOf(() => openProducts("new", []))(
  "each project has its own resource, and the interface's has its own fields",
  async ({ page }) => {
    await page.getByLabel("sku").waitFor();
    const people = `people-${project()}`;
    const plain = project();
    await fill(console.worker, people, [{ nick: "Al", full: "Ada Lovelace", age: 36 }]);
    await page.goto(`${console.url}/#/`);
    const open = async (name) => {
      await page.getByRole("textbox", { name: "Project" }).fill(name);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
      await page.getByRole("link", { name: "New resource" }).first().click();
    };
    await open(people);
    await page.getByRole("heading", { name: "New person" }).waitFor();
    await page.getByText("All fields are optional.").waitFor();
    await page.getByLabel("full").fill("Grace Hopper");
    // The browser reads no number there, so nothing would be sent.
    await page.getByLabel("age").pressSequentially("1e");
    await said(page, "age").getByText("This is not a number.").waitFor();
    await page.getByLabel("age").fill("85");
    await create(page);
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor();
    await page.goto(`${console.url}/#/`);
    await open(plain);
    await page.getByRole("heading", { name: "New resource" }).waitFor();
    await box(page, "someProperty").waitFor();
    assert.equal(await page.getByLabel("full").count(), 0);
    assert.doesNotMatch(await page.locator("main").textContent(), /sample/i);
    await box(page, "arrayOfIntExample").fill("1, 2");
    await create(page);
    // The notice about the person may still be there.
    await page.getByText(/^Created [0-9a-f-]{36}, version 1\.$/).waitFor();
  },
);

testsOf(async () => ({ page: await console.open() }))(
  "the page says that it cannot read the resource of a project, and tries again",
  async ({ page }) => {
    const name = `people-${project()}`;
    await page.route("**/openapi.json", (route) => route.fulfill({ status: 503, body: "" }));
    await page.getByLabel("Client ID").fill("tests");
    await page.getByLabel("Client secret").fill("tests-secret");
    await page.getByLabel("Project", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(`The OpenAPI document of ${name} cannot be read: status 503.`).waitFor();
    await page.unroute("**/openapi.json");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
  },
);
