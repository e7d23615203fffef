// The tools, and what runs in each. A project is created from `packages` and `files`, with the program in program.js;
// each part then runs in it:
//
//   commands  shell commands, one after another; the last one reports, unless another member does
//   serve     a server that runs until the end of the part, with `$PORT`
//   folder    a folder that is served under a strict Content-Security-Policy (`policy: false` without one)
//   open      a path that is opened in a browser, whose page reports
//   get       a path that is fetched, whose server reports
//   reports   the number of reports (default: 1)
//   offline   only validation, printed: an engine without `fetch`
//   testing   a test with `resource-edge/testing`, whose result is printed
//
// `quick` lists the parts that `make test` runs too (tests/package/tools.test.mjs). `config` is the configuration
// beside the tool's defaults; the README uses the same words.

import { readFileSync } from "node:fs";

import { PLATFORM } from "../../support/platform.mjs";
import { cjs, esm, testing, testingImports, testingRequires } from "./program.mjs";

/** The package that `resource-edge/testing` uses if the runtime has no SQLite. */
const { devDependencies } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const SQLITE = { "@sqlite.org/sqlite-wasm": devDependencies["@sqlite.org/sqlite-wasm"] };
const HTML =
  `<!doctype html><meta charset="utf-8"><title>page</title><link rel="icon" href="data:,">` +
  `<script type="module" src="./main.js"></script>`;
const page = (src) => HTML.replace("./main.js", src);
const PAGE = `import { report } from "./program.js";\nreport();\n`;
const node = (report = "report") =>
  `import { ${report} } from "./program.js";\n` +
  `const result = await ${report}();\n` +
  "if (result.error) throw new Error(result.error);\n";

/** The program as a test of the runner that provides `test`. */
const allTest = (runner) =>
  `import { test } from "${runner}";\n${PAGE.replace("report();", 'test("all", () => report());')}`;

const vite = {
  name: "Vite",
  files: {
    "index.html": HTML,
    "main.js": PAGE,
    "server.js": PAGE,
  },
  parts: {
    dev: { serve: "vite --host 127.0.0.1 --port $PORT --strictPort", open: "/" },
    build: { commands: ["vite build"], folder: "dist", open: "/" },
    "server build": { commands: ["vite build --ssr server.js --outDir server", "node server/server.js"] },
  },
};

const webpackParts = (command) => ({
  build: { commands: [`${command} --mode production`], folder: ".", open: "/dist.html" },
  "development build": {
    commands: [`${command} --mode development --devtool source-map`],
    folder: ".",
    open: "/dist.html",
  },
  "server build": { commands: [`${command} -c server.config.mjs`, "node server/main.js"] },
});
const webpackFiles = {
  "dist.html": page("./dist/main.js"),
  "src/index.js": PAGE,
  "src/server.js": PAGE,
  "server.config.mjs":
    `export default { mode: "production", target: "node", entry: "./src/server.js", ` +
    `output: { path: import.meta.dirname + "/server" } };`,
  "src/program.js": esm(),
};

/**
 * Returns the parts of Next's dev server and build with each bundler. Version 15 uses webpack by default and has no
 * option for it.
 */
const nextParts = (version, bundlers, pages) =>
  Object.fromEntries(
    bundlers.flatMap((bundler) => {
      const option = version.startsWith("15.") && bundler === "webpack" ? "" : ` --${bundler}`;
      return [
        [`dev with ${bundler}`, { serve: `next dev -H 127.0.0.1 -p $PORT${option}`, ...pages }],
        [
          `build with ${bundler}`,
          { commands: [`next build${option}`], serve: "next start -H 127.0.0.1 -p $PORT", ...pages },
        ],
      ];
    }),
  );
const nextFiles = {
  "lib/program.js": esm(),
  "app/layout.js": `export default ({ children }) => <html lang="en"><body>{children}</body></html>;`,
};
const nextRoute = (more = "") => `import { report } from "../../lib/program";
export const dynamic = "force-dynamic";${more}
export const GET = async () => Response.json(await report());`;
const nextPackages = (version) => ({ next: version, react: "19.2.0", "react-dom": "19.2.0" });

const jestFiles = {
  "program.cjs": cjs(),
  "all.test.cjs":
    `const { report } = require("./program.cjs");\n` +
    `test("all", async () => { expect((await report()).error).toBeUndefined(); });`,
  "all.test.js":
    `import { report } from "./program.js";\n` +
    `test("all", async () => { expect((await report()).error).toBeUndefined(); });`,
  "memory.test.js": testing(testingImports),
  "memory.test.cjs": testing(testingRequires),
  "offline.test.cjs":
    `const { checkAll } = require("./program.cjs");\n` +
    `test("validation", () => { console.log("REPORT " + JSON.stringify(checkAll()) + "\\n"); });`,
};
const jest = (environment, file, { modules = false } = {}) =>
  `${modules ? "NODE_OPTIONS=--experimental-vm-modules " : ""}jest --env=${environment} ` +
  `--testMatch '**/${file}' --transform '{}'`;

export const tools = [
  {
    name: "Node",
    versions: { "20.20.2": {}, "22.23.3": {}, "24.21.0": {} },
    packages: (version) => ({ node: version, ...(version.startsWith("20.") && SQLITE) }),
    files: {
      "program.cjs": cjs(),
      "main.js": node(),
      "main.cjs": `require("./program.cjs").report();`,
      "main.test.js": allTest("node:test"),
      "memory.test.js": testing(testingImports, 'import { test } from "node:test";'),
      "worker.js": `import { Worker } from "node:worker_threads";\nnew Worker(new URL("./main.js", import.meta.url));`,
    },
    parts: {
      import: { commands: ["node_modules/node/bin/node main.js"] },
      require: { commands: ["node_modules/node/bin/node --no-warnings main.cjs"] },
      "node --test": { commands: ["node_modules/node/bin/node --test main.test.js"] },
      "node --test with `resource-edge/testing`": {
        commands: ["node_modules/node/bin/node --test memory.test.js"],
        testing: true,
      },
      "worker thread": { commands: ["node_modules/node/bin/node worker.js"] },
    },
  },
  {
    name: "Bun",
    versions: { "1.4.5": {} },
    packages: (version) => ({ bun: version }),
    files: {
      "program.cjs": cjs(),
      "main.js": node(),
      "main.cjs": `require("./program.cjs").report();`,
      "main.test.js": allTest("bun:test"),
      "memory.test.js": testing(testingImports, 'import { test } from "bun:test";'),
    },
    parts: {
      import: { commands: ["bun main.js"] },
      require: { commands: ["bun main.cjs"] },
      "bun test": { commands: ["bun test main.test.js"] },
      "bun test with `resource-edge/testing`": { commands: ["bun test memory.test.js"], testing: true },
      "bun build, moved elsewhere": {
        commands: [
          "bun build --target=bun main.js --outfile=out/main.js",
          "mkdir -p $ELSEWHERE && cp out/main.js $ELSEWHERE && cd $ELSEWHERE && bun main.js",
        ],
      },
    },
  },
  {
    name: "Deno",
    versions: { "2.9.6": {} },
    packages: (version) => ({ deno: version, ...SQLITE }),
    files: {
      "main.js": node(),
      "main.test.js": `import { report } from "./program.js";\nDeno.test("all", async () => { await report(); });`,
      "memory.test.js": testing(testingImports, "const { test } = Deno;"),
    },
    parts: {
      run: { commands: ["deno run --allow-net=127.0.0.1 main.js"] },
      "deno test": { commands: ["deno test --allow-net=127.0.0.1 main.test.js"] },
      "deno test with `resource-edge/testing`": { commands: ["deno test --allow-read memory.test.js"], testing: true },
    },
  },
  {
    name: "Cloudflare Workers",
    versions: { "wrangler 4.155.0": {} },
    // wrangler needs Node 22.12.
    packages: () => ({ wrangler: "4.155.0", node: "22.23.3" }),
    files: {
      "main.js":
        `import { report } from "./program.js";\n` +
        "export default { fetch: async () => Response.json(await report()) };",
      "wrangler.toml": `name = "worker"\nmain = "main.js"\ncompatibility_date = "${PLATFORM.date}"\n`,
    },
    parts: { "wrangler dev": { serve: "wrangler dev --ip 127.0.0.1 --port $PORT --inspector-port 0", get: "/" } },
  },
  {
    ...vite,
    versions: { "5.4.21": {}, "6.4.6": {}, "7.3.8": { quick: ["dev"] }, "8.3.8": { quick: ["dev"] } },
    packages: (version) => ({ vite: version }),
  },
  {
    name: "webpack",
    versions: { "5.112.2": {} },
    packages: (version) => ({ webpack: version, "webpack-cli": "7.3.1" }),
    files: webpackFiles,
    parts: webpackParts("webpack"),
  },
  {
    name: "Rspack",
    versions: { "1.7.6": {}, "2.2.8": {} },
    packages: (version) => ({ "@rspack/core": version, "@rspack/cli": version }),
    files: webpackFiles,
    parts: webpackParts("rspack build"),
  },
  {
    name: "esbuild",
    versions: { "0.28.2": {} },
    packages: (version) => ({ esbuild: version }),
    files: {
      "index.html": page("./main.js"),
      "src/program.js": esm(),
      "src/main.js": PAGE,
      "src/inline.js": `import { report } from "./program-inline.js";\nreport();\n`,
      "src/program-inline.js": esm("resource-edge/inline"),
      "src/file.js": `import { report } from "./program-file.js";\nreport();\n`,
      "src/program-file.js": esm("resource-edge", { imports: 'import url from "resource-edge/wasm";', source: "url" }),
    },
    parts: {
      "`resource-edge/inline`": {
        commands: ["esbuild src/inline.js --bundle --outfile=main.js"],
        folder: ".",
        open: "/",
      },
      "`resource-edge`": {
        commands: ["esbuild src/main.js --bundle --format=esm --splitting --outdir=."],
        folder: ".",
        open: "/",
      },
      "`init(url)`": {
        config: "--format=esm --splitting --loader:.wasm=file --public-path=/ --outdir=out",
        commands: [
          "esbuild src/file.js --bundle --format=esm --splitting --loader:.wasm=file --public-path=/ --outdir=out",
          "cp out/*.wasm out/*.js .",
          "cp file.js main.js",
        ],
        folder: ".",
        open: "/",
      },
      "for Node": {
        commands: [
          "esbuild src/main.js --bundle --platform=node --outfile=$ELSEWHERE/main.cjs",
          "node $ELSEWHERE/main.cjs",
        ],
      },
    },
  },
  {
    name: "Rollup",
    versions: { "4.68.7": { quick: ["`resource-edge`"] } },
    packages: (version) => ({ rollup: version, "@rollup/plugin-node-resolve": "16.0.3" }),
    files: {
      "index.html": page("./out/main.js"),
      "src/program.js": esm(),
      "src/main.js": PAGE,
      "src/inline.js": `import { report } from "./program-inline.js";\nreport();\n`,
      "src/program-inline.js": esm("resource-edge/inline"),
    },
    parts: {
      "`resource-edge`": {
        config: "-p node-resolve={browser:true} -f es -d out",
        commands: ["rollup src/main.js -p node-resolve={browser:true} -f es -d out"],
        folder: ".",
        open: "/",
      },
      "`resource-edge/inline`, one file": {
        commands: ["rollup src/inline.js -p node-resolve={browser:true} -f iife -o out/main.js"],
        folder: ".",
        open: "/",
      },
    },
  },
  {
    name: "Parcel",
    versions: { "2.16.4": {} },
    packages: (version) => ({ parcel: version }),
    module: false,
    files: { "index.html": HTML, "main.js": PAGE },
    parts: {
      // Parcel writes an inline script into the page.
      build: { commands: ["parcel build index.html --no-cache"], folder: "dist", policy: false, open: "/" },
      serve: { serve: "parcel serve index.html --no-cache --host 127.0.0.1 --port $PORT --hmr-port 0", open: "/" },
    },
  },
  {
    name: "Next",
    versions: { "15.5.29": {}, "16.4.6": {} },
    packages: nextPackages,
    files: {
      ...nextFiles,
      "app/server/page.js": `import { report } from "../../lib/program";
export const dynamic = "force-dynamic";
export default async function Page() { await report(); return <p>done</p>; }`,
      "app/api/route.js": nextRoute(),
      "app/client/page.js": `"use client";
import { useEffect } from "react";
import { checkAll, report } from "../../lib/program";
export default function Page() {
  useEffect(() => { report(); }, []);
  return <p>{typeof window === "undefined" ? JSON.stringify(checkAll()) : "page"}</p>;
}`,
    },
    // A server component, a route handler, and a client component, which is also rendered on the server.
    parts: (version) => nextParts(version, ["webpack", "turbopack"], { get: ["/server", "/api"], open: "/client" }),
  },
  {
    name: "Next, edge runtime",
    versions: { "15.5.29": {}, "16.4.6": {} },
    packages: nextPackages,
    files: { ...nextFiles, "app/edge/route.js": nextRoute('\nexport const runtime = "edge";') },
    // Next 16 with webpack cannot build any route of the app router for this runtime, with or without this package.
    parts: (version) =>
      nextParts(version, version.startsWith("15.") ? ["webpack", "turbopack"] : ["turbopack"], { get: "/edge" }),
  },
  {
    name: "Next, pages router",
    versions: { "15.5.29": {}, "16.4.6": {} },
    packages: nextPackages,
    files: {
      "lib/program.js": esm(),
      "pages/index.js": `import { useEffect } from "react";
import { checkAll, report } from "../lib/program";
export const getServerSideProps = () => ({ props: { checked: JSON.stringify(checkAll()) } });
export default function Page({ checked }) {
  useEffect(() => { report(); }, []);
  return <p>{checked}</p>;
}`,
      "pages/api/node.js": `import { report } from "../../lib/program";
export default async (request, response) => response.json(await report());`,
      "pages/api/edge.js": `import { report } from "../../lib/program";
export const config = { runtime: "edge" };
export default async () => Response.json(await report());`,
    },
    // A page, which is also rendered on the server, and an API route of each runtime.
    parts: (version) => nextParts(version, ["webpack", "turbopack"], { get: ["/api/node", "/api/edge"], open: "/" }),
  },
  {
    name: "Astro",
    versions: { "5.18.0": {}, "7.3.5": {} },
    // Its newest version requires a newer Node.
    packages: (version) => ({ astro: version, node: "24.21.0" }),
    files: {
      "astro.config.mjs": "export default {};",
      "src/program.js": esm(),
      "src/pages/index.astro":
        "---\n" +
        `import { report } from "../program.js";\n` +
        "await report();\n" +
        "---\n" +
        `<html><body><script>import { report } from "../program.js"; report();</script></body></html>`,
    },
    parts: {
      dev: { serve: "astro dev --host 127.0.0.1 --port $PORT", open: "/", reports: 2 },
      build: { commands: ["astro build"], folder: "dist", open: "/", reports: 2, first: true },
    },
  },
  {
    name: "SvelteKit",
    versions: { "2.70.4": {} },
    packages: (version) => ({
      "@sveltejs/kit": version,
      "@sveltejs/adapter-node": "5.4.0",
      "@sveltejs/vite-plugin-svelte": "6.2.1",
      svelte: "5.43.0",
      vite: "7.3.8",
    }),
    files: {
      "vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite";\nexport default { plugins: [sveltekit()] };`,
      "svelte.config.js":
        `import adapter from "@sveltejs/adapter-node";\n` + "export default { kit: { adapter: adapter() } };",
      "src/app.html":
        "<!doctype html><html><head>%sveltekit.head%</head>" + "<body><div>%sveltekit.body%</div></body></html>",
      "src/lib/program.js": esm(),
      "src/routes/+page.server.js":
        `import { report } from "$lib/program.js";\n` + "export const load = async () => { await report(); };",
      "src/routes/+page.svelte":
        "<script>\n" +
        `import { onMount } from "svelte";\n` +
        `import { report } from "$lib/program.js";\n` +
        "onMount(() => { report(); });\n" +
        "</script>\n" +
        "<p>page</p>",
    },
    parts: {
      dev: { serve: "vite dev --host 127.0.0.1 --port $PORT --strictPort", open: "/", reports: 2 },
      build: { commands: ["vite build"], serve: "HOST=127.0.0.1 node build/index.js", open: "/", reports: 2 },
    },
  },
  {
    name: "Vitest",
    versions: { "3.2.4": {}, "4.1.12": {}, "5.1.1": { quick: ["jsdom"] } },
    packages: (version) => ({
      vitest: version,
      jsdom: "26.1.0",
      vite: "7.3.8",
      // Version 3 puts jsdom's `AbortSignal` beside Node's `fetch`, which refuses it from Node 24 on.
      ...(version.startsWith("3.") && { node: "22.23.3" }),
      ...SQLITE,
    }),
    files: {
      "all.test.js": allTest("vitest"),
      "memory.test.js": testing(testingImports, 'import { test } from "vitest";'),
    },
    parts: {
      node: { commands: ["vitest run all"] },
      jsdom: { commands: ["vitest run --environment jsdom all"] },
      "node with `resource-edge/testing`": { commands: ["vitest run memory"], testing: true },
      "jsdom with `resource-edge/testing`": { commands: ["vitest run --environment jsdom memory"], testing: true },
    },
  },
  {
    name: "Jest",
    versions: {
      "29.7.0": {},
      "30.5.2": { quick: ["node", "jsdom, validation", "jsdom with `resource-edge/testing`"] },
    },
    packages: (version) => ({
      jest: version,
      "jest-environment-jsdom": version,
      "jest-fixed-jsdom": version.startsWith("30") ? "0.0.11" : "0.0.9",
      ...SQLITE,
    }),
    files: jestFiles,
    parts: {
      node: { commands: [jest("node", "all.test.cjs")] },
      "node, ECMAScript modules": { commands: [jest("node", "all.test.js", { modules: true })] },
      "jsdom, validation": { commands: [jest("jsdom", "offline.test.cjs")], offline: true },
      "jest-fixed-jsdom": { config: "--env=jest-fixed-jsdom", commands: [jest("jest-fixed-jsdom", "all.test.cjs")] },
      "jest-fixed-jsdom, ECMAScript modules": {
        commands: [jest("jest-fixed-jsdom", "all.test.js", { modules: true })],
      },
      "node with `resource-edge/testing`": { commands: [jest("node", "memory.test.cjs")], testing: true },
      "node, ECMAScript modules, with `resource-edge/testing`": {
        commands: [jest("node", "memory.test.js", { modules: true })],
        testing: true,
      },
      "jsdom with `resource-edge/testing`": { commands: [jest("jsdom", "memory.test.cjs")], testing: true },
    },
  },
  {
    name: "A page without a tool",
    versions: { Chromium: { browser: "chromium" }, Firefox: { browser: "firefox" }, WebKit: { browser: "webkit" } },
    packages: () => ({}),
    files: {
      "index.html": HTML,
      "main.js": PAGE,
      "program.js": esm("/node_modules/resource-edge/browser.js"),
      "worker.html": page("./worker-page.js"),
      "worker-page.js": `new Worker("./main.js", { type: "module" });`,
      "service.html": page("./service-page.js"),
      "service-page.js": `navigator.serviceWorker.register("./service.js", { type: "module" });`,
      "service.js":
        `import { report } from "./program.js";\n` +
        `addEventListener("install", (event) => event.waitUntil(report()));`,
    },
    parts: {
      page: { folder: ".", open: "/" },
      "Web Worker": { folder: ".", open: "/worker.html" },
      "Service Worker": { folder: ".", open: "/service.html" },
    },
  },
];
