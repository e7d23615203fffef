// Creating and editing: issues during typing, saving, and drafts.

import assert from "node:assert/strict";
import { describe } from "node:test";

import { labelOf } from "../../build/console/model/wording.js";
import {
  addChips,
  box,
  fill,
  focusedName,
  heldBack,
  isFocused,
  openProject,
  save,
  serveForTests,
  testsOf,
} from "./support.mjs";

const console = serveForTests();

const test = testsOf((bodies) => openProject(console, bodies, { permissions: ["clipboard-read", "clipboard-write"] }));
const TWO = { key: "two", objectTypeProperty: {} };
/** Creates the resource of the form. */
async function create(page, name) {
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText(`Created ${name}, version 1.`).waitFor();
}
/** Shows the form as JSON, and returns its text. */
async function openJson(page) {
  await page.getByRole("radio", { name: "JSON" }).click();
  return page.getByLabel("The whole body as JSON");
}
/** Pastes a text. */
async function paste(page, into, text) {
  await into.focus();
  await page.evaluate((one) => navigator.clipboard.writeText(one), text);
  await page.keyboard.press("Control+v");
}
const said = (page, name) => page.locator(`[data-field="${name}"] .field-error`);
const selected = (field) => field.evaluate((one) => one.value.slice(one.selectionStart, one.selectionEnd));
const saidInside = (page, name) => said(page, `objectTypeProperty.${name}`);

describe("creating", () => {
  test("again after the responses were lost creates one resource", async ({ page, name }) => {
    await page.getByRole("link", { name: "New resource" }).first().click();
    await box(page, "custom").fill("once");
    await page.route("**/resource", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ status: 500, body: `lost ${response.status()}` });
    });
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "The response (500) of" }).waitFor();
    await page.unroute("**/resource");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText(/^Created /).waitFor();
    assert.equal((await console.worker.call(`GET /${name}/resource`)).json.total, 1);
  });

  test("reports errors while a person types, focuses the first, and creates a valid resource", async ({
    page,
    read,
  }) => {
    await page.getByRole("link", { name: "New resource" }).first().click();
    await box(page, "key").fill("a\u0001b".replace("\u0001", "\u0085"));
    await said(page, "key").getByText("expected 1 to 256 bytes").waitFor();
    assert.equal(await box(page, "key").getAttribute("aria-invalid"), "true");
    await box(page, "key").fill("first");
    assert.equal(await said(page, "key").textContent(), "");
    assert.equal(await box(page, "key").getAttribute("aria-invalid"), null);

    await box(page, "arrayOfIntExample").fill("1, 2.5, three");
    await saidInside(page, "arrayOfIntExample").getByText("Item 2: Expected an integer, found 2.5.").waitFor();
    await saidInside(page, "arrayOfIntExample").getByText("Item 3 “three”: Expected an integer").waitFor();
    await box(page, "arrayOfUniqueIntExample").fill("7 8 7");
    await saidInside(page, "arrayOfUniqueIntExample")
      .getByText("Each number may occur only once. 7 occurs again.")
      .waitFor();
    await page.getByLabel("Array of twonumbers example: first").fill("5");
    await saidInside(page, "arrayOfTwonumbersExample").getByText("exactly 2").waitFor();

    await page.getByRole("button", { name: "Create", exact: true }).click();
    const summary = page.getByRole("alert", { name: /4 problems/ });
    await summary.waitFor();
    await summary
      .getByRole("button", { name: "Array of unique int example 3: Each number may occur only once. 7 occurs again." })
      .click();
    assert.equal(await isFocused(box(page, "arrayOfUniqueIntExample")), true);
    await saidInside(page, "arrayOfIntExample").getByRole("button", { name: "Show it" }).first().click();
    assert.equal(await selected(box(page, "arrayOfIntExample")), "2.5");

    await box(page, "arrayOfIntExample").fill("1, 2, 3");
    await box(page, "arrayOfUniqueIntExample").fill("7 8");
    await page.getByLabel("Array of twonumbers example: second").fill("-6");
    await summary.waitFor({ state: "hidden" });
    await addChips(page, "arrayOfStringExample", "red", "two\nlines", "green, blue");
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByLabel("Row 1, Integer example", { exact: true }).fill("1");
    await page.keyboard.press("Enter");
    await page.getByLabel("Row 2, Integer example int32").fill("2");
    await box(page, "custom").fill("line one\nline two");
    await page.getByText("System data").click();
    await page.locator('[data-field="createdBy.firstName"] textarea').fill("Ada");
    await create(page, "first");
    const resource = await read("key=first");
    assert.deepEqual(resource.objectTypeProperty, {
      arrayOfIntExample: [1, 2, 3],
      arrayOfUniqueIntExample: [7, 8],
      arrayOfTwonumbersExample: [5, -6],
      arrayOfFloatExample: [],
      arrayOfNumberNoDefaultsExample: [],
      arrayOfStringExample: ["red", "two\nlines", "green, blue"],
      arrayOfObjectType: [{ integerExample: 1 }, { integerExampleInt32: 2 }],
    });
    assert.deepEqual([resource.custom, resource.createdBy], ["line one\nline two", { firstName: "Ada" }]);
    await page.getByRole("heading", { name: "first" }).waitFor();
  });

  test(
    "never overwrites: a key that another resource has is reported at its field",
    [TWO],
    async ({ page, to, read }) => {
      await to("new");
      await box(page, "key").fill("two");
      await box(page, "custom").fill("new");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await said(page, "key").getByText("Another resource already has the key 'two'.").waitFor();
      assert.equal((await read("key=two")).custom, undefined);
      await box(page, "key").fill("free");
      await create(page, "free");
    },
  );

  test("needs no input", async ({ page, to, name }) => {
    await to("new");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText(/^Created .*, version 1\.$/).waitFor();
    assert.equal((await console.worker.call(`GET /${name}/resource`)).json.total, 1);
  });

  test("long JSON is saved with its last input, however quickly", async ({ page, to, read }) => {
    await to("new");
    await page.getByRole("radio", { name: "JSON" }).click();
    const text = (custom) =>
      JSON.stringify({ key: "long", custom, objectTypeProperty: { arrayOfStringExample: ["x".repeat(30_000)] } });
    await page.getByLabel("The whole body as JSON").fill(text("before"));
    await page.waitForTimeout(400);
    await page.getByLabel("The whole body as JSON").fill(text("after"));
    await page.keyboard.press("Control+Enter");
    await page.getByText("Created long, version 1.").waitFor();
    assert.equal((await read("key=long")).custom, "after");
  });

  test("shows one value as form and as JSON, and an error in the JSON has its line", async ({ page, to }) => {
    await to("new");
    await box(page, "arrayOfIntExample").fill("1 2");
    const json = await openJson(page);
    assert.deepEqual(JSON.parse(await json.inputValue()), { objectTypeProperty: { arrayOfIntExample: [1, 2] } });
    await json.fill('{\n  "eleventhProperty": "x",\n  "objectTypeProperty": { "arrayOfIntExample": [1, "2"] }\n}');
    await page.getByText("Did you mean 'eleventhPropery'").waitFor();
    await page.getByRole("button", { name: "Line 3, column 52" }).click();
    assert.equal(await selected(json), '"2"');
    // The form keeps the misspelled field.
    await page.getByRole("radio", { name: "Fields" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page
      .getByRole("alert", { name: /2 problems/ })
      .getByRole("button", { name: /eleventhProperty/ })
      .click();
    assert.equal(await page.getByRole("radio", { name: "JSON" }).isChecked(), true);
    // The JSON cannot be left if the form cannot show it.
    await json.fill('{ "key": "a", ');
    await page.getByRole("radio", { name: "Fields" }).click();
    await page.getByRole("heading", { name: "The form cannot show this JSON yet" }).waitFor();
    assert.equal(await json.inputValue(), '{ "key": "a", ');
    await json.fill('{ "key": "from-json", "objectTypeProperty": {} }');
    await page.getByRole("radio", { name: "Fields" }).click();
    assert.equal(await box(page, "key").inputValue(), "from-json");
  });

  test("formats JSON, unless a field that occurs twice would be lost", async ({ page, to }) => {
    await to("new");
    const json = await openJson(page);
    const twice = '{"custom":"a","custom":"b","objectTypeProperty":{}}';
    await json.fill(twice);
    await page.getByRole("button", { name: "Format" }).click();
    assert.equal(await json.inputValue(), twice);
    assert.equal(
      await json.evaluate((area) => /** @type {any} */ (area).selectionStart),
      twice.lastIndexOf('"custom"'),
    );
    await json.fill(twice.replace("custom", "key"));
    await page.getByRole("button", { name: "Format" }).click();
    assert.equal(
      await json.inputValue(),
      JSON.stringify({ key: "a", custom: "b", objectTypeProperty: {} }, undefined, 2),
    );
  });

  test("keeps the input after a reload and on another page, until it is saved or discarded", async ({ page, to }) => {
    await to("new");
    await box(page, "key").fill("draft");
    await box(page, "arrayOfIntExample").fill("1, x");
    await page.reload();
    await page.getByText("This is your unsaved draft from").waitFor();
    assert.equal(await box(page, "key").inputValue(), "draft");
    assert.equal(await box(page, "arrayOfIntExample").inputValue(), "1, x");
    await to("");
    await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
    await to("new");
    assert.equal(await box(page, "key").inputValue(), "draft");
    await page.getByRole("button", { name: "Discard draft" }).click();
    assert.equal(await box(page, "key").inputValue(), "");
    assert.equal(await page.evaluate(() => document.activeElement.closest("form.edit") !== null), true);
    await page.reload();
    await box(page, "key").waitFor();
    assert.equal(await box(page, "key").inputValue(), "");
  });

  test("objects are pasted from a spreadsheet, and remain equal as a table and as text", async ({ page, to }) => {
    await to("new");
    const cell = (row, name) => page.getByLabel(`Row ${row}, ${labelOf({ name, schema: {} })}`, { exact: true });
    const errors = saidInside(page, "arrayOfObjectType");
    const text = box(page, "arrayOfObjectType");
    await page.getByRole("button", { name: "Add a row" }).click();
    // Pasting a column fills the column of the focused cell.
    await paste(page, cell(1, "integerExampleInt32"), "1\r\n2\r\n");
    assert.deepEqual(
      [await cell(2, "integerExample").inputValue(), await cell(2, "integerExampleInt32").inputValue()],
      ["", "2"],
    );
    await paste(page, cell(2, "integerExample"), "7\t8\t9\n");
    await errors.getByText("Nothing was pasted: '7\t8\t9' has 3 values").waitFor();
    assert.equal(await cell(3, "integerExample").count(), 0);
    await paste(page, cell(2, "integerExample"), "3\t4000000000\n");
    await errors.getByText("Row 3, Integer example int32: Expected an integer from").waitFor();
    await page.getByRole("button", { name: "Remove row 1" }).click();

    await page.getByRole("button", { name: "As text" }).click();
    assert.equal(await focusedName(page), "As a table");
    assert.equal(await text.inputValue(), ", 2\n3, 4000000000");
    await text.fill(", 1\n3, 4, 5");
    await page.getByRole("button", { name: "As a table" }).click();
    await errors.getByText("has 3 values. Expected at most 2").waitFor();
    assert.equal(await text.inputValue(), ", 1\n3, 4, 5");
    await text.fill(", 1\n3, 4");
    await page.getByRole("button", { name: "As a table" }).click();
    assert.equal(await focusedName(page), "As text");
    assert.equal(await cell(2, "integerExampleInt32").inputValue(), "4");

    // A list with too many rows for a table is shown as text.
    await paste(page, cell(1, "integerExample"), Array.from({ length: 60 }, (_, at) => `${at}\t${at}`).join("\n"));
    assert.deepEqual(
      (await text.inputValue()).split("\n").filter((_, at) => [0, 1, 60, 61].includes(at)),
      [", 1", "0, 0", "59, 59", "3, 4"],
    );
    await page.getByRole("button", { name: "As a table" }).click();
    await errors.getByText("A table has at most 50 rows").waitFor();

    // A value that is not a list is kept for the JSON.
    await (await openJson(page)).fill('{ "objectTypeProperty": { "arrayOfObjectType": 5 } }');
    await page.getByRole("radio", { name: "Fields" }).click();
    await page.getByRole("button", { name: "As a table" }).click();
    await errors.getByText("A table cannot show this list.").waitFor();
    const { objectTypeProperty } = JSON.parse(await (await openJson(page)).inputValue());
    assert.equal(objectTypeProperty.arrayOfObjectType, 5);
  });

  test("each pasted line is a chip, and a long list is text", async ({ page, to, read }) => {
    await to("new");
    await box(page, "key").fill("lines");
    await paste(page, box(page, "arrayOfStringExample"), "one\r\n\ntwo, three\n");
    await page.getByRole("button", { name: "Edit two, three" }).waitFor();
    const many = Array.from({ length: 120 }, (_, at) => `item ${at}`);
    await paste(page, box(page, "arrayOfStringExample"), many.join("\n"));
    await page.getByText("122 items").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.matches("textarea.grow")), true);
    await create(page, "lines");
    const { arrayOfStringExample } = (await read("key=lines")).objectTypeProperty;
    assert.deepEqual(arrayOfStringExample, ["one", "two, three", ...many]);
  });

  test("ten thousand items are pasted and validated quickly", async ({ page, to, read }) => {
    await to("new");
    await box(page, "key").fill("many");
    const numbers = box(page, "arrayOfIntExample");
    const items = Array.from({ length: 10_000 }, (_, at) => at * 3 - 15_000);
    await paste(page, numbers, `${items.join("\n")}\n`);
    await page.getByText("10,000 items").waitFor();
    const all = await numbers.evaluate((area) =>
      [..."abc"].map((key) => {
        const begun = performance.now();
        area.value += key;
        area.dispatchEvent(new Event("input", { bubbles: true }));
        return performance.now() - begun;
      }),
    );
    // The machine may be busy with other tests.
    assert.ok(Math.min(...all) < 250, `key presses took ${all} ms`);
    await saidInside(page, "arrayOfIntExample").getByText("Item 10,001 “abc”").waitFor();
    await numbers.selectText();
    await paste(page, numbers, items.join("\n"));
    await create(page, "many");
    assert.deepEqual((await read("key=many")).objectTypeProperty.arrayOfIntExample, items);
  });
});

describe("editing", () => {
  const BODY = {
    key: "one",
    objectTypeProperty: { arrayOfIntExample: [1, 2], arrayOfStringExample: ["a"] },
    custom: "c",
    someProperty: "s",
  };

  test("saves the changes on the version that the page loaded", [BODY], async ({ page, made, read }) => {
    await page.getByRole("link", { name: /one/ }).click();
    await page.getByRole("link", { name: "Edit" }).click();
    await box(page, "arrayOfIntExample").fill("1, 2, 3");
    await box(page, "custom").fill("");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved one, version 2.").waitFor();
    const resource = await read(made[0].id);
    assert.deepEqual(resource.objectTypeProperty.arrayOfIntExample, [1, 2, 3]);
    assert.deepEqual([resource.custom, resource.someProperty, resource.version], ["", "s", 2]);
  });

  test("writes nothing without changes", [BODY], async ({ page, made, to, read }) => {
    await to(`r/${made[0].id}/edit`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("There are no changes to save").waitFor();
    assert.equal((await read(made[0].id)).version, 1);
  });

  test("reports at its field a key that another resource has", [BODY, TWO], async ({ page, made, to }) => {
    await to(`r/${made[0].id}/edit`);
    await box(page, "key").fill("two");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert", { name: /1 problem / }).waitFor();
    assert.match(await said(page, "key").textContent(), /two/);
    await box(page, "key").fill("three");
    await save(page, "three");
  });

  test("rejects JSON with the ID of another resource", [BODY, TWO], async ({ page, made, to }) => {
    await to(`r/${made[0].id}/edit`);
    await page.getByRole("radio", { name: "JSON" }).click();
    await page.getByLabel("The whole body as JSON").fill(JSON.stringify(made[1], null, 2));
    await page.getByText("The field 'id' cannot be changed here").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert", { name: /problem/ }).waitFor();
    await page.getByLabel("The whole body as JSON").fill(JSON.stringify({ ...made[0], custom: "changed" }, null, 2));
    await save(page, "one");
  });

  test("keeps its draft if the service is unavailable, and saves it afterwards", [BODY], async ({ page, made, to }) => {
    await to(`r/${made[0].id}/edit`);
    await box(page, "custom").fill("offline");
    await page.route("**/resource", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.keyboard.press("Control+s");
    await page.getByRole("alert").filter({ hasText: "The response (500) of" }).waitFor();
    // The input has the focus again.
    await page.keyboard.type("!");
    assert.match(await box(page, "custom").inputValue(), /^offline!|!offline$/);
    await page.unroute("**/resource");
    await save(page, "one");
  });

  test(
    "disables the form while it saves, and does not change the page if it was left",
    [BODY],
    async ({ page, made, to, read }) => {
      const { wait, answer } = await heldBack(page, "**/resource");
      await to(`r/${made[0].id}/edit`);
      await box(page, "custom").fill("saved");
      await page.keyboard.press("Control+s");
      await wait();
      assert.equal(await box(page, "custom").evaluate((one) => one.closest("[inert]") !== null), true);
      await page.getByRole("link", { name: "Status" }).click();
      await page.getByRole("heading", { name: "Status" }).waitFor();
      // The same page again, with a newer text: the late response belongs to the older one.
      await to(`r/${made[0].id}/edit`);
      await box(page, "custom").fill("newer");
      await answer();
      await page.getByText("Saved one, version 2.").waitFor();
      assert.match(page.url(), /\/edit$/);
      await page.reload();
      await page.getByText("This is your unsaved draft from").waitFor();
      assert.equal(await box(page, "custom").inputValue(), "newer");
      assert.equal((await read(made[0].id)).custom, "saved");
    },
  );

  test("of one resource and creating a new one have separate drafts, whatever the ID", async ({ page, name, to }) => {
    await fill(console.worker, name, [
      { id: "new", ...BODY },
      { id: "create", objectTypeProperty: {} },
    ]);
    await to("new");
    await box(page, "custom").fill("of the new one");
    for (const id of ["new", "create"]) {
      await to(`r/${id}/edit`);
      await page.getByRole("button", { name: "Save" }).waitFor();
      assert.notEqual(await box(page, "custom").inputValue(), "of the new one");
    }
  });

  test("can remove a person and a text, but no key", [BODY], async ({ page, name, made, to, read }) => {
    await console.worker.call(`PATCH /${name}/resource`, {
      body: { ...made[0], lastModifiedBy: { firstName: "Ada", lastName: "L" } },
    });
    await to(`r/${made[0].id}/edit`);
    await page.getByText("System data").click();
    const names = page.locator('[data-field^="lastModifiedBy."] textarea');
    await names.nth(0).fill("");
    await names.nth(1).fill("");
    const json = await openJson(page);
    const { key, ...value } = JSON.parse(await json.inputValue());
    assert.equal("lastModifiedBy" in value, false);
    await json.fill(JSON.stringify({ ...value, someProperty: null }));
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("alert", { name: /1 problem / })
      .getByText("Key: This cannot be removed.")
      .waitFor();
    await json.fill(JSON.stringify({ ...value, key, someProperty: null }));
    await save(page, "one", 3);
    const { someProperty, lastModifiedBy } = await read(made[0].id);
    assert.deepEqual([someProperty, lastModifiedBy], ["", undefined]);
  });
});
