// The boundary of the npm client: the number of boundary calls of each kind of call, and their arguments.

import assert from "node:assert/strict";
import { test } from "node:test";
import { boundaryCalls, counting } from "../support/boundary-calls.mjs";

const resource = { id: "a", key: "k", version: 1, lastModifiedAt: "2026-01-01T00:00:00.000Z", objectTypeProperty: {} };
const OPTIONS = { projectKey: "demo", baseUrl: "https://api.test", token: "secret", retry: { baseDelay: 0 } };

const { ResourceClient } = await counting(() => import("../../pkg/dist/node.js"));
globalThis.fetch = own;
let sent = [];
let respond;

async function own(url, init) {
  sent.push([url, Object.fromEntries(new Headers(init.headers))]);
  return respond();
}

/** Returns clients of the two transports: the global `fetch`, and a caller's. */
const clients = () => [new ResourceClient(OPTIONS), new ResourceClient({ ...OPTIONS, fetch: own })];

/** Returns the boundary calls of a call after the first one, which reserves the buffer. */
async function boundaryCallsOf(client, call) {
  await call(client);
  boundaryCalls.length = 0;
  await call(client);
  return [...boundaryCalls];
}

// The address is a string, which the glue frees.
const READ = ["clientcore_render", "-> set", "__wbindgen_free", "clientcore_observations", "clientcore_next"];
const PAGE = { results: Array.from({ length: 500 }, (_, at) => ({ ...resource, id: `ä${at}` })) };
for (const [what, call, answer, calls] of /** @type {[string, (client: any) => Promise<any>, object, string[]][]} */ ([
  ["a read is two calls for its request and one for its response", (c) => c.getById("a"), resource, READ],
  [
    "a page has the calls of a resource, and one for a number among its parameters",
    (c) => c.querySorted({ limit: 500 }),
    PAGE,
    [READ[0], "-> Number", ...READ.slice(2)],
  ],
  [
    "a write has one more call for each header, and one to validate its text",
    (c) => c.updateById("a", { version: 1, actions: [] }),
    resource,
    ["invalid", READ[0], "-> set", ...READ.slice(1)],
  ],
])) {
  test(`${what}, over either transport`, async () => {
    respond = () => Response.json(answer);
    for (const client of clients()) assert.deepEqual(await boundaryCallsOf(client, call), calls);
  });
}

test("a retry repeats the boundary calls, with the current minimum revision", async () => {
  for (const client of clients()) {
    const responses = [new Response("busy", { status: 503 }), Response.json(resource)];
    respond = () => responses.shift();
    boundaryCalls.length = 0;
    sent = [];
    await client.getById("a");
    const calls = boundaryCalls.filter((name) => name.startsWith("clientcore_") && name !== "clientcore_observations");
    assert.deepEqual(calls, [
      "clientcore_render",
      "clientcore_next",
      "clientcore_unknown",
      "clientcore_progress",
      "clientcore_pause",
      "clientcore_render",
      "clientcore_next",
    ]);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[0], sent[1]);
  }
});

test("a caller's fetch gets a plain object of headers, and a new one for each attempt", async () => {
  const seen = [];
  const responses = [new Response("busy", { status: 503 }), Response.json(resource)];
  const fetch = async (_url, init) => {
    seen.push(structuredClone(init.headers));
    init.headers["X-Trace"] = "1";
    return responses.shift();
  };
  await new ResourceClient({ ...OPTIONS, fetch, headers: { set: "a" } }).getById("a");
  assert.deepEqual(seen, [
    { set: "a", Authorization: "Bearer secret" },
    { set: "a", Authorization: "Bearer secret" },
  ]);
});
