// The console with the token of a user: it offers only what the rules of the project allow.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { userToken } from "../../pkg/dist/token.js";
import { ROOT } from "../workerd/support.mjs";
import { project, screenshot, serveForTests } from "./support.mjs";

const { TOKEN_SECRET: secret } = JSON.parse(readFileSync(join(ROOT, "tests/support/settings.json"), "utf8"));
const note = {
  type: "object",
  required: ["text", "owner"],
  properties: { text: { type: "string" }, owner: { type: "string" }, isShared: { type: "boolean" } },
};
const read = "owner = :sub or isShared = true";
const rules = {
  note: { read, create: "owner = :sub", update: "owner = :sub" },
  draft: { read, delete: "owner = :sub" },
};
const projects = { "drafts-*": "draft", "*": "note" };
const console = serveForTests(undefined, undefined, {
  resources: { resources: { note, draft: note }, projects, rules },
});

/** Opens a project as Alice. The page records the responses that are no success. */
async function openAsAlice(bodies, name = project()) {
  for (const body of bodies) await console.worker.call(`POST /${name}/resource`, { body });
  const page = await console.open();
  const refused = [];
  page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
  const { token } = await userToken({ secret, user: "alice" });
  await page.getByRole("radio", { name: "Token" }).check();
  await page.getByRole("textbox", { name: "Token" }).fill(token);
  await page.getByLabel("Project").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("table").waitFor();
  return { page, name, refused };
}

const names = (locator) => locator.evaluateAll((all) => all.map((one) => one.textContent));

test("a user sees the own notes and what the rules allow, and no request fails", async () => {
  const bodies = [
    { key: "mine", text: "Buy milk", owner: "alice" },
    { key: "theirs", text: "Secret", owner: "bob" },
    { key: "shared", text: "Lunch", owner: "bob", isShared: true },
  ];
  const { page, refused } = await openAsAlice(bodies);
  await page.getByText("1–2 of 2").waitFor();
  assert.equal(await page.getByText("Secret").count(), 0);
  assert.deepEqual(await names(page.getByRole("navigation", { name: "Project" }).getByRole("link")), [
    "Resources",
    "Import",
  ]);
  await page.getByText("alice", { exact: true }).first().waitFor();
  await page.locator('.live[data-state="live"]').waitFor();
  await page.getByLabel("Select all resources of this page").check();
  await page.getByRole("button", { name: "Edit selected" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete selected" }).count(), 0);
  await screenshot(page, "rights-list");
  await page.getByRole("link", { name: "Buy milk" }).first().click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Text").fill("Buy oat milk");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { name: "Buy oat milk" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
  assert.deepEqual(refused, []);
  await page.done();
});

test("a write that the rules forbid says which rule, and keeps what was typed", async () => {
  const { page } = await openAsAlice([{ key: "shared", text: "Lunch", owner: "bob", isShared: true }]);
  await page.getByRole("link", { name: "Lunch" }).first().click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Text").fill("Dinner");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The rule 'update' of the project does not permit this.").first().waitFor();
  assert.equal(await page.getByLabel("Text").inputValue(), "Dinner");
  assert.equal(await page.getByText("Sign in with a client").count(), 0);
  await screenshot(page, "rights-refused");
  await page.done();
});

test("a deletion can be undone only by who may create", async () => {
  const mine = { key: "mine", text: "Buy milk", owner: "alice" };
  const { page, refused } = await openAsAlice([mine, { ...mine, key: "other" }], `drafts-${project()}`);
  await page.getByRole("link", { name: "Buy milk" }).first().click();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It is deleted if nobody has changed it since version 1.", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("was deleted.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  assert.deepEqual(refused, []);
  await page.done();
});
