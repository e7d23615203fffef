// Builds the package's CommonJS in pkg/dist/cjs, for Jest and for `require` before Node 20.19: a file for each entry
// point, with everything in it. Those that validate share the WebAssembly of the main one.

import { build } from "esbuild";

const FOLDER = "pkg/dist/cjs";

/** @type {import("esbuild").Plugin} */
const shareMain = {
  name: "share-main",
  setup({ onResolve }) {
    onResolve({ filter: /\/validate\.js$/ }, () => ({ path: "./index.js", external: true }));
  },
};

for (const [entry, name] of [
  ["node", "index"],
  ["json-schema", "json-schema"],
  ["operations", "operations"],
  ["predicate", "predicate"],
  ["syntax", "syntax"],
]) {
  await build({
    entryPoints: [`pkg/dist/${entry}.js`],
    outfile: `${FOLDER}/${name}.js`,
    bundle: true,
    platform: "neutral",
    format: "cjs",
    target: "es2022",
    inject: ["pkg/dist/utf8.js"],
    plugins: name === "index" ? [] : [shareMain],
    logLevel: "warning",
  });
}
