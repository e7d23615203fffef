// The status of a project, an unavailable service, and unknown addresses.

import assert from "node:assert/strict";
import { test as plainTest } from "node:test";
import { enter, fill, project, serveForTests, signIn, testsOf } from "./support.mjs";

const console = serveForTests();
const test = testsOf(async (options) => {
  const name = project();
  return { name, page: await console.open({ hash: `#/p/${name}/status`, ...options }) };
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
    ["Resources", "Newest write", "Pending KV entries", "Last KV sweep", "Next KV sweep", "Index"].map(
      (row) => empty[row],
    ),
    ["0", "none", "none", "none yet", "none yet", "complete"],
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

test("the page reports an unavailable service, and works when it is available again", { hash: "" }, async ({
  page,
  name,
}) => {
  await enter(page, name);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Status" }).click();
  await page.getByRole("alert").getByText("The service could not be reached at").waitFor({ timeout: 30_000 });
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Status" }).waitFor();
});

plainTest("an unknown address shows the list of projects or a notice", async () => {
  const name = project();
  const page = await console.open({ hash: "#/p/no such project!/x" });
  await enter(page, name);
  await page.goto(`${console.url}/#/p/${name}/nothing`);
  await page.getByText("There is no such page.").waitFor();
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Not found");
  for (const hash of ["#/p/a b", "#main", "#/p/%zz", "#"]) {
    await page.goto(`${console.url}/${hash}`);
    await page.getByRole("heading", { name: "Projects" }).waitFor();
  }
  await page.done();
});
