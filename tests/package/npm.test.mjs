// The way of a person who has only npm: an empty folder, the packed package, and no Rust. `init`, `dev` on workerd, the
// first session of the project's README, and what a deployment would upload. The pages are in `new-user.test.mjs`.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import ts from "typescript";
import { blocksIn } from "../support/blocks.mjs";
import { launchChromium } from "../support/chromium.mjs";
import { environment, folderFor, linkWrangler, NODE, run, serve } from "./npm-project.mjs";
import { freePort } from "../support/server.mjs";
import { eventually } from "../support/waiting.mjs";
import { packed, root } from "./support.mjs";

const parent = folderFor("resource-edge-npm-");
const env = environment(parent);
const folder = join(parent, "My shop");
/** The lines of the project's README, in their order, with the address of the server. */
let session;
let server;

/** The beginning of a program in the project. */
const CLIENT = `import { ResourceClient } from "resource-edge";
import { product } from "./resource-edge.js";
const options = { projectKey: "own", baseUrl: process.env.SERVICE, token: process.env.TOKEN, retry: false };
const client = new ResourceClient({ ...options, resource: product });
`;

/** Runs a command in the project. */
const npx = (...args) => run("npx", ["resource-edge", ...args], { cwd: folder, env });

before(async () => {
  mkdirSync(folder);
  const npm = (...args) => run("npm", args, { cwd: folder, env });
  const { code, stderr } = await npm("install", "--no-audit", "--no-fund", packed().path);
  assert.equal(code, 0, stderr);
  const made = await npx("init");
  assert.equal(made.code, 0, made.stderr);
  linkWrangler(folder);
  const port = await freePort();
  env.RESOURCE_EDGE_URL = `http://127.0.0.1:${port}`;
  const blocks = blocksIn(readFileSync(join(folder, "README.md"), "utf8"), "sh");
  session = blocks.map((block) => block.replaceAll("http://127.0.0.1:8787", env.RESOURCE_EDGE_URL));
  env.SERVICE = env.RESOURCE_EDGE_URL;
  const options = { cwd: folder, env };
  server = await serve("npm", ["run", "dev", "--", "--port", String(port)], options, /In another shell/);
});

test("a computer without Rust is enough", async () => {
  const { stdout } = await run("sh", ["-c", "command -v cargo rustup rustc; command -v node"], { env });
  assert.equal(stdout.trim(), join(parent, ".bin/node"));
});

test("init keeps what npm wrote, and ignores the secrets", async () => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.match(manifest.dependencies["resource-edge"], /^file:.*resource-edge-.*\.tgz$/);
  const { test, ...scripts } = manifest.scripts;
  assert.deepEqual(scripts, { dev: "resource-edge dev", deploy: "wrangler deploy" });
  assert.equal(manifest.name, "my-shop");
  assert.match(readFileSync(join(folder, "wrangler.jsonc"), "utf8"), /"name": "my-shop"/);
  assert.equal(statSync(join(folder, ".dev.vars")).mode & 0o777, 0o600);
  await run("git", ["init", "-q"], { cwd: folder, env });
  const { stdout } = await run("git", ["status", "--short", "--untracked-files=all"], { cwd: folder, env });
  const files = stdout.match(/\S+$/gm).sort();
  assert.deepEqual(files.slice(0, 4), [".dev.vars.example", ".gitignore", "AGENTS.md", "README.md"]);
  for (const file of ["resources.json", "resource-edge.js", "resource-edge.d.ts"])
    assert.ok(files.includes(file), stdout);
  assert.equal((await run("git", ["check-ignore", ".workerd/state"], { cwd: folder, env })).code, 0);
  assert.ok(!files.some((file) => /^(\.dev\.vars|node_modules|\.wrangler)$/.test(file.split("/")[0])), stdout);
  const again = await npx("init");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /has these files already: .*wrangler\.jsonc/);
  // Another project installs the package from where this one has it.
  assert.equal((await npx("init", "../second")).code, 0);
  const second = JSON.parse(readFileSync(join(parent, "second/package.json"), "utf8")).dependencies["resource-edge"];
  assert.equal(resolve(parent, "second", second.replace("file:", "")), packed().path);
});

test("the folder has what a button that deploys it needs", () => {
  const read = (file) => readFileSync(join(folder, file), "utf8");
  const { config } = ts.parseConfigFileTextToJson("wrangler.jsonc", read("wrangler.jsonc"));
  const { cloudflare, scripts, devDependencies } = JSON.parse(read("package.json"));
  const secrets = [...read(".dev.vars.example").matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  // The page behind the button asks for each of these, so none has a value that somebody could keep.
  assert.deepEqual(secrets, [
    ["TOKEN_SECRET", ""],
    ["API_CLIENTS", ""],
  ]);
  const bindings = [...config.kv_namespaces.map(({ binding }) => binding), config.durable_objects.bindings[0].name];
  const described = Object.entries(cloudflare.bindings);
  assert.deepEqual(described.map(([name]) => name).sort(), [...bindings, "TOKEN_SECRET", "API_CLIENTS"].sort());
  for (const [name, { description }] of described) assert.ok(description.length > 40, name);
  // Workers Builds runs the script `deploy` in a copy of the folder: nothing is outside, and no ID is an account's.
  assert.equal(scripts.deploy, "wrangler deploy");
  assert.ok(devDependencies.wrangler);
  assert.ok(!/"(id|namespace_id|account_id)"|\.\.\//.test(read("wrangler.jsonc")));
  assert.ok(existsSync(join(folder, config.main)));
  const [button] = blocksIn(read("README.md"), "md");
  assert.match(button, /\(https:\/\/deploy\.workers\.cloudflare\.com\/\?url=https:\/\/github\.com\/you\/my-shop\)/);
});

test("TypeScript finds no mistake in the project, nor in the script of its page", () => {
  const [, script] = /<script type="module">([^]*?)<\/script>/.exec(
    readFileSync(join(folder, "src/form.html"), "utf8"),
  );
  const { config, error } = ts.readConfigFile(join(folder, "jsconfig.json"), ts.sys.readFile);
  assert.equal(error, undefined);
  const page = join(folder, "src/form.js");
  writeFileSync(page, script);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder, { noEmit: true });
  const problems = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, { ...options, allowJs: true }));
  rmSync(page);
  assert.deepEqual(
    problems.map(({ file, messageText }) => `${file?.fileName} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
    [],
  );
  assert.ok(fileNames.includes(page) && fileNames.some((name) => name.endsWith("first.mjs")), fileNames.join());
});

test("the first session of the README works by HTTP, by the client, and by the command line", async () => {
  const [, http, client, commands] = session;
  const script = [http, client, commands].join("\n");
  const { code, stdout, stderr } = await run("bash", ["-euc", script], { cwd: folder, env });
  assert.equal(code, 0, stderr);
  const lines = stdout.split(/\n|(?<=\})(?=\{)/);
  assert.equal(lines.filter((line) => line.startsWith('{"id":') && line.includes('"key":"lamp"')).length, 3, stdout);
  assert.ok(lines.includes("Desk 200"), stdout);
  assert.match(stdout, /^resources {11}2$/m);
  const changes = lines.filter((line) => line.startsWith('{"type":')).map((line) => JSON.parse(line));
  assert.deepEqual(
    changes.map(({ type, resource }) => resource?.key ?? type),
    ["lamp", "desk", "ready"],
  );
  assert.match(stdout, /^Exported 2 resources and 0 deleted IDs\. File: backup\.ndjson/m);
  assert.match(stdout, /^Imported 2 lines into copy\.$/m);
  const copied = await npx("query", "--project", "copy", "--count");
  assert.equal(copied.stdout, "2\n");
});

test("dev serves the console, and a deployment's checks pass", async () => {
  const { code, stdout } = await npx("smoke");
  assert.equal(code, 0, stdout);
  assert.equal(stdout.match(/^ {2}ok /gm).length, 4);
  const page = await fetch(`${env.RESOURCE_EDGE_URL}/pkg/wasm/resource_edge_bg.wasm`);
  await WebAssembly.compile(await page.arrayBuffer());
});

test("the tools for agents have the fields of the project", async () => {
  const Authorization = `Bearer ${(await npx("token")).stdout.trim()}`;
  const headers = { Authorization, "Content-Type": "application/json" };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const response = await fetch(`${env.RESOURCE_EDGE_URL}/demo/mcp`, { method: "POST", headers, body });
  const { result } = await response.json();
  const bodyOf = (tool) => result.tools.find(({ name }) => name === tool).inputSchema.properties.body.properties;
  assert.equal(bodyOf("createOrUpdate").price.type, "number");
  const { set } = result.tools.find(({ name }) => name === "update").inputSchema.properties;
  assert.equal(set.properties.price.type, "number");
});

test("the page of the guide updates itself when curl writes", async () => {
  const guide = readFileSync(join(root, "src/guide/use/live.md"), "utf8");
  const [html] = blocksIn(guide, "html");
  const curl = blocksIn(guide, "sh").find((text) => text.startsWith("curl"));
  const example = readFileSync(join(folder, "src/form.html"), "utf8");
  writeFileSync(join(folder, "src/form.html"), html);
  // The server reloads the Worker when its source changes.
  await eventually(async () => {
    assert.equal(await (await fetch(`${env.RESOURCE_EDGE_URL}/form`)).text(), html);
  });
  const token = (await npx("token")).stdout.trim();
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => dialog.accept(token));
    await page.goto(`${env.RESOURCE_EDGE_URL}/form`);
    const script = curl?.replace("http://127.0.0.1:8787", env.RESOURCE_EDGE_URL);
    for (const step of [1, 2]) {
      const { code, stdout, stderr } = await run("bash", ["-euc", script], { cwd: folder, env });
      assert.equal(code, 0, stderr);
      const { version } = JSON.parse(stdout);
      assert.ok(version >= step, stdout);
      await page.getByText(`Desk lamp, version ${version}`).waitFor();
    }
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    writeFileSync(join(folder, "src/form.html"), example);
  }
});

test("dev says what is wrong, and starts nothing", async () => {
  const port = new URL(env.RESOURCE_EDGE_URL).port;
  const taken = await npx("dev", "--port", port);
  assert.deepEqual([taken.code, taken.stdout], [2, ""]);
  assert.match(taken.stderr, new RegExp(`Port ${port} is in use`));
  const main = join(folder, "node_modules/resource-edge/cli/main.js");
  const elsewhere = await run(NODE, [main, "dev"], { cwd: parent, env });
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.stderr, /has no wrangler\.jsonc\. Create a project with: npx resource-edge init/);
  if (NODE === process.execPath || Number(process.versions.node.split(".")[0]) >= 22) return;
  const old = await run(process.execPath, [main, "dev", "--port", String(await freePort())], { cwd: folder, env });
  assert.equal(old.code, 1);
  assert.match(old.stderr, /wrangler [\d.]+ needs Node\.js 22\.\d+ or newer, and this is v20/);
});

test("a deployment uploads one module, the WebAssembly, and the console", async () => {
  const { code, stdout, stderr } = await run("npm", ["run", "deploy", "--", "--dry-run", "--outdir", "out"], {
    cwd: folder,
    env: { ...env, CI: "1" },
  });
  assert.equal(code, 0, stdout + stderr);
  for (const binding of ["env.PROJECTS (ProjectObject)", "env.RESOURCES", "env.ASSETS"])
    assert.ok(stdout.includes(binding), stdout);
  const modules = readdirSync(join(folder, "out")).filter((file) => /\.(js|wasm)$/.test(file));
  assert.equal(modules.length, 2, modules.join());
  const bundle = readFileSync(join(folder, "out/index.js"), "utf8");
  assert.ok(!bundle.includes("__name("), "names of functions are kept");
  assert.ok(existsSync(join(folder, "node_modules/resource-edge/worker/site/index.html")));
  assert.deepEqual(readdirSync(join(folder, "node_modules/resource-edge/worker/api-only")).sort(), [
    "_headers",
    "openapi.json",
  ]);
});

/** Where package managers put packages: what they do in a folder, and the folder of the project there. */
const LAYOUTS = {
  async "a workspace of npm, whose packages are in the root"(root) {
    writeFileSync(join(root, "package.json"), '{ "workspaces": ["packages/*"] }');
    const install = ["install", "--no-audit", "--no-fund"];
    await run("npm", [...install, packed().path], { cwd: root, env });
    await run("npx", ["resource-edge", "init", "packages/shop"], { cwd: root, env });
    // Offline, npm cannot install what is not of this repository.
    const manifest = join(root, "packages/shop/package.json");
    const { devDependencies, ...others } = JSON.parse(readFileSync(manifest, "utf8"));
    writeFileSync(manifest, JSON.stringify(others));
    const { code, stderr } = await run("npm", install, { cwd: root, env });
    assert.equal(code, 0, stderr);
    linkWrangler(root);
    return "packages/shop";
  },
  async "a store of packages with links, as of pnpm"(root) {
    const store = join(root, "node_modules/.pnpm/resource-edge@0.1.0/node_modules");
    mkdirSync(store, { recursive: true });
    cpSync(realpathSync(join(folder, "node_modules/resource-edge")), join(store, "resource-edge"), { recursive: true });
    mkdirSync(join(root, "apps/shop/node_modules"), { recursive: true });
    symlinkSync(join(store, "resource-edge"), join(root, "apps/shop/node_modules/resource-edge"));
    writeFileSync(join(root, "apps/package.json"), '{ "dependencies": { "resource-edge": "file:../pack.tgz" } }');
    const main = join(store, "resource-edge/cli/main.js");
    const { code, stderr } = await run("node", [main, "init", "shop"], { cwd: join(root, "apps"), env });
    assert.equal(code, 0, stderr);
    linkWrangler(join(root, "apps/shop"));
    symlinkSync("../resource-edge/cli/main.js", join(root, "apps/shop/node_modules/.bin/resource-edge"));
    const { dependencies } = JSON.parse(readFileSync(join(root, "apps/shop/package.json"), "utf8"));
    assert.deepEqual(dependencies, { "resource-edge": "file:../../pack.tgz" });
    return "apps/shop";
  },
};

for (const [layout, create] of Object.entries(LAYOUTS)) {
  test(`a project deploys, and is served, in ${layout}`, { timeout: 120_000 }, async () => {
    const root = join(parent, `a layout ${Object.keys(LAYOUTS).indexOf(layout)}`);
    mkdirSync(root);
    const options = { cwd: join(root, await create(root)), env: { ...env, CI: "1" } };
    const dry = ["wrangler", "deploy", "--dry-run", "--outdir", "out"];
    const { code, stdout, stderr } = await run("npx", dry, options);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Read \d\d files from the assets directory/);
    const dev = await serve("npm", ["run", "dev", "--", "--port", "0"], options, /In another shell/);
    const [, url] = /Console {3}(\S+)\//.exec(dev.output) ?? [];
    assert.match(dev.output, new RegExp(`^  Page {6}${url}/form$`, "m"));
    assert.match(dev.output, /"title":"Desk lamp","price":40\}'[^]*'where=price <= 40'/);
    assert.match(await (await fetch(url)).text(), /^<!doctype html>/i);
    await dev.end();
    const settings = { TOKEN_SECRET: "a".repeat(32), TOKEN_ISSUER: "https://example.com" };
    const hosted = await serve(
      "npx",
      ["resource-edge", "serve", "--port", "0"],
      { ...options, env: { ...env, ...settings } },
      /Serving/,
    );
    await hosted.end();
    for (const file of ["wrangler.jsonc", "resources.json"]) {
      const [, schema] = /"\$schema": "(.*)"/.exec(readFileSync(join(options.cwd, file), "utf8")) ?? [];
      assert.ok(existsSync(join(options.cwd, schema)), file);
    }
  });
}

test("the mock serves the same API without wrangler", async () => {
  const mock = await serve("npx", ["resource-edge", "mock", "--port", "0", "--json"], { cwd: folder, env }, /\n/);
  const { url } = JSON.parse(mock.output.split("\n")[0]);
  const headers = { "Content-Type": "application/json" };
  const body = '{"key":"a","title":"A","price":1}';
  const created = await fetch(`${url}/demo/resource`, { method: "POST", headers, body });
  assert.equal(created.status, 201);
  assert.equal((await (await fetch(`${url}/demo/resource/key=a`)).json()).key, "a");
});

test("serve runs the Worker without Cloudflare, and without the console if it is off", async () => {
  const made = JSON.parse((await npx("client", "local", "--json")).stdout);
  const settings = { TOKEN_SECRET: "a".repeat(32), API_CLIENTS: made.API_CLIENTS, CONSOLE: "off" };
  const args = ["resource-edge", "serve", "--port", "0", "--data", "data"];
  const closed = await run("npx", args, { cwd: folder, env });
  assert.equal(closed.code, 1);
  assert.match(closed.stderr, /Set TOKEN_SECRET and API_CLIENTS \(npx resource-edge client/);
  const refused = async (...wrong) => {
    const { code, stderr } = await run("npx", [...args, ...wrong], { cwd: folder, env: { ...env, ...settings } });
    assert.equal(code, 1);
    return stderr;
  };
  const { port } = new URL(env.RESOURCE_EDGE_URL);
  const advice = "Stop the program that uses it, or choose another with --port.";
  assert.equal(await refused("--port", port), `error: Port ${port} is in use. ${advice}\n`);
  assert.match(await refused("--host", "192.0.2.1"), /^error: It cannot listen at 192\.0\.2\.1:0: /);
  const noFolder = /^error: The folder .+resources\.json cannot be written: .* Name another with --data\.$/m;
  assert.match(await refused("--data", "resources.json"), noFolder);
  const hosted = await serve("npx", args, { cwd: folder, env: { ...env, ...settings } }, /Serving http/);
  const [, address] = /Serving (http:\S+)\//.exec(hosted.output);
  const client = { RESOURCE_EDGE_CLIENT_ID: "local", RESOURCE_EDGE_CLIENT_SECRET: made.secret };
  const options = { cwd: folder, env: { ...env, ...client, RESOURCE_EDGE_URL: address } };
  const checked = await run("npx", ["resource-edge", "smoke"], options);
  assert.equal(checked.code, 0, checked.stdout);
  assert.equal((await fetch(`${address}/index.html`)).status, 404);
  const imported = await run("npx", ["resource-edge", "import", "backup.ndjson"], options);
  assert.equal(imported.stdout, "Imported 2 lines into demo.\n", imported.stderr);
  // It has read resources.json.
  const priced = await run("npx", ["resource-edge", "query", "--where", "price > 0", "--count"], options);
  assert.equal(priced.stdout, "2\n", priced.stderr);
  await hosted.end();
  await assert.rejects(fetch(`${address}/health`));
});

test("the first program of the README works in the project", async () => {
  const [program] = blocksIn(readFileSync(join(root, "README.md"), "utf8"), "js");
  assert.ok(program.includes('title: "Desk lamp", price: 40'));
  writeFileSync(
    join(folder, "shop.mjs"),
    `${CLIENT}${program}console.log(results.length, (await client.getByKey("lamp")).price);\n`,
  );
  const TOKEN = (await npx("token", "--project", "own")).stdout.trim();
  const { stdout, stderr } = await run("node", ["shop.mjs"], { cwd: folder, env: { ...env, TOKEN } });
  assert.equal(stdout, "Desk lamp\n1 35\n", stderr);
});

test("Ctrl-C ends dev", async () => {
  await server.end();
  await assert.rejects(fetch(`${env.RESOURCE_EDGE_URL}/health`));
});
