// The status of a project in the console.

import assert from "node:assert/strict";
import { fill, project, serveForTests, signIn, testsOf } from "./support.mjs";

const console = serveForTests();
const test = testsOf(async () => {
  const name = project();
  return { name, page: await console.open({ hash: `#/p/${name}/status` }) };
});

/** Returns the page's facts by the names of the rows. */
const facts = (page) =>
  page
    .locator("dl.details > div")
    .evaluateAll((rows) =>
      Object.fromEntries(rows.map((row) => [row.firstElementChild.textContent, row.lastElementChild.textContent])),
    );

test("the status page shows a project's status, and Refresh reloads it", async ({ page, name }) => {
  await signIn(page, name);
  await page.getByRole("heading", { name: "Status" }).waitFor();
  const empty = await facts(page);
  assert.deepEqual(
    [empty.Resources, empty["Newest write"], empty["Pending KV entries"], empty["Last KV sweep"], empty.Index],
    ["0", "none", "none", "none yet", "complete"],
  );
  assert.match(empty["Database size"], /^[\d.,]+ KiB$/);
  assert.match(empty.Versions, /^tables \d+, index \d+, messages \d+$/);
  await fill(console.worker, name, [
    { key: "a", objectTypeProperty: {} },
    { key: "b", objectTypeProperty: {} },
  ]);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.locator("#main dd").getByText("2", { exact: true }).waitFor();
  assert.notEqual((await facts(page))["Newest write"], "none");
});

test("the status page shows a missing scope to people without write access", async ({ page, name }) => {
  await page.route("**/oauth/token", (route) => {
    const body = route.request().postData().replace("manage_test", "view_test");
    return route.continue({ postData: body });
  });
  await signIn(page, name);
  await page.getByRole("alert").getByText("Insufficient scope").waitFor();
});
