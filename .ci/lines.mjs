// The lines of each part of the repository, without generated files. `make check` prints them, and warns above a row.
// With `--release`, a part above its row fails: the steps of a release first remove code, or raise the row.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
/** @param {string} path */
const isRust = (path) => path.endsWith(".rs");
/** @param {string} path */
const isScript = (path) => /\.(js|mjs|jsx|ts|cts)$/.test(path);
/** @param {string} path */
const isUnitTest = (path) => /\/tests\/|_tests\/|\/tests\.rs$|_tests\.rs$/.test(path);
/** @param {string} path @param {string[]} folders */
const isIn = (path, ...folders) => folders.some((folder) => path.startsWith(folder));

/**
 * The parts, and how many lines each may have: what it had when its row was set, and 5 % of room. Documents have less.
 * @type {{ what: string, has: (path: string) => boolean, most: number }[]}
 */
const PARTS = [
  { what: "Rust of the crate", has: (path) => isIn(path, "src/") && isRust(path) && !isUnitTest(path), most: 38_800 },
  {
    what: "JavaScript and TypeScript of the package, the console, and the Worker",
    has: (path) => isIn(path, "pkg/", "www/", "src/worker/") && isScript(path),
    most: 27_800,
  },
  { what: "builds and checks", has: (path) => isIn(path, ".ci/"), most: 3_900 },
  { what: "tests", has: (path) => isIn(path, "tests/") && (isRust(path) || isScript(path)), most: 66_200 },
  { what: "README.md", has: (path) => path === "README.md", most: 300 },
  { what: "CONTRIBUTING.md", has: (path) => path === "CONTRIBUTING.md", most: 350 },
  { what: "pkg/README.md", has: (path) => path === "pkg/README.md", most: 350 },
];

const { values } = parseArgs({ options: { release: { type: "boolean", default: false } } });
if (!values.release && !existsSync(`${root}/.git`)) {
  console.log("This folder is no git repository, so the lines of its parts are not counted.");
  process.exit();
}
const lines = PARTS.map(() => 0);
for (const path of execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trimEnd().split("\n")) {
  const parts = PARTS.flatMap(({ has }, at) => (has(path) ? [at] : []));
  // A file may be deleted, but not yet in git.
  if (parts.length === 0 || !existsSync(`${root}/${path}`)) continue;
  const all = readFileSync(`${root}/${path}`, "utf8");
  if (all.split("\n", 3).some((line) => line.includes("Do not edit"))) continue;
  // Unit tests are at the end of a file.
  const text = isRust(path) && isIn(path, "src/") ? all.split("#[cfg(test)]\nmod tests {")[0] : all;
  for (const at of parts) lines[at] += text.split("\n").length - 1;
}

let isOver = false;
// A part that lost its files has a wrong row: it fails always.
const lost = PARTS.filter(({ most }, at) => lines[at] < most / 2);
if (lost.length > 0) throw new Error(`.ci/lines.mjs finds no files for: ${lost.map(({ what }) => what).join("; ")}`);
for (const [at, { what, most }] of PARTS.entries()) {
  const over = lines[at] > most;
  isOver ||= over;
  const remark = over ? `  more than its row of .ci/lines.mjs: remove code, or raise the row with a reason` : "";
  console.log(`${String(lines[at]).padStart(7)} of ${String(most).padStart(6)}  ${what}${remark}`);
}
if (isOver && values.release) process.exitCode = 1;
