// The request log: its contents, and the texts to copy.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe } from "node:test";
import { promisify } from "node:util";

import { addAction, openProject, serveForTests, testsOf } from "./support.mjs";
import { init, ResourceClient } from "../../pkg/dist/node.js";

const run = promisify(execFile);

const console = serveForTests(() => init());

/** Opens a page that wrote one resource, with the request log open. */
async function drawn() {
  const permissions = ["clipboard-read", "clipboard-write"];
  const bodies = [{ key: "it's", objectTypeProperty: {}, custom: "c" }];
  const { page, name, made: all, to } = await openProject(console, bodies, { permissions });
  const [made] = all;
  await to(`r/${made.id}/actions`);
  await addAction(page, "changeSomeProperty");
  await page.keyboard.type('it\'s "quoted" $TOKEN `x` \\ ü');
  await page.getByRole("button", { name: "Send 1 action" }).click();
  // The page of the resource, once it is loaded.
  await page.getByRole("button", { name: "Delete" }).waitFor();
  await page.getByRole("button", { name: /^Requests/ }).click();
  const drawer = page.getByRole("region", { name: "Requests" });
  const exchange = (method) =>
    drawer.getByRole("listitem").filter({ has: page.locator("code.method", { hasText: method }) });
  const open = (one) => one.first().locator("summary").click();
  const copy = async (one, label) => {
    await one.first().getByRole("button", { name: label }).click();
    await one.first().getByRole("button", { name: "Copied" }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  return { page, name, made, drawer, exchange, open, copy, token: await console.worker.token(name) };
}

const test = testsOf(drawn);

describe("the drawer", () => {
  test("closes with Escape right after it was opened, and its button keeps the focus", async ({ page, drawer }) => {
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    assert.match(await page.locator(":focus").textContent(), /^Requests/);
  });

  test("lists requests, newest first, without tokens or secrets", async ({
    page,
    drawer,
    exchange,
    open,
    made,
    token,
  }) => {
    const methods = await drawer.locator("code.method").allTextContents();
    assert.deepEqual(methods.slice(0, 2), ["GET", "POST"]);
    await open(exchange("POST"));
    await drawer.getByText('"currentVersion"').waitFor({ state: "detached" });
    await drawer.getByLabel("Request body").getByText('"version": 1').waitFor();
    await drawer.getByLabel("Response body").getByText(made.id).waitFor();
    for (const summary of await drawer.locator("details > summary").all()) {
      if (await summary.evaluate((one) => !one.parentElement.open)) await summary.click();
    }
    const text = await drawer.textContent();
    assert.ok(!text.includes(token) && !text.includes("tests-secret") && !/eyJ[\w-]+\./.test(text));
    await drawer.getByText("A sign-in cannot be copied").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
  });

  test("copies a request as a curl command that works in a shell", async ({ exchange, open, copy, made, token }) => {
    await open(exchange("POST"));
    const command = await copy(exchange("POST"), "Copy as curl");
    assert.ok(!command.includes(token));
    assert.match(command, /Authorization: Bearer \$TOKEN/);
    // The version is outdated now, so the copied request gets 409.
    const env = { ...process.env, TOKEN: token };
    const stale = JSON.parse((await run("sh", ["-c", `${command} -sS`], { env })).stdout);
    assert.deepEqual([stale.statusCode, stale.errors[0].currentVersion], [409, 2]);
    const done = JSON.parse(
      (await run("sh", ["-c", `${command.replace('"version":1', '"version":2')} -sS`], { env })).stdout,
    );
    assert.deepEqual([done.id, done.version, done.someProperty], [made.id, 3, 'it\'s "quoted" $TOKEN `x` \\ ü']);
    await open(exchange("GET"));
    const read = await copy(exchange("GET"), "Copy as curl");
    assert.equal(JSON.parse((await run("sh", ["-c", `${read} -sS`], { env })).stdout).version, 3);
  });

  test("copies a request as client code that has the same result", async ({
    name,
    exchange,
    open,
    copy,
    made,
    token,
  }) => {
    await open(exchange("POST"));
    const code = await copy(exchange("POST"), "Copy as code");
    assert.match(code, new RegExp(`^await client\\.updateById\\("${made.id}", \\{`));
    const client = new ResourceClient({ baseUrl: console.url, projectKey: name, token });
    const call = (text) =>
      new Function("client", `return (async () => { return ${text.replace(/;$/, "")} })()`)(client);
    await assert.rejects(call(code), { status: 409, currentVersion: 2 });
    const done = await call(code.replace("version: 1", "version: 2"));
    assert.equal(done.someProperty, 'it\'s "quoted" $TOKEN `x` \\ ü');
    await open(exchange("GET"));
    const read = await copy(exchange("GET"), "Copy as code");
    assert.match(read, /fresh: true/);
    assert.deepEqual(await call(read), done);
  });

  test("shows failures and attempts, and removes all of them when the person signs out", async ({
    page,
    name,
    drawer,
  }) => {
    // A live update would get the response.
    await page.getByRole("switch", { name: "Live updates" }).click();
    await page.route(
      "**/resource?*",
      (route) => route.fulfill({ status: 503, headers: { "Retry-After": "0" }, body: "{}" }),
      { times: 1 },
    );
    await page.goto(`${console.url}/#/p/${name}`);
    await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
    await drawer.getByText("503").first().waitFor();
    await drawer
      .getByText(/attempt 2/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Close the requests" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    // The closed drawer keeps none of them either.
    await page.waitForFunction(() => document.querySelector(".exchanges code") === null);
    await page.getByRole("button", { name: /^Requests/ }).click();
    await drawer.getByText("No requests yet.").waitFor();
  });
});
