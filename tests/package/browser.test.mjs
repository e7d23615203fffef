import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

import { browse, check, html, POLICY, program, project, reports, root, run, tool } from "./support.mjs";

test("a page without a bundler runs the package with a strict policy", async () => {
  const folder = project("plain", {
    "index.html": html("/main.js"),
    "main.js": reports.replace("globalThis.report", "const report") + program("/node_modules/resource-edge/browser.js"),
  });
  check(await browse(folder), false);
});

test("Vite places the WebAssembly automatically, and renders on the server", async () => {
  const folder = project("vite", {
    "index.html": html("/main.js"),
    "main.js": `import "./reports.js";\n${program("resource-edge")}`,
    "reports.js": reports,
    "server.js":
      `import { validate } from "resource-edge";\n` +
      `export const render = () => String(validate("complexBody", {}).valid);`,
  });
  run(tool("vite"), ["build", "--target", "es2022"], folder);
  const assets = readdirSync(join(folder, "dist/assets"));
  assert.equal(assets.filter((file) => file.endsWith(".wasm")).length, 1, assets.join(" "));
  check(await browse(join(folder, "dist")), false);

  run(tool("vite"), ["build", "--ssr", "server.js", "--outDir", "server"], folder);
  const print = `import("./server/server.js").then(({ render }) => console.log(render()))`;
  assert.equal(run(process.execPath, ["-e", print], folder).trim(), "true");
});

test("webpack places the WebAssembly automatically", async () => {
  const folder = project("webpack", {
    "index.html": html("/main.js"),
    "src/index.js": `import "./reports.js";\n${program("resource-edge")}`,
    "src/reports.js": reports,
    "build.mjs": `
      import webpack from "${pathToFileURL(join(root, "node_modules/webpack/lib/index.js"))}";
      const output = { path: import.meta.dirname, publicPath: "/" };
      webpack({ mode: "production", context: import.meta.dirname, output }, (error, stats) => {
        if (error) throw error;
        if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString("errors-warnings"));
      });`,
  });
  run(process.execPath, ["build.mjs"], folder);
  assert.equal(readdirSync(folder).filter((file) => file.endsWith(".wasm")).length, 1);
  check(await browse(folder), false);
});

test("esbuild includes the inline entry, and loads the file from its configured address", async () => {
  const folder = project("esbuild", {
    "index.html": html("/inline.js"),
    "placed.html": html("/placed.js"),
    "src/inline.js": `import "./reports.js";\n${program("resource-edge/inline")}`,
    "src/placed.js":
      `import "./reports.js";\n` +
      `import url from "resource-edge/wasm";\n` +
      `${program("resource-edge").replace("init()", "init(url)")}`,
    "src/reports.js": reports,
  });
  const bundle = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--outdir=.", "--public-path=/"];
  run(tool("esbuild"), ["src/inline.js", ...bundle], folder);
  check(await browse(folder), false);
  run(tool("esbuild"), ["src/placed.js", ...bundle, "--loader:.wasm=file"], folder);
  check(await browse(folder, "/placed.html"), false);
});

test("a page uses the inline bytes if the file is missing", async () => {
  const folder = project("missing", {
    "index.html": html("/main.js"),
    "main.js": reports.replace("globalThis.report", "const report") + program("/node_modules/resource-edge/browser.js"),
  });
  rmSync(join(folder, "node_modules/resource-edge/wasm/resource_edge_bg.wasm"));
  check(await browse(folder), false);
});

test("the error in a page whose policy forbids WebAssembly names the missing directive", async () => {
  const folder = project("forbidden", {
    "index.html": html("/main.js"),
    "main.js":
      `${reports}import { init } from "/node_modules/resource-edge/browser.js";\n` +
      "init().catch(({ message }) => report(message));",
  });
  const message = await browse(folder, "/index.html", "", POLICY.replace("'wasm-unsafe-eval'", ""));
  assert.match(
    message,
    /^Could not load the WebAssembly of resource-edge from http:.* Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy\.$/,
  );
});
