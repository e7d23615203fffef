// Proves that the peer answers as our worker does: `node benches/peers/check.mjs [hono|ours] [--list] [--cases folder]`
// runs the case files (tests/cases) whose every step goes to an operation that the peer serves. What a peer does not do
// stands in its exceptions.json with the reason; one that no longer fails is an error, so that the list stays true.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { applies, line, rows, runSteps } from "../lib/cases.mjs";
import { Instance, ours, peer } from "../lib/instance.mjs";

const HERE = fileURLToPath(new URL("./", import.meta.url));
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, cases: { type: "string", default: join(HERE, "../../tests/cases") } },
});
const name = positionals[0] ?? "hono";

/** What a peer serves. Literal paths beside ids belong to other operations. */
const LITERAL = "searchApiPattern|sorted-query-parameters|description-with-urn-links|artificially-complex|key=.*";
const SERVED = [
  { methods: ["POST"], path: /^\/[^/?]+\/resource(\?.*)?$/s },
  { methods: ["GET", "HEAD", "POST"], path: new RegExp(`^/[^/?]+/resource/(?!(?:${LITERAL})(?:[/?]|$))[^/?]+(\\?.*)?$`, "s") },
];

function load() {
  const files = readdirSync(options.cases).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => {
    const document = JSON.parse(readFileSync(join(options.cases, file), "utf8"));
    // The peer has no token endpoint and no settings of its own; a file that wants other settings is not for it.
    if (document.settings !== undefined) return [];
    const stem = file.replace(".json", "");
    return rows(document, stem).map((row) => ({ file: stem, ...row }));
  });
}

async function main() {
  const all = load();
  const chosen = all.filter(({ steps, values }) => applies(SERVED, steps.map((step) => line(step, values))));
  if (options.list) return chosen.forEach(({ file, name: sentence }) => console.log(`${file}: ${sentence.slice(0, 150)}`));
  const list = join(HERE, name, "exceptions.json");
  const exceptions = name !== "ours" && existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  const reasonOf = ({ file, name: sentence }) => exceptions.find((one) => one.file === file && sentence.startsWith(one.case));
  const instance = await Instance.start(name === "ours" ? ours() : await peer(name));
  const failed = [];
  const excused = new Set();
  try {
    for (const row of chosen) {
      const wrong = await runSteps(instance.port, row);
      const exception = reasonOf(row);
      if (wrong !== undefined && exception !== undefined) excused.add(exception);
      if (wrong !== undefined && exception === undefined) failed.push(`${row.file}: ${row.name.slice(0, 200)}\n  ${wrong}`);
    }
  } finally {
    await instance.stop();
  }
  const idle = exceptions.filter((one) => !excused.has(one)).map((one) => `${one.file}: '${one.case}' is excepted and passes`);
  for (const sentence of [...failed, ...idle]) console.error(sentence);
  console.log(`${name}: ${chosen.length} of ${all.length} cases apply, ${failed.length} fail, ${excused.size} exceptions`);
  if (chosen.length === 0) console.error(`${options.cases} holds no case that applies.`);
  process.exitCode = failed.length + idle.length > 0 || chosen.length === 0 ? 1 : 0;
}

await main();
