import assert from "node:assert/strict";
import { test } from "node:test";

import { check, program, project, run } from "./support.mjs";

const prints = "const report = (value) => console.log(JSON.stringify(value));\n";

test("Node runs it without waiting, imported or required", () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const folder = project("node", {
    "main.js": prints + program("resource-edge"),
    "main.cjs": `const { validate } = require("resource-edge"); console.log(validate("complexBody", {}).valid);`,
  });
  check(JSON.parse(run(process.execPath, ["main.js"], folder)), true);
  // Modules can be required from these versions on.
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
    assert.equal(run(process.execPath, ["--no-warnings", "main.cjs"], folder).trim(), "true");
  }
});

test("in Node the inline entry waits for its init, as in a page", () => {
  const folder = project("node-inline", { "main.js": prints + program("resource-edge/inline") });
  check(JSON.parse(run(process.execPath, ["main.js"], folder)), false);
});

test("the browser's entry takes bytes, a module, or a promise of either, once, and again after a failure", () => {
  const folder = project("node-browser", {
    "main.js": `
      import { readFileSync } from "node:fs";
      import { init, validate } from "./node_modules/resource-edge/browser.js";
      const bytes = readFileSync("node_modules/resource-edge/wasm/resource_edge_bg.wasm");
      const source = { bytes, module: new WebAssembly.Module(bytes), promise: Promise.resolve(bytes) }[process.argv[2]];
      await init(new Uint8Array(3)).catch((error) => console.log(error.name));
      await Promise.all([init(source), init(source)]);
      await init();
      console.log(validate("complexBody", {}).valid);`,
  });
  for (const source of ["bytes", "module", "promise"]) {
    assert.equal(run(process.execPath, ["main.js", source], folder), "CompileError\ntrue\n", source);
  }
});

test("a client that nobody started starts by its first call, and says then what is wrong with its options", () => {
  const folder = project("node-start", {
    "main.js": `
      import { ready, ResourceClient, validate } from "resource-edge/inline";
      const sent = [];
      const fetch = async (url, init) => (sent.push(init.method + " " + url), Response.json({ id: "a", key: "k", version: 1, results: [] }));
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
      const all = [client.getById("a"), client.createOrUpdate({ objectTypeProperty: {} }), client.modify({ key: "k" }, () => [{ action: "doSomeThing" }]), client.pages().next()];
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

test("a start that fails is a ResourceError of each call, within its time, and may be repeated", () => {
  const folder = project("node-no-start", {
    "main.js": `
      import { readFileSync } from "node:fs";
      import { init, ResourceClient } from "./node_modules/resource-edge/browser.js";
      const client = new ResourceClient({ projectKey: "demo", baseUrl: "https://api.test", fetch: async () => Response.json({ id: "a", version: 1 }) });
      const never = init(new Promise(() => {}));
      await client.getById("a", {}, { timeout: 20 }).catch(({ name, kind }) => console.log(name, kind));
      await client.getById("a", {}, { signal: AbortSignal.timeout(20) }).catch(({ name, kind }) => console.log(name, kind));
      process.exit();`,
    "bad.js": `
      import { readFileSync } from "node:fs";
      import { init, ResourceClient } from "./node_modules/resource-edge/browser.js";
      const client = new ResourceClient({ projectKey: "demo", baseUrl: "https://api.test", fetch: async () => Response.json({ id: "a", version: 1 }) });
      const bad = init(new Uint8Array(3)).catch(() => {});
      await client.getById("a").catch(({ name, kind, cause }) => console.log(name, kind, cause instanceof Error));
      await bad;
      await init(readFileSync("node_modules/resource-edge/wasm/resource_edge_bg.wasm"));
      console.log((await client.getById("a")).id);`,
  });
  assert.equal(run(process.execPath, ["main.js"], folder), "ResourceError timeout\nResourceError aborted\n");
  assert.equal(run(process.execPath, ["bad.js"], folder), "ResourceError unexpected true\na\n");
});
