// The points of a proof that measure: how far KV is behind, how long calls take, and what they cost.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { smallBody } from "../../benches/lib/workloads.mjs";
import { later } from "../workerd/support.mjs";
import { quantile } from "../support/quantile.mjs";
import { inLanes, settled, table } from "./service.mjs";

/** How long a plain read may show an older state, in milliseconds: the minute of the guarantees, twice. */
const LAG_MS = 120_000;
const PROBES = 6;

const change = (version, text) => ({ version, actions: [{ action: "changeSomeProperty", someProperty: text }] });
const median = (values) => quantile(values, 0.5);
const seconds = (ms) => (ms / 1000).toFixed(1);

/** @type {import("./points.mjs").Point} */
export const lag = {
  name: "lag",
  share: 2,
  plan: `updates ${PROBES} resources, and reads each plainly until the update shows`,
  meaning:
    "Plain reads show older states for longer than the guarantees say. Or a session (`Resource-Min-Revision`) did " +
    "not get its own write.",
  remedy:
    "If `KV_CACHE_TTL` is above 60, plain reads may be older by as much. Look at `backlog` in the status: puts to KV " +
    "may fail (the Free plan allows 1,000 a day). With `READ_DEFAULT=fresh`, reads do not depend on KV.",
  async run({ service, until }) {
    const name = service.project();
    const problems = [];
    const lags = [];
    await inLanes(
      PROBES,
      Array.from({ length: PROBES }, (_, at) => `probe-${at}`),
      async (id) => {
        const at = `/${name}/resource/${id}`;
        const body = { id, objectTypeProperty: {} };
        let { json: known } = await settled(() => service.call(`POST /${name}/resource`, { body }));
        do {
          // This location of the platform now keeps the copy, as any that has read it.
          await service.call(`GET ${at}`);
          const update = {
            body: change(known.version, `version ${known.version}`),
            headers: { "Idempotency-Key": `${id}-${known.version}` },
          };
          const updated = await settled(() => service.call(`POST ${at}`, update));
          assert.equal(updated.status, 200, updated.text);
          const began = Date.now();
          known = updated.json;
          const revision = String(Date.parse(known.lastModifiedAt));
          const headers = { "Resource-Min-Revision": revision };
          const session = await settled(() => service.call(`GET ${at}`, { headers }));
          if (session.json.version !== known.version) problems.push(`a session got version ${session.json.version}`);
          while ((await service.call(`GET ${at}`)).json?.version !== known.version && Date.now() - began < LAG_MS)
            await later(250);
          lags.push(Date.now() - began);
          if (lags.at(-1) >= LAG_MS) problems.push(`${id} was not seen ${seconds(LAG_MS)} s after its update`);
          await later(1_000);
        } while (Date.now() < until);
      },
    );
    const did =
      `${lags.length} updates were read from here until they showed. This location of the platform had cached the ` +
      "state before. One that has cached nothing sees an update sooner. Each update was also read at once with its " +
      "revision, as a session does.";
    const rows = [[lags.length, ...[0.5, 0.99, 1].map((share) => seconds(quantile(lags, share)))]];
    return { did, problems, figures: table(["updates", "seen after, median s", "p99 s", "longest s"], rows) };
  },
};

/** The most calls of an operation, and how many lanes make them. */
const CALLS = 100;
const LANES = 4;

const FRESH = { headers: { "Cache-Control": "no-cache" } };
const small = (n) => JSON.parse(smallBody(n));
/**
 * The operations, in the order in which they are measured: the call number n, and the rows that its statements write on
 * workerd. A query brings the index of new resources along, whose rows are not those of a call.
 * @type {{ [name: string]: { call: (n: number) => [string, object?], writes: number } }}
 */
const OPERATIONS = {
  create: { call: (n) => ["POST ", { body: small(n) }], writes: 3 },
  "create with a key": { call: (n) => ["POST ", { body: { id: `r${n}`, key: `k${n}`, ...small(n) } }], writes: 4 },
  "first page of 20": { call: () => ["GET ?withTotal=false"], writes: 0 },
  "query by index": { call: (n) => [`GET ?withTotal=false&where=arrayOfFloatExample%3D${n}.5`], writes: 0 },
  search: { call: (n) => [`GET /searchApiPattern?text.en=${n}`], writes: 0 },
  "read by ID, plain": { call: (n) => [`GET /r${n}`], writes: 0 },
  "read by key, plain": { call: (n) => [`GET /key=k${n}`], writes: 0 },
  "read by ID, fresh": { call: (n) => [`GET /r${n}`, FRESH], writes: 0 },
  update: { call: (n) => [`POST /r${n}`, { body: change(1, `change ${n}`) }], writes: 5 },
  "update with an Idempotency-Key": {
    call: (n) => [`POST /r${n}`, { body: change(2, `other ${n}`), headers: { "Idempotency-Key": `u${n}` } }],
    writes: 7,
  },
  delete: { call: (n) => [`DELETE /r${n}`], writes: 19 },
};

/** Returns the rows of each operation, from the lines of the log with the correlation IDs of the run. */
function rowsIn(file, run) {
  // `wrangler tail` writes each line as a text within JSON.
  const text = readFileSync(file, "utf8").replaceAll('\\"', '"');
  const found = new Map();
  for (const [line] of text.matchAll(new RegExp(`\\{[^{}]*"correlationId":"${run}-[^{}]*\\}`, "g"))) {
    const { correlationId, rowsWritten = 0, rowsRead = 0 } = JSON.parse(line);
    const at = Number(correlationId.slice(run.length + 1).split("-")[0]);
    found.set(at, [...(found.get(at) ?? []), [rowsWritten, rowsRead]]);
  }
  return found;
}

/** Returns the table of costs, and what differs from the tests. */
function costs(file, run) {
  const found = rowsIn(file, run);
  const problems = [];
  const rows = Object.entries(OPERATIONS).map(([name, { writes }], at) => {
    const counts = found.get(at) ?? [];
    const [written, read] = [0, 1].map((place) => median(counts.map((count) => count[place])));
    if (counts.length === 0) problems.push(`the log has no line of '${name}'. Has the service LOG=all?`);
    else if (written !== writes) problems.push(`'${name}' wrote ${written} rows, expected ${writes}`);
    return [name, counts.length, written ?? "", writes, read ?? ""];
  });
  return { figures: table(["call", "lines of the log", "rows written", "expected", "rows read"], rows), problems };
}

/**
 * Returns the point of latencies and costs.
 * @param {string | undefined} log a file to which somebody writes the log of the service meanwhile
 * @returns {import("./points.mjs").Point}
 */
export const latencies = (log) => ({
  name: "latencies",
  share: 1,
  plan: "measures how long each kind of call takes, and the billed rows, if LOG_FILE has the service's log",
  meaning: "A call did not succeed, or the platform bills other rows than the page about cost says.",
  remedy:
    "Read the problem. If rows differ, calculate your cost with the rows of this report, and report the difference.",
  async run({ service, until }) {
    const name = service.project();
    const began = Date.now();
    const problems = new Set();
    // As many calls of each operation as the first ones allow.
    let count = CALLS;
    const rows = [];
    for (const [at, [operation, { call }]] of Object.entries(OPERATIONS).entries()) {
      const times = [];
      const send = async (n) => {
        const [line, { headers = {}, body = undefined } = {}] = /** @type {[string, any?]} */ (call(n));
        const all = { ...headers, "X-Correlation-ID": `${service.run}-${at}-${n}` };
        const before = performance.now();
        const { status, text } = await service.call(line.replace(" ", ` /${name}/resource`), { body, headers: all });
        times.push(performance.now() - before);
        if (status >= 300) problems.add(`${operation}: ${status} ${text.slice(0, 200)}`);
      };
      const end = began + ((until - began) * (at + 1)) / Object.keys(OPERATIONS).length;
      const numbers = Array.from({ length: count }, (_, n) => n);
      await inLanes(LANES, numbers.slice(0, LANES), send);
      count = LANES + (await inLanes(LANES, numbers.slice(LANES), send, at < 2 ? end : Infinity));
      rows.push([operation, times.length, ...[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1))]);
    }
    const figures = [table(["call", "calls", "median ms", "p99 ms", "longest ms"], rows)];
    let did = `Each kind of call was sent by ${LANES} callers at once, from this machine, over its network. `;
    if (log === undefined) {
      did += "Rows were not compared, because there was no LOG_FILE.";
    } else {
      // The log comes after the response.
      await later(3_000);
      const found = costs(log, service.run);
      did +=
        "The rows are the medians of those in the log. The index of a creation and the copy in KV are written after " +
        "the response, so their rows are not here: the guide's page about cost has the sum, and the price.";
      figures.push(found.figures);
      for (const problem of found.problems) problems.add(problem);
    }
    return { did, problems: [...problems], figures: figures.join("\n\n") };
  },
});
