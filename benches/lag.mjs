// How far KV is behind under steady load: `node benches/lag.mjs [--seconds 60] [--put-ms 60] [--connections 32]
// [--sides ours,hono]`. Clients create resources with keys, update them, and read them. Meanwhile probes update
// resources, and read them plainly until they see the update. Prints how long that took at most, how many writes were
// performed, and how long after the load KV had every write.
import { parseArgs } from "node:util";
import { Instance, ours } from "./lib/instance.mjs";
import { peer } from "./lib/peer.mjs";
import { Sender } from "./lib/sender.mjs";
import { tokenFor } from "./lib/token.mjs";
import { smallBody } from "./lib/workloads.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    "put-ms": { type: "string", default: "60" },
    connections: { type: "string", default: "32" },
    sides: { type: "string", default: "ours" },
  },
});
const PROJECT = "lag";
const PROBES = 8;
/** How long KV may be behind after the load. */
const EQUAL_MS = 300_000;
const TOKEN = tokenFor([`manage_test:${PROJECT}`]);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const create = (sender, key) =>
  sender.send(201, "POST", "", JSON.stringify({ key, ...JSON.parse(smallBody(key.length)) }));

function update(sender, { id, version }) {
  const actions = [{ action: "changeSomeProperty", someProperty: `version ${version}` }];
  return sender.send(200, "POST", `/${id}`, JSON.stringify({ version, actions }));
}

/**
 * Creates a resource with a key, updates one, and reads three, again and again. Returns what it has written and how
 * many requests that were.
 */
async function client(sender, name, end) {
  const known = [];
  const any = () => Math.floor(Math.random() * known.length);
  let reads = 0;
  let turn = 0;
  for (; Date.now() < end; turn += 1) {
    known.push(await create(sender, `${name}-${turn}`));
    const at = any();
    known[at] = await update(sender, known[at]);
    for (const path of [({ id }) => `/${id}`, ({ key }) => `/key=${key}`, ({ id }) => `/${id}`]) {
      await sender.send(200, "GET", path(known[any()]));
      reads += 1;
    }
  }
  return { known, writes: 2 * turn, reads };
}

/** Updates a resource once in two seconds. Returns how long a plain read showed an older state, at most. */
async function probe(sender, name, end) {
  let resource = await create(sender, name);
  let oldest = 0;
  while (Date.now() < end) {
    await pause(2_000);
    resource = await update(sender, resource);
    const began = Date.now();
    while ((await sender.send(200, "GET", `/${resource.id}`)).version < resource.version) await pause(50);
    oldest = Math.max(oldest, Date.now() - began);
  }
  return oldest;
}

/** Waits until KV has each resource in its newest state, and its key. Returns for how many milliseconds. */
async function untilEqual(instance, resources) {
  const began = Date.now();
  for (;;) {
    const [copies, keys] = await Promise.all(["r1", "k1"].map((kind) => instance.list(`${kind}:${PROJECT}:`)));
    const listed = Date.now();
    const revisions = new Map(copies.map(({ name, metadata }) => [name, JSON.parse(metadata).revision]));
    const names = new Set(keys.map(({ name }) => name));
    const isEqual = ({ id, key, lastModifiedAt }) =>
      revisions.get(`r1:${PROJECT}:${id}`) >= Date.parse(lastModifiedAt) && names.has(`k1:${PROJECT}:${key}`);
    if (resources.every(isEqual)) return listed - began;
    if (listed - began > EQUAL_MS) throw new Error(`KV is not equal after ${EQUAL_MS} ms`);
    await pause(200);
  }
}

/** Measures a side. Returns its row of the table. */
async function measure(worker) {
  const instance = await Instance.start(worker, Number(options["put-ms"]));
  try {
    const sender = new Sender(instance, PROJECT, TOKEN);
    const seconds = Number(options.seconds);
    const end = Date.now() + 1000 * seconds;
    const numbers = (count) => Array.from({ length: count }, (_, number) => number);
    const [probes, clients] = await Promise.all([
      Promise.all(numbers(PROBES).map((number) => probe(sender, `probe-${number}`, end))),
      Promise.all(numbers(Number(options.connections)).map((number) => client(sender, `c${number}`, end))),
    ]);
    const known = clients.flatMap((one) => one.known);
    const equal = await untilEqual(instance, known);
    const perSecond = (name) => clients.reduce((sum, one) => sum + one[name], 0) / seconds;
    const figures = [perSecond("writes"), perSecond("reads"), Math.max(...probes) / 1000, equal / 1000];
    return `| ${[worker.name, ...figures.map((figure) => figure.toFixed(figure < 100 ? 1 : 0))].join(" | ")} |`;
  } finally {
    await instance.stop();
  }
}

console.log("| side | writes a second | reads a second | oldest plain read, s | KV equal after, s |");
console.log("|---|--:|--:|--:|--:|");
for (const name of options.sides.split(",")) console.log(await measure(name === "ours" ? ours() : await peer(name)));
