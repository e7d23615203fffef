// The boundary calls of each kind of request to the Worker. Every JavaScript engine needs the same calls, so this test
// runs in Node, with a KV and an object that reply at once. A budget that grows has to be changed here on purpose.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { boundaryCalls, counting } from "../support/boundary-calls.mjs";

const BUILT = new URL("../../build/worker/", import.meta.url);

/** Imports the Worker's modules without its entry, as one module of JavaScript. */
async function worker() {
  const contents =
    'export * from "./build/worker/resource_edge.js"; export { configure } from "./src/worker/edge/effects.ts";';
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: fileURLToPath(new URL("../../", import.meta.url)) },
    bundle: true,
    write: false,
    format: "esm",
    logOverride: { "duplicate-object-key": "silent" },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const [, format] = /pub const FORMAT: u8 = (\d+);/.exec(
  readFileSync(new URL("../../src/call/wire.rs", import.meta.url), "utf8"),
);
const FORMAT = Number(format);
// Heads of replies, after the format. The edge handles the reply of each result in the same way.
/** `CallResult::Exists(true)` */
const EXISTS = Uint8Array.of(FORMAT, 2, 1, 0, 0, 0, 0, 0);
/** `CallResult::Replication { bypass_kv: false }` */
const NOT_REFUSED = Uint8Array.of(FORMAT, 5, 0, 0, 0, 0, 0, 0);
let reply = NOT_REFUSED;

const env = {
  TOKEN_SECRET: "a secret that only this test knows, of 32 bytes",
  API_CLIENTS: JSON.stringify([
    { id: "a", secretHash: createHash("sha256").update("s").digest("hex"), scopes: ["manage_test:p"] },
  ]),
  RESOURCES: {
    getWithMetadata: async (key) =>
      key.startsWith("k1:")
        ? { value: "a", metadata: { revision: 1 } }
        : { value: new ArrayBuffer(2), metadata: { revision: 1, key: "k" } },
  },
  PROJECTS: { getByName: () => ({ perform: async () => [reply, undefined] }) },
};
const core = await counting(async () => {
  const bindings = await worker();
  bindings.initSync({ module: readFileSync(new URL("resource_edge_bg.wasm", BUILT)) });
  return bindings;
});
let afterwards;
const bound = /** @type {import("../../src/worker/types.js").Environment} */ (/** @type {unknown} */ (env));
core.configure(bound, core.contract(), (promise) => (afterwards = promise));
const credentials = { Authorization: `Basic ${btoa("a:s")}`, "Content-Type": "application/x-www-form-urlencoded" };
const token = (await (await send("POST", "/oauth/token", credentials, "grant_type=client_credentials")).json())
  .access_token;
const read = (path) => send("GET", path, { Authorization: `Bearer ${token}` });
// The check of the project follows its first read.
await read("/p/resource/a");
assert.notEqual(afterwards, undefined, "the runtime does not wait for the check");
await afterwards;
reply = EXISTS;

/** Handles a request as the entry does. Node, unlike workerd, sets no `Content-Length` from a body. */
function send(method, path, headers, body) {
  const length = body === undefined ? {} : { "Content-Length": String(body.length) };
  const request = new Request(`https://a.test${path}`, { method, headers: { ...headers, ...length }, body });
  return core.handle(request.method, request.url, request.headers, request, env);
}

/** Returns the boundary calls of a request, except those for memory, which the bindings add when strings are passed. */
async function callsOf(request) {
  boundaryCalls.length = 0;
  const { status } = await request();
  return [status, boundaryCalls.filter((name) => !/wbindgen_(malloc|realloc|free|externrefs)/.test(name))];
}
const headers = (count) => Array(count).fill("-> header");
/** A request with a known token. */
const AUTHENTICATED = ["handle", "-> now", ...headers(1), "-> now"];
/** The correlation ID and CORS, then the response. */
const FINISHED = [...headers(1), "-> getRandomValues", ...headers(1), "-> respond"];

const COPY = ["-> readCopy", "exchange_resumeWithCopy", "-> __wbindgen_is_null"];
const POINTER = ["-> readPointer", "exchange_resumeWithPointer"];
const REPLY = ["-> callObject", "exchange_resumeWithReply", "-> __wbindgen_is_undefined"];
// A write reads six more headers: media type, coding, preconditions, idempotency key, and preference.
const BODY = [...headers(6), "-> readBody", "exchange_resumeWithBody"];
const write = () => {
  const json = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return send("POST", "/p/resource", json, JSON.stringify({ objectTypeProperty: {} }));
};

test("a request without effects is one boundary call", async () => {
  const [status, calls] = await callsOf(() => send("GET", "/p/resource/a", {}));
  assert.equal(status, 401);
  assert.deepEqual(calls, ["handle", "-> now", ...headers(3), "-> getRandomValues", ...headers(1), "-> respond"]);
});

for (const [what, request, effects] of /** @type {[string, () => Promise<Response>, string[]][]} */ ([
  [
    "a read of KV is two boundary calls with one effect between them",
    () => read("/p/resource/a"),
    [...headers(3), ...COPY],
  ],
  ["a read by key is three boundary calls", () => read("/p/resource/key=k"), [...headers(3), ...POINTER, ...COPY]],
  ["a query of the object is two boundary calls", () => read("/p/resource"), REPLY],
  ["a write is two boundary calls, and one more for its body", write, [...BODY, ...REPLY]],
])) {
  test(what, async () => {
    assert.deepEqual(await callsOf(request), [200, [...AUTHENTICATED, ...effects, ...FINISHED]]);
  });
}
