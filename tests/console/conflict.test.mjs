// Update actions, and conflicts with another person's save.

import assert from "node:assert/strict";
import { describe } from "node:test";

import { addAction, box, heldBack, openProject, serveForTests, testsOf } from "./support.mjs";

const console = serveForTests();

const BODY = {
  key: "one",
  objectTypeProperty: { arrayOfIntExample: [1, 2, 3], arrayOfStringExample: ["a"] },
  custom: "c",
  someProperty: "s",
};

/** Opens a view of a resource, which a second writer changes or removes. */
async function openView(view) {
  const { page, name, made, to, read } = await openProject(console, [BODY]);
  const [{ id }] = made;
  await to(`r/${id}/${view}`);
  await page.getByRole("button", { name: "Back" }).waitFor();
  const write = async (line, body) => {
    const { status, text } = await console.worker.call(line, { body });
    assert.equal(status, 200, text);
  };
  const overwrite = async (changes, arrays = {}) => {
    const now = await read(id);
    const objectTypeProperty = { ...now.objectTypeProperty, ...arrays };
    await write(`PATCH /${name}/resource`, { ...now, ...changes, objectTypeProperty });
  };
  const remove = () => write(`DELETE /${name}/resource/${id}`);
  return { page, name, made: made[0], read: () => read(id), overwrite, remove };
}
const saveResult = (page) => page.getByRole("button", { name: "Save the result" }).click();
const row = (page, name) => page.locator(`.conflict-row[data-field="${name}"]`);
/** Returns the texts of a field's three columns. */
const columns = async (page, name) => {
  const values = row(page, name).locator(".conflict-value");
  await values.first().waitFor();
  return (await values.allTextContents()).map((text) => text.replace(/^(Yours|Theirs|Result)/, ""));
};

describe("a conflict while editing", () => {
  const test = testsOf(() => openView("edit"));

  test("shows three columns, asks about fields that both sides changed, and saves the result", async ({
    page,
    read,
    overwrite,
  }) => {
    await box(page, "arrayOfIntExample").fill("1, 3, 4");
    await box(page, "custom").fill("mine");
    await box(page, "someProperty").fill("mine only");
    await overwrite({ custom: "theirs", ninthProperty: "theirs only" }, { arrayOfIntExample: [1, 2, 3, 5] });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("You started with version 1. The resource now has version 2. 2 fields were changed").waitFor();
    assert.deepEqual(await columns(page, "custom"), ["mine", "theirs", "Choose"]);
    assert.deepEqual(await columns(page, "someProperty"), ["mine only", "s", "mine only"]);
    assert.deepEqual(await columns(page, "ninthProperty"), ["absent", "theirs only", "theirs only"]);
    assert.deepEqual(await columns(page, "objectTypeProperty.arrayOfIntExample"), ["1342", "1235", "Choose"]);

    await saveResult(page);
    await page.getByText("Choose a value to save for Array of int example, Custom.").waitFor();
    await row(page, "custom").getByRole("radio", { name: "Custom: Theirs" }).check();
    assert.deepEqual(await columns(page, "custom"), ["mine", "theirs", "theirs"]);
    await page.getByRole("radio", { name: "Array of int example: both" }).check();
    await saveResult(page);
    await page.getByText("Saved one, version 3.").waitFor();
    const { custom, someProperty, ninthProperty, objectTypeProperty } = await read();
    assert.deepEqual(
      { custom, someProperty, ninthProperty },
      { custom: "theirs", someProperty: "mine only", ninthProperty: "theirs only" },
    );
    assert.deepEqual(objectTypeProperty.arrayOfIntExample, [1, 3, 5, 4]);
    assert.deepEqual(objectTypeProperty.arrayOfStringExample, ["a"]);
  });

  test("can be closed, and every input remains", async ({ page, read, overwrite }) => {
    await box(page, "custom").fill("mine");
    await overwrite({ someProperty: "theirs" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The result combines your changes and theirs as shown.").waitFor();
    await page.getByRole("button", { name: "Back to my edits" }).click();
    assert.equal(await box(page, "custom").inputValue(), "mine");
    assert.equal((await read()).version, 2);
    await page.reload();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saveResult(page);
    await page.getByText("Saved one, version 3.").waitFor();
    const { custom, someProperty } = await read();
    assert.deepEqual([custom, someProperty], ["mine", "theirs"]);
  });

  test("with a deletion can be resolved by creating the resource again", async ({ page, read, remove }) => {
    await box(page, "custom").fill("mine");
    await remove();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Another person deleted this resource" }).waitFor();
    await page.getByRole("button", { name: "Create it again" }).click();
    await page.getByText("Saved one, version 2.").waitFor();
    assert.equal((await read()).custom, "mine");
  });

  test("with a dialog that is closed while it saves reports the result", async ({ page, read, overwrite }) => {
    await box(page, "custom").fill("mine");
    await overwrite({ someProperty: "theirs" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The result combines your changes and theirs as shown.").waitFor();
    const { wait, answer } = await heldBack(page);
    await saveResult(page);
    await wait();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await answer();
    await page.getByText("Saved one, version 3.").waitFor();
    // The form was opened from the list.
    await page.getByRole("heading", { level: 1, name: "Resources" }).waitFor();
    const drafts = await page.evaluate(() => Object.keys(sessionStorage).filter((place) => place.startsWith("draft ")));
    assert.deepEqual([(await read()).custom, drafts], ["mine", []]);
  });

  test("shows no dialog if the page was left", async ({ page, overwrite }) => {
    await box(page, "custom").fill("mine");
    await overwrite({ custom: "theirs" });
    const { wait, answer } = await heldBack(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await wait();
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByRole("heading", { name: "Status" }).waitFor();
    await answer();
    await page.getByRole("alert").getByText("one was not saved. Your draft is kept.").waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.goBack();
    await page.getByText("This is your unsaved draft from").waitFor();
    assert.equal(await box(page, "custom").inputValue(), "mine");
  });
});

describe("update actions", () => {
  const test = testsOf(() => openView("actions"));

  test("are built, ordered by keyboard, validated, shown as JSON, and sent", async ({ page, read }) => {
    await addAction(page, "changeSomeProperty");
    await page.keyboard.type("last");
    await addAction(page, "doSomeThing");
    await addAction(page, "changeSomeProperty");
    await page.keyboard.type("first");
    // The third action moves to the top and keeps the focus.
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.type(" of all");
    await page.getByRole("button", { name: "Remove action 3" }).click();
    await page.getByRole("button", { name: "Move action 2 up" }).click();
    await page.getByText("Request body").click();
    const preview = JSON.parse(await page.getByLabel("The body as JSON").textContent());
    assert.deepEqual(preview, {
      version: 1,
      actions: [
        { action: "changeSomeProperty", someProperty: "last" },
        { action: "changeSomeProperty", someProperty: "first of all" },
      ],
    });
    await page.getByRole("button", { name: "Send 2 actions" }).click();
    await page.getByText("Updated one, version 2.").waitFor();
    assert.equal((await read()).someProperty, "first of all");
    await page.getByText("System data").click();
    const log = page.getByRole("region", { name: "Changes from this page" }).locator("li");
    assert.match(await log.first().textContent(), /changeSomeProperty.*version 2$/);
  });

  test("that conflict are sent on the newer version, if the person still wants them", async ({
    page,
    read,
    overwrite,
  }) => {
    await addAction(page, "changeSomeProperty");
    await page.keyboard.type("mine");
    await overwrite({ someProperty: "theirs", custom: "theirs" });
    await page.getByRole("button", { name: "Send 1 action" }).click();
    assert.deepEqual(await columns(page, "someProperty"), ["mine", "theirs", "Choose"]);
    await row(page, "someProperty").getByRole("radio", { name: "Some property: Yours" }).check();
    await overwrite({ ninthProperty: "in between" });
    await saveResult(page);
    await page.getByText("It changed again").waitFor();
    await saveResult(page);
    await page.getByText("Updated one, version 4.").waitFor();
    const { someProperty, custom, ninthProperty } = await read();
    assert.deepEqual([someProperty, custom, ninthProperty], ["mine", "theirs", "in between"]);
  });

  test("that the person no longer wants are not sent, and the page says so", async ({ page, read, overwrite }) => {
    await addAction(page, "changeSomeProperty");
    await page.keyboard.type("mine");
    await overwrite({ someProperty: "theirs" });
    await page.getByRole("button", { name: "Send 1 action" }).click();
    await row(page, "someProperty").getByRole("radio", { name: "Some property: Theirs" }).check();
    await saveResult(page);
    await page.getByText("There was nothing left to send. one remains at version 2.").waitFor();
    assert.equal((await read()).version, 2);
  });

  test("beyond the limit of the service are reported before sending", async ({ page, name, made }) => {
    // The draft of the list in the tab after adding 500 actions.
    const kept = {
      at: new Date(),
      seen: made,
      actions: Array.from({ length: 500 }, () => ({ action: "doSomeThing" })),
    };
    await page.evaluate(
      ([place, draft]) => sessionStorage.setItem(place, draft),
      [`draft ${name} actions ${made.id}`, JSON.stringify(kept)],
    );
    await page.reload();
    await addAction(page, "doSomeThing");
    await page.locator(".field-error", { hasText: "500" }).waitFor();
    await page.getByRole("button", { name: "Remove action 501" }).click();
    await page.getByRole("button", { name: "Send 500 actions" }).click();
    await page.getByText("Updated one, version 2.").waitFor();
  });

  test("do not change the page if it was left", async ({ page, read }) => {
    await addAction(page, "changeSomeProperty");
    await page.keyboard.type("sent");
    const { wait, answer } = await heldBack(page);
    await page.keyboard.press("Control+s");
    await wait();
    assert.equal(await box(page, "someProperty").evaluate((one) => one.closest("[inert]") !== null), true);
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByRole("heading", { name: "Status" }).waitFor();
    await answer();
    await page.getByText("Updated one, version 2.").waitFor();
    await page.getByRole("heading", { name: "Status" }).waitFor();
    assert.equal((await read()).someProperty, "sent");
  });

  test("remain after a reload", async ({ page }) => {
    await addAction(page, "changeSomeProperty");
    await page.keyboard.type("kept");
    await page.reload();
    await page.getByText("This is your unsaved draft from").waitFor();
    assert.equal(await box(page, "someProperty").inputValue(), "kept");
  });
});
