// Live updates: the console shows what a second client writes, without moving rows, and says when it cannot.

import assert from "node:assert/strict";
import { describe } from "node:test";

import { body, isConnected, isMarked, names, openLivePage, row, toggle } from "./live-page.mjs";
import {
  addAction,
  box,
  enter,
  eventually,
  fill,
  focusedName,
  hide,
  isFocused,
  PARTS,
  project,
  seesVersion,
  serveForTests,
  signInAgain,
  testsOf,
} from "./support.mjs";

const console = serveForTests(undefined, undefined, { site: PARTS });

const openLive = (...options) => openLivePage(console, ...options);

describe("the table", () => {
  const test = testsOf(openLive);

  test("shows another client's change in its row, marked, and the row keeps its selection and the focus", async ({
    page,
    write,
  }) => {
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("group", { name: "Columns" }).getByLabel("Custom", { exact: true }).check();
    await page.keyboard.press("Escape");
    await row(page, "b").getByRole("checkbox").check();
    await page.locator("tbody th .name").nth(1).focus();
    const element = await row(page, "b").elementHandle();
    await write("b", { custom: "new" });
    await isMarked(page, ["b"]);
    await row(page, "b").getByText("new", { exact: true }).waitFor();
    assert.equal(await row(page, "b").getByRole("checkbox").isChecked(), true);
    await page.getByText("1 resource selected").waitFor();
    assert.equal(await element.evaluate((one) => one.isConnected), true, "the row was replaced");
    assert.match(await focusedName(page), /^b/);
    // Without motion, the mark is a color that disappears.
    await page.locator("tr.changed").waitFor({ state: "detached" });
  });

  test("moves the focus to the new name of a resource", async ({ page, write }) => {
    await page.locator("tbody th .name").nth(1).focus();
    await write("b", { key: "renamed" });
    await row(page, "renamed").waitFor();
    assert.match(await focusedName(page), /^renamed/);
  });

  const keys = Array.from({ length: 21 }, (_, at) => `k${String(at).padStart(2, "0")}`);
  test("leaves the focus on its controls", keys, async ({ page, create }) => {
    const first = page.locator("tbody tr").first();
    await first.getByRole("checkbox").check();
    const focused = [page.getByRole("button", { name: "Next" }), page.getByRole("button", { name: "Clear" })];
    for (const [at, control] of focused.entries()) {
      await control.focus();
      const element = await control.elementHandle();
      await create(body(`n${at}`));
      await page.getByText(`1–20 of ${keys.length + at + 1}`).waitFor();
      assert.equal(await isFocused(element), true);
    }
  });

  test("strikes out a deleted resource in its place until the next load, and it cannot be selected", async ({
    page,
    remove,
  }) => {
    await row(page, "b").getByRole("checkbox").check();
    await remove("b");
    await page.locator("tr.gone").getByText("deleted").waitFor();
    assert.deepEqual(await names(page), ["a", "deleted b", "c"]);
    await page.getByText("1–2 of 2").waitFor();
    assert.equal(await page.locator("tr.gone input").isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: "Delete selected" }).isVisible(), false);
    await page.getByRole("columnheader", { name: "Key" }).getByRole("button").click();
    await page.locator("tr.gone").waitFor({ state: "detached" });
    assert.deepEqual(await names(page), ["a", "c"]);
  });

  test("adds new resources at its end if they belong there, and counts them", async ({ page, create }) => {
    await create(body("d"), body("e"));
    await isMarked(page, ["d", "e"]);
    assert.deepEqual(await names(page), ["a", "b", "c", "d", "e"]);
    await page.getByText("1–5 of 5").waitFor();
    await page.locator(".query-status").getByText("5 resources", { exact: true }).waitFor();
  });

  test("offers new resources whose place is between others, and a changed order", async ({ page, create, write }) => {
    const key = page.getByRole("columnheader", { name: "Key" }).getByRole("button");
    await key.click();
    await page.locator("[aria-sort=ascending]").waitFor();
    await create(body("aa"), body("bb"));
    await page.getByRole("button", { name: "2 new: show" }).waitFor();
    assert.deepEqual(await names(page), ["a", "b", "c"]);
    await page.getByText("of 5").waitFor();
    await page.getByRole("button", { name: "2 new: show" }).press("Enter");
    await isMarked(page, ["aa", "bb"]);
    assert.deepEqual(await names(page), ["a", "aa", "b", "bb", "c"]);
    assert.match(await focusedName(page), /^a/);
    await write("a", { key: "z" });
    await page.getByRole("button", { name: "List changed: show" }).click();
    await page.waitForFunction(() => document.querySelector("tbody tr:last-child .name")?.textContent.startsWith("z"));
    assert.deepEqual(await names(page), ["aa", "b", "bb", "c", "z"]);
  });

  test("strikes out what no longer matches, and takes it back", async ({ page, name, write }) => {
    await page.goto(`${console.url}/#/p/${name}?sort=createdAt+asc&where=${encodeURIComponent('custom = "old"')}`);
    await row(page, "c").waitFor();
    await write("a", { custom: "new" });
    await page.locator("tr.gone").getByText("no longer here").waitFor();
    await write("a", { custom: "old" });
    await page.locator("tr.gone").waitFor({ state: "detached" });
    await page.getByText("1–3 of 3").waitFor();
    assert.deepEqual(await names(page), ["a", "b", "c"]);
  });

  test("fills itself if it was empty, and its rows can be selected", [], async ({ page, create }) => {
    await page.getByRole("heading", { name: "No resources yet" }).waitFor();
    await create(body("first"));
    await row(page, "first").getByRole("checkbox").check();
    await page.getByRole("button", { name: "Delete selected" }).click();
    await page.getByRole("dialog", { name: "Delete 1 resource?" }).waitFor();
  });
});

describe("the other pages", () => {
  const test = testsOf(openLive);

  test("found words show changes in their rows, their count, and the facets", async ({ page, write, create, to }) => {
    await to("?text=old&sort=createdAt asc&facet=someProperty&facet=arrayOfFloatExample");
    await row(page, "c").waitFor();
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    const facet = page.getByRole("region", { name: "Facet someProperty" });
    await facet.getByText("No values.").waitFor();
    const count = (text) => page.locator(".query-status").getByText(text, { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Resources" }).hover();
    await write("b", { someProperty: "green" });
    await isMarked(page, ["b"]);
    await write("a", { custom: "other" });
    await page.locator(".gone").getByText("no longer here").waitFor();
    await count("2 matches");
    await create(body("d"));
    await count("3 matches");
    await facet.getByText("green").waitFor();
    // No value moves under the pointer.
    await facet.hover();
    await write("c", { someProperty: "red" });
    await row(page, "c").locator("td.end").getByText("2", { exact: true }).waitFor();
    assert.equal(await facet.getByText("red").count(), 0);
    await page.getByRole("heading", { name: "Resources" }).hover();
    await facet.getByText("red").waitFor();
    // The ranges of numbers follow what others write.
    const ranges = page.getByRole("region", { name: "Facet arrayOfFloatExample" });
    await ranges.getByText("No values.").waitFor();
    for (const [number, range] of /** @type {const} */ ([
      [5, "5 to below 6"],
      [500, "500 to below 501"],
    ])) {
      await write("c", { objectTypeProperty: { arrayOfFloatExample: [number] } });
      await ranges.getByText(range).waitFor();
    }
  });

  test("a person's filter reaches the facets under the pointer although another client writes", async ({
    page,
    write,
    to,
  }) => {
    await to("?facet=custom");
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    const value = page.getByRole("region", { name: "Facet custom" }).getByRole("button", { name: "old" });
    await value.waitFor();
    /** @type {import("playwright-core").Route[]} */
    const held = [];
    await page.route("**/searchApiPattern?**facet=**", (route) => void held.push(route));
    await value.click();
    await eventually(() => assert.equal(held.length, 1));
    await write("b", { someProperty: "green" });
    await isMarked(page, ["b"]);
    await eventually(() => assert.equal(held.length, 2));
    await page.unroute("**/searchApiPattern?**facet=**");
    for (const route of held) await route.continue().catch(() => "aborted by the page");
    await page.locator('.facet-value[aria-pressed="true"]').waitFor();
  });

  test("a resource shows another client's change, marked, and keeps the focus", async ({ page, made, to, write }) => {
    await to(`r/${made[1].id}`);
    await seesVersion(page, 1);
    const remove = page.getByRole("button", { name: "Delete" });
    await remove.focus();
    await write("b", { objectTypeProperty: { arrayOfIntExample: [7, 8] } });
    await page.getByText(/^Saved \d+ s ago by another person$/).waitFor();
    const array = page.locator('[data-field="objectTypeProperty.arrayOfIntExample"]');
    await array.waitFor();
    assert.equal(await focusedName(page), "Delete");
    await write("b", { custom: "new" });
    const custom = page.locator(".fields > .changed").filter({ hasText: "Custom" });
    await custom.getByText("new", { exact: true }).waitFor();
    await array.locator("xpath=self::*[not(contains(@class, 'changed'))]").waitFor();
    // The page knows the newest version: the deletion succeeds.
    await remove.click();
    const dialog = page.getByRole("dialog", { name: "Delete b?" });
    await dialog.getByText("since version 3.").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("b was deleted.").waitFor();
  });

  test("a resource that is deleted keeps its last state, and one that is created appears", async ({
    page,
    made,
    to,
    remove,
    create,
  }) => {
    const { id } = made[1];
    await to(`r/${id}`);
    await seesVersion(page, 1);
    await remove("b");
    await page.getByRole("alert").getByText("This resource was deleted.").waitFor();
    await page.getByRole("heading", { name: "b", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await create(body("b", { id }));
    await page.getByRole("heading", { name: "b", exact: true }).waitFor();
  });

  test("the status counts what others write", async ({ page, to, create }) => {
    await to("status");
    const resources = page.locator("dl.details > div").filter({ hasText: "Resources" });
    await resources.getByText("3", { exact: true }).waitFor();
    await create(body("d"));
    await resources.and(page.locator(".changed")).getByText("4", { exact: true }).waitFor();
  });
});

describe("a form whose resource another client changes", () => {
  const test = testsOf(openLive);

  test("says so at once, and merges", async ({ page, made, to, write, read }) => {
    await to(`r/${made[1].id}/edit`);
    await box(page, "someProperty").fill("mine");
    await write("b", { custom: "theirs" });
    await page
      .getByRole("status")
      .getByText(/^Saved \d+ s ago by another person: Custom changed\.$/)
      .waitFor();
    assert.equal(await box(page, "someProperty").inputValue(), "mine");
    await page.getByRole("button", { name: "Merge now" }).click();
    await page.getByText("The result combines your changes and theirs as shown.").waitFor();
    await page.getByRole("button", { name: "Save the result" }).click();
    await page.getByText("Saved b, version 3.").waitFor();
    const { custom, someProperty } = await read("key=b");
    assert.deepEqual([custom, someProperty], ["theirs", "mine"]);
  });

  test("shows the newer version if nothing was typed", async ({ page, made, to, write }) => {
    await to(`r/${made[1].id}/edit`);
    await box(page, "custom").waitFor();
    await write("b", { custom: "theirs" });
    await page.getByRole("button", { name: "Merge now" }).click();
    await page.locator(".newer").filter({ hasNotText: "Saved" }).waitFor({ state: "attached" });
    assert.equal(await box(page, "custom").inputValue(), "theirs");
  });

  test("says that it was deleted", async ({ page, made, to, remove }) => {
    await to(`r/${made[1].id}/edit`);
    await box(page, "custom").fill("mine");
    await remove("b");
    await page.getByRole("status").getByText("Another person deleted this resource.").waitFor();
  });

  test("says so above a list of actions, too, but not about its own save", async ({ page, made, to, write }) => {
    await to(`r/${made[1].id}/actions`);
    await addAction(page, "changeSomeProperty");
    await page.keyboard.type("mine");
    await write("b", { custom: "theirs" });
    await page.getByRole("button", { name: "Merge now" }).click();
    await page.getByRole("button", { name: "Save the result" }).click();
    await page.getByText("Updated b, version 3.").waitFor();
    await page.getByText(/^Saved \d+ s ago by you$/).waitFor();
    // What follows is another person's, also if the page did not show the resource meanwhile.
    await to("");
    await row(page, "b").waitFor();
    await write("b", { custom: "later" });
    await isMarked(page, ["b"]);
    await to(`r/${made[1].id}`);
    await page.getByText(/^Saved \d+ s ago by another person$/).waitFor();
  });
});

describe("the switch", () => {
  const test = testsOf(openLive);

  test("pauses, is remembered, and shows afterwards what was missed", async ({ page, write, name }) => {
    await toggle(page).click();
    await page.getByText("paused", { exact: true }).waitFor();
    assert.equal(await toggle(page).getAttribute("aria-checked"), "false");
    await page.reload();
    await page.getByText("paused", { exact: true }).waitFor();
    await row(page, "c").waitFor();
    await page.locator(".query-status").getByText("3 resources", { exact: true }).waitFor();
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("websocket", (socket) => requests.push(socket.url()));
    await write("b", { custom: "new" });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.deepEqual([await row(page, "b").locator("td.end").textContent(), requests], ["1", []]);
    await toggle(page).click();
    await page.locator("tr.changed td.end").getByText("2", { exact: true }).waitFor();
    await isConnected(page);
    assert.ok(requests.some((url) => url.includes(`/${name}/changes`)));
  });

  test("shows a lost connection, and what was missed once it is back", async ({ page, write }) => {
    await page.context().setOffline(true);
    await page.getByText("reconnecting", { exact: true }).waitFor();
    await write("b", { custom: "new" });
    await page.context().setOffline(false);
    await isConnected(page);
    await row(page, "b").locator("td.end").getByText("2", { exact: true }).waitFor();
  });

  test("a hidden page follows nothing until it is shown", async ({ page, name, write }) => {
    const listeners = (expected) =>
      eventually(async () => {
        assert.equal((await console.worker.call(`GET /${name}/status`)).json.listeners, expected);
      });
    await listeners(1);
    await hide(page, true);
    await listeners(0);
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("websocket", (socket) => requests.push(socket.url()));
    await write("b", { custom: "new" });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.deepEqual(requests, []);
    await hide(page, false);
    await listeners(1);
    await row(page, "b").locator("td.end").getByText("2", { exact: true }).waitFor();
  });

  test("the request log contains only what a person started", async ({ page, create }) => {
    const logged = () => page.evaluate(async () => (await import("/state/request-log.js")).exchanges.length);
    const before = await logged();
    await create(body("d"));
    await row(page, "d").waitFor();
    assert.equal(await logged(), before);
  });
});

describe("without a valid token", () => {
  const test = testsOf(async () => {
    const name = project();
    const page = await console.open();
    return { page, name };
  });

  test("the switch says so if the connection ends", async ({ page, name }) => {
    const sockets = [];
    await page.routeWebSocket(/changes/, (socket) => sockets.push([socket, socket.connectToServer()]));
    await page.clock.install();
    await enter(page, name);
    await isConnected(page);
    // After a reload the secret is gone.
    await page.reload();
    await eventually(() => assert.equal(sockets.length, 2));
    await isConnected(page);
    await page.clock.fastForward(3_600_000);
    await sockets[1][0].close({ code: 4401 });
    await page.getByText("signed out", { exact: true }).waitFor();
  });

  test("a server that does not reach the service for a new token does not end the sign-in", async ({ page, name }) => {
    await page.clock.install();
    await enter(page, name);
    await isConnected(page);
    const down = { status: 521, contentType: "text/html", body: "<html>Web server is down</html>" };
    await page.route("**/oauth/token", (route) => route.fulfill(down));
    await hide(page, true);
    await page.clock.fastForward(3_600_000);
    await hide(page, false);
    await page.locator('.live[data-state="reconnecting"]').waitFor();
    await page.unroute("**/oauth/token");
    await page.clock.fastForward(5000);
    await isConnected(page);
  });

  test("the switch says so, asks nothing, and signs in again", async ({ page, name }) => {
    await page.clock.install();
    await enter(page, name);
    await isConnected(page);
    // After a reload the secret is gone, and the token expires while the tab is hidden.
    await page.reload();
    await isConnected(page);
    await hide(page, true);
    await page.clock.fastForward(3_600_000);
    await hide(page, false);
    await page.getByText("signed out", { exact: true }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await signInAgain(page);
    await isConnected(page);
    await fill(console.worker, name, [body("late")]);
    await page.clock.fastForward(2000);
    await row(page, "late").waitFor();
    await eventually(async () => assert.equal(await page.getByText("signed out").count(), 0));
  });
});
