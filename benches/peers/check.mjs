// The peer against the case files: `node benches/peers/check.mjs [hono|ours] [--list] [--cases folder]`. The peer's
// exceptions.json lists the known differences with their reasons. An exception that no longer fails is an error, so
// that the list remains correct.
import { parseArgs } from "node:util";
import { CASES, check, chosen } from "../lib/check.mjs";

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, cases: { type: "string", default: CASES } },
});

if (options.list) {
  for (const { file, run } of chosen(options.cases).cases) console.log(`${file}: ${run.name.slice(0, 150)}`);
} else {
  const { faults, summary } = await check(positionals[0] ?? "hono", options.cases);
  for (const fault of faults) console.error(fault);
  console.log(summary);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
