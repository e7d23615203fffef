// The README's programs, in a project that has installed the package, against the built Worker in workerd.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { merge, predicate, resource, ResourceClient, shareReads } from "../../pkg/dist/node.js";
import { project as unused, startForTests } from "../workerd/support.mjs";
import { lost } from "./clients.mjs";
import { blocksIn, packageGuide, programOf } from "../support/blocks.mjs";
import { modules, shops } from "./shop.mjs";
import { bound, browse, bundle, html, openTab, POLICY, project, reports, run, tool } from "./support.mjs";

/** The programs of the README in their order. */
const programs = blocksIn(packageGuide, "js");
const holding = (text) => programOf("js", text);

const worker = startForTests({ resources: shops });
/** Returns a project of products that no other test uses. */
const shop = () => `shop-${unused()}`;

/** Runs a program of the README, without its imports, with these variables. Returns the expression's value. */
const perform = (program, variables, expression) =>
  new Function(
    ...Object.keys(variables),
    `return (async () => {${program.replace(/^import.*$/m, "")}\nreturn ${expression};})();`,
  )(...Object.values(variables));

/** Returns the options of a client of a project that no other test uses. */
async function optionsOf(projectKey = unused()) {
  return { projectKey, baseUrl: worker.url.href, token: await worker.token(projectKey) };
}

/** Returns what a program prints in a project that has installed the package. */
async function printed(name, program) {
  const folder = project(name, { ...(await modules()), "main.js": program });
  // Not the synchronous version, because the Worker's front runs in this process.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["main.js"], { cwd: folder });
  assert.equal(stderr, "");
  return stdout;
}

/** Returns the program with the Worker's address, a separate project, and a token for it. */
async function filled(program, name = shop()) {
  const adapted = program
    .replace('"http://127.0.0.1:8787"', JSON.stringify(worker.url.href))
    .replace('projectKey: "demo"', `projectKey: "${name}"`)
    .replace('token: "…"', `token: "${await worker.token(name)}"`);
  assert.notEqual(adapted, program);
  return adapted;
}

test("the first program works in Node without a change", async () => {
  const [program] = programs;
  assert.ok(program.split("\n").filter(Boolean).length <= 12, program);
  assert.equal(await printed("readme", await filled(program)), "Desk lamp 35\n");
});

test("the first program works in a page with its policy, from another origin", async () => {
  const [program] = programs;
  const listening =
    `${reports}globalThis.said = [];\n` + `console.log = console.error = (...words) => said.push(words.join(" "));\n`;
  const folder = project("readme-page", {
    ...(await modules("resource-edge/inline")),
    "index.html": html("/main.js"),
    "reports.js": listening,
    "src.js": `import "./reports.js";\n${await filled(program)}\nreport(globalThis.said);\n`.replace(
      '"resource-edge"',
      '"resource-edge/inline"',
    ),
  });
  bundle(folder);
  assert.deepEqual(await browse(folder, "/index.html", worker.url.origin), ["Desk lamp 35"]);
});

test("the form and the list work in a project of Vite, step by step", async () => {
  const name = shop();
  const token = await worker.token(name);
  const [, body] = packageGuide.match(/```html\n(.*?)```/s);
  const module = (await modules())["resource-edge.js"];
  const steps = ['addEventListener("submit"', "ready.then", "function list"].map(holding).join("\n");
  const form = steps
    .replace('"http://127.0.0.1:8787"', JSON.stringify(worker.url.origin))
    .replace('"demo"', JSON.stringify(name))
    .replace('"…"', JSON.stringify(token));
  const index = `<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>form</title></head>${body}</html>`;
  const folder = project("readme-form", {
    "index.html": index,
    "src/main.js": form,
    "src/resource-edge.js": module,
  });
  run(tool("vite"), ["build"], folder);
  const { tab: page, url } = await openTab(join(folder, "dist"), `${POLICY} ${worker.url.origin}`);
  await page.goto(`${url}/index.html`);
  const status = page.locator("#status");
  const [atKey, atTitle, atPrice] = ["/key", "/title", "/price"].map((path) =>
    page.locator(`output[data-path="${path}"]`),
  );
  const said = "Malformed field 'price': expected a number, found a string.";
  assert.ok(packageGuide.includes(said));
  await page.getByLabel("Price").fill("cheap");
  await page.getByRole("button", { name: "Save" }).click();
  await status.getByText(said).waitFor();
  assert.equal(await atPrice.textContent(), said);
  await page.getByLabel("Price").fill("-1");
  await atPrice.getByText("found -1").waitFor();
  await atTitle.getByText("'title'").waitFor();
  await page.getByLabel("Price").fill("40");
  await page.getByLabel("Title").fill("Desk lamp");
  await page.getByLabel("Key").fill("..");
  await atKey.getByText("..").waitFor();
  assert.deepEqual([await atPrice.textContent(), await atTitle.textContent()], ["", ""]);
  await page.getByLabel("Key").fill("lamp");
  await page.getByRole("button", { name: "Save" }).click();
  await status.getByText("Saved Desk lamp, version 1.").waitFor();
  await page.reload();
  await page.getByRole("listitem").getByText("Desk lamp, version 1: 40").waitFor();
  const { json } = await worker.fresh(`GET /${name}/resource/key=lamp`);
  assert.deepEqual([json.title, json.price, json.status], ["Desk lamp", 40, "draft"]);
});

test("validation prints the output in the programs' comments", async () => {
  for (const [at, program] of ['"20 cm" }', "arrayOfIntExample: [1, 2.5]"].map(holding).entries()) {
    const said = [...program.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join("");
    assert.notEqual(said, "");
    assert.equal(await printed(`readme-validation-${at}`, program), said);
  }
});

test("a client without a declared resource has the built-in one, as in the guide", async () => {
  const program = holding('someProperty: "new" }] });');
  assert.equal(await printed("readme-built-in", await filled(program, unused())), "first 2\n");
});

test("reasons are translated to the messages in the program's comments", async () => {
  const program = holding("de[issue.reason]");
  const said = [...program.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join("");
  assert.notEqual(said, "");
  assert.equal(await printed("readme-reasons", program), said);
});

test("a Worker calls the service by its binding", async () => {
  const name = unused();
  await worker.call(`POST /${name}/resource`, { body: { key: "first", objectTypeProperty: {} } });
  const recipe = holding("env.RESOURCES")
    .replace('projectKey: "demo"', `projectKey: "${name}"`)
    .replace("view_test:demo", `view_test:${name}`);
  const caller = bound(project("readme-worker", { "main.js": recipe }), worker);
  for (let time = 0; time < 2; time++) {
    const answer = await caller.dispatchFetch("http://caller/");
    assert.equal(/** @type {any} */ (await answer.json()).key, "first");
  }
});

test("identical reads become one request, and the hooks receive the attempts", async () => {
  const options = await optionsOf();
  const said = [];
  const console = { log: (...words) => said.push(words.slice(0, 3)), warn: (...words) => said.push(words) };
  const made = (text, more = {}) => {
    const variables = { ResourceClient, shareReads, options: { ...options, ...more }, console };
    return perform(holding(text), variables, "client");
  };
  const watched = await made("onRetry:");
  const { id } = await watched.createOrUpdate({ objectTypeProperty: {} });
  assert.deepEqual(said, [["createOrUpdate", 1, 201]]);
  const sharing = await made("shareReads()", { onRequest: ({ url }) => said.push([url]) });
  const [one, two] = await Promise.all([sharing.getById(id), sharing.getById(id)]);
  assert.deepEqual(one, two);
});

test("the pages of the sample show the progress, and missing and unchanged resources are undefined", async () => {
  const product = resource(shops, "product");
  const client = new ResourceClient({ ...(await optionsOf(shop())), resource: product });
  const draft = { key: "lamp", title: "Desk lamp", price: 40 };
  let etag;
  await client.createOrUpdate(draft);
  const onResponse = ({ headers }) => (etag = headers.get("ETag"));
  const { id, version } = await client.createOrUpdate(draft, { onResponse });
  const saved = [];
  const save = (results, part) => saved.push([results.length, part]);
  const variables = { client, predicate, save, controller: new AbortController(), etag };
  const expression = "{ maybe, changed, current }";
  const { maybe, changed, current } = await perform(holding("orUndefined: true"), variables, expression);
  assert.deepEqual([maybe, changed?.version, current.version, saved], [undefined, version + 1, version, [[1, 1]]]);
  const unchanged = await client.getById(id, {}, { ifNoneMatch: etag, fresh: true });
  assert.equal(unchanged?.version, version + 1, "it was changed");
});

test("a conflict is merged, as in the recipe", async () => {
  const client = new ResourceClient({ ...(await optionsOf(shop())), resource: resource(shops, "product") });
  const seen = await client.create({ title: "Lamp", price: 1, tags: ["oak"] });
  await client.modify(seen.id, () => ({ price: 2, tags: ["oak", "ash"] }));
  const save = await perform(holding("merge(seen"), { client, merge }, "save");
  const asked = [];
  const decide = (conflicts) => {
    asked.push(...conflicts.map(({ path }) => path));
    return { "/price": "theirs", "/tags": "both" };
  };
  const saved = await save(seen, { ...seen, title: "Desk lamp", price: 3, tags: ["fir"] }, decide);
  assert.deepEqual(
    [saved.title, saved.price, saved.tags, asked],
    ["Desk lamp", 2, ["ash", "fir"], ["/price", "/tags"]],
  );
});

test("a page's own server provides the token, as in the recipe", async () => {
  const { token, ...options } = await optionsOf();
  const asked = [];
  const page = async (address) => {
    asked.push(address);
    return Response.json({ token, expiresIn: 3600 });
  };
  const client = await perform(holding('"/api/token"'), { ResourceClient, options, fetch: page }, "client");
  const { id } = await client.createOrUpdate({ objectTypeProperty: {} });
  assert.equal((await client.getById(id)).version, 1);
  assert.deepEqual(asked, ["/api/token"]);
});

test("a repeat of a write whose responses were lost writes once, as in the recipe", async () => {
  const options = { ...(await optionsOf(shop())), resource: resource(shops, "product") };
  const written = new Map();
  // Loses the responses of the first call of each write.
  const losing = async (url, init) => {
    const key = init.headers["Idempotency-Key"];
    written.set(key, (written.get(key) ?? 0) + 1);
    return written.get(key) > 2 ? fetch(url, init) : lost(url, init);
  };
  const client = new ResourceClient({ ...options, fetch: losing, retry: { retries: 1, baseDelay: 0 } });
  const { price, version } = await perform(holding("async function repeat"), { client }, "counted");
  assert.deepEqual([price, version, (await client.query()).total], [2, 2, 1]);
});
