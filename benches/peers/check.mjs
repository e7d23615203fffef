// The peer against the case files: `node benches/peers/check.mjs [hono|ours] [--list] [--cases folder]`. What a peer
// does not do stands in its exceptions.json with the reason; one that no longer fails is a fault, so that the list
// stays true.
import { parseArgs } from "node:util";
import { CASES, check, chosen } from "../lib/check.mjs";

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, cases: { type: "string", default: CASES } },
});

if (options.list) {
  for (const { file, name } of chosen(options.cases).cases) console.log(`${file}: ${name.slice(0, 150)}`);
} else {
  const { faults, summary } = await check(positionals[0] ?? "hono", options.cases);
  for (const fault of faults) console.error(fault);
  console.log(summary);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
