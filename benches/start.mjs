// The time from the start of workerd to the first response: our Worker beside the peer, and beside an empty Worker.
//
//   node benches/start.mjs [--rounds N]
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { Instance, empty, ours } from "./lib/instance.mjs";
import { peer } from "./lib/peer.mjs";
import { head, median } from "./lib/race.mjs";
import { tokenFor } from "./lib/token.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "16" } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds}: expected a number from 1`);

const headers = { Authorization: `Bearer ${tokenFor(["manage_test:start"])}` };

/** Returns the milliseconds from the start to the response to a first read, which the object serves. */
async function first(worker, status) {
  const begin = performance.now();
  const instance = await Instance.start(worker);
  try {
    const response = await fetch(`${instance.origin}/start/resource/unknown`, { headers });
    await response.text();
    const took = performance.now() - begin;
    if (response.status !== status) throw new Error(`${worker.name}: ${response.status} instead of ${status}`);
    return took;
  } finally {
    await instance.stop();
  }
}

const sides = [
  { worker: ours(), status: 404 },
  { worker: await peer(), status: 404 },
  { worker: empty(), status: 200 },
].map((side) => ({ ...side, times: [] }));
// The first round fills the machine's caches.
for (let round = -1; round < rounds; round++) {
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  for (const { worker, status, times } of sides) {
    const took = await first(worker, status);
    if (round >= 0) times.push(took);
  }
}
console.log(head(["from the start to the first response", "median", "fastest"]));
for (const { worker, times } of sides) {
  console.log(`| ${worker.name} | ${median(times).toFixed(0)} ms | ${Math.min(...times).toFixed(0)} ms |`);
}
