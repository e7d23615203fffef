// Loads a module of the Worker in Node.

import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

let loads = 0;

/**
 * Returns the module of a TypeScript file, without what it keeps for others that load it.
 * @param {string} path from the root of the repository
 * @returns {Promise<any>}
 */
export function load(path) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const { outputFiles } = buildSync({ entryPoints: [file], bundle: true, write: false, format: "esm" });
  loads += 1;
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}#${loads}`);
}
