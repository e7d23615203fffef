// The published files: the Worker's upload, the console's files, and the npm package. They contain no secrets and no
// paths of the build machine.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ROOT, checkLog, secretsOf } from "./support.mjs";

const files = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(map|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? /** @type {any} */ (entry).path, entry.name));

const PUBLISHED = ["build/dist", "build/site", "pkg/dist"].flatMap(files);
/** Every file, with one character per byte. The inlined WebAssembly is decoded. */
const texts = PUBLISHED.map((path) => {
  const text = readFileSync(path, "latin1");
  const inlined = path.endsWith("wasm/inline.js") ? Buffer.from(text.split('"')[1], "base64").toString("latin1") : "";
  return [path, text + inlined];
});

/** Fails if the pattern matches a file. */
function without(pattern) {
  for (const [path, text] of texts) {
    const at = text.search(pattern);
    assert.equal(at, -1, `${path} has ${JSON.stringify(text.slice(Math.max(0, at - 20), at + 80))}`);
  }
}
const literally = (text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));

test("the published files exist and include WebAssembly", () => {
  assert.ok(texts.length > 50, `${texts.length} files`);
  // The WebAssembly of the Worker and the console, both also in the package, of the package, and of its syntax check.
  assert.equal(PUBLISHED.filter((path) => path.endsWith(".wasm")).length, 6);
});

// Cloudflare accepts 3 MB. This limit is lower, because each start of the Worker loads all of the upload: code that
// makes it much larger should be a decision, which changes this number.
test("the Worker's upload has at most 720 KiB, gzipped", () => {
  const upload = files("build/dist").map((path) => readFileSync(path));
  const kib = gzipSync(Buffer.concat(upload)).length / 1024;
  assert.ok(kib > 100 && kib <= 720, `${kib.toFixed(2)} KiB`);
});

test("the published files contain no path of the build machine", () => {
  const { CARGO_HOME, CARGO_TARGET_DIR, RUSTUP_HOME } = process.env;
  for (const local of [ROOT, homedir(), CARGO_HOME, CARGO_TARGET_DIR, RUSTUP_HOME]) {
    if (local !== undefined && local.length > 4) without(literally(`${local.replace(/\/$/, "")}/`));
  }
  without(/\/root\/|\/home\/|\/Users\/|[A-Z]:\\Users|\.cargo\/|\.rustup\/|registry\/src/);
});

test("the published files contain no secret of the tests, of `make dev`, or of an npm or Cloudflare account", () => {
  for (const secret of secretsOf()) without(literally(secret));
  without(/-----BEGIN [A-Z ]*PRIVATE KEY-----|\bnpm_[A-Za-z0-9]{36}|\bCLOUDFLARE_API_TOKEN\b/);
  const local = readdirSync(ROOT).includes(".dev.vars") ? readFileSync(join(ROOT, ".dev.vars"), "utf8") : "";
  for (const [, secret] of local.matchAll(/^TOKEN_SECRET=["']?([^"'\n]+)/gm)) without(literally(secret));
});

test("a secret or a token in a Worker's log is found when the Worker stops", () => {
  const tokens = new Map([["p", "a.b.c"]]);
  for (const secret of [...secretsOf(), "a.b.c"])
    assert.throws(() => checkLog({ log: ["{}", `{"cause":"${secret}"}`], tokens }), /the log has secrets/);
  checkLog({ log: ["{}"], tokens });
});
