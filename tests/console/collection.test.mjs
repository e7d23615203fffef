// Browsing the collection: order, pages, predicates, and addresses that restore the state.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { parseLines } from "../support/lines.mjs";
import { enter, fill, focusedName, isFocused, openProject, project, saveFile, serveForTests } from "./support.mjs";

const name = project();
let page;
const console = serveForTests(
  async () => {
    const bodies = Array.from({ length: 45 }, (_, at) => ({
      key: `k${String(at).padStart(2, "0")}`,
      someProperty: `p${at % 3}`,
      objectTypeProperty: { arrayOfIntExample: [at, at * 2], arrayOfStringExample: [`s${at % 5}`] },
    }));
    await fill(console.worker, name, bodies);
    page = await console.open();
    await enter(page, name);
  },
  () => page.done(),
);

const keys = () => page.locator("tbody th .name > :first-child").allTextContents();
const keysFrom = (from, to) =>
  Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, at) => `k${String(from < to ? from + at : from - at).padStart(2, "0")}`,
  );
/** Waits until the table has the expected contents. */
async function shows(expected) {
  await page.waitForFunction(
    (first) =>
      document.querySelector("[aria-busy=true]") === null &&
      document.querySelector("tbody th .name > :first-child")?.textContent === first,
    expected[0],
  );
  assert.deepEqual(await keys(), expected);
}
const box = () => page.getByRole("combobox", { name: "Search or condition" });
const hash = () => decodeURIComponent(new URL(page.url()).hash.replaceAll("+", " "));

describe("the table", () => {
  test("pages through the collection, and the back button returns to the page before", async () => {
    // The newest change is first.
    await shows(keysFrom(44, 25));
    await page.getByText("1–20 of 45").waitFor();
    assert.equal(await page.getByRole("button", { name: "Previous" }).isDisabled(), true);
    await page.getByRole("button", { name: "Next" }).click();
    await shows(keysFrom(24, 5));
    await page.getByRole("button", { name: "Next" }).click();
    await shows(keysFrom(4, 0));
    await page.getByText("41–45 of 45").waitFor();
    assert.equal(await page.getByRole("button", { name: "Next" }).isDisabled(), true);
    assert.equal(hash(), `#/p/${name}?offset=40`);
    await page.goBack();
    await shows(keysFrom(24, 5));
    await page.reload();
    await shows(keysFrom(24, 5));
    await page.getByRole("combobox", { name: "Resources per page" }).selectOption("50");
    await shows(keysFrom(44, 0));
    assert.equal(hash(), `#/p/${name}?limit=50`);
    await page.getByRole("combobox", { name: "Resources per page" }).selectOption("20");
    await shows(keysFrom(44, 25));
  });

  test("keeps the focus on its page controls, or on the other control at the first and last page", async () => {
    await page.getByRole("button", { name: "Next" }).focus();
    for (const [expected, control] of [
      [keysFrom(24, 5), "Next"],
      [keysFrom(4, 0), "Previous"],
      [keysFrom(24, 5), "Previous"],
      [keysFrom(44, 25), "Next"],
    ]) {
      await page.keyboard.press("Enter");
      await shows(expected);
      assert.equal(await focusedName(page), control);
    }
    const size = page.getByRole("combobox", { name: "Resources per page" });
    for (const [limit, last] of [
      ["50", 0],
      ["20", 25],
    ]) {
      await size.focus();
      await size.selectOption(limit);
      await shows(keysFrom(44, last));
      assert.equal(await focusedName(page), "Resources per page");
    }
  });

  test("sorts by each of its headings as the service does, and back by the newest change", async () => {
    for (const heading of await page.getByRole("columnheader").allTextContents()) {
      const label = heading.replace(/[↑↓]/, "");
      // The newest change is the usual order already.
      for (const order of label === "Changed" ? ["ascending"] : ["ascending", "descending"]) {
        await page.getByRole("columnheader", { name: label }).getByRole("button").click();
        await page.waitForFunction(
          (order) =>
            document.querySelector("[aria-busy=true]") === null &&
            document.querySelector(`[aria-sort=${order}]`) !== null,
          order,
        );
        const [sort] = new URLSearchParams(new URL(page.url()).hash.split("?")[1]).getAll("sort");
        const answer = await console.worker.call(`GET /${name}/resource?sort=${encodeURIComponent(sort)}`);
        assert.deepEqual(
          await keys(),
          answer.json.results.map(({ key }) => key),
          sort,
        );
      }
      // The heading has kept the focus.
      await page.keyboard.press("Enter");
      await shows(keysFrom(44, 25));
      assert.equal(hash(), `#/p/${name}`);
    }
  });

  test("supports the keyboard, from row to row and into a resource", async () => {
    await page.locator("tbody th .name").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "k43", exact: true }).waitFor();
    await page.goBack();
    await shows(keysFrom(44, 25));
  });
});

describe("the columns", () => {
  test("fit a window of 1280 pixels by default", async () => {
    const objectTypeProperty = { arrayOfIntExample: [19, 13, 10, 17, 11], arrayOfStringExample: ["red", "green"] };
    const { page: other } = await openProject(console, [{ key: "a", someProperty: "some 1", objectTypeProperty }]);
    const hidden = await other.locator(".table-frame").evaluate((frame) => frame.scrollWidth - frame.clientWidth);
    assert.equal(hidden, 0);
    await other.done();
  });

  test("say what they contain, and are kept for the next visit until the default is chosen again", async () => {
    const { page: other, name } = await openProject(console, [{ key: "a", custom: "x", objectTypeProperty: {} }]);
    const choose = async (column) => {
      await other.getByText("Columns", { exact: true }).click();
      await other.getByRole("group", { name: "Columns" }).getByLabel(column, { exact: true }).click();
    };
    const heading = other.getByRole("columnheader", { name: "Custom" });
    const help = (column) =>
      other
        .locator(".menu li")
        .filter({ has: other.getByText(column, { exact: true }) })
        .locator("input")
        .evaluate((box) => document.getElementById(box.getAttribute("aria-describedby")).textContent);
    for (const [column, text] of [
      ["Custom", "a text"],
      ["Created by", "who created it"],
      ["Array of twonumbers example", "two whole numbers"],
      ["Array of object type", "a list of objects: integerExample, integerExampleInt32"],
    ])
      assert.equal(await help(column), text);
    await choose("Custom");
    await heading.waitFor();
    await other.goto(`${console.url}/#/p/${name}/status`);
    await other.goto(`${console.url}/#/p/${name}`);
    await heading.waitFor();
    await choose("Custom");
    await heading.waitFor({ state: "detached" });
    assert.equal(await other.evaluate(() => localStorage.getItem("columns")), null);
    await other.done();
  });
});

describe("a selection", () => {
  const bodies = ["a", "b", "c", "d"].map((key) => ({ key, objectTypeProperty: {} }));
  const bar = (other) => other.getByRole("group", { name: "Selected resources" });
  const select = (other, key) => other.getByLabel(`Select ${key}`, { exact: true }).click();

  test("is exported as lines, and cleared", async () => {
    const { page: other, made } = await openProject(console, bodies);
    await select(other, "a");
    await select(other, "c");
    await bar(other).getByText("2 resources selected").waitFor();
    const { text } = await saveFile(other, () => other.getByRole("button", { name: "Export selected" }).click());
    assert.deepEqual(parseLines(text), [made[2], made[0]]);
    await other.getByRole("button", { name: "Clear", exact: true }).click();
    await bar(other).waitFor({ state: "hidden" });
    await other.getByLabel("Select all resources of this page").click();
    await bar(other).getByText("4 resources selected").waitFor();
    await other.done();
  });

  test("is deleted after a question, except what somebody else has changed", async () => {
    const { page: other, name, made } = await openProject(console, bodies);
    for (const key of ["a", "b", "d"]) await select(other, key);
    await other.getByRole("button", { name: "Delete selected" }).click();
    const question = other.getByRole("dialog", { name: "Delete 3 resources?" });
    assert.deepEqual(await question.getByRole("listitem").allTextContents(), ["d", "b", "a"]);
    await question.getByRole("button", { name: "Cancel" }).click();
    assert.equal((await console.worker.fresh(`GET /${name}/resource`)).json.total, 4);
    await other.getByRole("button", { name: "Delete selected" }).click();
    await question.waitFor();
    const body = { version: 1, actions: [{ action: "doSomeThing" }] };
    await console.worker.call(`POST /${name}/resource/${made[1].id}`, { body });
    await console.worker.call(`DELETE /${name}/resource/${made[3].id}`);
    await question.getByRole("button", { name: "Delete", exact: true }).click();
    const failed = other.getByRole("dialog", { name: "1 resource not deleted" });
    await failed.getByText("b: Somebody has changed it since.").waitFor();
    await failed.getByRole("button", { name: "Close" }).click();
    await other.getByLabel("Select a", { exact: true }).waitFor({ state: "detached" });
    const { results } = (await console.worker.fresh(`GET /${name}/resource`)).json;
    assert.deepEqual(results.map(({ key }) => key).sort(), ["b", "c"]);
  });
});

test("the drawer of the requests covers nothing", async () => {
  await page.getByRole("button", { name: /^Requests/ }).click();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const next = await page.getByRole("button", { name: "Next" }).boundingBox();
  const drawer = await page.getByRole("region", { name: "Requests" }).boundingBox();
  assert.ok(next.y + next.height <= drawer.y, JSON.stringify([next, drawer]));
  await page.getByRole("button", { name: "Close the requests" }).click();
});

describe("a condition", () => {
  const status = () => page.locator(".query-status");

  test("is applied while a person types, once it is complete", async () => {
    await status().getByText("45 resources", { exact: true }).waitFor();
    await box().fill('someProperty = "p1" and arrayOfIntExample < 10');
    await status().getByText("3 matches", { exact: true }).waitFor();
    assert.deepEqual(await keys(), ["k07", "k04", "k01"]);
    assert.equal(hash(), `#/p/${name}?where=someProperty = "p1" and arrayOfIntExample < 10`);
    await page.reload();
    await shows(["k07", "k04", "k01"]);
    assert.equal(await box().inputValue(), 'someProperty = "p1" and arrayOfIntExample < 10');
  });

  test("with an error keeps the list, dimmed, with the message once, at the error, and sends nothing", async () => {
    const failed = [];
    const listen = (response) => response.status() >= 400 && failed.push(response.url());
    page.on("response", listen);
    await box().fill('key = "a" and version contains 3');
    await status().getByText("Character 32:").waitFor();
    assert.equal(await page.getByText("Unexpected '3'.").count(), 1);
    assert.match(await status().textContent(), /Unexpected '3'\. Expected 'all' or 'any'\./);
    assert.deepEqual(await keys(), ["k07", "k04", "k01"]);
    assert.equal(await page.locator(".list.stale").count(), 1);
    assert.equal(await box().getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator(".query-mirror mark").textContent(), "3");
    await status().getByRole("button").click();
    const selected = (input) => [
      input === document.activeElement,
      input.value.slice(input.selectionStart, input.selectionEnd),
    ];
    assert.deepEqual(await box().evaluate(selected), [true, "3"]);
    // The mark is under the text that it marks.
    const over = await page.evaluate(() => {
      const input = document.querySelector(".query-box input").getBoundingClientRect();
      const mark = document.querySelector(".query-mirror mark").getBoundingClientRect();
      return mark.left > input.left && mark.right < input.right && mark.top > input.top && mark.bottom <= input.bottom;
    });
    assert.equal(over, true);
    page.off("response", listen);
    assert.deepEqual(failed, []);
  });

  test("that ends too early has no error until a person asks for it", async () => {
    await box().fill("key =");
    await status().getByText("The condition is not complete yet.").waitFor();
    assert.equal(await box().getAttribute("aria-invalid"), null);
    await box().press("Enter");
    await status().getByText("Character 6:").waitFor();
    assert.equal(await page.locator(".query-mirror mark").textContent(), "\u00a0");
    await box().fill("");
    await shows(keysFrom(44, 25));
    assert.equal(await page.locator(".list.stale").count(), 0);
  });

  test("without matches shows a way to all resources", async () => {
    await box().fill('key = "nobody"');
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await page.getByRole("button", { name: "Clear the condition" }).click();
    await shows(keysFrom(44, 25));
    assert.equal(await box().inputValue(), "");
  });

  test("with an error in the address is reported at the box", async () => {
    await page.goto(`${console.url}/#/p/${name}?where=nope+%3D+1&offset=-3&limit=x`);
    await page.getByText("There is no field 'nope'").waitFor();
    await page.getByText("Character 1:").waitFor();
    await box().fill("");
    await box().press("Enter");
    await shows(keysFrom(44, 25));
  });

  test("does not repeat why the list could not be loaded", async () => {
    const message = "No list today.";
    const json = { statusCode: 403, message, errors: [{ code: "insufficient_scope", message }] };
    await page.route("**/resource?**", (route) => route.fulfill({ status: 403, json }));
    await box().fill('key = "k00"');
    await page.getByRole("heading", { name: "The request failed" }).waitFor();
    assert.equal(await page.getByText(message).count(), 1);
    await page.unroute("**/resource?**");
    await page.getByRole("button", { name: "Try again" }).click();
    await shows(["k00"]);
    await box().fill("");
    await box().press("Enter");
    await shows(keysFrom(44, 25));
  });
});

describe("the completions", () => {
  const options = () => page.getByRole("listbox", { name: "Completions" }).getByRole("option");

  test("offer fields, operators, and connectors, by the keyboard alone", async () => {
    await box().focus();
    await page.keyboard.press("ArrowDown");
    await options().first().waitFor();
    assert.equal(await box().getAttribute("aria-expanded"), "true");
    await page.keyboard.type("vers");
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
    await page.keyboard.press("ArrowDown");
    const active = await box().getAttribute("aria-activedescendant");
    assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
    await page.keyboard.press("Enter");
    assert.equal(await box().inputValue(), "version ");
    await options().filter({ hasText: "more than" }).waitFor();
    assert.equal(await options().filter({ hasText: "matches ignore case" }).count(), 0);
    await page.keyboard.type("> 0");
    await page.waitForFunction(() => document.querySelector("[role=listbox][hidden]") !== null);
    await page.keyboard.type(" ");
    await options().first().waitFor();
    assert.deepEqual(await options().locator("code").allTextContents(), ["and", "or"]);
    await page.keyboard.press("Escape");
    assert.equal(await box().getAttribute("aria-expanded"), "false");
    await page.locator(".query-status").getByText("45 matches").waitFor();
    await box().fill("");
    await shows(keysFrom(44, 25));
  });
});

describe("the keys", () => {
  test("reach the box, the rows, and the list of keys, and mean text in the box", async () => {
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    await page.keyboard.press("/");
    assert.equal(await isFocused(box()), true);
    await page.keyboard.type("jk?");
    assert.equal(await box().inputValue(), "jk?");
    await box().fill("");
    await shows(keysFrom(44, 25));
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    for (const key of ["j", "j", "k", "j"]) await page.keyboard.press(key);
    assert.equal(await focusedName(page), "k43");
    await page.keyboard.press("x");
    await page.getByText("1 resource selected").waitFor();
    await page.keyboard.press("x");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Select the row").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await page.waitForFunction(() => location.hash.endsWith("/edit"));
    await page.goBack();
    await shows(keysFrom(44, 25));
    await page.keyboard.press("n");
    await page.waitForFunction(() => location.hash.endsWith("/new"));
    await page.goBack();
    await shows(keysFrom(44, 25));
  });
});

test("a view is saved with a name, and leads back to its words, order, and columns", async () => {
  await page.goto(`${console.url}/#/p/${name}?text=p1&sort=key+asc&columns=custom`);
  await shows([
    "k01",
    "k04",
    "k07",
    "k10",
    "k13",
    "k16",
    "k19",
    "k22",
    "k25",
    "k28",
    "k31",
    "k34",
    "k37",
    "k40",
    "k43",
  ]);
  await page.getByText("Views", { exact: true }).click();
  await page.getByRole("button", { name: "Save this view" }).click();
  await page.getByLabel("Name").fill("ones");
  await page.keyboard.press("Enter");
  await page.goto(`${console.url}/#/p/${name}`);
  await shows(keysFrom(44, 25));
  await page.getByText("Views", { exact: true }).click();
  await page.getByRole("link", { name: "ones" }).click();
  await page.getByRole("columnheader", { name: "Custom" }).waitFor();
  assert.equal(await box().inputValue(), "p1");
  await page.getByText("Views", { exact: true }).click();
  await page.getByRole("button", { name: "Remove the view ones" }).click();
  await page.goto(`${console.url}/#/p/${name}`);
  await shows(keysFrom(44, 25));
});
