// Bundles the Worker's entry (src/worker/entry.ts) as a function of its platform, which `resource-edge/testing` calls.
// With an argument it bundles `resource-edge/testing` as CommonJS into that file.
//
//   pkg/dist/testing/worker.js   `startWorker(platform)`, which returns the entry's exports. Its parameters shadow the
//                           globals that the Worker uses, so each call is a separate isolate with its own clock and
//                           randomness.
//   pkg/dist/testing/files.js    the WebAssembly and the OpenAPI document as compressed text, which every tool can load

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

/** The globals that the platform replaces. */
const GLOBALS = [
  "Date",
  "console",
  "crypto",
  "globalThis",
  "Response",
  "WebSocketPair",
  "WebSocketRequestResponsePair",
  "setTimeout",
  "clearTimeout",
  "queueMicrotask",
  "addEventListener",
];

/**
 * wasm-bindgen's glue names a module once for each of its imports.
 * @type {Record<string, import("esbuild").LogLevel>}
 */
const LISTED_TWICE = { "duplicate-object-key": "silent" };

/** The runtime's modules, for `require` in the bundle. */
const MODULES = `
class DurableObject { constructor(ctx, env) { this.ctx = ctx; this.env = env; } }
// Nothing here ends with the response.
const waitUntil = () => {};
const require = (name) => name === "cloudflare:workers" ? { DurableObject, waitUntil } : WASM_MODULE;`;

// In CommonJS: reads the files' text from the other build, to save space.
const READER = `
  import { readFileSync } from "node:fs";
  import { join } from "node:path";
  const text = readFileSync(join(__dirname, "../testing/files.js"), "utf8");
  const read = (name) => new RegExp(\`const \${name} = "([^"]+)"\`).exec(text)[1];
  export const module = read("module");
  export const openApi = read("openApi");`;
// In CommonJS: Node's own import. Jest's import needs an option of Node, and its modules in jsdom lack globals of Node.
const IMPORTER = `
  import { constants, runInThisContext } from "node:vm";
  import { join } from "node:path";
  export function importWasm() {
    const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    if (importModuleDynamically === undefined) return import("@sqlite.org/sqlite-wasm");
    const options = { filename: join(__dirname, "testing.js"), importModuleDynamically };
    return runInThisContext('() => import("@sqlite.org/sqlite-wasm")', options)();
  }`;
const replaced = {
  name: "replaced",
  /** @param {import("esbuild").PluginBuild} build */
  setup({ onLoad }) {
    onLoad({ filter: /\/testing\/files\.js$/ }, () => ({ contents: READER }));
    onLoad({ filter: /\/testing\/wasm\.js$/ }, () => ({ contents: IMPORTER }));
  },
};

/**
 * Builds `resource-edge/testing` as CommonJS.
 * @param {string} outfile
 */
async function buildCommonJs(outfile) {
  // Jest's environment for jsdom lacks these globals of Node.
  const missing = [
    ..."DecompressionStream Event EventTarget Headers MessageChannel Response TextDecoder TextEncoder".split(" "),
    "structuredClone",
  ];
  const banner = `const NODE = require("node:vm").runInThisContext("globalThis");
const { ${missing.map((name) => `${name} = NODE.${name}`).join(", ")} } = globalThis;`;
  await build({
    banner: { js: banner },
    entryPoints: ["pkg/dist/testing/index.js"],
    bundle: true,
    outfile,
    platform: "node",
    format: "cjs",
    target: "es2022",
    external: ["@sqlite.org/sqlite-wasm"],
    plugins: [replaced],
    logOverride: LISTED_TWICE,
  });
}

if (process.argv.length > 2) {
  await buildCommonJs(process.argv[2]);
  process.exit();
}

const { outputFiles } = await build({
  entryPoints: ["src/worker/entry.ts"],
  bundle: true,
  minify: true,
  write: false,
  format: "cjs",
  target: "es2022",
  external: ["cloudflare:workers", "*.wasm"],
  logOverride: LISTED_TWICE,
});
writeFileSync(
  "pkg/dist/testing/worker.js",
  `// Built by .ci/testing from src/worker.
export function startWorker({ WASM_MODULE, ${GLOBALS.join(", ")} }) {${MODULES}
const module = {};
${outputFiles[0].text.trim()}
return module.exports;
}
`,
);

/** @param {string | Uint8Array} bytes */
const compress = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
writeFileSync(
  "pkg/dist/testing/files.js",
  `// Built by .ci/testing: gzip as base64.
export const module = "${compress(readFileSync("build/worker/resource_edge_bg.wasm"))}";
export const openApi = "${compress(readFileSync("build/openapi.json"))}";
`,
);
