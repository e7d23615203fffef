// wrangler runs this before it serves or deploys, and again if a file that it watches has changed.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// Package managers install packages in different folders, this one or one around it, so this links those that
// wrangler.jsonc and resources.json name into `.wrangler/packages`.
const folder = ".wrangler/packages";
mkdirSync(folder, { recursive: true });
for (const dependency of ["resource-edge", "wrangler"]) {
  const installed = realpathSync(dirname(fileURLToPath(import.meta.resolve(`${dependency}/package.json`))));
  const link = `${folder}/${dependency}`;
  if (existsSync(link) && realpathSync(link) === installed) continue;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(installed, link, "junction");
}

// Writes resource-edge.js again, so it never differs from resources.json. The Worker serves it as a text to its page.
// While `npm run dev` serves, a mistake in resources.json ends nothing: it waits until that is right.
const { status } = spawnSync(process.execPath, [`${folder}/resource-edge/cli/main.js`, "types"], { stdio: "inherit" });
if (status !== 0 && process.env.WRANGLER_COMMAND !== "dev") process.exit(1);
copyFileSync("resource-edge.js", ".wrangler/resource-edge.txt");
