// The load generator: a thread with keep-alive connections, each with one request under way. It writes prepared bytes
// and parses no more of an answer than its status, its length and, for one in a thousand, its body.
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { parentPort } from "node:worker_threads";
import { WORKLOADS } from "./workloads.mjs";

const SAMPLE = 1000;
/** Latencies are counted in steps of 20 µs, up to a second. */
const STEP = 0.02;
const STEPS = 50_000;

/** What a workload keeps from round to round, by side and workload. */
const memory = new Map();

parentPort.on("message", async (job) => {
  try {
    parentPort.postMessage({ result: await run(job) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
});

function run({ side, port, token, workload, ids, project, connections, rampMs, measureMs }) {
  const place = `${side} ${workload}`;
  if (!memory.has(place)) memory.set(place, {});
  const make = WORKLOADS[workload];
  const round = { counting: false, ending: false, done: 0, count: 0, latencies: new Uint32Array(STEPS) };
  return new Promise((resolve, reject) => {
    const sockets = [];
    const fail = (error) => {
      round.ending = true;
      for (const socket of sockets) socket.destroy();
      reject(error);
    };
    for (let at = 0; at < connections; at += 1) {
      const source = make({ at, connections, ids, project, token, memory: memory.get(place) });
      const finished = () => {
        round.done += 1;
        if (round.done === connections) resolve(summary(round));
      };
      sockets.push(converse(port, source, round, finished, fail, workload));
    }
    setTimeout(() => {
      round.counting = true;
      round.began = performance.now();
      round.utilization = performance.eventLoopUtilization();
    }, rampMs);
    setTimeout(() => {
      round.counting = false;
      round.ended = performance.now();
      round.utilization = performance.eventLoopUtilization(round.utilization).utilization;
      round.ending = true;
    }, rampMs + measureMs);
  });
}

function summary({ began, ended, count, total, latencies, utilization }) {
  const quantile = (share) => {
    let rest = share * count;
    const at = latencies.findIndex((number) => (rest -= number) <= 0);
    return Number((at * STEP).toFixed(2));
  };
  return { perSecond: count / ((ended - began) / 1000), count, total, p50: quantile(0.5), p99: quantile(0.99), generator: utilization };
}

/** Sends requests over one connection until the round ends. */
function converse(port, source, round, finished, fail, workload) {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  let pending = "";
  let sent = 0;
  let began = 0;
  const send = () => {
    began = performance.now();
    socket.write(source.next(), "latin1");
  };
  socket.setEncoding("latin1");
  socket.on("connect", send);
  socket.on("error", (error) => fail(new Error(`${workload}: ${error.message}`)));
  socket.on("close", () => round.ending || fail(new Error(`${workload}: the connection was closed`)));
  socket.on("data", (chunk) => {
    pending = pending === "" ? chunk : pending + chunk;
    const end = answerEnd(pending);
    if (end === -1) return;
    if (end !== pending.length) return fail(new Error(`${workload}: bytes after the answer`));
    const answer = pending;
    pending = "";
    const status = Number(answer.slice(9, 12));
    if (status !== source.status) return fail(new Error(`${workload}: expected ${source.status}, got ${answer.slice(0, 2000)}`));
    sent += 1;
    if (sent % SAMPLE === 1) {
      const problem = source.check(answer.slice(answer.indexOf("\r\n\r\n") + 4));
      if (problem) return fail(new Error(`${workload}: ${problem}: ${answer.slice(0, 2000)}`));
    }
    source.done();
    round.total = (round.total ?? 0) + 1;
    if (round.counting) {
      round.count += 1;
      round.latencies[Math.min(STEPS - 1, Math.floor((performance.now() - began) / STEP))] += 1;
    }
    if (!round.ending) return send();
    socket.end();
    finished();
  });
  return socket;
}

/** Where the answer ends, -1 while it is not whole. */
function answerEnd(text) {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return -1;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
  if (length !== null) {
    const end = head + 4 + Number(length[1]);
    return text.length >= end ? end : -1;
  }
  return text.endsWith("\r\n0\r\n\r\n") ? text.length : -1;
}
