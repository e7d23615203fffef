// The README's programs, in a project that has installed the package, against the built Worker in workerd.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { predicate, ResourceClient, shareReads } from "../../pkg/dist/node.js";
import { project as unused, startForTests } from "../workerd/support.mjs";
import { lost } from "./clients.mjs";
import { blocksIn, packageGuide, programOf } from "../support/blocks.mjs";
import { bound, browse, bundle, html, openTab, POLICY, project, reports, run, tool } from "./support.mjs";

/** The programs of the README in their order. */
const programs = blocksIn(packageGuide, "js");
const holding = (text) => programOf("js", text);

const worker = startForTests();

/** Runs a program of the README, without its imports, with these variables. Returns the expression's value. */
const perform = (program, variables, expression) =>
  new Function(
    ...Object.keys(variables),
    `return (async () => {${program.replace(/^import.*$/m, "")}\nreturn ${expression};})();`,
  )(...Object.values(variables));

/** Returns the options of a client of a project that no other test uses. */
async function optionsOf() {
  const projectKey = unused();
  return { projectKey, baseUrl: worker.url.href, token: await worker.token(projectKey) };
}

/** Returns what a program prints in a project that has installed the package. */
async function printed(name, program) {
  const folder = project(name, { "main.js": program });
  // Not the synchronous version, because the Worker's front runs in this process.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["main.js"], { cwd: folder });
  assert.equal(stderr, "");
  return stdout;
}

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
  assert.equal(await printed("readme", await filled(program)), "first 2\n");
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
  bundle(folder);
  assert.deepEqual(await browse(folder, "/index.html", worker.url.origin), ["first 2"]);
});

test("the form and the list work in a project of Vite, step by step", async () => {
  const name = unused();
  const token = await worker.token(name);
  const [, body] = packageGuide.match(/```html\n(.*?)```/s);
  const steps = ['addEventListener("submit"', "ready.then", "function list"].map(holding).join("\n");
  const form = steps
    .replace('"http://127.0.0.1:8787"', JSON.stringify(worker.url.origin))
    .replace('"demo"', JSON.stringify(name))
    .replace('"…"', JSON.stringify(token));
  const index = `<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>form</title></head>${body}</html>`;
  const folder = project("readme-form", { "index.html": index, "src/main.js": form });
  run(tool("vite"), ["build"], folder);
  const { tab: page, url } = await openTab(join(folder, "dist"), `${POLICY} ${worker.url.origin}`);
  await page.goto(`${url}/index.html`);
  const status = page.locator("#status");
  const [atKey, atIntegers] = ["/key", "/objectTypeProperty/arrayOfIntExample"].map((path) =>
    page.locator(`output[data-path="${path}"]`),
  );
  const integers = page.getByLabel("Integers");
  const said = "Malformed item of 'arrayOfIntExample': expected an integer, found a string.";
  assert.ok(packageGuide.includes(said));
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
  const { json } = await worker.fresh(`GET /${name}/resource/key=lamp`);
  assert.deepEqual(json.objectTypeProperty.arrayOfIntExample, [1, 2]);
});

test("validation prints the output in the program's comment", async () => {
  const program = holding("arrayOfIntExample: [1, 2.5]");
  const [, said] = /^\/\/ (.*)$/m.exec(program);
  assert.equal(await printed("readme-validation", program), `${said}\n`);
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
  const client = new ResourceClient(await optionsOf());
  const draft = { key: "first", objectTypeProperty: {} };
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

test("a conflict has the members that the recipe reads", async () => {
  const client = new ResourceClient(await optionsOf());
  const seen = await client.createOrUpdate({ objectTypeProperty: {} });
  const { id, version } = seen;
  const actions = [{ action: /** @type {const} */ ("doSomeThing") }];
  await client.updateById(id, { version, actions });
  const shown = [];
  const show = (mine, theirs) => shown.push([mine.version, theirs.version]);
  await perform(holding("error.isConflict"), { client, id, seen, actions, show }, "undefined");
  assert.deepEqual(shown, [[1, 2]]);
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
  const options = await optionsOf();
  const written = new Map();
  // Loses the responses of the first call of each write.
  const losing = async (url, init) => {
    const key = init.headers["Idempotency-Key"];
    written.set(key, (written.get(key) ?? 0) + 1);
    return written.get(key) > 2 ? fetch(url, init) : lost(url, init);
  };
  const client = new ResourceClient({ ...options, fetch: losing, retry: { retries: 1, baseDelay: 0 } });
  const { someProperty, version } = await perform(holding("async function repeat"), { client }, "counted");
  assert.deepEqual([someProperty, version, (await client.query()).total], ["1", 2, 1]);
});
