// A batch of 100 small creations beside 100 calls: `node benches/batch.mjs [--rounds 20]`. Fails if it is not five
// times as fast as the calls one after the other.
import { parseArgs } from "node:util";
import { Instance, ours } from "./lib/instance.mjs";
import { Sender } from "./lib/sender.mjs";
import { tokenFor } from "./lib/token.mjs";
import { smallBody } from "./lib/workloads.mjs";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const PROJECT = "batch";
const WRITES = 100;
/** How many of the calls are under way at once. */
const PARALLEL = 32;
/** How many times as fast a batch has to be. */
const FASTER = 5;

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

const instance = await Instance.start(ours());
const sender = new Sender(instance, PROJECT, tokenFor([`manage_test:${PROJECT}`]), PARALLEL);
sender.path = `/${PROJECT}`;
const body = smallBody(1);
const create = () => sender.send(201, "POST", "/resource", body);
const ways = {
  "a batch": () =>
    sender.send(
      200,
      "POST",
      "/batch",
      `{"writes":[${Array(WRITES).fill(`{"operation":"createOrUpdate","body":${body}}`).join(",")}]}`,
    ),
  "calls, one after the other": async () => {
    for (let at = 0; at < WRITES; at += 1) await create();
  },
  [`calls, ${PARALLEL} at once`]: () => Promise.all(Array.from({ length: WRITES }, create)),
};
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = -2; round < Number(options.rounds); round += 1) {
  for (const [name, run] of Object.entries(ways)) {
    const began = performance.now();
    await run();
    // The first rounds start everything.
    if (round >= 0) times[name].push(performance.now() - began);
  }
}
sender.close();
await instance.stop();
const [batch, ...others] = Object.values(times).map(median);
console.log(`| ${WRITES} small creations | milliseconds | times a batch |\n|---|---|---|`);
for (const [name, all] of Object.entries(times))
  console.log(`| ${name} | ${median(all).toFixed(1)} | ${(median(all) / batch).toFixed(1)} |`);
if (others[0] < FASTER * batch) {
  console.error(`Expected a batch to be ${FASTER} times as fast.`);
  process.exitCode = 1;
}
