import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

import { listen } from "../support/server.mjs";
import { check, program, project, run } from "./support.mjs";

const prints = "const report = (value) => console.log(JSON.stringify(value));\n";

test("Node runs the package without waiting, imported or required", () => {
  const folder = project("node", {
    "main.js": prints + program("resource-edge"),
    "main.cjs": `const { validate } = require("resource-edge"); console.log(validate("complexBody", {}).valid);`,
    "common.cjs":
      `const { validate } = require("./node_modules/resource-edge/cjs/index.js"); ` +
      `console.log(validate("complexBody", {}).valid);`,
    "both.cjs":
      `import("resource-edge")` +
      `.then((module) => console.log(module.validate === require("resource-edge").validate));`,
  });
  check(JSON.parse(run(process.execPath, ["main.js"], folder)), true);
  assert.equal(run(process.execPath, ["--no-warnings", "main.cjs"], folder).trim(), "true");
  assert.equal(run(process.execPath, ["common.cjs"], folder).trim(), "true");
  // From these versions on, Node can require modules, and a program has one instance in every case.
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
    assert.equal(run(process.execPath, ["--no-warnings", "both.cjs"], folder).trim(), "true");
  }
});

const COMMON = ["predicate", "operations", "json-schema", "syntax", "live", "react", "tanstack-db", "token"];

test("each entry point can be required, also without TextEncoder, and shares the WebAssembly and the errors", () => {
  const files = {
    "main.cjs": `
      delete globalThis.TextEncoder;
      delete globalThis.TextDecoder;
      const from = (name) => require("./node_modules/resource-edge/cjs/" + name + ".js");
      const { predicate } = from("predicate");
      const { operations } = from("operations");
      const { resourceDraft } = from("json-schema");
      const { loadSyntax } = from("syntax");
      const { issues } = resourceDraft["~standard"].validate({});
      const { type } = resourceDraft["~standard"].jsonSchema.input({ target: "draft-07" });
      const printed = [predicate\`key = \${"ä"}\`, operations.query.method, issues.length, type];
      loadSyntax().then(({ where }) => console.log(...printed, where("nope = 1").column));`,
    "live.cjs": `
      const from = (name) => require("./node_modules/resource-edge/cjs/" + name + ".js");
      const { ResourceClient, ResourceError } = from("index");
      const client = new ResourceClient({ baseUrl: "http://h", projectKey: "p", token: "t" });
      const fails = (run) => Promise.resolve().then(run).catch((error) => error instanceof ResourceError);
      const { useLive, useList, useResourceForm } = from("react");
      const { onUpdate } = from("tanstack-db").resourceCollectionOptions({ client });
      const mutation = { original: { version: 1 }, modified: { id: "a" }, changes: { custom: undefined } };
      Promise.all([
        fails(() => from("live").live(client, { where: "a", search: {} })),
        fails(() => onUpdate({ transaction: { mutations: [mutation] } })),
        fails(() => useResourceForm(client)),
      ]).then((found) =>
        console.log(...found, typeof useLive, typeof useList, from("live").live === from("index").live));`,
    // In Node before 20.19 and in Jest these are the files above.
    "named.cjs": `
      for (const name of ${JSON.stringify(COMMON)})
        console.log(Object.keys(require("resource-edge/" + name)).length > 0);`,
  };
  const folder = project("node-common", files, ["react"]);
  assert.equal(run(process.execPath, ["main.cjs"], folder), 'key = "ä" GET 1 object 1\n');
  assert.equal(run(process.execPath, ["live.cjs"], folder), "true true true function function true\n");
  assert.equal(run(process.execPath, ["--no-warnings", "named.cjs"], folder), "true\n".repeat(COMMON.length));
  // The views of a client share a connection, and a write waits for all of them, only if one file has the feeds.
  const common = join(folder, "node_modules/resource-edge/cjs");
  const scripts = readdirSync(common).filter((name) => name.endsWith(".js") && name !== "testing.js");
  const isFeed = (name) => readFileSync(join(common, name), "utf8").includes('"resource-edge.changes"');
  assert.deepEqual(scripts.filter(isFeed), ["index.js"]);
  // What the others use of the main one is there, although its types do not declare all of it.
  const main = createRequire(import.meta.url)(join(common, "index.js"));
  for (const name of scripts) {
    const text = readFileSync(join(common, name), "utf8");
    for (const [, variable] of text.matchAll(/var (\w+) = require\("\.\/index\.js"\)/g))
      for (const [use, member] of text.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g")))
        assert.ok(member in main, `${name}: ${use}`);
  }
  const { exports } = JSON.parse(readFileSync(join(folder, "node_modules/resource-edge/package.json"), "utf8"));
  for (const name of COMMON) assert.equal(exports[`./${name}`].require.default, `./cjs/${name}.js`);
});

test("as modules, an environment without TextEncoder gets an error that says what to do: Jest's jsdom", () => {
  const folder = project("node-jsdom", {
    "main.js": `
      delete globalThis.TextEncoder;
      for (const name of ["resource-edge", "resource-edge/inline", "resource-edge/json-schema"])
        await import(name).catch(({ message }) => console.log(message));`,
  });
  const message =
    "resource-edge needs TextEncoder, which is missing here. In Jest, use jest-fixed-jsdom instead of jsdom.\n";
  assert.equal(run(process.execPath, ["main.js"], folder), message.repeat(3));
});

test("nothing in the package looks as if an entry for an edge runtime compiled WebAssembly", () => {
  const folder = join(project("node-edge", {}), "node_modules/resource-edge");
  const seen = new Set();
  const follow = (file) => {
    if (seen.has(file) || file.endsWith(".wasm") || file.includes("?")) return;
    seen.add(file);
    const text = readFileSync(join(folder, file), "utf8");
    // Next rejects routes of its edge runtime that contain this call.
    assert.ok(!text.includes("WebAssembly.compile("), file);
    for (const [, path] of text.matchAll(/from "(\..*?)"/g)) follow(normalize(join(dirname(file), path)));
  };
  follow("edge-light.js");
  assert.ok(seen.size > 15, [...seen].join());
});

test("an engine without WebAssembly gets an error with the cause, and one without TextDecoder works", () => {
  const early = "delete globalThis.TextEncoder; delete globalThis.TextDecoder;";
  const text = JSON.stringify({ custom: "ä€😀\ud800\u0000" });
  const print =
    `JSON.stringify([validate("complexBody", ${JSON.stringify(text)}), ` +
    `validate("complexBody", Buffer.from(${JSON.stringify(text)}))])`;
  const folder = project("node-engine", {
    "bare.cjs":
      `${early}\n` +
      `const { validate } = require("./node_modules/resource-edge/cjs/index.js"); ` +
      `console.log(${print});`,
    "main.js": `import { validate } from "resource-edge"; console.log(${print});`,
    "browser.js": `import { init } from "./node_modules/resource-edge/browser.js"; await init();`,
  });
  const expected = run(process.execPath, ["main.js"], folder);
  assert.match(expected, /found/);
  assert.equal(run(process.execPath, ["bare.cjs"], folder), expected);
  for (const main of ["main.js", "bare.cjs", "browser.js"]) {
    assert.throws(
      () => run(process.execPath, ["--jitless", main], folder),
      /Error: resource-edge needs WebAssembly, which this engine does not have/,
      main,
    );
  }
});

test("the browser's entry accepts bytes, a module, or a promise of either, once, and again after a failure", () => {
  const folder = project("node-browser", {
    "main.js": `
      import { readFileSync, readdirSync } from "node:fs";
      import { init, validate } from "./node_modules/resource-edge/browser.js";
      const bytes = readFileSync("node_modules/resource-edge/wasm/resource_edge_bg.wasm");
      const source = { bytes, module: new WebAssembly.Module(bytes), promise: Promise.resolve(bytes) }[process.argv[2]];
      await init(new Uint8Array(3)).catch((error) => console.log(error.message));
      await Promise.all([init(source), init(source)]);
      await init();
      console.log(validate("complexBody", {}).valid);`,
  });
  for (const source of ["bytes", "module", "promise"]) {
    assert.match(
      run(process.execPath, ["main.js", source], folder),
      /^Could not load the WebAssembly of resource-edge: .*\ntrue\n$/,
      source,
    );
  }
});

test("the error for invalid WebAssembly has its address", async (t) => {
  const page = createServer((request, response) => {
    const [status, type] = {
      "/app": [200, "text/html"],
      "/text": [200, "application/wasm"],
      "/none": [404, "text/plain"],
    }[request.url];
    response.writeHead(status, { "Content-Type": type }).end("<!doctype html>");
  });
  const { url: origin, close } = await listen(page);
  t.after(close);
  const { init } = await import("../../pkg/dist/browser.js");
  const resultOf = (source) =>
    init(source).then(
      () => "started",
      ({ message }) => message.replace(origin, "http://host"),
    );
  const start = "Could not load the WebAssembly of resource-edge from http://host";
  assert.equal(await resultOf(`${origin}/app`), `${start}/app: the response is 200 text/html`);
  assert.equal(await resultOf(new URL(`${origin}/none`)), `${start}/none: the response is 404 text/plain`);
  assert.match(await resultOf(fetch(`${origin}/text`)), new RegExp(`^${start}/text: .*magic`));
  assert.match(await resultOf("http://127.0.0.1:1/x"), /from http:\/\/127.0.0.1:1\/x: fetch failed$/);
  // The package's default address is a file here, which Node does not fetch. The bytes in the JavaScript replace it.
  assert.equal(await resultOf(undefined), "started");
});

test("the first call of a client starts the package, and reports wrong options", () => {
  const folder = project("node-start", {
    "main.js": `
      import { ready, ResourceClient, validate } from "resource-edge/inline";
      const sent = [];
      const fetch = async (url, init) => {
        sent.push(init.method + " " + url);
        return Response.json({ id: "a", key: "k", version: 1, results: [] });
      };
      const options = { projectKey: "demo", baseUrl: "https://api.test", fetch };
      const client = new ResourceClient(options);
      const wrong = new ResourceClient({ ...options, projectKey: "a/b" });
      const closed = new ResourceClient(options);
      closed.close();
      try {
        validate("complexBody", {});
      } catch (error) {
        console.log(error.message.includes("init()"));
      }
      const all = [
        client.getById("a"),
        client.createOrUpdate({ objectTypeProperty: {} }),
        client.modify({ key: "k" }, () => [{ action: "doSomeThing" }]),
        client.pages().next(),
      ];
      await Promise.all(all);
      const failed = [wrong.getById("a"), closed.getById("a"), client.createOrUpdate({}), client.query({ limit: 501 })];
      for (const one of failed) await one.catch(({ name, kind }) => console.log(name, kind));
      console.log(await ready, sent.length, validate("complexBody", {}).valid);
      try {
        new ResourceClient({ ...options, projectKey: "a/b" });
      } catch (error) {
        console.log(error.kind);
      }`,
  });
  assert.deepEqual(run(process.execPath, ["main.js"], folder).trim().split("\n"), [
    "true",
    "ResourceError invalid",
    "ResourceError aborted",
    "ResourceError invalid",
    "ResourceError invalid",
    "undefined 5 true",
    "invalid",
  ]);
});

test("a failed start is a ResourceError of each call, within its timeout, and may be repeated", () => {
  const folder = project("node-no-start", {
    "main.js": `
      import { readFileSync, readdirSync } from "node:fs";
      import { init, ResourceClient } from "./node_modules/resource-edge/browser.js";
      const fetch = async () => Response.json({ id: "a", version: 1 });
      const client = new ResourceClient({ projectKey: "demo", baseUrl: "https://api.test", fetch });
      const read = (options) =>
        client.getById("a", {}, options).catch(({ kind, cause }) => console.log(kind, cause instanceof Error));
      let fail;
      const bad = init(new Promise((_, reject) => (fail = reject))).catch(() => {});
      await read({ timeout: 20 });
      await read({ signal: AbortSignal.timeout(20) });
      const waiting = read();
      fail(new Error("no bytes"));
      await Promise.all([waiting, bad]);
      await init(readFileSync("node_modules/resource-edge/wasm/resource_edge_bg.wasm"));
      console.log((await client.getById("a")).id);`,
  });
  const printed = run(process.execPath, ["main.js"], folder);
  assert.equal(printed, "timeout false\naborted true\nunexpected true\na\n");
});
