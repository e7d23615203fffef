// Searching: words, typing errors, facets as filters, and addresses that restore the state.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { below, filterTexts, ranges } from "../../build/console/model/query/filters.js";
import { wordPattern } from "../../build/console/model/query/words.js";
import { eventually, fill, project, serveForTests, signIn } from "./support.mjs";

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
    await total(30);
  },
  () => page.done(),
);

const box = () => page.getByRole("combobox", { name: "Search or condition" });
const total = (number) =>
  page.waitForFunction(
    (text) =>
      document.querySelector("[aria-busy=true]") === null &&
      new RegExp(`^${text} (match|matches|resource|resources)$`).test(
        document.querySelector(".query-status")?.textContent ?? "",
      ),
    number,
  );
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
/** Waits until a facet has these values with these counts. */
const counted = (field, expected) => eventually(async () => assert.deepEqual(await counts(field), expected));
const value = (field, label) => facet(field).getByRole("button", { name: label });
/** Types words, and waits for so many resources. */
async function type(words, number) {
  await box().fill(words);
  await total(number);
}
/** Presses a value of a facet, and waits for so many resources. */
async function press(field, label, number) {
  await value(field, label).click();
  await total(number);
}
const chips = () => page.getByRole("group", { name: "Chosen filters" }).getByRole("button");
/** Returns the marked parts of the table. */
const marks = () =>
  page.evaluate(() =>
    [.../** @type {any} */ (CSS.highlights.get("found") ?? [])].map((range) => range.toString().toLowerCase()),
  );

describe("words", () => {
  test("narrow the list while a person types, ignoring case, and are marked", async () => {
    await type("straße", 1);
    await page.getByRole("link", { name: "k7" }).waitFor();
    await type("RED common", 10);
    assert.ok((await marks()).includes("red"));
    assert.equal(new URL(page.url()).hash, `#/p/${name}?text=RED+common`);
    await page.reload();
    await total(10);
    assert.equal(await box().inputValue(), "RED common");
  });

  test("are found while the last one is typed, which a space ends", async () => {
    await type("com", 30);
    assert.ok((await marks()).includes("common"));
    await box().fill("com ");
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await type("common re", 10);
  });

  test("are never read as a condition, also those that are words of its language", async () => {
    const failed = [];
    const listen = (response) => response.status() >= 400 && failed.push(response.url());
    page.on("response", listen);
    for (const words of ["key", "not common", "version and key", "(red)", "custom in blue", 'say "hi', "k1 is red"]) {
      const [request] = await Promise.all([
        page.waitForRequest((one) => new URL(one.url()).searchParams.get("text.en") === words),
        box().fill(words),
      ]);
      await request.response();
      assert.equal(await box().getAttribute("aria-invalid"), null, words);
    }
    page.off("response", listen);
    assert.deepEqual(failed, []);
    await type("", 30);
  });

  test("with typing errors are found if a person allows them", async () => {
    await box().fill("comon");
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await page.getByRole("button", { name: "Allow typos" }).click();
    await total(30);
    await page.getByRole("button", { name: "Remove the filter with typos" }).click();
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await type("", 30);
  });

  test("find nothing that can be opened with the keyboard but rows of the same table", async () => {
    await type("green common", 10);
    assert.equal(await page.locator("tbody tr").count(), 10);
    await page.getByRole("columnheader", { name: "Key" }).getByRole("button").click();
    await page.locator("[aria-sort=ascending]").waitFor();
    await total(10);
    await page.goto(`${console.url}/#/p/${name}`);
    await total(30);
  });
});

describe("facets", () => {
  test("count values, and a click adds a filter; another click in the field adds a value", async () => {
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await counted("arrayOfStringExample", { common: 30, blue: 10, green: 10, red: 10 });
    await press("arrayOfStringExample", "red", 10);
    // The counts of this facet remain, so that another value can be chosen. The counts of other facets are narrowed.
    await counted("arrayOfStringExample", { common: 30, blue: 10, green: 10, red: 10 });
    await counted("someProperty", { even: 5, odd: 5 });
    assert.equal(await value("arrayOfStringExample", "red").getAttribute("aria-pressed"), "true");
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

  test("remain beside a condition, without counts", async () => {
    await box().fill("version = 1");
    await total(10);
    assert.equal(await chips().count(), 3);
    await facet("someProperty").locator(".facet-value").first().waitFor();
    await eventually(async () => assert.equal(await facet("someProperty").locator(".bar").count(), 0));
    await type("", 10);
  });

  test("lose a filter if its chip or its value is clicked", async () => {
    await page.getByRole("button", { name: "Remove the filter Some property: odd" }).click();
    await total(20);
    await press("arrayOfStringExample", "green", 10);
    await page.getByRole("button", { name: "Remove the filter Array of string example: red" }).click();
    await total(30);
    assert.equal(await chips().count(), 0);
  });

  test("of values that nearly all differ are not offered at first, and each may be added and removed", async () => {
    assert.equal(await facet("custom").count(), 0);
    await page.getByLabel("Add a facet").selectOption("version");
    await facet("version").waitFor();
    await page.getByRole("button", { name: "Remove the facet version" }).click();
    await facet("version").waitFor({ state: "detached" });
    await page.reload();
    await total(30);
    assert.equal(await facet("version").count(), 0);
  });

  test("of every offered field are accepted by the service", async () => {
    await page.getByLabel("Add a facet").waitFor();
    const offered = await page
      .getByLabel("Add a facet")
      .locator("option[value]:not([value=''])")
      .evaluateAll((options) => options.map(({ value }) => value));
    assert.ok(offered.length > 5);
    for (const option of offered) {
      await page.getByLabel("Add a facet").selectOption(option);
      await facet(option).waitFor();
    }
    await page.getByRole("button", { name: "Filters", exact: true }).click();
  });
});

test("late input does not return to the list once another page is shown", async () => {
  await box().evaluate((input, hash) => {
    input.value = "red";
    input.dispatchEvent(new Event("input"));
    location.hash = hash;
  }, `#/p/${name}/status`);
  await page.getByRole("heading", { name: "Status", exact: true }).waitFor();
  await page.waitForTimeout(400);
  assert.equal(new URL(page.url()).hash, `#/p/${name}/status`);
});

test("an address of the former search leads to the list, and its invalid parameters are ignored", async () => {
  await page.goto(
    `${console.url}/#/p/${name}/search?text=common&language=xx1&level=9&facet=nope+terms&facet=someProperty+terms` +
      '&term=someProperty+"odd"&term=someProperty+{&range=version+5+1&limit=0&offset=x',
  );
  await total(15);
  assert.equal(new URL(page.url()).hash.split("?")[0], `#/p/${name}`);
  assert.equal(await box().inputValue(), "common");
  assert.equal(await chips().count(), 1);
});

test("a far page that has become empty leads to the first page, and a failed search shows no count", async () => {
  await page.goto(`${console.url}/#/p/${name}?text=common&offset=5000`);
  await page.getByRole("heading", { name: "This page is empty" }).waitFor();
  await page.route("**/searchApiPattern**", (route) => route.fulfill({ status: 403, json: { statusCode: 403 } }));
  await page.getByRole("button", { name: "Go to the first page" }).click();
  await page.getByRole("heading", { name: "The request failed" }).waitFor();
  assert.equal(await page.getByText("30 matches").count(), 0);
  await page.unroute("**/searchApiPattern**");
  await page.getByRole("button", { name: "Try again" }).click();
  await total(30);
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
