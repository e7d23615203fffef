// Publishes the npm package of this commit, if everything that a release requires is present: `make release`. With
// --dry-run it does everything but the upload. Other arguments go to `npm publish`.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { sbomOf } from "./sbom.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
/** @param {string} path */
const read = (path) => readFileSync(`${root}${path}`, "utf8");
/** @param {string[]} args */
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const { version, repository, homepage, bugs } = JSON.parse(read("pkg/package.json"));

const missing = [];
for (const address of [repository.url, homepage, bugs.url]) {
  if (address.includes("example.com"))
    missing.push(`pkg/package.json: put the repository's public address in place of ${address}.`);
}
const crate = /^version = "(.+)"$/m.exec(read("Cargo.toml"))?.[1];
if (crate !== version) missing.push(`Cargo.toml: the version is ${crate}, and that of pkg/package.json is ${version}.`);
if (!read("CHANGELOG.md").includes(`\n## ${version}`)) missing.push(`CHANGELOG.md: write the heading of ${version}.`);
if (!git("tag", "--points-at", "HEAD").split("\n").includes(`v${version}`))
  missing.push(
    `git: the tag of this commit must be v${version}. Run git tag v${version} when everything else is right.`,
  );
if (git("status", "--porcelain") !== "")
  missing.push("git: commit or remove what is changed. A release is what its tag has.");
for (const built of [
  "pkg/dist/wasm/resource_edge_bg.wasm",
  "pkg/dist/cjs/index.js",
  "pkg/dist/testing/worker.js",
  "pkg/dist/worker/index.js",
]) {
  if (!existsSync(`${root}${built}`)) missing.push(`${built}: run make pkg.`);
}
if (missing.length === 0 && read("pkg/dist/package.json") !== read("pkg/package.json"))
  missing.push("pkg/dist: it is older than pkg/package.json. Run make pkg.");
if (missing.length > 0) {
  console.error(missing.join("\n"));
  process.exit(1);
}

mkdirSync(`${root}build/release`, { recursive: true });
const pack = ["pack", "--json", "--loglevel=error", "--pack-destination=build/release", "./pkg/dist"];
// Its errors are seen, the list of files is not.
const packed = JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8" }));
const tarball = `build/release/resource-edge-${version}.tgz`;
const sbom = `build/release/resource-edge-${version}.cdx.json`;
writeFileSync(`${root}${sbom}`, `${JSON.stringify(sbomOf(`${root}${tarball}`), undefined, 1)}\n`);
console.error(`${tarball}: ${packed[0].integrity}\n${sbom}: what is in it`);

const { ACTIONS_ID_TOKEN_REQUEST_URL, SIGSTORE_ID_TOKEN } = process.env;
const options = process.argv.slice(2);
if (!ACTIONS_ID_TOKEN_REQUEST_URL && !SIGSTORE_ID_TOKEN) {
  console.error("This is no CI job with an OIDC token, so npm will not show where the version was built (provenance).");
  options.push("--provenance=false");
}
const publish = ["publish", `./${tarball}`, ...options];
process.exit(spawnSync("npm", publish, { cwd: root, stdio: "inherit" }).status ?? 1);
