// Builds the package's CommonJS in pkg/dist/cjs, for Jest and for `require` before Node 20.19: a file for each entry
// point. The others share what the main one has: the WebAssembly, the errors, the feeds of views.

import { resolve } from "node:path";

import { build } from "esbuild";

const FOLDER = "pkg/dist/cjs";

/** The exports of each file, from the compiled modules. The types of the main one declare only those of `node.js`. */
const FILES = {
  index:
    'export * from "./node.js"; export { live, watch } from "./live.js"; ' +
    'export { liveAfter } from "./feed/live-view.js"; export { wrongOption } from "./client/errors.js"; ' +
    'export { hasReader, read } from "./own/reader.js";',
  "json-schema": 'export * from "./json-schema.js";',
  live: 'export { live, watch } from "./live.js";',
  operations: 'export * from "./operations.js";',
  predicate: 'export * from "./predicate.js";',
  react: 'export * from "./react.js";',
  syntax: 'export * from "./syntax.js";',
  "tanstack-db": 'export * from "./tanstack-db.js";',
  token: 'export * from "./token.js";',
};

/** The modules whose exports the others get from the main file. */
const SHARED = "client/errors core/ready feed/live-view live own/merge own/reader validate/validate"
  .split(" ")
  .map((name) => resolve("pkg/dist", `${name}.js`));

/** @type {import("esbuild").Plugin} */
const shareMain = {
  name: "share-main",
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) =>
      SHARED.includes(resolve(resolveDir, path)) ? { path: "./index.js", external: true } : undefined,
    );
  },
};

for (const [name, contents] of Object.entries(FILES)) {
  await build({
    stdin: { contents, resolveDir: "pkg/dist" },
    outfile: `${FOLDER}/${name}.js`,
    bundle: true,
    platform: "neutral",
    format: "cjs",
    target: "es2022",
    external: ["react"],
    inject: ["pkg/dist/core/utf8.js"],
    plugins: name === "index" ? [] : [shareMain],
    logLevel: "warning",
  });
}
