// wrangler runs this before it serves or deploys, and again if a file that it watches has changed.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// Package managers install packages in different folders, this one or one around it, so this links those that
// wrangler.jsonc and resources.json name into `.wrangler/packages`.
const folder = ".wrangler/packages";
const isDev = process.env.WRANGLER_COMMAND === "dev";
const installedAt = (dependency) =>
  realpathSync(dirname(fileURLToPath(import.meta.resolve(`${dependency}/package.json`))));
mkdirSync(folder, { recursive: true });
for (const dependency of ["resource-edge", "wrangler"]) {
  const installed = installedAt(dependency);
  const link = `${folder}/${dependency}`;
  if (existsSync(link) && realpathSync(link) === installed) continue;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(installed, link, "junction");
}

// Writes resource-edge.js again, so it never differs from resources.json. The Worker serves it as a text to its page.
// While `npm run dev` serves, a mistake in resources.json ends nothing: it waits until that is right.
const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0 && !isDev) process.exit(1);
};
run(`${folder}/resource-edge/cli/main.js`, "types");
copyFileSync("resource-edge.js", ".wrangler/resource-edge.txt");

// A page that Vite builds. `npm run dev` serves it without that.
if (existsSync("vite.config.ts")) {
  if (isDev) mkdirSync("dist", { recursive: true });
  else run(`${installedAt("vite")}/bin/vite.js`, "build");
  // The headers of pages, and the OpenAPI document.
  cpSync(`${folder}/resource-edge/worker/api-only`, "dist", { recursive: true });
}
