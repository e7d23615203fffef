// The README's programs, in a project that has installed the package, against the built Worker in workerd.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { project as unused, start } from "../e2e/support.mjs";
import { lost } from "./clients.mjs";
import { blocksIn } from "../support/blocks.mjs";
import { launchChromium } from "../support/chromium.mjs";
import { bound, browse, html, POLICY, project, reports, root, run, serve, tool } from "./support.mjs";

const readme = readFileSync(join(root, "pkg/README.md"), "utf8");
/** The programs of the README in their order. */
const programs = blocksIn(readme, "js");
const holding = (text) => programs.find((program) => program.includes(text));

let worker;
before(async () => {
  worker = await start();
});
after(() => worker.stop());

/** Returns the program with the Worker's address, a separate project, and a token for it. */
async function filled(program) {
  const name = unused();
  const adapted = program
    .replace('"http://127.0.0.1:8787"', JSON.stringify(worker.url.href))
    .replace('projectKey: "demo"', `projectKey: "${name}"`)
    .replace('token: "…"', `token: "${await worker.token(name)}"`);
  assert.notEqual(adapted, program);
  return adapted;
}

test("the first ten lines work in Node without a change", async () => {
  const [program] = programs;
  assert.equal(program.split("\n").filter(Boolean).length, 10);
  const folder = project("readme", { "main.js": await filled(program) });
  // Not the synchronous version, because the Worker's front runs in this process.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["main.js"], { cwd: folder });
  assert.deepEqual([stdout, stderr], ["first 2\n", ""]);
});

test("the first ten lines work in a page with its policy, from another origin", async () => {
  const [program] = programs;
  const listening =
    `${reports}globalThis.said = [];\n` + `console.log = console.error = (...words) => said.push(words.join(" "));\n`;
  const folder = project("readme-page", {
    "index.html": html("/main.js"),
    "reports.js": listening,
    "src.js": `import "./reports.js";\n${await filled(program)}\nreport(globalThis.said);\n`.replace(
      '"resource-edge"',
      '"resource-edge/inline"',
    ),
  });
  run(tool("esbuild"), ["src.js", "--bundle", "--format=esm", "--target=es2022", "--outfile=main.js"], folder);
  assert.deepEqual(await browse(folder, "/index.html", worker.url.origin), ["first 2"]);
});

test("the form and the list work in a project of Vite, step by step", async () => {
  const name = unused();
  const token = await worker.token(name);
  const [, body] = readme.match(/```html\n(.*?)```/s);
  const steps = ['addEventListener("submit"', "ready.then", "function list"].map(holding).join("\n");
  const form = steps
    .replace('"http://127.0.0.1:8787"', JSON.stringify(worker.url.origin))
    .replace('"demo"', JSON.stringify(name))
    .replace('"…"', JSON.stringify(token));
  const index = `<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>form</title></head>${body}</html>`;
  const folder = project("readme-form", { "index.html": index, "src/main.js": form });
  run(tool("vite"), ["build"], folder);
  const server = await serve(join(folder, "dist"), `${POLICY} ${worker.url.origin}`);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${server.url}/index.html`);
    const status = page.locator("#status");
    const [atKey, atIntegers] = ["/key", "/objectTypeProperty/arrayOfIntExample"].map((path) =>
      page.locator(`output[data-path="${path}"]`),
    );
    const integers = page.getByLabel("Integers");
    const said = "Malformed item of 'arrayOfIntExample': expected an integer, found a string.";
    assert.ok(readme.includes(said));
    await integers.fill("1, two");
    await page.getByRole("button", { name: "Save" }).click();
    await status.getByText(said).waitFor();
    assert.equal(await atIntegers.textContent(), said);
    await integers.fill("1, 2.5");
    await atIntegers.getByText("found 2.5").waitFor();
    await integers.fill("1, 2");
    await page.getByLabel("Key").fill("..");
    await atKey.getByText("..").waitFor();
    assert.equal(await atIntegers.textContent(), "");
    await page.getByLabel("Key").fill("lamp");
    await page.getByRole("button", { name: "Save" }).click();
    await status.getByText("Saved lamp, version 1.").waitFor();
    await page.reload();
    await page.getByRole("listitem").getByText("lamp, version 1").waitFor();
  } finally {
    await browser.close();
    server.close();
  }
  const { json } = await worker.call(`GET /${name}/resource/key=lamp`, { headers: { "Cache-Control": "no-cache" } });
  assert.deepEqual(json.objectTypeProperty.arrayOfIntExample, [1, 2]);
});

test("validation prints the output in the program's comment", async () => {
  const program = holding("arrayOfIntExample: [1, 2.5]");
  const [, said] = /^\/\/ (.*)$/m.exec(program);
  const folder = project("readme-validation", { "main.js": program });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["main.js"], { cwd: folder });
  assert.deepEqual([stdout, stderr], [`${said}\n`, ""]);
});

test("reasons are translated to the messages in the program's comments", async () => {
  const program = holding("de[issue.reason]");
  const said = [...program.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join("");
  assert.notEqual(said, "");
  const folder = project("readme-reasons", { "main.js": program });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["main.js"], { cwd: folder });
  assert.deepEqual([stdout, stderr], [said, ""]);
});

test("a Worker calls the service by its binding", async () => {
  const name = unused();
  await worker.call(`POST /${name}/resource`, { body: { key: "first", objectTypeProperty: {} } });
  const recipe = holding("env.RESOURCES")
    .replace('projectKey: "demo"', `projectKey: "${name}"`)
    .replace("view_test:demo", `view_test:${name}`);
  const caller = bound(project("readme-worker", { "main.js": recipe }), worker);
  try {
    for (let time = 0; time < 2; time++) {
      const answer = await caller.dispatchFetch("http://caller/");
      assert.equal(/** @type {any} */ (await answer.json()).key, "first");
    }
  } finally {
    await caller.dispose();
  }
});

test("identical reads become one request, and the hooks receive the attempts", async () => {
  const name = unused();
  const all = await import("../../pkg/dist/node.js");
  const said = [];
  const console = { log: (...words) => said.push(words.slice(0, 3)), warn: (...words) => said.push(words) };
  const made = (text) =>
    new Function(
      "ResourceClient",
      "shareReads",
      "options",
      "console",
      `${holding(text).replace(/^import.*$/m, "")}\nreturn client;`,
    );
  const options = { projectKey: name, baseUrl: worker.url.href, token: await worker.token(name) };
  const watched = made("onRetry:")(all.ResourceClient, all.shareReads, options, console);
  const { id } = await watched.createOrUpdate({ objectTypeProperty: {} });
  assert.deepEqual(said, [["createOrUpdate", 1, 201]]);
  const sharing = made("shareReads()")(
    all.ResourceClient,
    all.shareReads,
    { ...options, onRequest: ({ url }) => said.push([url]) },
    console,
  );
  const [one, two] = await Promise.all([sharing.getById(id), sharing.getById(id)]);
  assert.deepEqual(one, two);
});

test("the pages of the sample show the progress, and missing and unchanged resources are undefined", async () => {
  const name = unused();
  const { predicate, ResourceClient } = await import("../../pkg/dist/node.js");
  const client = new ResourceClient({ projectKey: name, baseUrl: worker.url.href, token: await worker.token(name) });
  let etag;
  await client.createOrUpdate({ key: "first", objectTypeProperty: {} });
  const { id, version } = await client.createOrUpdate(
    { key: "first", objectTypeProperty: {} },
    { onResponse: ({ headers }) => (etag = headers.get("ETag")) },
  );
  const saved = [];
  const sample = holding("orUndefined: true").replace(/^import.*$/m, "");
  const run = new Function(
    "client",
    "predicate",
    "save",
    "controller",
    "etag",
    `return (async () => {${sample}\nreturn { maybe, changed, current };})();`,
  );
  const { maybe, changed, current } = await run(
    client,
    predicate,
    (results, part) => saved.push([results.length, part]),
    new AbortController(),
    etag,
  );
  assert.deepEqual([maybe, changed?.version, current.version, saved], [undefined, version + 1, version, [[1, 1]]]);
  const unchanged = await client.getById(id, {}, { ifNoneMatch: etag, fresh: true });
  assert.equal(unchanged?.version, version + 1, "it was changed");
});

test("a conflict has the members that the recipe reads", async () => {
  const name = unused();
  const { ResourceClient } = await import("../../pkg/dist/node.js");
  const client = new ResourceClient({ projectKey: name, baseUrl: worker.url.href, token: await worker.token(name) });
  const seen = await client.createOrUpdate({ objectTypeProperty: {} });
  const actions = [{ action: /** @type {const} */ ("doSomeThing") }];
  await client.updateById(seen.id, { version: seen.version, actions });
  const shown = [];
  const recipe = new Function(
    "client",
    "id",
    "seen",
    "actions",
    "show",
    `return (async () => {${holding("error.isConflict")}})();`,
  );
  await recipe(client, seen.id, seen, actions, (...all) => shown.push(all));
  assert.deepEqual(
    shown.map(([mine, theirs]) => [mine.version, theirs.version]),
    [[1, 2]],
  );
});

test("a page's own server provides the token, as in the recipe", async () => {
  const name = unused();
  const { ResourceClient } = await import("../../pkg/dist/node.js");
  const asked = [];
  const token = await worker.token(name);
  const page = async (address) => {
    asked.push(address);
    return Response.json({ token, expiresIn: 3600 });
  };
  const recipe = new Function("ResourceClient", "options", "fetch", `${holding('"/api/token"')}\nreturn client;`);
  const client = recipe(ResourceClient, { projectKey: name, baseUrl: worker.url.href }, page);
  const { id } = await client.createOrUpdate({ objectTypeProperty: {} });
  assert.equal((await client.getById(id)).version, 1);
  assert.deepEqual(asked, ["/api/token"]);
});

test("a repeat of a write whose responses were lost writes once, as in the recipe", async () => {
  const name = unused();
  const { ResourceClient } = await import("../../pkg/dist/node.js");
  const written = new Map();
  // Loses the responses of the first call of each write.
  const losing = async (url, init) => {
    const key = init.headers["Idempotency-Key"];
    written.set(key, (written.get(key) ?? 0) + 1);
    return written.get(key) > 2 ? fetch(url, init) : lost(url, init);
  };
  const options = { projectKey: name, baseUrl: worker.url.href, token: await worker.token(name) };
  const client = new ResourceClient({ ...options, fetch: losing, retry: { retries: 1, baseDelay: 0 } });
  const recipe = new Function(
    "client",
    `return (async () => {${holding("async function repeat")}\nreturn counted;})();`,
  );
  const { someProperty, version } = await recipe(client);
  assert.deepEqual([someProperty, version, (await client.query()).total], ["1", 2, 1]);
});
