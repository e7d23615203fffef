// `resource-edge/testing`, installed from the tarball: the guide's programs, CommonJS, a page.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createService } from "../../pkg/dist/testing/index.js";
import { blocksIn, packageGuide, programOf } from "../support/blocks.mjs";
import { launchChromium } from "../support/chromium.mjs";
import { eventually } from "../support/waiting.mjs";
import { draft } from "./service.mjs";
import { catalogue, modules } from "./shop.mjs";
import { browse, bundle, html, project, reports, root, run } from "./support.mjs";

/** Creates a project with the package, and with the SQLite package that Node 20 needs. */
const application = (name, files) => project(name, files, ["@sqlite.org/sqlite-wasm"]);

/** The programs of the guide about this entry point, in their order. */
const programs = blocksIn(packageGuide, "js").filter((text) => text.includes("createService"));

test("the guide's test runs from the tarball, and its process exits", async () => {
  const folder = application("testing", {
    ...(await modules()),
    "resources.json": JSON.stringify(catalogue),
    "app.test.mjs": programs[0],
  });
  assert.match(
    run(process.execPath, ["--no-warnings", "--test-reporter=tap", "app.test.mjs"], folder, {
      NODE_TEST_CONTEXT: undefined,
    }),
    /# pass 2\n# fail 0/,
  );
});

test("the guide's mock server responds over HTTP", async () => {
  const server = programs.find((program) => program.includes("createServer"));
  const asks = `
    const baseUrl = "http://127.0.0.1:8787".replace("8787", server.address().port);
    const client = new ResourceClient({ projectKey: "demo", baseUrl });
    const { id } = await client.createOrUpdate({ key: "a", objectTypeProperty: {} });
    console.log((await client.getByKey("a")).id === id, await client.exists({ where: 'key = "b"' }));
    service.fail({ networkError: true });
    console.log((await client.query()).total);
    server.close();`;
  const main =
    `import { ResourceClient } from "resource-edge";\n` +
    `${server.replace("listen(8787)", "listen(0, '127.0.0.1')")}\n` +
    `await new Promise((done) => server.once("listening", done));${asks}`;
  const folder = application("testing-server", { "main.js": main });
  assert.equal(run(process.execPath, ["main.js"], folder), "true false\n1\n");
});

test("without SQLite the error names the package to install", () => {
  const folder = project("testing-bare", {
    "main.js": `
      import { createService } from "resource-edge/testing";
      await createService({ sqlite: process.argv[2] })
        .then(() => console.log("started"), ({ message }) => console.log(message));`,
  });
  const native = process.getBuiltinModule?.("node:sqlite") !== undefined;
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8"));
  const name = "@sqlite.org/sqlite-wasm";
  const command = `npm install --save-dev ${name}@${devDependencies[name]}`;
  assert.equal(peerDependencies[name], `>=${devDependencies[name]}`);
  assert.ok(packageGuide.includes(`\`${command}\``));
  const absent = `Elsewhere, add it to your project: ${command}\n`;
  const wasm = () => run(process.execPath, ["main.js", "wasm"], folder);
  assert.ok(wasm().endsWith(absent), wasm());
  const printed = run(process.execPath, ["--no-warnings", "main.js"], folder);
  assert.ok(printed.endsWith(native ? "started\n" : absent), printed);
  // The version that `npm install` without a version chooses fails so in Node.
  const old = join(folder, "node_modules", name);
  mkdirSync(old, { recursive: true });
  writeFileSync(
    join(old, "package.json"),
    JSON.stringify({ name, version: "3.41.2", type: "module", main: "index.js" }),
  );
  writeFileSync(join(old, "index.js"), "self.sqlite = 1;\nexport default () => {};\n");
  const reason = `${name} does not start here (self is not defined): it may be too old.`;
  assert.ok(wasm().endsWith(`${reason} Install the right version: ${command}\n`), wasm());
  assert.match(
    run(process.execPath, ["--no-warnings", "main.js", "node"], folder),
    native ? /^started$/m : /this runtime has no node:sqlite/,
  );
});

test("the package is ready within a second, and loads as CommonJS", () => {
  const program = (load) => `
    const start = process.cpuUsage();
    (async () => {
      const { createService } = ${load};
      const service = await createService();
      const headers = { Authorization: \`Bearer \${await service.token()}\` };
      const response = await service.fetch("/demo/resource", { headers });
      const { user, system } = process.cpuUsage(start);
      console.log(JSON.stringify({ status: response.status, ms: (user + system) / 1000 }));
    })();`;
  const folder = application("testing-start", {
    "main.mjs": program('await import("resource-edge/testing")'),
    "main.cjs": program('require("./node_modules/resource-edge/cjs/testing.js")'),
  });
  for (const file of ["main.mjs", "main.cjs"]) {
    const { status, ms } = JSON.parse(run(process.execPath, ["--no-warnings", file], folder));
    assert.equal(status, 200);
    assert.ok(ms < 1000, `${file}: ${ms} ms`);
  }
});

test("as CommonJS the package needs no web globals, which Jest's jsdom lacks", () => {
  const folder = application("testing-bare-globals", {
    "main.mjs": `
    import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    import vm from "node:vm";
    const folder = process.cwd() + "/node_modules/resource-edge/cjs";
    // Jest's fake timers replace queueMicrotask too.
    const globals = { atob, btoa, clearTimeout, console, crypto, process, queueMicrotask() {}, setTimeout, URL };
    const context = vm.createContext(globals);
    const source = readFileSync(folder + "/testing.js", "utf8");
    const load = vm.runInContext("(function (module, exports, require, __dirname) {" + source + "})", context);
    const module = { exports: {} };
    load(module, module.exports, createRequire(folder + "/testing.js"), folder);
    const service = await module.exports.createService({ authenticate: false });
    const headers = { "Content-Type": "application/json" };
    const body = '{"key":"a","objectTypeProperty":{}}';
    const response = await service.fetch("/demo/resource", { method: "POST", headers, body });
    console.log(response.status, (await response.json()).key);
    service.fail({ status: 503 });
    console.log((await service.fetch("/demo/resource/key=a")).status, await service.settle());`,
  });
  const printed = run(process.execPath, ["--no-warnings", "main.mjs"], folder);
  assert.equal(printed, "201 a\n503 undefined\n");
});

test("the package runs in a page", async () => {
  const folder = application("testing-page", {
    "index.html": html("/main.js"),
    "src.js": `
      import "./reports.js";
      import { init, ResourceClient } from "resource-edge/inline";
      import { createService } from "resource-edge/testing";
      await init();
      const service = await createService({ seed: 1, now: 0, lag: 1000 });
      const client = new ResourceClient(service.clientOptions());
      const { id } = await client.createOrUpdate({ key: "a", someProperty: "blue", objectTypeProperty: {} });
      service.fail({ operation: "updateById", conflict: true });
      await client.modify(id, () => [{ action: "doSomeThing" }]);
      const { results } = await client.search({ text: { en: "BLUE" } });
      report(results.map(({ key, version }) => [key, version]));`,
    "reports.js": reports,
  });
  bundle(folder, "src.js", "--log-override:empty-import-meta=silent");
  cpSync(join(folder, "node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm"), join(folder, "sqlite3.wasm"));
  assert.deepEqual(await browse(folder), [["a", 3]]);
});

test("the guide's route for Playwright responds to a page", async (t) => {
  const recipe = programOf("js", "await service.route");
  const service = await createService({ bodies: [draft({ key: "a" })] });
  t.after(() => service.close());
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await new Function("page", "service", `return (async () => {${recipe}})();`)(page, service);
  const token = await service.token();
  await page.goto("https://api.example.com/health");
  const call = (path, init) =>
    page.evaluate(
      async ([path, init]) => {
        /** @type {{ status: number | string, json?(): Promise<any> }} */
        const response = await fetch(`https://api.example.com${path}`, init).catch(({ name }) => ({ status: name }));
        return [response.status, await response.json?.()];
      },
      [path, { ...init, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } }],
    );
  const [status, { total }] = await call("/demo/resource?limit=1");
  assert.deepEqual([status, total], [200, 1]);
  assert.equal((await call("/demo/resource", { method: "POST", body: JSON.stringify(draft({ key: "b" })) }))[0], 201);
  service.fail({ networkError: true });
  assert.equal((await call("/demo/resource"))[0], "TypeError");
  // A socket, as `live` opens it. It reaches no real server.
  await page.evaluate((token) => {
    const socket = new WebSocket("wss://api.example.com/demo/changes?after=now", [
      "resource-edge.changes",
      `bearer.${token}`,
    ]);
    const told = [];
    Object.assign(globalThis, { told });
    socket.onmessage = ({ data }) => {
      if (told.length === 0) socket.send("ping");
      told.push(data);
    };
    socket.onclose = ({ code }) => told.push(code);
  }, token);
  const told = () => page.evaluate(() => /** @type {any} */ (globalThis).told);
  await eventually(async () => assert.deepEqual((await told()).slice(1), ["pong"]));
  await call("/demo/resource", { method: "POST", body: JSON.stringify(draft({ key: "c" })) });
  await eventually(async () => assert.match((await told())[2], /"key":"c"/));
  service.closeSockets({ code: 4401 });
  await eventually(async () => assert.deepEqual((await told()).slice(3), [4401]));
});

// The library is not installed. Its handlers are functions of the request, and its `HttpResponse` is a `Response`.
test("the guide's handler for Mock Service Worker responds to a program", async (t) => {
  const recipe = programOf("js", "http.all");
  const service = await createService({ bodies: [draft({ key: "a" })] });
  t.after(() => service.close());
  const handlers = [];
  const http = { all: (path, handler) => handlers.push([path, handler]) };
  new Function("http", "HttpResponse", "service", recipe)(http, Response, service);
  const [[path, handler]] = handlers;
  assert.equal(path, "https://api.example.com/*");
  const ask = async () => {
    const headers = { Authorization: `Bearer ${await service.token()}` };
    return handler({ request: new Request("https://api.example.com/demo/resource/key=a", { headers }) });
  };
  assert.equal((await (await ask()).json()).key, "a");
  service.fail({ networkError: true });
  assert.equal((await ask()).type, "error");
});
