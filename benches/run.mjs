// Compares our Worker with the peer, and with itself in other settings: `node benches/run.mjs [--quick] [--rounds N]
// [--seconds S] [--connections N] [--sides ours,hono] [--only "update by ID"] [--unchecked] [--write]`.
// benches/README.md explains the figures.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { check } from "./lib/check.mjs";
import { report, table, write } from "./lib/report.mjs";
import { seed } from "./lib/seed.mjs";
import { OURS, PEER, instanceOf, stop } from "./lib/sides.mjs";
import { tokenFor } from "./lib/token.mjs";
import { SIZES, WORKLOADS } from "./lib/workloads.mjs";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    connections: { type: "string" },
    sides: { type: "string" },
    only: { type: "string", multiple: true },
    unchecked: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 4));
const measureMs = 1000 * Number(options.seconds ?? (options.quick ? 0.1 : 2));
// A round waits for a response on each connection, however short it is.
const allConnections = Number(options.connections ?? (options.quick ? 8 : 32));
const rampMs = options.quick ? 50 : 400;
/** How long a Worker is idle after a round, and after one of writes: longer than between two puts of a KV key. */
const [IDLE_MS, WRITTEN_MS] = [options.quick ? 0 : 250, 1_500];
/** What a build has to reach beside another one. */
const OTHER_BUILD = { cpu: 1.03 };
/** A thousandth of the values occurs in each thousand of resources, so sizes are whole thousands. */
const sizeOf = (project) => (options.quick ? 1_000 : SIZES[project]);
const names = Object.keys(WORKLOADS);
const unknown = (options.only ?? []).filter((name) => !names.includes(name));

const say = (text) => process.stderr.write(`${text}\n`);

/** A token for the project of a request: each project has its own, as in production. */
const tokens = new Map();
function tokenOf(project) {
  if (!tokens.has(project)) tokens.set(project, tokenFor([`manage_test:${project}`]));
  return tokens.get(project);
}

/** Returns the sides of a workload: the one that is compared, and those beside it. `--sides` replaces them. */
function sidesOf(workload) {
  const { side = OURS, beside } = WORKLOADS[workload];
  if (options.sides === undefined) return [side, ...Object.keys(beside)];
  return options.sides.split(",").map((name, at, all) => (all.indexOf(name) === at ? name : `${name} again`));
}

/** Returns whether a workload is measured. With `--sides`, only those that compare different Workers are. */
const isMeasured = (name) =>
  options.only?.includes(name) ?? (options.sides === undefined || WORKLOADS[name].beside[PEER] !== undefined);

/** The collections that are seeded, by side. */
const seeded = new Map();

/** Starts the Worker of a side, and seeds the collection of the workload. */
async function prepare(side, project) {
  const instance = await instanceOf(side);
  const place = `${instance.port} ${project}`;
  if (SIZES[project] !== undefined && !seeded.has(place)) {
    say(`${side}: seeding the collection '${project}'`);
    seeded.set(place, seed(instance, project, tokenOf(project), sizeOf(project)));
  }
  await seeded.get(place);
}

/** Returns the job of one round of a workload: its requests and their target. */
async function jobOf(side, workload, number, ms) {
  const { project: kind, writes = 0, connections = allConnections } = WORKLOADS[workload];
  const project = kind === "new" ? `new-${`${workload}-${side}`.replace(/\W+/g, "-")}-${number}` : kind;
  const { port } = await instanceOf(side);
  const time = writes > 0 ? { rampMs: 0, measureMs: writes * ms } : { rampMs, measureMs: ms };
  const shared = { side, port, workload, connections, ...time };
  return { ...shared, project, token: tokenOf(project ?? "none"), size: sizeOf(kind) };
}

function load(generator, job) {
  return new Promise((resolve, reject) => {
    generator.once("message", ({ result, error }) =>
      error === undefined ? resolve(result) : reject(new Error(error)),
    );
    generator.postMessage(job);
  });
}

/** Checks that KV has every write of the round. The minimal Worker's entries have no versions. */
async function checkKv(instance, { project }, { total, closed, versions }) {
  const entries = await instance.list(`r1:${project}:`);
  const stored = new Map(entries.map(({ name, metadata }) => [name, metadata && JSON.parse(metadata).version]));
  const behind = [...(versions ?? [])].filter(([id, version]) => {
    const found = stored.get(`r1:${project}:${id}`);
    return found !== undefined && found < version;
  });
  const missing = versions === undefined ? total - entries.length : behind.length;
  if (closed === 0 && missing > 0) throw new Error(`KV does not have ${missing} of the writes of ${project}`);
}

/** Measures one round of one side with its processor time. A round of writes ends when KV has all of them. */
async function round(side, generator, workload, number, ms) {
  const { writes, isAnswered } = WORKLOADS[workload];
  const instance = await instanceOf(side);
  const job = await jobOf(side, workload, number, ms);
  const before = instance.cpu();
  try {
    const result = await load(generator, job);
    await instance.settle(writes === undefined ? IDLE_MS : WRITTEN_MS);
    const cpu = before === undefined ? undefined : (instance.cpu() - before) / result.total;
    if (writes === undefined) return { ...result, cpu };
    await checkKv(instance, job, result);
    if (isAnswered) return { ...result, cpu };
    return { ...result, cpu, perSecond: (1000 * result.total) / ((await instance.lastPut()) - result.began) };
  } catch (error) {
    throw new Error(`${side}: ${error.message}\n${instance.log.join("\n")}`, { cause: error });
  }
}

/** Returns a response without the parts that differ between runs. */
const comparable = (body) => body.replace(/[0-9a-f]{8}-[-0-9a-f]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "*");

/** Compares the responses of the Workers that do the same to the workload's first request. */
async function compare(workload, sides, generator) {
  if (WORKLOADS[workload].worded) return;
  const samples = new Set();
  for (const side of sides.filter((name) => !name.includes("minimal"))) {
    const { sample } = await load(generator, { ...(await jobOf(side, workload, 0, 0)), connections: 1, count: 1 });
    samples.add(comparable(sample));
  }
  if (samples.size > 1) throw new Error(`${workload}: the responses differ:\n${[...samples].join("\n")}`);
}

/** Runs all rounds of a workload over the sides. A quick run has no warm-up: its figures mean nothing. */
async function measure(workload, generator) {
  const sides = sidesOf(workload);
  await Promise.all(sides.map((side) => prepare(side, WORKLOADS[workload].project)));
  await compare(workload, sides, generator);
  if (!options.quick) for (const side of sides) await round(side, generator, workload, 0, 1_000);
  const measured = sides.map(() => []);
  for (let number = 1; number <= rounds; number += 1) {
    // Alternate which side goes first, so that neither always follows the other.
    const order = number % 2 === 1 ? [...sides.keys()] : [...sides.keys()].reverse();
    for (const at of order) measured[at].push(await round(sides[at], generator, workload, number, measureMs));
    say(
      `${workload}, round ${number}: ${measured.map((side) => side.at(-1).perSecond.toFixed(1)).join(" and ")} ` +
        "requests/s",
    );
  }
  const others = Object.fromEntries(sides.map((side) => [side, side.includes("@") ? OTHER_BUILD : {}]));
  return { workload, sides, measured, bounds: options.sides === undefined ? WORKLOADS[workload].beside : others };
}

/** Checks the peer, because a comparison with a peer that gives wrong responses is useless. */
async function checkPeer() {
  const { faults, summary } = await check(PEER);
  say(summary);
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/** Prints the table and writes the figures. A quick run does not overwrite the figures of a full run. */
async function publish(whole) {
  const folder = fileURLToPath(new URL("../build/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${options.quick ? "bench-quick" : "bench"}.json`, `${JSON.stringify(whole, null, 2)}\n`);
  process.stdout.write(table(whole));
  if (options.write) write(whole);
}

async function main() {
  if (unknown.length > 0) throw new Error(`unknown workload '${unknown[0]}'; there are: ${names.join("; ")}`);
  if (!options.unchecked) await checkPeer();
  const generator = new Worker(fileURLToPath(new URL("./lib/load.mjs", import.meta.url)));
  try {
    const results = [];
    for (const workload of names.filter(isMeasured)) results.push(await measure(workload, generator));
    const setting = { rounds, connections: allConnections, seconds: measureMs / 1000 };
    await publish(report(results, { ...setting, quick: options.quick }));
  } finally {
    await generator.terminate();
    await stop();
  }
}

try {
  await main();
} catch (error) {
  say(`bench failed: ${error.message}`);
  process.exitCode = 1;
}
