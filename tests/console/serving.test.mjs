// The files of the console at their paths with their policy, and the API as without the console.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT, folder, startForTests } from "../workerd/support.mjs";

const worker = startForTests({ site: true });

const get = (target, headers = {}) => worker.send({ method: "GET", target, headers });

test("the page and all its files need no token and have the policy", async () => {
  const types = {
    "/": "text/html",
    "/app.js": "text/javascript",
    "/styles/console.css": "text/css",
    "/icon.svg": "image/svg+xml",
    "/pkg/browser.js": "text/javascript",
    "/pkg/wasm/resource_edge_bg.wasm": "application/wasm",
  };
  for (const [target, type] of Object.entries(types)) {
    const { status, headers } = await get(target);
    assert.equal(status, 200, target);
    assert.ok(headers["content-type"].startsWith(type), `${target}: ${headers["content-type"]}`);
    assert.match(
      headers["content-security-policy"],
      /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/,
      target,
    );
    assert.match(
      headers["content-security-policy"],
      /connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      target,
    );
    assert.deepEqual(
      [headers["x-content-type-options"], headers["referrer-policy"], headers["cross-origin-opener-policy"]],
      ["nosniff", "no-referrer", "same-origin"],
      target,
    );
    assert.match(headers["permissions-policy"], /geolocation=\(\)/);
    const again = await get(target, { "If-None-Match": headers.etag });
    assert.equal(again.status, 304, target);
  }
});

/** Returns the files in a folder whose names have the ending. */
const filesIn = (path, ending = "") =>
  readdirSync(path, { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(ending) && statSync(join(path, name)).isFile())
    .sort();

test("the console is one script and one file of styles: a page waits for no chain of them", async () => {
  const files = filesIn(join(ROOT, "build/site")).filter((name) => !name.startsWith("pkg/"));
  const others = ["icon.svg", "index.html", "openapi.json"];
  assert.deepEqual(files, ["_headers", "app.js", ...others, "styles/console.css"]);
  const { text: page } = await get("/");
  const linked = [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, target]) => target);
  assert.deepEqual(linked, ["/icon.svg", "/styles/console.css", "/pkg/wasm/resource_edge_bg.wasm", "/app.js"]);
  const [script, styles] = await Promise.all(["/app.js", "/styles/console.css"].map((target) => get(target)));
  assert.doesNotMatch(script.text, /^import|[;}]import[{"*]|import\("(?!\.\/wasm\/inline\.js)/m);
  assert.doesNotMatch(styles.text, /@import/);
});

test("building the site again touches no file", () => {
  const out = join(folder(), "site");
  const build = () => {
    execFileSync(join(ROOT, ".ci/site"), [out], { env: { ...process.env, CONSOLE: "on" } });
    return filesIn(out).map((name) => [name, statSync(join(out, name)).mtimeMs]);
  };
  const files = build();
  assert.ok(files.length > 50, `${files.length} files`);
  assert.deepEqual(build(), files);
});

test("a path without a file is a path of the API", async () => {
  for (const target of ["/nothing", "/styles", "/styles/", "/pkg/", "/pkg/node.js", "/_headers", "/demo"]) {
    const { status, headers } = await get(target);
    assert.deepEqual(
      [status, headers["content-type"], headers["content-security-policy"]],
      [404, "application/json; charset=utf-8", undefined],
      target,
    );
  }
  // Projects that have the names of files and folders.
  for (const target of [
    "/pkg/resource",
    "/styles/resource",
    "/styles/resource/console.css",
    "/index/resource/wasm",
    "/www/resource/key=app.js",
  ]) {
    const { status, headers } = await get(target);
    assert.deepEqual([status, headers["www-authenticate"]], [401, "Bearer"], target);
  }
});

test("no file has markup or styles that the policy forbids", async () => {
  const { text } = await get("/");
  assert.doesNotMatch(text, /<style|style=|<script(?![^>]*src=)|\son\w+=/i);
});
