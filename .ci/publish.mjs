// Publishes the npm package, if everything that a release requires is present. Arguments go to `npm publish`.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), "utf8");
const { version, repository, homepage, bugs } = JSON.parse(read("pkg/package.json"));

const missing = [];
for (const address of [repository.url, homepage, bugs.url]) {
  if (address.includes("example.com"))
    missing.push(`pkg/package.json: put the repository's public address in place of ${address}.`);
}
if (!read("CHANGELOG.md").includes(`\n## ${version}`)) missing.push(`CHANGELOG.md: write the heading of ${version}.`);
for (const built of [
  "pkg/dist/wasm/resource_edge_bg.wasm",
  "pkg/dist/cjs/index.js",
  "pkg/dist/testing/worker.js",
  "pkg/dist/worker/index.js",
]) {
  if (!existsSync(fileURLToPath(new URL(built, root)))) missing.push(`${built}: run make pkg.`);
}
if (missing.length > 0) {
  console.error(missing.join("\n"));
  process.exit(1);
}
const publish = ["publish", ...process.argv.slice(2), "./pkg/dist"];
process.exit(spawnSync("npm", publish, { cwd: fileURLToPath(root), stdio: "inherit" }).status ?? 1);
