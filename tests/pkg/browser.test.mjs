import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";

import { browse, check, html, program, project, reports, run, tool } from "./support.mjs";

test("a page without a bundler runs it under a strict policy", async () => {
  const folder = project("plain", {
    "index.html": html("/main.js"),
    "main.js": reports.replace("globalThis.report", "const report") + program("/node_modules/resource-edge/browser.js"),
  });
  check(await browse(folder), false);
});

test("Vite places the WebAssembly by itself, and renders on the server", async () => {
  const folder = project("vite", {
    "index.html": html("/main.js"),
    "main.js": `import "./reports.js";\n${program("resource-edge")}`,
    "reports.js": reports,
    "server.js": `import { validate } from "resource-edge";\nexport const render = () => String(validate("complexBody", {}).valid);`,
  });
  run(tool("vite"), ["build", "--target", "es2022"], folder);
  const assets = readdirSync(join(folder, "dist/assets"));
  assert.equal(assets.filter((file) => file.endsWith(".wasm")).length, 1, assets.join(" "));
  check(await browse(join(folder, "dist")), false);

  run(tool("vite"), ["build", "--ssr", "server.js", "--outDir", "server"], folder);
  const print = `import("./server/server.js").then(({ render }) => console.log(render()))`;
  assert.equal(run(process.execPath, ["-e", print], folder).trim(), "true");
});

test("esbuild carries the inline entry, and takes the address of the file where it is told to place it", async () => {
  const folder = project("esbuild", {
    "index.html": html("/inline.js"),
    "placed.html": html("/placed.js"),
    "src/inline.js": `import "./reports.js";\n${program("resource-edge/inline")}`,
    "src/placed.js": `import "./reports.js";\nimport url from "resource-edge/wasm";\n${program("resource-edge").replace("init()", "init(url)")}`,
    "src/reports.js": reports,
  });
  const bundle = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--outdir=.", "--public-path=/"];
  run(tool("esbuild"), ["src/inline.js", ...bundle], folder);
  check(await browse(folder), false);
  run(tool("esbuild"), ["src/placed.js", ...bundle, "--loader:.wasm=file"], folder);
  check(await browse(folder, "/placed.html"), false);
});
