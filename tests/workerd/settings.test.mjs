// Settings that the platform applies. The tests check the arguments of its bindings, because the local platform ignores
// or rejects these settings.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, folder, project, startIn } from "./support.mjs";

/** Returns the binding calls of a read by key and of a read by ID under the settings. */
async function recorded(t, changes) {
  const worker = await startIn(t, { changes, faulty: true });
  const name = project();
  const created = await worker.create(name, "a", { key: "k" });
  assert.equal(created.status, 201, created.text);
  assert.equal((await worker.fresh(`GET /${name}/resource/a`)).status, 200);
  assert.equal((await worker.call(`GET /${name}/resource/b`)).status, 404);
  await worker.call(`GET /${name}/resource/key=b`);
  const { objects, reads } = await worker.calls();
  return { objects: objects.filter((object) => object.name === `v1/${name}`), reads };
}

test("calls of objects have the location hint and jurisdiction, and reads of KV their cache time", async (t) => {
  for (const [changes, jurisdiction, options, cacheTtl] of [
    [{}, undefined, undefined, 30],
    [{ LOCATION_HINT: "weur", JURISDICTION: "eu", KV_CACHE_TTL: "3600" }, "eu", { locationHint: "weur" }, 3600],
  ]) {
    const { objects, reads } = await recorded(t, changes);
    const hints = objects.map(({ jurisdiction, options }) => [jurisdiction, options]);
    assert.deepEqual(hints, Array(4).fill([jurisdiction, options]));
    const caches = reads.map(({ options }) => options);
    assert.deepEqual(
      caches,
      ["arrayBuffer", "text"].map((type) => ({ type, cacheTtl })),
    );
  }
});

test("a setting of another type is read as its JSON", async (t) => {
  const worker = await startIn(t, { changes: { TOKEN_TTL: 60 } });
  const [, claims] = (await worker.token("p", "manage_test")).split(".");
  const { iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
  assert.equal(exp - iat, 60);
  const changes = { TOKEN_TTL: 59, CORS_ORIGINS: ["https://a.example"], READ_DEFAULT: true, LOG: { level: "all" } };
  const wrong = await startIn(t, { changes });
  const { status, json } = await wrong.call("GET /p/resource/a");
  assert.equal(status, 503);
  for (const name of Object.keys(changes)) assert.ok(json.message.includes(`${name}: expected`), json.message);
});

test("a deployment without the console serves none of its files", async (t) => {
  const out = join(folder(), "site");
  execFileSync(join(ROOT, ".ci/site"), [out], { env: { ...process.env, CONSOLE: "off" } });
  assert.deepEqual(readdirSync(out).sort(), ["_headers", "openapi.json"]);
  const worker = await startIn(t, { site: out });
  const get = (target) => worker.send({ method: "GET", target });
  for (const target of ["/", "/index.html", "/app.js", "/pkg/browser.js"]) {
    const { status, headers } = await get(target);
    assert.deepEqual([status, headers["content-type"]], [404, "application/json; charset=utf-8"], target);
  }
  assert.equal((await get("/openapi.json")).status, 200);
});

/** Runs `.ci/site` with this line in `[vars]` of wrangler.toml. Returns the files that it wrote. */
function site(line, environment = {}) {
  const root = folder();
  for (const name of ["build", "node_modules", "pkg"]) symlinkSync(join(ROOT, name), join(root, name));
  for (const name of [".ci", "www", "tsconfig.json"]) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  writeFileSync(join(root, "wrangler.toml"), `${readFileSync(join(ROOT, "wrangler.toml"), "utf8")}\n[vars]\n${line}\n`);
  const { CONSOLE: _, ...env } = process.env;
  execFileSync(join(root, ".ci/site"), [join(root, "site")], { env: { ...env, ...environment }, stdio: "pipe" });
  return readdirSync(join(root, "site")).sort();
}

test("a deployment reads CONSOLE from the environment or from [vars], and a wrong value stops the build", () => {
  assert.deepEqual(site("CONSOLE='off' # no page"), ["_headers", "openapi.json"]);
  assert.deepEqual(site('CONSOLE = "on"', { CONSOLE: "off" }), ["_headers", "openapi.json"]);
  assert.ok(site('  CONSOLE  =  "on"').includes("index.html"));
  assert.throws(() => site("", { CONSOLE: "no" }), /CONSOLE must be "on" or "off"/);
  for (const line of ["CONSOLE = false", "CONSOLE = 'Off'"])
    assert.throws(() => site(line), /CONSOLE must be "on" or "off"/, line);
});
