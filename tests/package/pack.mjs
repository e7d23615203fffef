// The package as npm packs it, and a folder in which npm has installed the tarball. npm needs seconds for them. So
// `make test` (.ci/test) makes them once for all test files: `node tests/package/pack.mjs FOLDER`, then PACKED=FOLDER.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../pkg/dist", import.meta.url));

/** Runs npm in a folder. Returns what it prints. */
const npm = (folder, ...args) =>
  execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Returns the path of the tarball, which is in PACKED or else in this folder, and its list of files. */
export function pack(folder) {
  const shared = process.env.PACKED ?? folder;
  const report = join(shared, "pack.json");
  if (!existsSync(report)) writeFileSync(report, npm(shared, "pack", DIST, "--json", "--pack-destination", shared));
  const [{ filename, files }] = JSON.parse(readFileSync(report, "utf8"));
  return { path: join(shared, filename), files: files.map(({ path }) => path).sort() };
}

/** Returns a folder in which npm has installed the package, in PACKED or else in this folder. */
export function install(folder) {
  const installed = join(process.env.PACKED ?? folder, "installed");
  if (existsSync(installed)) return installed;
  mkdirSync(installed);
  writeFileSync(join(installed, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm(installed, "install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", pack(folder).path);
  return installed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install(resolve(process.argv[2]));
