// One resource: its data, the charts of its arrays, and deleting it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { bins, short, summary } from "../../build/console/widgets/values/charts.js";
import {
  audit,
  box,
  enter,
  fill,
  focusedName,
  heldBack,
  isFocused,
  PARTS,
  project,
  seesVersion,
  serveForTests,
  showPart,
} from "./support.mjs";

const name = project();
let page;
const console = serveForTests(
  async () => {
    page = await console.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await enter(page, name);
  },
  () => page.done(),
  { site: PARTS },
);

/** Creates a resource and opens its page. */
async function openResource(body) {
  const [resource] = await fill(console.worker, name, [body]);
  await page.goto(`${console.url}/#/p/${name}/r/${encodeURIComponent(resource.id)}`);
  await page.getByRole("heading", { level: 1, name: resource.key ?? resource.id, exact: true }).waitFor();
  return resource;
}
const detail = (term) =>
  page
    .locator("dl.record > div")
    .filter({ has: page.locator("dt", { hasText: new RegExp(`^${term}$`) }) })
    .locator("dd");
const array = (name) => page.locator(`[data-field="objectTypeProperty.${name}"]`);
const change = (id, version) =>
  console.worker.call(`POST /${name}/resource/${id}`, { body: { version, actions: [{ action: "doSomeThing" }] } });

describe("a resource's page", () => {
  test("shows every field, and folded the revision and the ETag", async () => {
    const resource = await openResource({
      key: "full",
      custom: "c",
      someProperty: "p",
      fifteenthProperty: "f",
      createdBy: { firstName: "Ada", lastName: "Lovelace" },
      objectTypeProperty: {},
    });
    const read = await console.worker.fresh(`GET /${name}/resource/${resource.id}`);
    assert.equal(await detail("ID").textContent(), resource.id);
    assert.equal(await detail("Version").textContent(), "1");
    assert.equal(await detail("Revision").textContent(), read.headers["resource-revision"]);
    assert.equal(await detail("ETag").textContent(), read.headers.etag);
    assert.equal(await detail("Created by").textContent(), "Ada Lovelace");
    assert.equal(await detail("Created").locator("time").getAttribute("title"), resource.createdAt);
    for (const [field, text] of [
      ["Custom", "c"],
      ["Some property", "p"],
      ["Fifteenth property", "f"],
    ])
      assert.equal(await detail(field).textContent(), text);
    assert.deepEqual(await page.locator(".fields > div").evaluateAll((rows) => rows.map((row) => row.dataset.field)), [
      "someProperty",
      "fifteenthProperty",
      "custom",
    ]);
    assert.equal(await detail("ID").isVisible(), false);
    await page.getByText("System data").click();
    assert.equal(await detail("ID").isVisible(), true);
    assert.deepEqual(await audit(page), []);
    await showPart(page, "JSON");
    assert.deepEqual(JSON.parse(await page.locator(".json pre").textContent()), read.json);
  });

  test("draws its arrays, with texts for screen readers", async () => {
    await openResource({
      key: "drawn",
      objectTypeProperty: {
        arrayOfIntExample: [1, 5, 2, 5, 1, 5, 2, 5, 1, 5, 2, 5],
        arrayOfFloatExample: Array.from({ length: 5000 }, (_, at) => Math.sin(at / 50)),
        arrayOfTwonumbersExample: [13, 52],
        arrayOfStringExample: ["a", "", "c"],
        arrayOfNumberNoDefaultsExample: [-1.7e308, 1.7e308],
        arrayOfObjectType: [{ integerExample: 1 }, { integerExample: 3, integerExampleInt32: 4 }],
      },
    });
    await array("arrayOfIntExample")
      .getByRole("img", { name: "Array of int example: 12 in order, from 1 to 5" })
      .waitFor();
    await array("arrayOfIntExample")
      .getByRole("img", { name: /: \d bins, most \(6\)/ })
      .waitFor();
    assert.deepEqual(await array("arrayOfIntExample").locator(".figures dd").allTextContents(), [
      "12",
      "1",
      "3.25",
      "5",
    ]);
    await array("arrayOfFloatExample").getByRole("img", { name: "Array of float example: 5000 in order" }).waitFor();
    assert.ok((await array("arrayOfFloatExample").locator("polyline").getAttribute("points")).split(" ").length <= 500);
    await array("arrayOfFloatExample").getByRole("button", { name: "Show all 5000" }).click();
    assert.equal(await array("arrayOfFloatExample").locator("li").count(), 5000);
    assert.deepEqual(await array("arrayOfTwonumbersExample").locator("li").allTextContents(), ["13", "52"]);
    assert.deepEqual(await array("arrayOfStringExample").locator("li").allTextContents(), ["a", "empty text", "c"]);
    await array("arrayOfObjectType").getByRole("cell", { name: "–" }).waitFor();
    for (const points of await page
      .locator("polyline")
      .evaluateAll((lines) => lines.map((line) => line.getAttribute("points"))))
      assert.doesNotMatch(points, /NaN|Infinity/);
    await page.getByText("empty fields").click();
    await page.getByRole("link", { name: "Array of unique int example" }).click();
    await page.waitForFunction(() => document.activeElement?.matches("textarea"));
    assert.equal(await isFocused(box(page, "arrayOfUniqueIntExample")), true);
  });

  test("shows a part of a long list, and the next part in place of its button", async () => {
    await openResource({
      key: "long",
      objectTypeProperty: {
        arrayOfIntExample: Array.from({ length: 6000 }, (_, at) => at),
        arrayOfObjectType: Array.from({ length: 30 }, (_, at) => ({ integerExample: at })),
        arrayOfFloatExample: [0, 5e-324],
      },
    });
    const [numbers, objects] = [array("arrayOfIntExample"), array("arrayOfObjectType")];
    assert.deepEqual([await numbers.locator("li").count(), await objects.locator("tbody tr").count()], [24, 24]);
    await numbers.getByRole("button", { name: "Show the first 5000" }).click();
    assert.deepEqual([await numbers.locator("li").count(), await focusedName(page)], [5000, "24"]);
    await numbers.getByText("The JSON has the other 1,000.").waitFor();
    await objects.getByRole("button", { name: "Show all 30" }).click();
    assert.deepEqual([await objects.locator("tbody tr").count(), await focusedName(page)], [30, "24–"]);
    assert.equal(await page.getByRole("button", { name: /^Show/ }).count(), 0);
  });

  test("copies the resource as JSON", async () => {
    const resource = await openResource({ key: "copied", objectTypeProperty: {} });
    await showPart(page, "JSON");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).id, resource.id);
  });

  test("with any characters in its ID is reached by its link", async () => {
    const id = "a/b?c#d%2F&e=f +;'\"\\ä€😀";
    await openResource({ id, key: "nasty", objectTypeProperty: {} });
    await page.goto(`${console.url}/#/p/${name}?sort=lastModifiedAt+desc`);
    await page.getByRole("link", { name: "nasty" }).click();
    await page.getByRole("heading", { level: 1, name: "nasty" }).waitFor();
    assert.equal(await detail("ID").textContent(), id);
  });

  test("reads the source of truth, and again with Reload", async () => {
    const live = page.getByRole("switch", { name: "Live updates" });
    await live.click();
    const { id } = await openResource({ key: "fresh", objectTypeProperty: {} });
    await change(id, 1);
    await page.getByText("System data").click();
    await page.getByRole("button", { name: "Reload" }).click();
    await seesVersion(page, 2);
    await live.click();
  });

  test("shows that a resource is missing", async () => {
    await page.goto(`${console.url}/#/p/${name}/r/nobody`);
    await page.getByRole("alert").getByText("The Resource with ID 'nobody' was not found.").waitFor();
    await page.getByRole("link", { name: "All resources" }).click();
    await page.getByRole("table").waitFor();
  });
});

describe("deleting", () => {
  const dialog = () => page.getByRole("dialog");

  test("asks for confirmation with the version, and can be canceled", async () => {
    const { id } = await openResource({ key: "kept", objectTypeProperty: {} });
    for (const leave of [
      () => dialog().getByRole("button", { name: "Cancel" }).click(),
      () => page.keyboard.press("Escape"),
    ]) {
      await page.getByRole("button", { name: "Delete" }).click();
      await dialog().getByRole("heading", { name: "Delete kept?" }).waitFor();
      await dialog().getByText("since version 1.").waitFor();
      assert.equal(
        await dialog()
          .getByRole("button", { name: "Cancel" })
          .evaluate((button) => button === document.activeElement),
        true,
      );
      await leave();
      await dialog().waitFor({ state: "detached" });
      assert.equal(await isFocused(page.getByRole("button", { name: "Delete" })), true);
    }
    assert.equal((await console.worker.call(`GET /${name}/resource/${id}`)).status, 200);
  });

  test("closes its dialog if the page is left", async () => {
    await page.goto(`${console.url}/#/p/${name}`);
    await page.getByRole("link", { name: "kept" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog().waitFor();
    await page.goBack();
    await page.getByRole("table").waitFor();
    assert.equal(await dialog().count(), 0);
  });

  test("removes the resource and shows the list", async () => {
    const { id } = await openResource({ key: "gone", objectTypeProperty: {} });
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog().getByRole("button", { name: "Delete" }).click();
    await page.getByRole("status").getByText("gone was deleted.").waitFor();
    await page.getByRole("table").waitFor();
    assert.equal((await console.worker.fresh(`GET /${name}/resource/${id}`)).status, 404);
    const changes = await page.evaluate(async () => (await import("/state/request-log.js")).changes);
    assert.deepEqual([changes.at(-1).id, changes.at(-1).what, changes.at(-1).version], [id, "deleted", 1]);
  });

  test("does not change the page if it was left", async () => {
    await openResource({ key: "late", objectTypeProperty: {} });
    const { wait, answer } = await heldBack(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog().getByRole("button", { name: "Delete" }).click();
    await wait();
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByRole("heading", { name: "Status" }).waitFor();
    await answer();
    await page.getByRole("status").getByText("late was deleted.").waitFor();
    assert.match(page.url(), /status/);
    await page.unroute("**/resource**");
  });

  test("keeps a resource that another person changed meanwhile", async () => {
    const { id } = await openResource({ key: "raced", objectTypeProperty: {} });
    await page.getByRole("button", { name: "Delete" }).click();
    // The page shows the change as soon as it hears of it, but the dialog keeps the version that it names.
    await dialog().getByText("since version 1.").waitFor();
    await change(id, 1);
    await dialog().getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("alert")
      .getByText("Nothing was deleted. Another person changed the resource to version 2.")
      .waitFor();
    await seesVersion(page, 2);
    await page.getByRole("alert").getByRole("button", { name: "Close this notice" }).click();
    assert.equal((await console.worker.call(`GET /${name}/resource/${id}`)).status, 200);
  });
});

test("figures and bins are finite for any finite numbers", () => {
  assert.deepEqual(summary([3, 1, 2]), { minimum: 1, maximum: 3, mean: 2, count: 3 });
  assert.ok(Number.isFinite(summary([1.7e308, 1.7e308]).mean));
  const squares = Array.from({ length: 1000 }, (_, at) => at * at);
  const SAFE = Number.MAX_SAFE_INTEGER;
  for (const numbers of [[5], [0.1, 0.2, 0.3], squares, [-1e300, 1e300], [-5e-324, 0, 1e-323], [SAFE, -SAFE]])
    assert.equal(
      bins(numbers).reduce((sum, { count }) => sum + count, 0),
      numbers.length,
      `${numbers.slice(0, 5)}`,
    );
  assert.deepEqual(
    bins([1, 2, 2, 4])
      .map(({ from, count }) => `${from}: ${count}`)
      .join(),
    "1: 1,2: 2,3: 0,4: 1",
  );
  assert.deepEqual(bins([0, 5e-324]), [{ from: 0, to: 5e-324, count: 2 }]);
  assert.deepEqual(bins([-1.7e308, 1.7e308]), []);
  assert.deepEqual(
    [short(0), short(1234567.891), short(1e-7), short(1e20)],
    ["0", "1,234,600", "1e-7", "100000000000000000000"],
  );
});
