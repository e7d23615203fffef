// `make serve`: the bundle on plain workerd, with its data on disk, through crashes and restarts.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readPlatform } from "../../src/worker/self-hosted/workerd.mjs";
import { PLATFORM } from "../support/platform.mjs";
import { bash, eventually, folder, pathWithNpx, ROOT, secretsOf, settings } from "./support.mjs";
import { connect } from "./support/socket.mjs";

const SCRIPT = join(ROOT, "build/self-hosted/serve.mjs");

/** Starts the script on a free port. Returns the address, and a function that ends it. */
async function serve(data, environment = settings(), args = [SCRIPT, "--port", "0", "--data", data]) {
  const known = { PATH: process.env.PATH, ...environment };
  const script = spawn(process.execPath, args, {
    cwd: ROOT,
    env: known,
    detached: true,
  });
  const exited = new Promise((resolve) => script.once("exit", resolve));
  const server = { output: "", exited, pid: script.pid };
  process.once("exit", () => server.end("SIGKILL"));
  /** Sends a signal to the script and to workerd. */
  server.end = (signal) => {
    try {
      process.kill(-script.pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
    return exited;
  };
  server.url = await new Promise((resolve) => {
    exited.then(() => resolve(undefined));
    for (const stream of [script.stdout, script.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        server.output += text;
        const found = /Serving (http:\S+)/.exec(server.output);
        if (found) resolve(found[1]);
      });
    }
  });
  return server;
}

async function token(url, client = "tests:tests-secret") {
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: "manage_test:demo" });
  const Authorization = `Basic ${Buffer.from(client).toString("base64")}`;
  const response = await fetch(`${url}oauth/token`, { method: "POST", headers: { Authorization }, body });
  assert.equal(response.status, 200);
  return (await response.json()).access_token;
}

async function call(url, path, init = {}) {
  const headers = { Authorization: `Bearer ${await token(url)}`, "Content-Type": "application/json", ...init.headers };
  const response = await fetch(`${url}demo/resource${path}`, { ...init, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("data survives a crash, and so do the copies in KV", { timeout: 60_000 }, async () => {
  const data = folder();
  const first = await serve(data);
  const created = [];
  for (const key of ["one", "two", "three"]) {
    const { status, body } = await call(first.url, "", {
      method: "POST",
      body: JSON.stringify({ key, objectTypeProperty: {} }),
    });
    assert.equal(status, 201);
    created.push(body);
  }
  assert.deepEqual((await call(first.url, "/key=two")).body, created[1]);
  await first.end("SIGKILL");

  const second = await serve(data);
  for (const resource of created) {
    assert.deepEqual((await call(second.url, `/${resource.id}`)).body, resource);
    assert.deepEqual(
      (await call(second.url, `/key=${resource.key}`, { headers: { "Cache-Control": "no-cache" } })).body,
      resource,
    );
  }
  const { status, body } = await call(second.url, `/${created[0].id}`, {
    method: "POST",
    body: JSON.stringify({ version: 1, actions: [{ action: "doSomeThing" }] }),
  });
  assert.deepEqual([status, body.version], [200, 2]);
  assert.equal((await call(second.url, "?where=version%20=%202")).body.total, 1);
  await second.end("SIGTERM");
  const log = first.output + second.output;
  for (const secret of secretsOf())
    assert.ok(!log.includes(secret) && !readFileSync(join(data, "config.capnp"), "utf8").includes(secret));
});

test("an end of workerd that nobody asked for is a failure", { timeout: 30_000 }, async () => {
  const failed = await serve(folder());
  const [workerd] = readFileSync(`/proc/${failed.pid}/task/${failed.pid}/children`, "utf8").split(" ");
  process.kill(Number(workerd), "SIGKILL");
  assert.equal(await failed.exited, 1);
  const ended = await serve(folder());
  process.kill(ended.pid, "SIGTERM");
  assert.equal(await ended.exited, 0);
});

test("a socket to the changes passes the front, and gets a write", { timeout: 30_000 }, async () => {
  const server = await serve(folder());
  const socket = await connect({ url: new URL(server.url), token: () => token(server.url) }, "demo");
  await socket.next();
  const { body } = await call(server.url, "", { method: "POST", body: JSON.stringify({ objectTypeProperty: {} }) });
  assert.deepEqual((await socket.next()).slice(1), [body]);
  assert.equal(await socket.close(), 1000);
  await server.end("SIGTERM");
});

test("the console is served with its policy, and its files are revalidated", { timeout: 30_000 }, async () => {
  const server = await serve(folder());
  const page = await fetch(server.url);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("Content-Type"), "text/html; charset=utf-8");
  assert.match(page.headers.get("Content-Security-Policy"), /default-src 'none'/);
  const etag = page.headers.get("ETag");
  assert.equal((await fetch(server.url, { headers: { "If-None-Match": etag } })).status, 304);
  const module = await fetch(`${server.url}pkg/wasm/resource_edge_bg.wasm`);
  assert.equal(module.headers.get("Content-Type"), "application/wasm");
  await WebAssembly.compile(await module.arrayBuffer());
  assert.equal((await fetch(`${server.url}openapi.json`)).status, 200);
  assert.equal((await fetch(`${server.url}nothing`)).status, 404);
  await server.end("SIGTERM");
});

test("without a token issuer, the program names the setting", { timeout: 30_000 }, async () => {
  const server = await serve(folder(), {});
  assert.equal(await server.exited, 1);
  assert.match(server.output, /Set TOKEN_SECRET and API_CLIENTS/);
});

test("plain workerd has what wrangler reads in wrangler.toml", async () => {
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  const { compatibilityDate, kvNamespaces, durableObjects } = workerOptions;
  assert.equal(PLATFORM.date, compatibilityDate);
  assert.deepEqual([PLATFORM.kv], Object.keys(kvNamespaces));
  assert.equal(PLATFORM.assets, /** @type {{ binding: string }} */ (workerOptions.assets).binding);
  for (const [name, { className }] of Object.entries(durableObjects)) assert.equal(PLATFORM.objects[name], className);
});

test("a wrangler.toml that lacks a line, or has it on more lines, is an error that names it", () => {
  const file = join(folder(), "wrangler.toml");
  for (const line of ["run_worker_first = [", ""]) {
    writeFileSync(file, readFileSync(join(ROOT, "wrangler.toml"), "utf8").replace(/^run_worker_first = .*$/m, line));
    assert.throws(
      () => readPlatform(file),
      /^Error: wrangler.toml must have JSON in a line that begins with: run_worker/,
    );
  }
});

test("a wrong setting is reported at the start", { timeout: 30_000 }, async () => {
  const server = await serve(folder(), settings({ TOKEN_TTL: "59" }));
  const printed = () => /error: .*TOKEN_TTL: expected whole seconds from 60/.test(server.output);
  await eventually(() => assert.ok(printed(), server.output));
  await server.end("SIGTERM");
});

test("the guide's commands print valid settings, and the guide's unit starts the service", {
  timeout: 60_000,
}, async () => {
  const guide = readFileSync(join(ROOT, "src/guide/operations.md"), "utf8")
    .split("\n## Without Cloudflare\n")[1]
    .split("\n## ")[0];
  const [, commands] = /```sh\n(.*?)```/s.exec(guide);
  const lines = commands.trim().split("\n");
  const words = lines.map((line) => line.match(/^(?:export )?\w+( resource-edge \w+)?/)[0]);
  const [create, start] = ["npx resource-edge client", "npx resource-edge serve"];
  assert.deepEqual(words, ["export TOKEN_SECRET", create, "export API_CLIENTS", start]);
  // All but the server itself.
  const print = `printf 'TOKEN_SECRET   %s\\n' "$TOKEN_SECRET"`;
  const script = [lines[0], print, lines[1], "make -n serve"].join("\n");
  const stdout = await bash(script, { PATH: pathWithNpx() }, ROOT);
  const printed = (name) => new RegExp(`^${name} +(.*)$`, "m").exec(stdout)[1];
  assert.match(stdout, /^\.ci\/serve '127\.0\.0\.1' '8787' '\.workerd'$/m);

  const [, unit] = /```ini\n(.*?)```/s.exec(guide);
  const [, command] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(unit);
  const data = folder();
  const args = command.split(" ").map((word) =>
    word
      .replace(/^8787$/, "0")
      .replace("/var/lib/resource-edge", data)
      .replace(/^node_modules\/resource-edge/, "pkg/dist"),
  );
  assert.ok(args.includes("0") && args.includes(data), command);
  const environment = { TOKEN_SECRET: printed("TOKEN_SECRET"), API_CLIENTS: printed("API_CLIENTS") };
  const server = await serve(data, environment, args);
  await token(server.url, `my-client:${printed("client secret")}`);
  await server.end("SIGTERM");
});

test("a service with a table of own fields has them, and does not start with a wrong one", {
  timeout: 60_000,
}, async () => {
  const data = folder();
  const file = join(data, "fields.json");
  const args = [SCRIPT, "--port", "0", "--data", data, "--fields", file];
  // The most fields, with the longest names.
  const more = Array.from({ length: 39 }, (_, at) => ({ name: `f${at}`.padEnd(64, "x"), type: "datetime[]" }));
  const begin = (type) => {
    writeFileSync(file, JSON.stringify({ fields: [{ name: "title", type }, ...more] }));
    return serve(data, settings(), args);
  };
  const wrong = await begin("string");
  assert.equal(wrong.url, undefined);
  assert.match(wrong.output, /The type 'string' of the own field 'title' is unknown/);
  const server = await begin("text");
  const body = JSON.stringify({ key: "a", title: "One", objectTypeProperty: {} });
  assert.equal((await call(server.url, "", { method: "POST", body })).body.title, "One");
  const openapi = async (headers = {}) => {
    const response = await fetch(`${server.url}openapi.json`, { headers });
    return { status: response.status, etag: response.headers.get("ETag"), text: await response.text() };
  };
  const document = await openapi();
  assert.deepEqual(JSON.parse(document.text)["x-own-fields"], [{ name: "title", type: "text" }, ...more]);
  assert.deepEqual(await openapi(), document);
  // A proxy may refuse long headers.
  assert.match(document.etag, /^".{20,60}"$/);
  assert.deepEqual(await openapi({ "If-None-Match": document.etag }), { status: 304, etag: document.etag, text: "" });
  await server.end("SIGTERM");
  const changed = await begin("number");
  const { status, body: refusal } = await call(changed.url, "?where=version%3D1");
  assert.equal(status, 503);
  assert.match(refusal.message, /field 1 was 'title' of the type text\. .* Restore this one in fields\.json/);
  await changed.end("SIGTERM");
});
