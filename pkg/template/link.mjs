// wrangler runs this before it serves or deploys. Package managers install packages in different folders, this one or
// one around it, so this links those that wrangler.jsonc and fields.json name into `.wrangler/packages`.
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const folder = ".wrangler/packages";
mkdirSync(folder, { recursive: true });
for (const dependency of ["resource-edge", "wrangler"]) {
  const installed = realpathSync(dirname(fileURLToPath(import.meta.resolve(`${dependency}/package.json`))));
  const link = `${folder}/${dependency}`;
  if (existsSync(link) && realpathSync(link) === installed) continue;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(installed, link, "junction");
}
