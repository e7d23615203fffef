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
 * Returns the size of the JavaScript in a page that imports these names, in bytes. Excludes chunks that it does not
 * load.
 * @param {readonly string[]} names
 */
function script(names) {
  const { outputFiles, metafile } = buildSync({
    stdin: { contents: `export { ${names.join(", ")} } from "./browser.js";`, resolveDir: pkg },
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: "esm",
    outdir: "out",
    write: false,
  });
  const loaded = new Set();
  /** @param {string} path */
  const load = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: imported, kind } of metafile.outputs[path].imports)
      if (kind === "import-statement") load(imported);
  };
  const isEntry = (/** @type {string} */ path) =>
    metafile.outputs[path].entryPoint !== undefined && !path.includes("inline");
  Object.keys(metafile.outputs).filter(isEntry).slice(0, 1).forEach(load);
  return outputFiles
    .filter(({ path }) => [...loaded].some((name) => path.endsWith(name)))
    .reduce((sum, { contents }) => sum + packedSize(contents), 0);
}

const PAGES = [
  {
    what: "client and validator",
    names: [
      "init",
      "predicate",
      "ResourceClient",
      "ResourceError",
      "validate",
      "resourceDraft",
      "resourceOverwrite",
      "resourceUpdate",
      "complexBody",
    ],
    limit: 46_000,
  },
  { what: "the client alone", names: ["init", "ResourceClient", "ResourceError"], limit: 45_800 },
  { what: "the validator alone", names: ["init", "validate"], limit: 40_000 },
  { what: "`predicate` alone", names: ["predicate"], limit: 500, wasm: false },
];

/** Returns the sizes in bytes, each with its limit. */
export function sizes() {
  const module = packedSize(readFileSync(`${pkg}/wasm/resource_edge_bg.wasm`));
  return PAGES.map(({ what, names, limit, wasm = true }) => {
    const parts = { javascript: script(names), wasm: wasm ? module : 0 };
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
