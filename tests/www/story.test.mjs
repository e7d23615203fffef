// A person opens `/` for the first time: a walk through all features, using only the page's texts. Also what several
// parts of the page have in common.

import assert from "node:assert/strict";

import { project, screenshot, serveForTests, signIn, testsOf } from "./support.mjs";

const console = serveForTests();
const test = testsOf(async (options) => ({ page: await console.open(options), name: project() }));

test("a person signs in, creates, finds, edits, resolves a conflict, sends actions, imports, and exports", {
  acceptDownloads: true,
}, async ({ page, name }) => {
  const button = (label) => page.getByRole("button", { name: label, exact: true });
  const box = (label) => page.getByRole("textbox", { name: label, exact: true });
  await signIn(page, name);

  // The page of an empty project shows the next step.
  await page.getByRole("heading", { name: "No resources yet" }).waitFor();
  await screenshot(page, "story-empty");
  await page.locator(".empty").getByRole("link", { name: "New resource" }).click();
  await box("key").fill("lamp");
  await box("arrayOfIntExample").fill("4, 8, 15");
  await box("arrayOfStringExample").fill("bright light");
  await button("Create").click();
  await page.getByText("Created lamp, version 1.").waitFor();
  await page.getByRole("heading", { level: 1, name: "lamp" }).waitFor();

  // A predicate and a word find it.
  await page.getByRole("link", { name: "Resources" }).first().click();
  await box("Condition").fill("arrayOfIntExample contains all (4, 8)");
  await page.getByText("1 match").waitFor();
  await box("Condition").press("Enter");
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("link", { name: "Search" }).click();
  await page.getByLabel("Words").fill("LIGHT");
  await page.locator(".found").getByRole("link", { name: "lamp" }).click();
  await page.getByRole("heading", { level: 1, name: "lamp" }).waitFor();

  // Another person saves while it is edited.
  await page.getByRole("link", { name: "Edit" }).click();
  await box("custom").fill("mine");
  const { json } = await console.worker.call(`GET /${name}/resource/key=lamp`, {
    headers: { "Cache-Control": "no-cache" },
  });
  await console.worker.call(`PATCH /${name}/resource`, { body: { ...json, custom: "theirs" } });
  await button("Save").click();
  await page.getByText("You started with version 1. The resource now has version 2.").waitFor();
  await page.getByRole("radio", { name: "custom: Yours" }).check();
  await button("Save the result").click();
  await page.getByText("Saved lamp, version 3.").waitFor();

  // An update action, and the changes by this page.
  await page.getByRole("link", { name: "Update actions" }).click();
  await button("Add").click();
  await page.getByRole("button", { name: /^Send/ }).click();
  await page.getByRole("heading", { level: 1, name: "lamp" }).waitFor();
  const log = page.getByRole("region", { name: "Changes from this page" }).locator("li");
  assert.deepEqual(
    (await log.allTextContents()).map((text) => text.replace(/^[\d:]+/, "")),
    ["doSomeThingversion 4", "overwrittenversion 3", "createdversion 1"],
  );

  // Import many from a file, and export all into one.
  await page.getByRole("link", { name: "Import" }).click();
  const lines = Array.from({ length: 25 }, (_, at) =>
    JSON.stringify({ key: `many-${at}`, objectTypeProperty: { arrayOfIntExample: [at] } }),
  );
  await page
    .getByLabel("Choose a file")
    .setInputFiles({ name: "many.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(lines.join("\n")) });
  await button("Import 25 resources").click();
  await page.getByRole("heading", { name: "Imported", exact: true }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Resources" }).click();
  await page.getByText("1–20 of 26").waitFor();
  await button("Export").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("dialog").getByRole("button", { name: "Export" }).click(),
  ]);
  assert.match(download.suggestedFilename(), new RegExp(`^${name}-`));

  // The request log contains the sent requests, without a token.
  await page.getByRole("button", { name: /^Requests/ }).click();
  const panel = page.getByRole("region", { name: "Requests" });
  await panel.getByText("PATCH").first().waitFor();
  const { token } = await page.evaluate(
    (name) => JSON.parse(sessionStorage.getItem("resource-edge")).tokens[name],
    name,
  );
  assert.ok(!(await page.content()).includes(token));
});

test("the page reports an unavailable service, and works when it is available again", async ({ page, name }) => {
  await signIn(page, name);
  await page.getByRole("heading", { name: "No resources yet" }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Search" }).click();
  await page.getByRole("alert").getByText("The service could not be reached.").waitFor({ timeout: 30_000 });
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No resources yet" }).waitFor();
});

test("an unknown address shows the list of projects or a notice", { hash: "#/p/no such project!/x" }, async ({
  page,
  name,
}) => {
  await signIn(page, name);
  await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
  await page.goto(`${console.url}/#/p/${name}/nothing`);
  await page.getByText("There is no such page.").waitFor();
  for (const hash of ["#/p/a b", "#main", "#/p/%zz", "#"]) {
    await page.goto(`${console.url}/${hash}`);
    await page.getByRole("heading", { name: "Projects" }).waitFor();
  }
});
