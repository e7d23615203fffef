// Compares our worker with the peer: `node benches/run.mjs [--quick] [--rounds N] [--seconds S] [--connections N]
// [--sides ours,hono] [--only "update by id"] [--unchecked]`. See benches/README.md for what the figures mean.
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { check } from "./lib/check.mjs";
import { Instance, ours, peer } from "./lib/instance.mjs";
import { report, table } from "./lib/report.mjs";
import { tokenFor } from "./lib/token.mjs";
import { WORKLOADS, smallBody } from "./lib/workloads.mjs";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    connections: { type: "string", default: "16" },
    sides: { type: "string", default: "ours,hono" },
    only: { type: "string" },
    unchecked: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const measureMs = 1000 * Number(options.seconds ?? (options.quick ? 0.5 : 3));
const rampMs = options.quick ? 100 : 400;
const connections = Number(options.connections);
const RESOURCES = options.quick ? 64 : 1024;
const workloads = Object.keys(WORKLOADS).filter((name) => options.only === undefined || name === options.only);

const say = (text) => process.stderr.write(`${text}\n`);

/** The projects that a run enters: one that is seeded, and a new one for each round of creations. */
const projects = ["bench", ...Array.from({ length: rounds + 1 }, (_, round) => `create-${round}`)];
const token = tokenFor(projects.map((project) => `manage_test:${project}`));

/** The ids of the resources that reads and updates ask for, once KV has them. */
async function seed(side) {
  const ids = [];
  for (let serial = 0; serial < RESOURCES; serial += 1) {
    const response = await fetch(`${side.instance.origin}/bench/resource`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: smallBody(serial),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${side.name}: expected 201, got ${response.status}: ${text}\n${side.instance.stderr}`);
    ids.push(JSON.parse(text).id);
  }
  for (let tries = 0; (await side.instance.entries("r1:bench:")).length < RESOURCES; tries += 1) {
    if (tries === 60) throw new Error(`${side.name}: KV has not got the resources within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return ids;
}

function load(generator, job) {
  return new Promise((resolve, reject) => {
    generator.once("message", ({ result, error }) => (error === undefined ? resolve(result) : reject(new Error(error))));
    generator.postMessage(job);
  });
}

/** One round of one side, and what it cost, put-off work included. */
async function round(side, generator, workload, number, ms) {
  const before = { cpu: side.instance.cpu(), log: side.instance.logBytes };
  const project = workload === "create a small body" ? `create-${number}` : "bench";
  const job = { side: side.name, port: side.instance.port, token, workload, ids: side.ids, project, connections, rampMs, measureMs: ms };
  let result;
  try {
    result = await load(generator, job);
  } catch (error) {
    throw new Error(`${side.name}: ${error.message}\n${side.instance.stderr}`);
  }
  await side.instance.settle();
  if (side.instance.logBytes - before.log < result.total * 50) throw new Error(`${side.name}: not a line of log for each request`);
  const cpu = before.cpu === undefined ? undefined : (side.instance.cpu() - before.cpu) / result.total;
  return { ...result, cpu };
}

/** A peer that answers otherwise than it should is not worth comparing with. */
async function checkPeers(names) {
  for (const name of new Set(names.filter((one) => one !== "ours"))) {
    const { faults, summary } = await check(name);
    say(summary);
    if (faults.length > 0) throw new Error(faults.join("\n"));
  }
}

async function main() {
  const sides = [];
  const names = options.sides.split(",");
  if (names.includes("ours")) ours();
  if (!options.unchecked) await checkPeers(names);
  const generator = new Worker(fileURLToPath(new URL("./lib/load.mjs", import.meta.url)));
  try {
    const settings = [];
    for (const name of names) settings.push({ ...(name === "ours" ? ours() : await peer(name)), key: name });
    for (const [at, { key, ...worker }] of settings.entries()) {
      // A worker may be compared with itself, to see how far apart equal sides come out.
      const name = settings.findIndex((other) => other.key === key) === at ? worker.name : `${worker.name} again`;
      sides.push({ name, instance: await Instance.start(worker) });
    }
    for (const side of sides) {
      say(`${side.name}: ${RESOURCES} resources`);
      side.ids = await seed(side);
    }
    const results = [];
    for (const workload of workloads) {
      for (const side of sides) await round(side, generator, workload, 0, options.quick ? 200 : 1500);
      const measured = sides.map(() => []);
      for (let number = 1; number <= rounds; number += 1) {
        // The side that goes first changes, so that neither always follows the other.
        const order = number % 2 === 1 ? [...sides.keys()] : [...sides.keys()].reverse();
        for (const at of order) measured[at].push(await round(sides[at], generator, workload, number, measureMs));
        say(`${workload}, round ${number}: ${measured.map((side) => Math.round(side.at(-1).perSecond)).join(" and ")} requests/s`);
      }
      results.push({ workload, measured });
    }
    const whole = report(sides.map(({ name }) => name), results, { rounds, connections, seconds: measureMs / 1000, machine: `${cpus().length} × ${cpus()[0].model}` });
    const folder = fileURLToPath(new URL("../build/", import.meta.url));
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}bench.json`, `${JSON.stringify(whole, null, 2)}\n`);
    process.stdout.write(table(whole));
  } finally {
    await generator.terminate();
    for (const { instance } of sides) await instance.stop();
  }
}

try {
  await main();
} catch (error) {
  say(`bench failed: ${error.message}`);
  process.exitCode = 1;
}
