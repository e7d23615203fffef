// A call of the npm package's client beside openapi-fetch over the same stubbed fetch, in one run, rounds interleaved.
//
//   node benches/client.mjs            the tables, and the memory after ten thousand calls
//   node benches/client.mjs --quick    shorter rounds
import createClient from "openapi-fetch";

import { ResourceClient } from "../pkg/dist/node.js";
import { bytes } from "../pkg/dist/core/instance.js";
import { columns, head, race, row, size } from "./lib/race.mjs";

const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 5 : 15;
const ROUND_MS = quick ? 20 : 60;
const BASE = "https://api.example.com";
const TOKEN = "a-token-of-some-length".repeat(20);

const arrays = (count) => ({
  arrayOfIntExample: Array.from({ length: count }, (_, at) => at * 3),
  arrayOfUniqueIntExample: Array.from({ length: count }, (_, at) => at),
  arrayOfTwonumbersExample: [13, 52],
  arrayOfFloatExample: Array.from({ length: count }, (_, at) => at / 8),
  arrayOfNumberNoDefaultsExample: [],
  arrayOfStringExample: Array.from({ length: count }, (_, at) => `item number ${at}`),
  arrayOfObjectType: Array.from({ length: count }, (_, at) => ({ integerExample: at, integerExampleInt32: -at })),
});

const resource = (at) => ({
  id: `0198c5d4-0000-7000-8000-${String(at).padStart(12, "0")}`,
  version: 3,
  key: `order-${at}`,
  createdAt: "2026-01-01T00:00:00.000Z",
  lastModifiedAt: "2026-01-02T00:00:00.000Z",
  objectTypeProperty: arrays(4),
  someProperty: "What some property says",
});

const one = JSON.stringify(resource(1));
const page = JSON.stringify({
  limit: 20,
  offset: 0,
  count: 20,
  total: 20,
  results: Array.from({ length: 20 }, (_, at) => resource(at)),
});
const { id } = resource(1);
/** @type {any} of as many numbers as the schema says */
const draft = { key: "order-1", objectTypeProperty: arrays(4), someProperty: "new" };
/** @type {import("../pkg/dist/generated/bodies.js").ResourceUpdate} */
const update = { version: 3, actions: [{ action: "changeSomeProperty", someProperty: "new" }] };
const params = { where: "arrayOfIntExample contains any (6)", sort: "lastModifiedAt desc", limit: 20, withTotal: true };

// Each side gets the response of the service. Both sides pay for creating it.
let answer;
let sent = 0;
async function stub() {
  sent++;
  return new Response(answer, {
    headers: { "Content-Type": "application/json", "Resource-Revision": "1767312000000", ETag: '"a.1"' },
  });
}

const options = { projectKey: "demo", baseUrl: BASE, token: TOKEN };
const own = new ResourceClient({ ...options, fetch: stub });
const standard = new ResourceClient(options);
/** @type {import("openapi-fetch").Client<any>} */
const peer = createClient({ baseUrl: BASE, fetch: stub, headers: { Authorization: `Bearer ${TOKEN}` } });

// Only our side validates bodies, generates idempotency keys, keeps the session, limits the time, and would retry.
const path = { projectKey: "demo" };
/** @type {[string, string, (client: ResourceClient) => Promise<unknown>, () => Promise<any>][]} */
const calls = [
  [
    "getById",
    one,
    (client) => client.getById(id),
    () => peer.GET("/{projectKey}/resource/{id}", { params: { path: { ...path, id } } }),
  ],
  [
    "querySorted, 20 results",
    page,
    (client) => client.querySorted(params),
    () => peer.GET("/{projectKey}/resource/sorted-query-parameters", { params: { path, query: params } }),
  ],
  [
    "updateById",
    one,
    (client) => client.updateById(id, update),
    () => peer.POST("/{projectKey}/resource/{id}", { params: { path: { ...path, id } }, body: update }),
  ],
  [
    "createOrUpdate",
    one,
    (client) => client.createOrUpdate(draft),
    () => peer.POST("/{projectKey}/resource", { params: { path }, body: draft }),
  ],
];

async function time(side, count) {
  const start = process.hrtime.bigint();
  for (let left = count; left > 0; left--) await side();
  return Number(process.hrtime.bigint() - start);
}

/** Checks that both sides return the same resource. */
async function agree(name, client, ours, theirs) {
  const [result, { data, error }] = [await ours(client), await theirs()];
  if (error !== undefined || JSON.stringify(result) !== answer || JSON.stringify(data) !== answer)
    throw new Error(`${name}: the sides differ`);
}

async function table(title, client) {
  console.log(`\n${head([title, "response", ...columns("openapi-fetch")])}`);
  for (const [name, text, ours, theirs] of calls) {
    answer = text;
    await agree(name, client, ours, theirs);
    const [our, their] = await race([() => ours(client), theirs], { rounds: ROUNDS, milliseconds: ROUND_MS, time });
    console.log(row(name, [size(text.length)], our, their, 1));
  }
}

globalThis.fetch = stub;
console.log(`Node ${process.version}, ${ROUNDS} interleaved rounds of ${ROUND_MS} ms, medians`);
await table("a call over an own fetch", own);
await table("a call over the default transport", standard);

const pages = () => bytes().byteLength / 65536;
const spend = async (count) => {
  for (let at = 0; at < count; at++) {
    const [, text, call] = calls[at % calls.length];
    answer = text;
    await call(at % 8 < 4 ? own : standard);
  }
};
await spend(100);
const before = pages();
await spend(10_000);
console.log(
  `\nWebAssembly memory: ${before} pages after a hundred calls, ${pages()} after ten thousand more; ${sent} ` +
    "requests in all.",
);
if (pages() !== before) process.exitCode = 1;
