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
const box = () => page.getByRole("textbox", { name: "Condition" });
const hash = () => decodeURIComponent(new URL(page.url()).hash.replaceAll("+", " "));

describe("the table", () => {
  test("pages through the collection, and the back button returns to the page before", async () => {
    await shows(keysFrom(0, 19));
    await page.getByText("1–20 of 45").waitFor();
    assert.equal(await page.getByRole("button", { name: "Previous" }).isDisabled(), true);
    await page.getByRole("button", { name: "Next" }).click();
    await shows(keysFrom(20, 39));
    await page.getByRole("button", { name: "Next" }).click();
    await shows(keysFrom(40, 44));
    await page.getByText("41–45 of 45").waitFor();
    assert.equal(await page.getByRole("button", { name: "Next" }).isDisabled(), true);
    assert.equal(hash(), `#/p/${name}?offset=40`);
    await page.goBack();
    await shows(keysFrom(20, 39));
    await page.reload();
    await shows(keysFrom(20, 39));
    await page.getByRole("combobox", { name: "Resources per page" }).selectOption("50");
    await shows(keysFrom(0, 44));
    assert.equal(hash(), `#/p/${name}?limit=50`);
    await page.getByRole("combobox", { name: "Resources per page" }).selectOption("20");
    await shows(keysFrom(0, 19));
  });

  test("keeps the focus on its page controls, or on the other control at the first and last page", async () => {
    await page.getByRole("button", { name: "Next" }).focus();
    for (const [expected, control] of [
      [keysFrom(20, 39), "Next"],
      [keysFrom(40, 44), "Previous"],
      [keysFrom(20, 39), "Previous"],
      [keysFrom(0, 19), "Next"],
    ]) {
      await page.keyboard.press("Enter");
      await shows(expected);
      assert.equal(await focusedName(page), control);
    }
    const size = page.getByRole("combobox", { name: "Resources per page" });
    for (const [limit, last] of [
      ["50", 44],
      ["20", 19],
    ]) {
      await size.focus();
      await size.selectOption(limit);
      await shows(keysFrom(0, last));
      assert.equal(await focusedName(page), "Resources per page");
    }
  });

  test("sorts by each of its headings as the service does, and back in the order of creation", async () => {
    for (const heading of await page.getByRole("columnheader").allTextContents()) {
      const label = heading.replace(/[↑↓]/, "");
      for (const order of ["ascending", "descending"]) {
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
      await shows(keysFrom(0, 19));
      assert.equal(hash(), `#/p/${name}`);
    }
  });

  test("supports the keyboard, from row to row and into a resource", async () => {
    await page.locator("tbody th .name").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "k01", exact: true }).waitFor();
    await page.goBack();
    await shows(keysFrom(0, 19));
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
    const heading = other.getByRole("columnheader", { name: "custom" });
    const help = (column) =>
      other
        .locator(".menu .row")
        .filter({ has: other.getByText(column, { exact: true }) })
        .locator("input")
        .evaluate((box) => document.getElementById(box.getAttribute("aria-describedby")).textContent);
    for (const [column, text] of [
      ["custom", "a text"],
      ["createdBy", "who created it"],
      ["arrayOfTwonumbersExample", "two whole numbers"],
      ["arrayOfObjectType", "a list of objects: integerExample, integerExampleInt32"],
    ])
      assert.equal(await help(column), text);
    await choose("custom");
    await heading.waitFor();
    await other.goto(`${console.url}/#/p/${name}/status`);
    await other.goto(`${console.url}/#/p/${name}`);
    await heading.waitFor();
    await choose("custom");
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
    assert.deepEqual(parseLines(text), [made[0], made[2]]);
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
    assert.deepEqual(await question.getByRole("listitem").allTextContents(), ["a", "b", "d"]);
    await question.getByRole("button", { name: "Cancel" }).click();
    assert.equal((await console.worker.fresh(`GET /${name}/resource`)).json.total, 4);
    await other.getByRole("button", { name: "Delete selected" }).click();
    await question.waitFor();
    const body = { version: 1, actions: [{ action: "doSomeThing" }] };
    await console.worker.call(`POST /${name}/resource/${made[1].id}`, { body });
    await console.worker.call(`DELETE /${name}/resource/${made[3].id}`);
    await question.getByRole("button", { name: "Delete", exact: true }).click();
    await other.getByText("Not deleted: b: another person has changed it.").waitFor();
    await other.getByLabel("Select a", { exact: true }).waitFor({ state: "detached" });
    const { results } = (await console.worker.fresh(`GET /${name}/resource`)).json;
    assert.deepEqual(results.map(({ key }) => key).sort(), ["b", "c"]);
  });
});

test("the button of the requests does not cover the page controls in a low window", async () => {
  await page.setViewportSize({ width: 1280, height: 500 });
  const edge = async (locator) => locator.boundingBox();
  const next = await edge(page.getByRole("button", { name: "Next" }));
  const requests = await edge(page.locator(".drawer-toggle"));
  assert.ok(next.x + next.width <= requests.x, JSON.stringify([next, requests]));
  await page.setViewportSize({ width: 1280, height: 800 });
});

describe("a condition", () => {
  test("is counted while a person types, and applied with Enter", async () => {
    await page.getByText("45 resources in total").waitFor();
    await box().fill('someProperty = "p1" and arrayOfIntExample < 10');
    await page.getByText("3 matches").waitFor();
    await shows(keysFrom(0, 19));
    await box().press("Enter");
    await page.getByText("1–3 of 3").waitFor();
    assert.deepEqual(await keys(), ["k01", "k04", "k07"]);
    await page.goBack();
    await shows(keysFrom(0, 19));
  });

  test("with an error is marked at the error, with the expected tokens", async () => {
    await box().fill('key = "a" and\n  version contains 3');
    const status = page.locator(".predicate-status");
    await status.getByText("Line 2, column").waitFor();
    assert.equal(await box().getAttribute("aria-invalid"), "true");
    const marked = page.locator(".predicate-mirror mark");
    assert.equal(await marked.textContent(), "3");
    assert.match(await status.textContent(), /Unexpected '3'\. Expected 'all' or 'any'\./);
    await status.getByRole("button").click();
    assert.deepEqual(
      await box().evaluate((input) => [
        input === document.activeElement,
        input.value.slice(input.selectionStart, input.selectionEnd),
      ]),
      [true, "3"],
    );
    // The mark is under the text that it marks.
    const over = await page.evaluate(() => {
      const input = document.querySelector(".predicate-box textarea").getBoundingClientRect();
      const mark = document.querySelector(".predicate-mirror mark").getBoundingClientRect();
      return (
        mark.left > input.left && mark.right < input.right && mark.top > input.top + 20 && mark.bottom <= input.bottom
      );
    });
    assert.equal(over, true);
  });

  test("that ends too early is marked behind its end", async () => {
    await box().fill("key =");
    await page.getByText("Line 1, column 6:").waitFor();
    assert.equal(await page.locator(".predicate-mirror mark").textContent(), "\u00a0");
  });

  test("may be one of the examples, all of which are valid", async () => {
    const examples = await page.locator(".example > code").allTextContents();
    assert.ok(examples.length >= 6);
    for (const example of examples) {
      await page.locator(".examples summary").click();
      await page.locator(".example").filter({ hasText: example }).first().click();
      assert.equal(await box().inputValue(), example);
      await page.locator(".predicate-status .muted").filter({ hasText: /match/ }).waitFor();
    }
  });

  test("without matches shows a link to all resources", async () => {
    await box().fill('key = "nobody"');
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    assert.equal(hash(), `#/p/${name}?where=key = "nobody"`);
    await page.reload();
    assert.equal(await box().inputValue(), 'key = "nobody"');
    await page.getByRole("button", { name: "Clear the condition" }).click();
    await shows(keysFrom(0, 19));
    assert.equal(await box().inputValue(), "");
  });

  test("with an error in the address is reported, and not sent", async () => {
    await page.goto(`${console.url}/#/p/${name}?where=nope+%3D+1&offset=-3&limit=x`);
    await page.getByRole("heading", { name: "The condition is invalid" }).waitFor();
    await page.getByText("There is no field 'nope'").waitFor();
    await page.getByText("Line 1, column 1:").waitFor();
    await page.getByRole("button", { name: "Go to the condition" }).click();
    assert.equal(await isFocused(box()), true);
    await box().fill("");
    await box().press("Enter");
    await shows(keysFrom(0, 19));
  });

  test("does not repeat why the list could not be loaded", async () => {
    const message = "No list today.";
    const json = { statusCode: 403, message, errors: [{ code: "insufficient_scope", message }] };
    const refuse = (route) => route.fulfill({ status: 403, json });
    await page.route("**/resource?**", refuse);
    await box().fill('key = "k00"');
    await page.getByText(message).waitFor();
    await box().press("Enter");
    await page.getByRole("heading", { name: "The request failed" }).waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(await page.getByText(message).count(), 1);
    await page.unroute("**/resource?**");
    await page.getByRole("button", { name: "Try again" }).click();
    await shows(["k00"]);
    await box().fill("");
    await box().press("Enter");
    await shows(keysFrom(0, 19));
  });
});

test("a far page that has become empty shows the first page", async () => {
  await page.goto(`${console.url}/#/p/${name}?offset=5000`);
  await page.getByRole("heading", { name: "This page is empty" }).waitFor();
  await page.getByRole("button", { name: "Go to the first page" }).click();
  await shows(keysFrom(0, 19));
});
