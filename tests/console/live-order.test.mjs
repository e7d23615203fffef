// Live updates when changes, pages, and failures come in an order that is rare, or usual on a busy machine.

import assert from "node:assert/strict";
import { describe } from "node:test";

import { later } from "../support/waiting.mjs";
import { body, isConnected, openLivePage, row, toggle } from "./live-page.mjs";
import { eventually, focusedName, serveForTests, testsOf } from "./support.mjs";

const console = serveForTests();
const test = testsOf((...options) => openLivePage(console, ...options));

const keysTo = (last) => Array.from({ length: last + 1 }, (_, at) => `k${String(at).padStart(2, "0")}`);

/** Holds the page's requests for changes back until the returned function is called. */
async function holdChanges(page) {
  let release = () => {};
  const held = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await page.route("**/changes**", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

describe("the table", () => {
  test("keeps a row that moved to the next page before it was connected", keysTo(19), async ({ page, to, create }) => {
    await to("?sort=key asc");
    const release = await holdChanges(page);
    await page.reload();
    await row(page, "k19").waitFor();
    await create(body("a"));
    release();
    await page.getByRole("button", { name: "1 new: show" }).waitFor();
    assert.equal(await page.locator("tr.gone").count(), 0);
  });

  test("keeps a row that moved to the next page after a shown change", keysTo(19), async ({ page, write, create }) => {
    let forwarded = 0;
    let held;
    await page.routeWebSocket(/changes/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        forwarded += 1;
        if (held) held.push(() => socket.send(message));
        else socket.send(message);
      });
    });
    await page.reload();
    await row(page, "k19").waitFor();
    await create(body("z"));
    await eventually(() => assert.ok(forwarded > 0));
    await page.getByText("of 21").waitFor();
    held = [];
    await write("k19", { custom: "new" });
    await page.getByRole("columnheader", { name: "Key" }).getByRole("button").click();
    await row(page, "k19").locator("td.end").getByText("2", { exact: true }).waitFor();
    await eventually(() => assert.ok(held.length > 0));
    const read = page.waitForResponse((response) => /sort=key/.test(response.url()));
    for (const send of held) send();
    held = undefined;
    await read;
    await create(body("a"));
    await page.getByRole("button", { name: "1 new: show" }).waitFor();
    assert.equal(await page.locator("tr.gone").count(), 0);
  });

  test("shows what was written between its first page and its connection", async ({ page, name, to, write }) => {
    await page.clock.install();
    await to("backup");
    await page.getByRole("heading", { name: "Backup" }).waitFor();
    // The connection of the table ends.
    await page.clock.fastForward(6000);
    const release = await holdChanges(page);
    // The page has no time for its timers.
    await page.clock.pauseAt(Date.now() + 60_000);
    const first = page.waitForResponse((response) => response.url().includes(`/${name}/`), { timeout: 3000 });
    await to("");
    await first.catch(() => {});
    await write("b", { custom: "new" });
    const changes = page.waitForResponse(/changes/);
    release();
    await (await changes).finished();
    await later(500);
    await page.clock.resume();
    await row(page, "b").locator("td.end").getByText("2", { exact: true }).waitFor();
  });

  test("gives the focus to a neighbor of what cannot have it any longer", keysTo(20), async ({ page, remove }) => {
    await page.getByRole("button", { name: "Next" }).focus();
    await remove("k20");
    await page.getByText("1–20 of 20").waitFor();
    assert.equal(await focusedName(page), "Resources per page");
    await row(page, "k03").getByRole("checkbox").focus();
    await remove("k03");
    await page.locator("tr.gone").waitFor();
    assert.match(await focusedName(page), /k03/);
    await row(page, "k05").getByRole("checkbox").check();
    await page.getByRole("button", { name: "Clear" }).press("Enter");
    assert.equal(await focusedName(page), "Select all resources of this page");
  });
});

test("the status is read again while KV lacks entries, unless that is paused", async ({ page, to }) => {
  let backlog = 1;
  let times = 0;
  await page.route("**/status", async (route) => {
    times += 1;
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), backlog } });
  });
  await to("status");
  const pending = page.locator("dl.details > div").filter({ hasText: "Pending KV entries" });
  await pending.getByText("1, the oldest").waitFor();
  await eventually(() => assert.ok(times > 2));
  await toggle(page).click();
  await page.getByText("paused", { exact: true }).waitFor();
  const before = times;
  await later(2500);
  assert.equal(times, before);
  backlog = 0;
  await toggle(page).click();
  await pending.getByText("none").waitFor();
});

test("a form whose resource does not exist follows nothing", async ({ page, to }) => {
  await to("r/nothing/edit");
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await page.locator('.live[data-state="off"]').waitFor();
});

test("the switch offers to try again after an error that would repeat", async ({ page }) => {
  await page.route("**/changes**", (route) => route.continue({ url: `${route.request().url()}&limit=100000` }));
  await page.reload();
  await page.getByText("stopped", { exact: true }).waitFor();
  await page.unroute("**/changes**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await isConnected(page);
  assert.equal(await focusedName(page), "Live updates");
});
