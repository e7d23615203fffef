// `make serve`: the bundle on plain workerd, with its data on disk, through crashes and restarts.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readPlatform } from "../../src/worker/self-hosted/workerd.mjs";
import { startGroup } from "../support/group.mjs";
import { PLATFORM } from "../support/platform.mjs";
import { eventually } from "../support/waiting.mjs";
import { bash, connectTo, folder, pathWithNpx, ROOT, secretsOf, settings, tokenRequest } from "./support.mjs";
import { connect } from "./support/socket.mjs";

const SCRIPT = join(ROOT, "build/self-hosted/serve.mjs");

/** Starts the script on a free port, with the functions by which tests call it. It has no `url` if it ends before. */
async function serve(data, environment = settings(), args = [SCRIPT, "--port", "0", "--data", data]) {
  const env = { PATH: process.env.PATH, ...environment };
  const server = startGroup(process.execPath, args, { cwd: ROOT, env });
  const [, url] = (await server.printed(/Serving (http:\S+)/)) ?? [];
  return url === undefined ? /** @type {any} */ (server) : connectTo(server, new URL(url));
}

const create = (server, body) => server.call("POST /demo/resource", { body: { objectTypeProperty: {}, ...body } });

test("data survives a crash, and so do the copies in KV", { timeout: 60_000 }, async () => {
  const data = folder();
  const first = await serve(data);
  const created = [];
  for (const key of ["one", "two", "three"]) {
    const { status, json } = await create(first, { key });
    assert.equal(status, 201);
    created.push(json);
  }
  assert.deepEqual((await first.call("GET /demo/resource/key=two")).json, created[1]);
  await first.end("SIGKILL");

  const second = await serve(data);
  for (const resource of created) {
    assert.deepEqual((await second.call(`GET /demo/resource/${resource.id}`)).json, resource);
    assert.deepEqual((await second.fresh(`GET /demo/resource/key=${resource.key}`)).json, resource);
  }
  const body = { version: 1, actions: [{ action: "doSomeThing" }] };
  const { status, json } = await second.call(`POST /demo/resource/${created[0].id}`, { body });
  assert.deepEqual([status, json.version], [200, 2]);
  assert.equal((await second.call("GET /demo/resource?where=version%20=%202")).json.total, 1);
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

test("one server at a time has the data of a folder, and workerd ends with it, after SIGKILL too", {
  timeout: 60_000,
}, async () => {
  const data = folder();
  const first = await serve(data);
  await create(first, { key: "one" });
  const refused = await serve(data);
  assert.equal(await refused.exited, 1);
  const message = `error: Another server uses the data in ${data}. Stop it, or use another folder.\n`;
  assert.equal(refused.output, message);
  for (const key of ["two", "three"]) {
    process.kill(first.pid, "SIGKILL");
    await eventually(() => assert.rejects(fetch(first.url)));
    // It may start while the old workerd still ends.
    const next = await serve(data);
    assert.equal((await create(next, { key })).status, 201);
    Object.assign(first, { pid: next.pid, url: next.url });
  }
  process.kill(first.pid, "SIGKILL");
});

test("without flock and a shell, serve reports that nothing holds its data", { timeout: 30_000 }, async () => {
  const server = await serve(folder(), { ...settings(), PATH: "" });
  assert.match(
    server.output,
    /^flock \(util-linux\) cannot lock .*, so nothing keeps another server from this data\.$/m,
  );
  assert.equal((await create(server)).status, 201);
  await server.end("SIGTERM");
});

test("only the owner may read the data, those of an older server too", { timeout: 30_000 }, async () => {
  const data = join(folder(), "data");
  mkdirSync(join(data, "state"), { recursive: true, mode: 0o755 });
  chmodSync(data, 0o755);
  const server = await serve(data);
  await create(server, { key: "one" });
  await server.end("SIGTERM");
  const modeOf = (/** @type {string} */ path) => statSync(join(data, path)).mode & 0o77;
  const paths = readdirSync(data, { recursive: true, encoding: "utf8" });
  const open = paths.filter((path) => modeOf(path) !== 0 && !path.startsWith("modules/"));
  assert.deepEqual([open, paths.some((path) => path.endsWith(".sqlite"))], [[], true]);
  const fresh = join(folder(), "data");
  const other = await serve(fresh);
  assert.equal(statSync(fresh).mode & 0o777, 0o700);
  await other.end("SIGTERM");
});

test("it listens at an address of IPv6", { timeout: 30_000 }, async () => {
  for (const host of ["::1", "[::1]"]) {
    const server = await serve(folder(), settings(), [SCRIPT, "--host", host, "--port", "0", "--data", folder()]);
    assert.match(server.url.href, /^http:\/\/\[::1\]:\d+\/$/);
    assert.equal((await fetch(`${server.url}openapi.json`)).status, 200);
    await server.end("SIGTERM");
  }
});

test("a socket to the changes passes the front, and gets a write", { timeout: 30_000 }, async () => {
  const server = await serve(folder());
  const socket = await connect(server, "demo");
  await socket.next();
  const { json } = await create(server);
  assert.deepEqual((await socket.next()).slice(1), [json]);
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
  assert.ok(await server.printed(/error: .*TOKEN_TTL: expected whole seconds from 60/), server.output);
  await server.end("SIGTERM");
});

test("the guide's commands print valid settings, and the guide's unit starts the service", {
  timeout: 60_000,
}, async () => {
  const guide = readFileSync(join(ROOT, "src/guide/operate/operations.md"), "utf8")
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
  const request = tokenRequest("my-client", printed("client secret"), "manage_test:demo");
  assert.equal((await server.send(request)).status, 200);
  await server.end("SIGTERM");
});

test("a service has the largest resource, and its document", { timeout: 60_000 }, async () => {
  const data = folder();
  const file = join(data, "resources.json");
  // The most properties, with the longest names.
  const item = { type: "string", format: "date-time" };
  const more = Array.from({ length: 199 }, (_, at) => [`f${at}`.padEnd(64, "x"), { type: "array", items: item }]);
  const product = { type: "object", properties: { title: { type: "string" }, ...Object.fromEntries(more) } };
  writeFileSync(file, JSON.stringify({ resources: { product } }));
  const server = await serve(data, settings(), [SCRIPT, "--port", "0", "--data", data, "--resources", file]);
  const created = await server.call("POST /demo/resource", { body: { key: "a", title: "One" } });
  assert.equal(created.json.title, "One");
  const openapi = async (headers = {}) => {
    const response = await fetch(`${server.url}demo/openapi.json`, { headers });
    return { status: response.status, etag: response.headers.get("ETag"), text: await response.text() };
  };
  const document = await openapi();
  assert.deepEqual(JSON.parse(document.text)["x-resource"], { name: "product", schema: product });
  assert.deepEqual(await openapi(), document);
  // A proxy may refuse long headers.
  assert.match(document.etag, /^".{20,60}"$/);
  assert.deepEqual(await openapi({ "If-None-Match": document.etag }), { status: 304, etag: document.etag, text: "" });
  await server.end("SIGTERM");
});
