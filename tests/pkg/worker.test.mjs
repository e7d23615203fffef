import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Miniflare } from "miniflare";

import { check, project, run, runs, tool } from "./support.mjs";

test("a Worker bundled by wrangler runs it without waiting", async () => {
  const folder = project("worker", {
    "main.js": `${runs("resource-edge")}\nexport default { fetch: async () => Response.json(await run()) };`,
    "wrangler.toml": `name = "worker"\nmain = "main.js"\ncompatibility_date = "2026-04-01"\n`,
  });
  run(tool("wrangler"), ["deploy", "--dry-run", "--outdir", "out"], folder, {
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
  });
  const out = join(folder, "out");
  const wasm = readdirSync(out).filter((file) => file.endsWith(".wasm"));
  const worker = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    modulesRoot: out,
    modules: [{ type: "ESModule", path: join(out, "main.js") }, ...wasm.map((file) => ({ type: "CompiledWasm", path: join(out, file) }))],
    compatibilityDate: "2026-04-01",
  });
  try {
    const response = await worker.dispatchFetch("http://worker/");
    check(await response.json(), true);
  } finally {
    await worker.dispose();
  }
});
