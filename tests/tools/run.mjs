// Runs the packed package in every tool of the table: `node tests/tools/run.mjs [--write] [name …]`, or `make test-tools`.
// It prints the matrix as Markdown; `--write` also writes it into pkg/README.md.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { matrix, prepare, root, runTool } from "./runner.mjs";
import { tools } from "./table.mjs";

const words = process.argv.slice(2);
const write = words.includes("--write");
const names = words.filter((word) => !word.startsWith("--")).map((word) => word.toLowerCase());
const wanted = tools.filter(({ name }) => names.length === 0 || names.some((part) => name.toLowerCase().includes(part)));

const package_ = prepare();
const results = [];
try {
  for (const tool of wanted) {
    for (const version of Object.keys(tool.versions)) {
      for (const result of await runTool(tool, version, package_)) {
        results.push(result);
        console.error(`${result.outcome.padEnd(7)} ${result.name} ${result.version}: ${result.part} (${result.seconds} s)${result.reason ? `\n        ${result.reason}` : ""}`);
      }
    }
  }
} finally {
  package_.remove();
}

const table = matrix(results);
console.log(table);
if (write) {
  const readme = join(root, "pkg/README.md");
  const [start, end] = ["<!-- make test-tools -->\n", "<!-- end -->"];
  const text = readFileSync(readme, "utf8");
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error("pkg/README.md has no place for the matrix.");
  writeFileSync(readme, `${text.slice(0, from)}${start}${table}${text.slice(to)}`);
}
if (results.some(({ outcome }) => outcome === "fails")) process.exitCode = 1;
