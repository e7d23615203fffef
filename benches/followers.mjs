// What followers of changes cost: `node benches/followers.mjs [--seconds 20] [--lines 100000] [--writes 50]
// [--listeners 1,100,1000]`. Measures how long a write takes to the last of many sockets and what that costs, how long
// writes take meanwhile, and how fast a follower that was away catches up.
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { Instance, ours } from "./lib/instance.mjs";
import { Sender } from "./lib/sender.mjs";
import { tokenFor } from "./lib/token.mjs";
import { smallBody } from "./lib/workloads.mjs";
import { quantile } from "../tests/support/quantile.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    lines: { type: "string", default: "100000" },
    listeners: { type: "string", default: "1,100,1000" },
    writes: { type: "string", default: "50" },
  },
});
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Longer than the pause between two batches, so that each write is in a separate one. */
const APART_MS = 250;
/** The most lines of an import. */
const IMPORT_LINES = 500;

let projects = 0;
/** Returns a new project: its sender and its token. */
function newProject(instance) {
  const project = `followers${(projects += 1)}`;
  const token = tokenFor([`manage_test:${project}`]);
  return { project, token, sender: new Sender(instance, project, token) };
}

const write = (sender) => sender.send(201, "POST", "", smallBody(0));

/**
 * Opens sockets, or sends requests that wait, in a thread, because reading them takes time. Returns a function that
 * resolves with the instant at which all of them have got that many frames, and one that closes them.
 */
async function listen(origin, { project, token }, count, how = "sockets") {
  const url = `${how === "sockets" ? origin.replace("http", "ws") : origin}/${project}/changes`;
  const workerData = { url, token, count, how };
  const worker = new Worker(new URL("./lib/listeners.mjs", import.meta.url), { workerData });
  const reached = [];
  let wake = () => {};
  worker.on("message", (at) => {
    reached.push(at);
    wake();
  });
  const frames = async (number) => {
    while (reached.length <= number) await new Promise((resolve) => (wake = () => resolve(undefined)));
    return reached[number];
  };
  // The first frame comes with the acceptance.
  await frames(0);
  return { frames, close: () => worker.terminate() };
}

const now = () => performance.timeOrigin + performance.now();

/**
 * Writes apart from each other. Returns the milliseconds until the last socket had each write, and those of the
 * processor for a write.
 */
async function fanOut(instance, count) {
  const about = newProject(instance);
  await write(about.sender);
  const listeners = await listen(instance.origin, about, count);
  const times = [];
  await instance.settle();
  const before = instance.cpu();
  for (let number = 1; number <= Number(options.writes); number += 1) {
    const began = now();
    await write(about.sender);
    times.push((await listeners.frames(number)) - began);
    await pause(APART_MS);
  }
  const cpu = (instance.cpu() - before) / 1000 / times.length;
  await listeners.close();
  return { times, cpu };
}

/** Writes 50 times a second. Returns how long each write took, in milliseconds. */
async function load(instance, count, how) {
  const about = newProject(instance);
  await write(about.sender);
  const listeners = count === 0 ? undefined : await listen(instance.origin, about, count, how);
  const times = [];
  const pending = [];
  const end = now() + Number(options.seconds) * 1000;
  while (now() < end) {
    const began = now();
    pending.push(write(about.sender).then(() => times.push(now() - began)));
    await pause(20);
  }
  await Promise.all(pending);
  await listeners?.close();
  return times;
}

/** Returns lines of an export: nine creations of ten, and a deletion. */
function* lines(count) {
  const arrays = '"arrayOfIntExample":[1],"arrayOfUniqueIntExample":[],"arrayOfTwonumbersExample":[]';
  const rest =
    '"arrayOfFloatExample":[],"arrayOfNumberNoDefaultsExample":[],"arrayOfStringExample":[],"arrayOfObjectType":[]';
  const first = Date.now() - 10_000_000;
  for (let number = 0; number < count; number += 1) {
    const time = new Date(first + number).toISOString();
    const times = `"createdAt":"${time}","lastModifiedAt":"${time}"`;
    yield number % 10 === 9
      ? `{"deletedAt":"${time}","id":"gone${number}","version":3}\n`
      : `{"id":"r${number}","version":1,${times},"objectTypeProperty":{${arrays},${rest}}}\n`;
  }
}

/** Lets a follower be away for many changes. Returns the lines a second with which it catches up. */
async function catchUp(instance) {
  const { project, token } = newProject(instance);
  const call = async (path, init = {}) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/x-ndjson" };
    const response = await fetch(`${instance.origin}/${project}/${path}`, { headers, ...init });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return { text, next: /^<\/[^/]*\/(.*)>/.exec(response.headers.get("Link") ?? "")?.[1] };
  };
  const position = JSON.parse((await call("changes")).text).to;
  let batch = [];
  for (const line of [...lines(Number(options.lines)), undefined]) {
    if (line === undefined || batch.length === IMPORT_LINES) {
      if (batch.length > 0) await call("import", { method: "POST", body: batch.join("") });
      batch = [];
    }
    if (line !== undefined) batch.push(line);
  }
  await instance.settle();
  const began = now();
  let [got, pages] = [0, 0];
  for (let path = `changes?after=${position}`; path !== undefined; pages += 1) {
    const page = await call(path);
    got += page.text.split("\n").length - 2;
    path = page.next;
  }
  if (got !== Number(options.lines)) throw new Error(`${got} lines`);
  return { perSecond: (got / (now() - began)) * 1000, pages };
}

const figure = (value) => value.toFixed(value < 10 ? 1 : 0);
const instance = await Instance.start(ours());
try {
  console.log("| sockets | last socket, median ms | p99 ms | processor for a write, ms |");
  console.log("|--:|--:|--:|--:|");
  const counts = options.listeners.split(",").map(Number);
  for (const count of counts) {
    const { times, cpu } = await fanOut(instance, count);
    console.log(`| ${count} | ${figure(quantile(times, 0.5))} | ${figure(quantile(times, 0.99))} | ${figure(cpu)} |`);
  }
  console.log("\n| followers | 50 writes a second, median ms | p99 ms |");
  console.log("|--:|--:|--:|");
  for (const [count, how] of /** @type {[number, string][]} */ ([
    [0, "sockets"],
    [counts.at(-1), "sockets"],
    [500, "requests"],
  ])) {
    const times = await load(instance, count, how);
    console.log(`| ${count} ${how} | ${figure(quantile(times, 0.5))} | ${figure(quantile(times, 0.99))} |`);
  }
  const { perSecond, pages } = await catchUp(instance);
  console.log(`\nA follower that was away for ${options.lines} changes reads them in ${pages} pages,`);
  console.log(`${figure(perSecond)} a second.`);
} finally {
  await instance.stop();
}
