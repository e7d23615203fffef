// The load generator: a thread with keep-alive connections that have one request in flight each. It writes prepared
// bytes. Of a response it parses only the status, the length, and the body of one in a thousand.
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { parentPort } from "node:worker_threads";
import { WORKLOADS } from "./workloads.mjs";

const SAMPLE = 1000;
/** Latencies are counted in steps of 20 µs, up to thirty seconds. */
const STEP = 0.02;
const STEPS = 1_500_000;
/** The maximum milliseconds until a response; a later one ends the run. */
const RESPONSE_MS = 60_000;

/** Data that a workload keeps between rounds, by side and workload. */
const memory = new Map();

parentPort.on("message", async (job) => {
  try {
    parentPort.postMessage({ result: await run(job) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
});

function run({ port, rampMs, measureMs, count: limit = Infinity, ...context }) {
  const { side, workload, connections } = context;
  const place = `${side} ${workload}`;
  if (!memory.has(place)) memory.set(place, {});
  const round = new Round(workload, port, limit);
  return new Promise((resolve, reject) => {
    const all = [];
    const settle = (end) => (value) => {
      for (const connection of all) connection.end();
      end(value);
    };
    round.fail = settle(reject);
    let open = connections;
    round.finished = () => {
      open -= 1;
      if (open === 0) settle(resolve)({ ...round.summary(), versions: memory.get(place).versions });
    };
    for (let at = 0; at < connections; at += 1) {
      const source = WORKLOADS[workload].source({ ...context, at, memory: memory.get(place) });
      round.weight = source.weight ?? 1;
      all.push(new Connection(round, source));
    }
    if (limit !== Infinity) return round.begin();
    setTimeout(() => round.begin(), rampMs);
    // A quick round on a busy machine may be over before it has counted anything.
    const end = (left = 20) =>
      round.count > 0 || left === 0 ? round.end() : setTimeout(() => end(left - 1), measureMs);
    setTimeout(end, rampMs + measureMs);
  });
}

/** Counts the requests of all connections in a round. */
class Round {
  constructor(workload, port, limit) {
    this.workload = workload;
    this.port = port;
    this.limit = limit;
    /** The writes of a request. */
    this.weight = 1;
    this.counting = false;
    this.ending = false;
    this.issued = 0;
    this.total = 0;
    this.count = 0;
    this.closed = 0;
    this.max = 0;
    /** @type {(error: Error) => void} */
    this.fail = undefined;
    /** @type {() => void} */
    this.finished = undefined;
    /** @type {unknown} */
    this.sample = undefined;
    this.latencies = new Uint32Array(STEPS);
  }

  begin() {
    this.counting = true;
    this.began = performance.now();
    this.utilization = performance.eventLoopUtilization();
  }

  end() {
    this.counting = false;
    this.ending = true;
    this.ended = performance.now();
    this.utilization = performance.eventLoopUtilization(this.utilization).utilization;
  }

  /** Returns whether a connection may send another request. */
  take() {
    if (this.ending || this.issued >= this.limit) return false;
    this.issued += this.weight;
    return true;
  }

  record(milliseconds) {
    this.total += 1;
    if (!this.counting) return;
    this.count += 1;
    if (milliseconds > this.max) this.max = milliseconds;
    this.latencies[Math.min(STEPS - 1, Math.floor(milliseconds / STEP))] += 1;
  }

  summary() {
    if (!this.ending) this.end();
    const { count, total, weight, closed, max, latencies, sample } = this;
    const quantile = (share) => {
      let rest = share * count;
      return latencies.findIndex((number) => (rest -= number) <= 0) * STEP;
    };
    const perSecond = (weight * count) / ((this.ended - this.began) / 1000);
    return {
      perSecond,
      began: performance.timeOrigin + this.began,
      total: weight * total,
      closed,
      p50: quantile(0.5),
      p99: quantile(0.99),
      max,
      generator: this.utilization,
      sample,
    };
  }
}

/** Sends the requests of a source, one after the other, until the round ends. */
class Connection {
  constructor(round, source) {
    this.round = round;
    this.source = source;
    this.sent = 0;
    this.over = false;
    this.connect();
  }

  connect() {
    this.pending = "";
    this.waiting = false;
    const socket = (this.socket = connect({ host: "127.0.0.1", port: this.round.port, noDelay: true }));
    socket.setEncoding("latin1");
    socket.setTimeout(RESPONSE_MS, () => this.fail("no response within a minute"));
    socket.on("connect", () => this.send());
    socket.on("data", (chunk) => this.receive(chunk));
    socket.on(
      "error",
      (/** @type {NodeJS.ErrnoException} */ error) => error.code === "ECONNREFUSED" && this.fail(error.message),
    );
    socket.on("close", () => this.closed());
  }

  send() {
    if (!this.round.take()) return this.finish();
    this.waiting = true;
    this.began = performance.now();
    this.socket.write(this.source.next(), "latin1");
  }

  receive(chunk) {
    this.pending += chunk;
    const end = responseEnd(this.pending, this.source.bodiless);
    if (end === -1) return;
    if (end !== this.pending.length) return this.fail("bytes after the response");
    const response = this.pending;
    this.pending = "";
    this.waiting = false;
    this.round.record(performance.now() - this.began);
    if (this.accept(response)) this.send();
  }

  accept(response) {
    const { source, round } = this;
    const status = Number(response.slice(9, 12));
    if (status !== source.status) {
      this.fail(`expected ${source.status}, got ${response.slice(0, 2000)}`);
      return false;
    }
    this.sent += 1;
    if (this.sent % SAMPLE === 1) {
      const body = response.slice(response.indexOf("\r\n\r\n") + 4);
      round.sample ??= body;
      const problem = source.check(body);
      if (problem !== undefined) this.fail(`${problem}: ${response.slice(0, 2000)}`);
      if (problem !== undefined) return false;
    }
    source.done();
    return true;
  }

  /** A connection that closes without its response is counted, and replaced by another one. */
  closed() {
    if (this.over) return;
    if (this.waiting) {
      this.round.closed += 1;
      this.source.lost();
    }
    if (this.round.ending) this.finish();
    else this.connect();
  }

  finish() {
    this.end();
    this.round.finished();
  }

  end() {
    this.over = true;
    this.socket.destroy();
  }

  fail(reason) {
    if (!this.over) this.round.fail(new Error(`${this.round.workload}: ${reason}`));
  }
}

/** Returns the end of the response in the text, or -1 if it is incomplete. */
function responseEnd(text, bodiless) {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1 || bodiless) return head === -1 ? -1 : head + 4;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
  if (length !== null) {
    const end = head + 4 + Number(length[1]);
    return text.length >= end ? end : -1;
  }
  return text.endsWith("\r\n0\r\n\r\n") ? text.length : -1;
}
