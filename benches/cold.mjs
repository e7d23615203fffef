// The first result after import, in a new process or page each time: the npm package beside ajv and zod 4. The body has
// three mistakes, and every issue is read.
//
//   node benches/cold.mjs                 in Node, as installed, and in Chromium, as esbuild bundles it
//   node benches/cold.mjs --quick         fewer rounds
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { buildSync } from "esbuild";

import { launchChromium } from "../tests/support/chromium.mjs";
import { head, median, times } from "./lib/race.mjs";
import { AJV_OPTIONS, draftSchema } from "./peers/bodies.mjs";

const ROUNDS = process.argv.includes("--quick") ? 3 : 25;
const root = fileURLToPath(new URL("..", import.meta.url));
// At most one and a half times as long as the faster peer.
const AT_LEAST = 0.67;

const body = {
  key: "order-4711",
  objectTypeProperty: { arrayOfIntExample: [1, 2, 3.5], arrayOfStringExample: ["one", "two"] },
  eleventhProperty: "misspelled",
  custom: 5,
};
const MISTAKES = 3;

/**
 * The schema as ajv compiles it when a program is built. Few programs do this. The result is shown, but not compared
 * with ours.
 */
const standaloneAjv = new Ajv({ ...AJV_OPTIONS, code: { source: true, esm: true } });
const standalone = standaloneCode
  .default(standaloneAjv, standaloneAjv.compile(draftSchema))
  // The module has to import what ajv requires.
  .replace(/const (\w+) = require\("(.+?)"\)\.default;/g, 'import $1_ from "$2.js"; const $1 = $1_.default ?? $1_;');

/** The module of each side. Its `first` returns the number of issues. */
const sides = {
  ours: (entry) => `
    import { init, validate } from "${root}pkg/dist/${entry}.js";
    export async function first(body) { await init(); return validate("resourceDraft", body).issues.length; }`,
  ajv: () => `
    import Ajv from "ajv";
    import { AJV_OPTIONS, draftSchema } from "${root}benches/peers/bodies.mjs";
    export function first(body) {
      const check = new Ajv(AJV_OPTIONS).compile(draftSchema);
      return check(body) ? 0 : check.errors.length;
    }`,
  standalone: () => `
    ${standalone}
    export function first(body) { return validate(body) ? 0 : validate.errors.length; }`,
  zod: () => `
    import { zods } from "${root}benches/peers/zod.mjs";
    export function first(body) { return zods.resourceDraft.safeParse(body).error.issues.length; }`,
};

/** Returns the time from before the import to the result, in milliseconds. */
const timed = (path) => `
  const body = ${JSON.stringify(body)};
  const begin = performance.now();
  const { first } = await import("${path}");
  const issues = await first(body);
  const took = performance.now() - begin;
  if (issues !== ${MISTAKES}) throw new Error("found " + issues);`;

/** Medians of interleaved rounds, after one round that warms up the machine's caches. */
async function measure(once) {
  const spent = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const side of Object.keys(sides)) {
      const took = await once(side);
      if (round >= 0) spent[side].push(took);
    }
  }
  return Object.fromEntries(Object.entries(spent).map(([side, values]) => [side, median(values)]));
}

// In the repository, so that Node finds the peers' packages.
const folder = mkdtempSync(join(root, "build/cold-"));
const pages = mkdtempSync(join(tmpdir(), "resource-edge-cold-"));
try {
  for (const [side, code] of Object.entries(sides)) {
    writeFileSync(join(folder, `${side}.mjs`), code("node"));
    writeFileSync(join(folder, `${side}-main.mjs`), `${timed(`./${side}.mjs`)}\nconsole.log(took);`);
    buildSync({
      stdin: { contents: code("browser"), resolveDir: root },
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      outdir: pages,
      entryNames: side,
    });
    writeFileSync(join(pages, `${side}-main.js`), `${timed(`./${side}.js`)}\nglobalThis.took = took;`);
    writeFileSync(
      join(pages, `${side}.html`),
      `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./${side}-main.js"></script>`,
    );
  }
  // esbuild leaves the address relative to the bundle.
  mkdirSync(join(pages, "wasm"), { recursive: true });
  copyFileSync(join(root, "pkg/dist/wasm/resource_edge_bg.wasm"), join(pages, "wasm/resource_edge_bg.wasm"));

  const node = await measure((side) =>
    Number(execFileSync(process.execPath, [join(folder, `${side}-main.mjs`)], { encoding: "utf8" })),
  );

  const TYPES = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
  const server = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": TYPES[request.url.split(".").at(-1)], "Cache-Control": "no-store" });
    response.end(readFileSync(join(pages, request.url)));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const browser = await launchChromium();
  const chromiumTimes = await measure(async (side) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/${side}.html`);
    await page.waitForFunction(() => globalThis.took !== undefined);
    const took = await page.evaluate(() => globalThis.took);
    await context.close();
    return took;
  });
  const version = browser.version();
  await browser.close();
  server.close();

  const names = ["cold", "ours", "ajv", "zod 4", "times the faster's speed", "at least", "ajv, compiled when built"];
  console.log(`First result, ${ROUNDS} interleaved rounds, medians\n\n${head(names)}`);
  for (const [where, { ours, ajv, zod, standalone }] of /** @type {[string, Record<keyof typeof sides, number>][]} */ ([
    [`Node ${process.version}`, node],
    [`Chromium ${version}`, chromiumTimes],
  ])) {
    const faster = Math.min(ajv, zod);
    console.log(
      `| ${where} | ${ours.toFixed(1)} ms | ${ajv.toFixed(1)} ms | ${zod.toFixed(1)} ms | ` +
        `${times(ours, faster, AT_LEAST)} | ${AT_LEAST} | ${standalone.toFixed(1)} ms |`,
    );
    if (faster / ours < AT_LEAST) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
  rmSync(pages, { recursive: true });
}
