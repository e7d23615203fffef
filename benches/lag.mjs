// How far KV is behind under steady load: `node benches/lag.mjs [--seconds 60] [--put-ms 60] [--connections 32]
// [--sides ours,hono]`. Clients create resources with keys, update them, and read them. Meanwhile probes update
// resources, and read them plainly until they see the update. Prints how long that took at most, how many writes were
// performed, and how long after the load KV had every write.
import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { Instance, ours } from "./lib/instance.mjs";
import { peer } from "./lib/peer.mjs";
import { tokenFor } from "./lib/token.mjs";
import { smallBody } from "./lib/workloads.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    "put-ms": { type: "string", default: "60" },
    connections: { type: "string", default: "32" },
    sides: { type: "string", default: "ours,hono" },
  },
});
const PROJECT = "lag";
const PROBES = 8;
/** How long KV may be behind after the load. */
const EQUAL_MS = 300_000;
const TOKEN = tokenFor([`manage_test:${PROJECT}`]);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends requests to an instance over kept connections. */
class Sender {
  constructor(instance) {
    this.port = instance.port;
    this.agent = new Agent({ keepAlive: true });
  }

  /** Returns the resource of the response, which must have one of the statuses. */
  send(method, path, body) {
    const headers = {
      Authorization: `Bearer ${TOKEN}`,
      ...(body && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
    };
    const to = { host: "127.0.0.1", port: this.port, agent: this.agent, method, path: `/${PROJECT}/resource${path}` };
    return new Promise((resolve, reject) => {
      const sent = request({ ...to, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () =>
          response.statusCode < 300
            ? resolve(JSON.parse(text))
            : reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`)),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  create(key) {
    return this.send("POST", "", JSON.stringify({ key, ...JSON.parse(smallBody(key.length)) }));
  }

  update({ id, version }) {
    const actions = [{ action: "changeSomeProperty", someProperty: `version ${version}` }];
    return this.send("POST", `/${id}`, JSON.stringify({ version, actions }));
  }
}

/**
 * Creates a resource with a key, updates one, and reads four, again and again. Returns what it has written and how many
 * requests that were.
 */
async function client(sender, name, until) {
  const known = [];
  const any = () => Math.floor(Math.random() * known.length);
  let reads = 0;
  let turn = 0;
  for (; Date.now() < until(); turn += 1) {
    known.push(await sender.create(`${name}-${turn}`));
    const at = any();
    known[at] = await sender.update(known[at]);
    for (const path of [({ id }) => `/${id}`, ({ key }) => `/key=${key}`, ({ id }) => `/${id}`]) {
      await sender.send("GET", path(known[any()]));
      reads += 1;
    }
  }
  return { known, writes: 2 * turn, reads };
}

/** Updates a resource once in two seconds. Returns how long a plain read showed an older state, at most. */
async function probe(sender, name, until) {
  let resource = await sender.create(name);
  let oldest = 0;
  while (Date.now() < until()) {
    await pause(2_000);
    resource = await sender.update(resource);
    const began = Date.now();
    while ((await sender.send("GET", `/${resource.id}`)).version < resource.version) await pause(50);
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
    const sender = new Sender(instance);
    const seconds = Number(options.seconds);
    const end = Date.now() + 1000 * seconds;
    const until = () => end;
    const numbers = (count) => Array.from({ length: count }, (_, number) => number);
    const [probes, clients] = await Promise.all([
      Promise.all(numbers(PROBES).map((number) => probe(sender, `probe-${number}`, until))),
      Promise.all(numbers(Number(options.connections)).map((number) => client(sender, `c${number}`, until))),
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
