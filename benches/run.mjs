// Compares our Worker with the peer: `node benches/run.mjs [--quick] [--rounds N] [--seconds S] [--connections N]
// [--sides ours,hono] [--only "update by ID"] [--unchecked]`. benches/README.md explains the figures.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { check } from "./lib/check.mjs";
import { Instance, empty, ours } from "./lib/instance.mjs";
import { peer } from "./lib/peer.mjs";
import { report, table } from "./lib/report.mjs";
import { seed } from "./lib/seed.mjs";
import { tokenFor } from "./lib/token.mjs";
import { SIZES, WORKLOADS } from "./lib/workloads.mjs";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    connections: { type: "string", default: "32" },
    sides: { type: "string", default: "ours,hono" },
    only: { type: "string", multiple: true },
    unchecked: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const measureMs = 1000 * Number(options.seconds ?? (options.quick ? 0.3 : 2));
const rampMs = options.quick ? 50 : 400;
const connections = Number(options.connections);
/** A thousandth of the values occurs in each thousand of resources, so sizes are whole thousands. */
const sizes = options.quick ? { small: 1_000, large: 1_000 } : SIZES;
const names = Object.keys(WORKLOADS);
const unknown = (options.only ?? []).filter((name) => !names.includes(name));
const workloads = names.filter((name) => options.only?.includes(name) ?? true);

const say = (text) => process.stderr.write(`${text}\n`);

/** The peer that shows the floor of writes. */
const MINIMAL = "minimal";

/** A token for the project of a request: each project has its own, as in production. */
const tokens = new Map();
function tokenOf(project) {
  if (!tokens.has(project)) tokens.set(project, tokenFor([`manage_test:${project}`]));
  return tokens.get(project);
}

/** Returns the job of one round of a workload: its requests and their target. */
function jobOf(side, workload, number, ms) {
  const { project: kind, count } = WORKLOADS[workload];
  const project = kind === "new" ? `new-${workload.replace(/\W+/g, "-")}-${number}` : kind;
  const shared = { side: side.name, port: side.instance.port, workload, connections, rampMs, measureMs: ms };
  const limited = count === undefined ? {} : { count: options.quick || number === 0 ? Math.ceil(count / 16) : count };
  return { ...shared, ...limited, project, token: tokenOf(project ?? "none"), seeds: side.seeds?.[kind] ?? [] };
}

function load(generator, job) {
  return new Promise((resolve, reject) => {
    generator.once("message", ({ result, error }) =>
      error === undefined ? resolve(result) : reject(new Error(error)),
    );
    generator.postMessage(job);
  });
}

/** Measures one round of one side with its processor time, deferred work included. */
async function round(side, generator, workload, number, ms) {
  const before = side.instance.cpu();
  let result;
  try {
    result = await load(generator, jobOf(side, workload, number, ms));
  } catch (error) {
    throw new Error(`${side.name}: ${error.message}\n${side.instance.log.join("\n")}`);
  }
  await side.instance.settle(options.quick ? 250 : WORKLOADS[workload].defers ? 1_500 : 500);
  const cpu = before === undefined ? undefined : (side.instance.cpu() - before) / result.total;
  return { ...result, cpu };
}

/** Returns a response without the parts that differ between runs. */
const comparable = (body) => body.replace(/[0-9a-f]{8}-[-0-9a-f]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "*");

/** Compares the sides' responses to the workload's first request. */
async function compare(workload, sides, generator) {
  const samples = new Set();
  for (const side of sides.filter(({ name }) => name !== MINIMAL)) {
    const { sample } = await load(generator, { ...jobOf(side, workload, 0, 0), connections: 1, count: 1 });
    samples.add(comparable(sample));
  }
  if (!WORKLOADS[workload].worded && samples.size > 1)
    throw new Error(`${workload}: the responses differ:\n${[...samples].join("\n")}`);
}

/** Runs all rounds of a workload over the sides, after a warm-up round. */
async function measure(workload, sides, generator) {
  await compare(workload, sides, generator);
  for (const side of sides) await round(side, generator, workload, 0, options.quick ? 100 : 1_000);
  const measured = sides.map(() => []);
  const all = Math.min(rounds, WORKLOADS[workload].rounds ?? rounds);
  for (let number = 1; number <= all; number += 1) {
    // Alternate which side goes first, so that neither always follows the other.
    const order = number % 2 === 1 ? [...sides.keys()] : [...sides.keys()].reverse();
    for (const at of order) measured[at].push(await round(sides[at], generator, workload, number, measureMs));
    say(
      `${workload}, round ${number}: ${measured.map((side) => side.at(-1).perSecond.toFixed(1)).join(" and ")} ` +
        "requests/s",
    );
  }
  return { workload, sides: sides.map(({ name }) => name), measured };
}

/** Checks the peers, because a comparison with a peer that gives wrong responses is useless. */
async function checkPeers(chosen) {
  for (const name of new Set(chosen.filter((one) => one !== "ours" && one !== MINIMAL))) {
    const { faults, summary } = await check(name);
    say(summary);
    if (faults.length > 0) throw new Error(faults.join("\n"));
  }
}

/** Starts the sides. Comparing a Worker with itself shows the noise of the measurement. */
async function start(chosen, started) {
  for (const [at, name] of chosen.entries()) {
    const worker = name === "ours" ? ours() : await peer(name);
    const label = chosen.indexOf(name) === at ? worker.name : `${worker.name} again`;
    started.push({ name: label, instance: await Instance.start(worker) });
  }
  const [floor, minimal] = [
    { name: "empty", instance: await Instance.start(empty()) },
    { name: MINIMAL, instance: await Instance.start(await peer(MINIMAL)) },
  ];
  started.push(floor, minimal);
  return { sides: started.slice(0, chosen.length), floor, minimal };
}

/** Prints the table and writes the figures. A quick run does not overwrite the figures of a full run. */
async function publish(whole) {
  const folder = fileURLToPath(new URL("../build/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${options.quick ? "bench-quick" : "bench"}.json`, `${JSON.stringify(whole, null, 2)}\n`);
  process.stdout.write(table(whole));
}

async function main() {
  if (unknown.length > 0) throw new Error(`unknown workload '${unknown[0]}'; there are: ${names.join("; ")}`);
  const chosen = options.sides.split(",");
  if (!options.unchecked) await checkPeers(chosen);
  const generator = new Worker(fileURLToPath(new URL("./lib/load.mjs", import.meta.url)));
  const started = [];
  try {
    const { sides, floor, minimal } = await start(chosen, started);
    say(`seeding ${Object.values(sizes).join(" and ")} resources`);
    const seeded = [...sides, minimal];
    await Promise.all(seeded.map(async (side) => (side.seeds = await seed(side.instance, sizes, tokenOf))));
    const results = [];
    for (const workload of workloads) {
      const { floor: isFloor, minimal: isMinimal } = WORKLOADS[workload];
      const measured = isFloor ? [floor] : isMinimal ? [...sides, minimal] : sides;
      results.push(await measure(workload, measured, generator));
    }
    await publish(
      report(results, {
        rounds,
        connections,
        seconds: measureMs / 1000,
        quick: options.quick,
        sides: sides.map(({ name }) => name),
      }),
    );
  } finally {
    await generator.terminate();
    for (const { instance } of started) await instance.stop();
  }
}

try {
  await main();
} catch (error) {
  say(`bench failed: ${error.message}`);
  process.exitCode = 1;
}
