// Searching: words, typing errors, facets as filters, and addresses that restore the state.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { below, filterTexts, ranges } from "../../build/site/model/query/filters.js";
import { wordPattern } from "../../build/site/widgets/search/found-resource.js";
import { fill, isFocused, project, serveForTests, signIn } from "./support.mjs";

const name = project();
let page;
const console = serveForTests(
  async () => {
    const colors = ["red", "green", "blue"];
    await fill(
      console.worker,
      name,
      Array.from({ length: 30 }, (_, at) => ({
        key: `k${at}`,
        someProperty: at % 2 === 0 ? "even" : "odd",
        custom: at === 7 ? "Eine lange STRASSE" : undefined,
        objectTypeProperty: {
          arrayOfStringExample: [colors[at % 3], "common"],
          arrayOfFloatExample: [at],
          arrayOfIntExample: [at % 4],
        },
      })),
    );
    page = await console.open();
    await signIn(page, name);
    await page.getByRole("link", { name: "Search" }).click();
    await total(30);
  },
  () => page.done(),
);

const total = (number) =>
  page
    .getByRole("status")
    .getByText(`${number} resource${number === 1 ? "" : "s"}`, { exact: true })
    .waitFor();
const facet = (field) => page.getByRole("region", { name: `Facet ${field}` });
/** Returns each value of a facet with its count. */
const counts = async (field) =>
  Object.fromEntries(
    await facet(field)
      .locator(".facet-value")
      .evaluateAll((values) =>
        values.map((value) => [value.children[0].textContent, Number(value.children[1].textContent)]),
      ),
  );
const value = (field, label) => facet(field).getByRole("button", { name: label });
/** Types words, and waits for so many resources. */
async function type(words, number) {
  await page.getByLabel("Words").fill(words);
  await total(number);
}
/** Presses a value of a facet, and waits for so many resources. */
async function press(field, label, number) {
  await value(field, label).click();
  await total(number);
}
const chips = () => page.getByRole("group", { name: "Filters" }).getByRole("button");

describe("words", () => {
  test("narrow the results while a person types, ignoring case, and are highlighted", async () => {
    await type("straße", 1);
    await page.getByRole("link", { name: "k7" }).waitFor();
    await type("RED common", 10);
    assert.equal(await page.locator(".found mark").first().textContent(), "red");
    assert.equal(new URL(page.url()).hash, `#/p/${name}/search?text=RED+common`);
  });

  test("are found while the last one is typed, which a space ends", async () => {
    await type("com", 30);
    assert.equal(await page.locator(".found mark").first().textContent(), "common");
    await page.getByLabel("Words").fill("com ");
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await type("common re", 10);
  });

  test("with typing errors are found if fuzzy search is on", async () => {
    await page.getByLabel("Words").fill("comon");
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await page.getByRole("button", { name: "Allow typos" }).click();
    await total(30);
    assert.equal(await page.getByLabel("Allow typos").isChecked(), true);
    await page.getByLabel("Typos per word").selectOption("0");
    await page.getByRole("heading", { name: "No matches" }).waitFor();
  });

  test("that are too short for the level are reported at the level", async () => {
    await page.getByLabel("Typos per word").selectOption("2");
    await page.getByLabel("Words").fill("red");
    await page.getByText("Expected at most 1. The maximum depends on the longest word.").waitFor();
    assert.equal(await page.getByLabel("Typos per word").getAttribute("aria-invalid"), "true");
    await page.getByLabel("Typos per word").selectOption("1");
    await total(10);
    await page.getByLabel("Allow typos").uncheck();
    await type("", 30);
  });

  test("are sent with the chosen language", async () => {
    await type("green", 10);
    const sent = page.waitForResponse((response) => response.url().includes("text.de-AT=green"));
    await page.getByLabel("Language").selectOption("de-AT");
    await sent;
    await page.getByLabel("Language").selectOption("en");
    await type("", 30);
  });
});

describe("facets", () => {
  test("count values, and a click adds a filter; another click in the field adds a value", async () => {
    assert.deepEqual(await counts("arrayOfStringExample"), { common: 30, blue: 10, green: 10, red: 10 });
    await press("arrayOfStringExample", "red", 10);
    // The counts of this facet remain, so that another value can be chosen. The counts of other facets are narrowed.
    assert.deepEqual(await counts("arrayOfStringExample"), { common: 30, blue: 10, green: 10, red: 10 });
    assert.deepEqual(await counts("someProperty"), { even: 5, odd: 5 });
    assert.equal(await value("arrayOfStringExample", "red").getAttribute("aria-pressed"), "true");
    assert.equal(await isFocused(value("arrayOfStringExample", "red")), true);
    await press("arrayOfStringExample", "green", 20);
    await press("someProperty", "odd", 10);
    assert.equal(await chips().count(), 3);
  });

  test("are kept in the address", async () => {
    await page.reload();
    await total(10);
    assert.equal(await chips().count(), 3);
    await page.goBack();
    await total(20);
    await page.goForward();
    await total(10);
  });

  test("lose a filter if its chip or its value is clicked", async () => {
    await page.getByRole("button", { name: "Remove the filter someProperty: odd" }).click();
    await total(20);
    await press("arrayOfStringExample", "green", 10);
    await page.getByRole("button", { name: "Remove the filter arrayOfStringExample: red" }).click();
    await total(30);
    assert.equal(await chips().count(), 0);
  });

  test("are added and removed", async () => {
    await page.getByLabel("Add a facet").selectOption("arrayOfIntExample terms");
    await facet("arrayOfIntExample").waitFor();
    assert.deepEqual(await counts("arrayOfIntExample"), { 0: 8, 1: 8, 2: 7, 3: 7 });
    await press("arrayOfIntExample", "3", 7);
    await page.getByLabel("Add a facet").selectOption("arrayOfIntExample ranges");
    await total(30);
    assert.deepEqual(await counts("arrayOfIntExample"), { 0: 8, 1: 8, 2: 7, 3: 7 });
    await press("arrayOfIntExample", "1", 8);
    await page.getByRole("button", { name: "Remove the facet arrayOfIntExample" }).click();
    await total(30);
    assert.equal(await facet("arrayOfIntExample").count(), 0);
    await page.reload();
    await total(30);
    assert.equal(await facet("arrayOfIntExample").count(), 0);
  });

  test("of every offered field are accepted by the service", async () => {
    const offered = await page
      .getByLabel("Add a facet")
      .locator("option[value]:not([value=''])")
      .evaluateAll((options) => options.map(({ value }) => value));
    assert.ok(offered.length > 15);
    for (const option of offered) {
      await page.getByLabel("Add a facet").selectOption(option);
      await facet(option.split(" ")[0]).waitFor();
      await total(30);
    }
  });
});

test("late input does not return to the search once another page is shown", async () => {
  await page.getByLabel("Words").evaluate((input, hash) => {
    input.value = "red";
    input.dispatchEvent(new Event("input"));
    location.hash = hash;
  }, `#/p/${name}`);
  await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
  await page.waitForTimeout(300);
  assert.equal(new URL(page.url()).hash, `#/p/${name}`);
});

test("invalid parameters in an address are ignored", async () => {
  await page.goto(
    `${console.url}/#/p/${name}/search?language=xx1&level=9&facet=nope+terms&facet=someProperty+terms` +
      "&term=someProperty+{&range=version+5+1&limit=0&offset=x",
  );
  await total(30);
  assert.equal(await page.locator(".facet").count(), 1);
  assert.equal(await chips().count(), 0);
});

test("a far page that has become empty leads to the first page, and a failed search shows no count", async () => {
  await page.goto(`${console.url}/#/p/${name}/search?offset=5000`);
  await page.getByRole("heading", { name: "This page is empty" }).waitFor();
  await page.route("**/searchApiPattern**", (route) => route.fulfill({ status: 403, json: { statusCode: 403 } }));
  await page.getByRole("button", { name: "Go to the first page" }).click();
  await page.getByRole("heading", { name: "The request failed" }).waitFor();
  assert.equal(await page.getByText("30 resources").count(), 0);
  await page.unroute("**/searchApiPattern**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "k0" }).waitFor();
});

test("a filter has exactly the resources of its facet's range", () => {
  assert.equal(below(10, true), 9);
  for (const number of [10, -10, 0.1, 1e300, -1e-300])
    assert.ok(
      below(number, false) < number && below(number, false) + Math.abs(number) * 3e-16 >= number,
      String(number),
    );
  assert.ok(below(0, false) < 0);
  assert.deepEqual(
    filterTexts(
      [
        { field: "a", term: 'x"y' },
        { field: "b", from: 0, to: 5 },
        { field: "a", term: "z" },
      ],
      { isWhole: () => false },
    ),
    ['a:"x\\"y","z"', "b:range(0 to 4.999999999999999)"],
  );
  for (const [extent, whole] of /** @type {[{ min: number, max: number }, boolean][]} */ ([
    [{ min: 0, max: 0 }, true],
    [{ min: -7, max: 13 }, true],
    [{ min: 0.1, max: 0.3 }, false],
    [{ min: -1e300, max: 1e300 }, false],
    [{ min: 5, max: 5 }, false],
  ])) {
    const all = ranges(extent, whole);
    assert.ok(all.length >= 1 && all.length <= 9, JSON.stringify([extent, all]));
    assert.ok(all[0].from <= extent.min && all.at(-1).to > extent.max, JSON.stringify([extent, all]));
    for (const [at, { from }] of all.slice(1).entries()) assert.equal(from, all[at].to);
  }
});

test("whole words are highlighted, whatever their characters", () => {
  for (const word of ["a-b", "a/b", "a.b", "[a]", "(a", "a{2}", "a|b", "\\d", "^a$", "a#&~`'\"!%,:;<=>@_b", "😀"])
    assert.equal(wordPattern([word]).exec(`x ${word.toUpperCase()} y`)?.[1], word.toUpperCase(), word);
  assert.equal(wordPattern(["a.b"]).test("axb"), false);
  assert.equal(wordPattern(["red"]).test("hundred"), false);
  assert.equal(wordPattern(["red"]).test("reddish"), false);
  assert.equal(wordPattern(["a", "red"], true).exec("hundred reddish, red")?.[1], "reddish");
});
