// Torture test on workerd (`make torture`): concurrent callers, a KV that lags and fails, connections that are cut, and
// SIGKILL at random moments. Every operation is recorded in a history, which tests/world/torture/checker checks.
//
// KILLS or SECONDS set the duration. SEED repeats the schedule of faults. SPEED is the factor by which the service's
// clock is faster.

import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { mountDisk } from "../../support/disk.mjs";
import { exportOf, Follower, FOLLOWERS } from "./lib/followers.mjs";
import { Instance, tokenFor } from "./lib/instance.mjs";
import { BATCH, Kv } from "./lib/kv.mjs";
import { check, Load } from "./lib/load.mjs";
import { TortureProxy } from "./lib/proxy.mjs";
import { quiet } from "./lib/quiet.mjs";
import { Random } from "../../support/random.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const RAW_CALLERS = 12;
const SESSION_CALLERS = 6;
const PROJECTS = 2;
/** The number of kills between two comparisons of KV. */
const ROUND_KILLS = 25;
const ROUND_MS = 60_000;
/** The size of the disk in MiB. */
const DISK = 256;

function number(name, fallback) {
  const value = Number(process.env[name] || fallback);
  if (!(value > 0)) throw new Error(`${name}: expected a positive number`);
  return value;
}

const kills = number("KILLS", process.env.SECONDS ? Infinity : 100);
const end = performance.now() + number("SECONDS", Infinity) * 1000;
const seed = process.env.SEED || String(Math.floor(Math.random() * 2 ** 32));
const speed = number("SPEED", 20);

const start = Date.now();
const began = performance.now();
const say = (text) => process.stderr.write(`${text}\n`);
const random = (stream) => new Random(seed, stream);

const artifacts = join(ROOT, "artifacts");
mkdirSync(artifacts, { recursive: true });
const file = join(artifacts, `torture-${seed}.ndjson`);
const history = createWriteStream(file);
const record = (entry) => history.write(`${JSON.stringify(entry)}\n`);

const problems = [];

const kv = await new Kv(random("kv"), speed).listen();
const disk = mountDisk(DISK);
const instance = new Instance({ folder: disk?.path, kvPort: kv.port, start, speed, broken: process.env.BROKEN });
const proxy = await new TortureProxy(random("proxy"), () => instance.port).listen();
const origin = `http://127.0.0.1:${proxy.port}`;

/** Waits until the service runs. */
async function up() {
  while (instance.port === undefined) await pause(5);
}

const projects = Array.from({ length: PROJECTS }, (_, index) => `torture-${index}`);
const token = tokenFor(projects.map((project) => `manage_test:${project}`).join(" "), start);
const schedule = random("kills");
/** They follow through all rounds. */
const followers = projects.flatMap((project) =>
  FOLLOWERS.map((how) => new Follower(how, { origin, token, project, up, speed })),
);
const load = new Load({
  ...{ origin, token, projects, record, random, up },
  ...{ raw: RAW_CALLERS, sessions: SESSION_CALLERS, pauseMs: 25 },
});

/** Fills the disk for a moment. Meanwhile every read succeeds in a project that is in use. */
async function fillDisk() {
  const headers = { Authorization: `Bearer ${token}`, "Cache-Control": "no-cache" };
  await fetch(`http://127.0.0.1:${instance.port}/${projects[0]}/resource`, { headers });
  disk.fill();
  for (const end = performance.now() + schedule.between(500, 2_500); performance.now() < end; await pause(20)) {
    for (const path of [
      "resource?where=version%20%3E%201&limit=5",
      "changes?limit=5&where=version%20%3E%201",
      "export",
    ]) {
      const at = `/${projects[0]}/${path}`;
      let response = await fetch(`http://127.0.0.1:${instance.port}${at}`, { headers });
      // The object ends with the write that finds the disk full first. A client repeats what that interrupts.
      if (response.status === 503) response = await fetch(response.url, { headers });
      const text = await response.text();
      if (response.status !== 200) {
        const log = instance.log.filter((line) => line.startsWith("{")).slice(-10);
        problems.push(`on a full disk, ${at} is ${response.status}: ${text}\n${log.join("\n")}`);
      }
    }
  }
  disk.makeRoom();
}

/** Kills until the round is over. Pauses once while the service runs, and once while it does not. */
async function kill(all, audit) {
  const until = performance.now() + ROUND_MS;
  const audits = [];
  for (
    let count = 0;
    count < ROUND_KILLS && instance.kills < kills && performance.now() < Math.min(end, until);
    count += 1
  ) {
    // The service runs for a moment or for seconds.
    await pause(schedule.chance(0.2) ? schedule.between(5, 200) : schedule.between(200, 1_600));
    if (disk !== undefined && count % 8 === 3) await fillDisk();
    kv.outage = schedule.chance(0.1);
    // For three kills in a row, because what waits at a kill also waits after it.
    kv.slow = count % 8 > 4;
    await instance.kill();
    kv.killed();
    record({ type: "kill", at: performance.now() });
    await pause(schedule.chance(0.3) ? schedule.between(0, 200) : 0);
    await instance.start();
    // Reads the surviving state of each group that was in use.
    for (const groups of all) {
      const used = groups.active.filter((group) => group.operations > 0 && !group.isFull);
      audits.push(...used.map((group) => audit(groups, group)));
    }
  }
  await Promise.all(audits);
  kv.outage = kv.slow = false;
}

async function round(count) {
  kv.faulty = proxy.faulty = true;
  await load.round(count, kill, () => {
    kv.faulty = proxy.faulty = false;
  });
  for (const project of projects) record(await quiet({ project, kv, origin, token, speed }));
}

function fail(error) {
  say(`error: ${error.stack}`);
  process.exit(1);
}
process.once("unhandledRejection", fail);

say(`seed ${seed}, clock × ${speed}`);
if (disk === undefined) say("the disk is never full: this machine does not allow to mount one");
await instance.start();
for (let count = 1; instance.kills < kills && performance.now() < end; count += 1) {
  await round(count);
  const seconds = Math.round((performance.now() - began) / 1000);
  say(
    `${seconds} s: ${instance.kills} kills, ${load.counts.operations} operations, ` +
      `${load.counts.acknowledged} acknowledged writes`,
  );
}
for (const project of projects) {
  const exported = await exportOf({ origin, token, project });
  const own = followers.filter((follower) => follower.project === project);
  problems.push(...(await Promise.all(own.map((follower) => follower.end(exported)))).flat());
}
await instance.kill();
instance.remove();
proxy.close();
kv.close();
await new Promise((resolve) => history.end(resolve));
say(`KV: ${JSON.stringify(kv.counts)}`);
if (disk !== undefined) say(`writes for which the disk had no room: ${load.counts.full}`);
// Few kills show nothing about helpers.
if (instance.kills >= 20 && !kv.counts[BATCH]) fail(new Error("no helper object has put anything"));
say(`connections: ${JSON.stringify(proxy.counts)}`);
for (const { name, counts } of followers) say(`the follower by ${name}: ${JSON.stringify(counts)}`);
for (const problem of problems) say(problem);

const { code, text } = await check(file);
process.stdout.write(text);
if (code === 0 && problems.length === 0) rmSync(file);
else say(`the history is in ${file}; SEED=${seed} repeats the schedule of faults`);
process.exit(code === 0 && problems.length > 0 ? 1 : (code ?? 1));
