// Runs the packed package in every tool of the table, or in the named tools (in lower case, with - between words), and
// prints the matrix as Markdown: `node tests/package/tools/run.mjs [--write] [name …]`, or `make test-tools`. `--write`
// writes it into the guide, with the results of earlier runs for the same package (build/tools.json).

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { generators } from "./generators/table.mjs";
import { matrix, nameOf, prepare, root, runTool } from "./runner.mjs";
import { tools } from "./table.mjs";

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
const known = [...[...tools, ...generators].map(nameOf), "mcp-inspector"];
const unknown = names.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`Unknown tool ${unknown}. Known are ${known.join(", ")}.`);
const wanted = tools.filter((tool) => names.length === 0 || names.includes(nameOf(tool)));
// The names are those of generators or of the inspector: tests/package/tools/generators/run.mjs and inspector.mjs run
// them.
if (wanted.length === 0) process.exit();

/** Returns the identity of the package: a hash of everything that runs. */
function identity() {
  const pkg = join(root, "pkg/dist");
  const hash = createHash("sha256");
  for (const file of readdirSync(pkg, { recursive: true, encoding: "utf8" }).sort())
    if (/\.(js|wasm)$|^package\.json$/.test(file)) hash.update(readFileSync(join(pkg, file)));
  return hash.digest("hex");
}

const store = join(root, "build/tools.json");
const earlier = existsSync(store) ? JSON.parse(readFileSync(store, "utf8")) : {};
const id = identity();
const kept = earlier.id === id ? earlier.results : [];

const packed = prepare();
const fresh = [];
try {
  for (const tool of wanted) {
    for (const version of Object.keys(tool.versions)) {
      for (const result of await runTool(tool, version, packed)) {
        fresh.push(result);
        console.error(
          `${result.outcome.padEnd(7)} ${result.name} ${result.version}: ${result.part} (${result.seconds} s)` +
            (result.reason ? `\n        ${result.reason}` : ""),
        );
      }
    }
  }
} finally {
  packed.remove();
}

const order = tools.map(({ name }) => name);
const results = [...kept.filter(({ name }) => !wanted.some((tool) => tool.name === name)), ...fresh].sort(
  (one, other) => order.indexOf(one.name) - order.indexOf(other.name),
);
mkdirSync(join(root, "build"), { recursive: true });
writeFileSync(store, JSON.stringify({ id, results }));

console.log(matrix(fresh));
if (words.includes("--write")) {
  const missing = order.filter((name) => !results.some((result) => result.name === name));
  if (missing.length > 0) throw new Error(`Not written: this package has not been run in ${missing.join(", ")}.`);
  const page = join(root, "src/guide/use/tools.md");
  const [before, after] = readFileSync(page, "utf8").split(/(?<=<!-- make test-tools -->\n)[^]*(?=<!-- end -->)/);
  writeFileSync(page, `${before}${matrix(results)}${after}`);
}
if (fresh.some(({ outcome }) => outcome === "fails")) process.exitCode = 1;
