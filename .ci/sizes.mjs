// How much the npm package adds to a page, bundled and minified by esbuild, gzip -9. `make size` prints it; a test
// asserts the limits.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { buildSync } from "esbuild";

const pkg = fileURLToPath(new URL("../pkg/dist", import.meta.url));
/** @param {Uint8Array} bytes */
const packedSize = (bytes) => gzipSync(bytes, { level: 9 }).length;

/**
 * Returns the size of the JavaScript in a page that imports these names of these modules, in bytes.
 * @param {{ [module: string]: string }} modules
 */
function script(modules) {
  const imports = Object.entries(modules).map(([module, names]) => `export { ${names} } from "./${module}.js";`);
  const { outputFiles } = buildSync({
    stdin: { contents: imports.join("\n"), resolveDir: pkg },
    bundle: true,
    minify: true,
    format: "esm",
    // A page loads the first only if it cannot fetch the WebAssembly, and the second only if it has a schema that
    // `npx resource-edge types` has not read. The third is the program's own.
    external: ["./wasm/inline.js", "./expressions/inline-syntax.js", "react"],
    write: false,
  });
  return packedSize(outputFiles[0].contents);
}

const CLIENT = "init, ResourceClient, ResourceError";
const VALIDATOR = "validate, resourceDraft, resourceOverwrite, resourceUpdate, complexBody";
const BOTH = `${CLIENT}, predicate, ${VALIDATOR}`;
/**
 * What a page imports, by the modules of the package.
 * @type {{ what: string, limit: number, [module: string]: any }[]}
 */
const PAGES = [
  { what: "client and validator", browser: BOTH, limit: 55_000 },
  { what: "the same with a resource of your own", browser: `${BOTH}, resource`, limit: 56_300 },
  { what: "the client alone", browser: CLIENT, limit: 54_400 },
  { what: "the client with `live`", browser: CLIENT, live: "live", limit: 59_500 },
  { what: "the client with the hook for React", browser: CLIENT, react: "useLive", limit: 59_600 },
  {
    what: "the same with lists and forms for React",
    browser: CLIENT,
    react: "useList, useResourceForm",
    limit: 64_000,
  },
  { what: "the client with TanStack DB", browser: CLIENT, "tanstack-db": "resourceCollectionOptions", limit: 60_700 },
  { what: "the validator alone", browser: "init, validate", limit: 44_400 },
  { what: "`predicate` alone", browser: "predicate", limit: 500, wasm: false },
];

/** Returns the sizes in bytes, each with its limit. */
export function sizes() {
  const module = packedSize(readFileSync(`${pkg}/wasm/resource_edge_bg.wasm`));
  return PAGES.map(({ what, limit, wasm = true, ...modules }) => {
    const parts = { javascript: script(modules), wasm: wasm ? module : 0 };
    return { what, ...parts, total: parts.javascript + parts.wasm, limit };
  });
}

/** Returns the sizes as a table in Markdown. */
export function sizesTable() {
  const rows = sizes().map(
    (size) => `| ${[size.what, size.javascript, size.wasm || "", size.total, size.limit].join(" | ")} |`,
  );
  return [
    "| a page with | JavaScript | WebAssembly | together | at most |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(sizesTable());
