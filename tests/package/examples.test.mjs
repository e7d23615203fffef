// The examples, against the built Worker in workerd.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { startGroup } from "../support/group.mjs";
import { freePort } from "../support/server.mjs";
import { eventually, project as unused, startForTests, startIn } from "../workerd/support.mjs";
import { moduleOf } from "../../pkg/dist/cli/commands/types.js";
import { catalogue } from "./shop.mjs";
import { bound, openTab, POLICY, project, root, run, tool } from "./support.mjs";

const worker = startForTests({ resources: { ...catalogue, projects: { "*": "product" } } });

const TEMPLATE = "pkg/template/shared/resources.json";
const example = (path) => readFileSync(join(root, "examples", path), "utf8");
const files = (folder, names) => Object.fromEntries(names.map((name) => [name, example(`${folder}/${name}`)]));

/** Opens a folder's page in Chromium. The address contains the sign-in, as the examples expect. */
async function open(folder, name) {
  const { origin } = worker.url;
  const { tab, url } = await openTab(folder, `${POLICY} ${origin} ${origin.replace("http", "ws")}`);
  const hash = new URLSearchParams({ service: origin, project: name, token: await worker.token(name) });
  await tab.goto(`${url}/index.html#${hash}`);
  return tab;
}

test("the examples have the modules of their resources", async () => {
  const page = "./node_modules/resource-edge/browser.js";
  const froms = { form: page, live: page, react: "resource-edge", notes: "resource-edge" };
  for (const [folder, from] of Object.entries(froms)) {
    const file = folder === "notes" ? "examples/notes/resources.json" : TEMPLATE;
    const { module, declarations } = await moduleOf(file, JSON.parse(readFileSync(join(root, file), "utf8")), from);
    assert.equal(example(`${folder}/resource-edge.js`), module, "run `make generate`");
    assert.equal(example(`${folder}/resource-edge.d.ts`), declarations, "run `make generate`");
  }
});

test("the form shows the service's errors while a person types, and saves", async () => {
  const name = unused();
  const folder = project("example-form", files("form", ["index.html", "form.js", "resource-edge.js"]));
  const page = await open(folder, name);
  await page.getByLabel("Title").fill("Desk lamp");
  await page.getByLabel("Price").fill("cheap");
  await page.getByText("expected a number, found").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#result").getByText("expected a number, found").waitFor();
  await page.getByLabel("Key").fill("lamp");
  await page.getByLabel("Price").fill("40");
  await page.getByLabel("Tags").fill("brass, old");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved Desk lamp, version 1.").waitFor();
  const { json } = await worker.fresh(`GET /${name}/resource/key=lamp`);
  assert.deepEqual([json.price, json.tags], [40, ["brass", "old"]]);
});

test("the form saves once if it is sent again after its responses were lost", async () => {
  const name = unused();
  const folder = project("example-form-again", files("form", ["index.html", "form.js", "resource-edge.js"]));
  const page = await open(folder, name);
  await page.getByLabel("Title").fill("Desk lamp");
  await page.getByLabel("Price").fill("40");
  await page.route(`**/${name}/resource`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#result:not(:empty)").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#result").getByText("version 1").waitFor();
  assert.equal((await worker.call(`GET /${name}/resource`)).json.total, 1);
});

test("two pages edit a list together, and each keeps what a person types", async () => {
  const name = unused();
  const folder = project("example-live", files("live", ["index.html", "live.js", "resource-edge.js"]));
  const [mine, theirs] = [await open(folder, name), await open(folder, name)];
  for (const page of [mine, theirs]) await page.locator("#status").getByText("live").waitFor();
  const items = (page) => page.getByRole("textbox", { name: "Title", exact: true });
  const shows = (page, ...expected) =>
    eventually(async () => {
      const values = await items(page).evaluateAll((all) => all.map(({ value }) => value));
      assert.deepEqual(values, expected);
    });
  for (const [page, text] of [
    [mine, "milk"],
    [theirs, "bread"],
  ]) {
    await page.getByLabel("New product").fill(text);
    await page.getByRole("button", { name: "Add" }).click();
    await items(page).last().waitFor();
    await eventually(async () => assert.equal(await page.getByLabel("New product").inputValue(), ""));
  }
  for (const page of [mine, theirs]) await shows(page, "milk", "bread");
  // Mine is typed while theirs checks the same item.
  await items(mine).first().fill("oat milk");
  await theirs.getByLabel("Active").first().check();
  await mine.waitForFunction(() => /** @type {any} */ (document.querySelector("[type=checkbox]")).checked);
  await shows(mine, "oat milk", "bread");
  await items(mine).first().press("Tab");
  await shows(theirs, "oat milk", "bread");
  assert.equal(await theirs.getByLabel("Active").first().isChecked(), true);
  await theirs.getByRole("button", { name: "Remove" }).last().click();
  for (const page of [mine, theirs]) await shows(page, "oat milk");
  assert.equal(await mine.getByRole("alert").textContent(), "");
});

test("the React application lists, pages, saves, and shows a conflict", async () => {
  const name = unused();
  for (let at = 0; at < 25; at++)
    await worker.call(`POST /${name}/resource`, { body: { key: `lamp-${at}`, title: `Lamp ${at}`, price: at } });
  const libraries = ["react", "react-dom", "scheduler", "@tanstack/react-query", "@tanstack/query-core"];
  const sources = files("react", ["index.html", "main.jsx", "client.js", "queries.js", "resource-edge.js"]);
  const folder = project("example-react", sources, libraries);
  run(tool("vite"), ["build", "--target", "es2022"], folder);
  const page = await open(join(folder, "dist"), name);
  const items = page.getByRole("listitem");
  await items.nth(19).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await items.nth(24).waitFor();
  const key = await items.first().locator("span").textContent();
  await page.getByLabel(`Name of ${key}`).fill("mine");
  await items.first().getByRole("button", { name: "Save" }).click();
  await items.first().getByText("version 2").waitFor();
  const { json } = await worker.fresh(`GET /${name}/resource/key=${key}`);
  assert.deepEqual([json.version, json.title], [2, "mine"]);
  const actions = [{ action: "setTitle", title: "theirs" }];
  await worker.call(`POST /${name}/resource/${json.id}`, { body: { version: 2, actions } });
  await items.first().getByRole("button", { name: "Save" }).click();
  await items.first().getByText('Somebody else saved version 3: "theirs".').waitFor();
});

test("two users of the notes sign in with an identity provider, and see only their own", async (t) => {
  const port = await freePort();
  const issuer = startGroup(process.execPath, [join(root, "examples/notes/issuer.mjs"), String(port)]);
  t.after(() => issuer.end());
  await issuer.printed(/Signing tokens/);
  const provider = `http://127.0.0.1:${port}`;
  const changes = { TOKEN_ISSUER: provider, TOKEN_AUDIENCE: "notes", TOKEN_JWKS_URL: `${provider}/jwks` };
  const service = await startIn(t, { resources: JSON.parse(example("notes/resources.json")), changes });
  const sources = files("notes", ["index.html", "main.jsx", "resource-edge.js"]);
  const folder = project("example-notes", sources, ["react", "react-dom", "scheduler"]);
  run(tool("vite"), ["build", "--target", "es2022"], folder);
  const { origin } = service.url;
  const hash = new URLSearchParams({ service: origin, issuer: provider });
  /** Signs a user in, in a separate window. */
  const signIn = async (user) => {
    const { tab, url } = await openTab(
      join(folder, "dist"),
      `${POLICY} ${origin} ${origin.replace("http", "ws")} ${provider}`,
    );
    await tab.goto(`${url}/index.html#${hash}`);
    await tab.getByLabel("User").fill(user);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByText(`${user}: live`).waitFor();
    return tab;
  };
  const [alice, again, bob] = [await signIn("alice"), await signIn("alice"), await signIn("bob")];
  for (const [tab, text] of [
    [alice, "Buy milk"],
    [bob, "Call Alice"],
  ]) {
    await tab.getByLabel("New note").fill(text);
    await tab.getByRole("button", { name: "Add" }).click();
    await tab.getByRole("listitem").getByText(text).waitFor();
  }
  const shows = (tab, ...texts) =>
    eventually(async () => assert.deepEqual(await tab.locator("li span").allTextContents(), texts));
  await shows(again, "Buy milk");
  await shows(bob, "Call Alice");
  await again.getByRole("button", { name: "Remove" }).click();
  await shows(alice);
  await shows(bob, "Call Alice");
  for (const tab of [alice, again, bob]) assert.equal(await tab.getByRole("alert").textContent(), "");
});

test("the Worker reads through its binding", async () => {
  const name = unused();
  await worker.call(`POST /${name}/resource`, { body: { key: "first", title: "First", price: 1 } });
  const source = example("worker/index.js")
    .replace('projectKey: "demo"', `projectKey: "${name}"`)
    .replace("view_test:demo", `view_test:${name}`);
  const caller = bound(project("example-worker", { "main.js": source }), worker);
  const found = await caller.dispatchFetch("http://caller/first");
  assert.deepEqual([found.status, /** @type {any} */ (await found.json()).key], [200, "first"]);
  assert.equal((await caller.dispatchFetch("http://caller/none")).status, 404);
});

test("the shell script prints the documented output", async () => {
  const name = unused();
  const script = join(root, "examples/curl/session.sh");
  const env = { PATH: process.env.PATH, TOKEN: await worker.token(name) };
  const { stdout } = await promisify(execFile)("bash", [script, worker.url.origin, name], { env });
  assert.deepEqual(stdout.match(/^\d{3}$/gm), ["201", "200", "200", "409", "200"]);
  assert.match(stdout, /"currentVersion":2/);
});
