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
 * Returns the size of the JavaScript in a page that imports these names, in bytes.
 * @param {string} names
 * @param {string} live exports of `resource-edge/live`
 */
function script(names, live) {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `export { ${names} } from "./browser.js"; export { ${live} } from "./live.js";`,
      resolveDir: pkg,
    },
    bundle: true,
    minify: true,
    format: "esm",
    // A page loads this only if it cannot fetch the WebAssembly.
    external: ["./wasm/inline.js"],
    write: false,
  });
  return packedSize(outputFiles[0].contents);
}

const CLIENT = "init, ResourceClient, ResourceError";
const VALIDATOR = "validate, resourceDraft, resourceOverwrite, resourceUpdate, complexBody";
const PAGES = [
  { what: "client and validator", names: `${CLIENT}, predicate, ${VALIDATOR}`, limit: 50_000 },
  { what: "the client alone", names: CLIENT, limit: 50_000 },
  { what: "the client with `live`", names: CLIENT, live: "live", limit: 56_000 },
  { what: "the validator alone", names: "init, validate", limit: 41_000 },
  { what: "`predicate` alone", names: "predicate", limit: 500, wasm: false },
];

/** Returns the sizes in bytes, each with its limit. */
export function sizes() {
  const module = packedSize(readFileSync(`${pkg}/wasm/resource_edge_bg.wasm`));
  return PAGES.map(({ what, names, live = "", limit, wasm = true }) => {
    const parts = { javascript: script(names, live), wasm: wasm ? module : 0 };
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
