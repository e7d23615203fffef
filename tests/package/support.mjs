// The package as a user gets it: packed once, installed from the tarball into new projects, and run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after } from "node:test";

import { launchChromium } from "../support/chromium.mjs";
import { POLICY, serveFolder } from "../support/pages.mjs";
import { PLATFORM } from "../support/platform.mjs";
import { eventually } from "../support/waiting.mjs";
import { startWorkerd } from "../support/workerd.mjs";
import { install, pack } from "./pack.mjs";

export { POLICY };

export const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const temporary = mkdtempSync(join(tmpdir(), "resource-edge-pkg-"));
/** What a test has started, which ends with the tests of its file. */
const started = [];
after(async () => {
  for (const end of started) await end();
  rmSync(temporary, { recursive: true, force: true });
});

export function run(command, args, cwd, env = {}) {
  return execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Returns the path of a tool of this repository, so that projects need no network. */
export const tool = (name) => join(root, "node_modules/.bin", name);

/** Returns the packed tarball and its list of files. */
export const packed = () => pack(temporary);

/** Creates a project with these files, the installed package, and copies of these libraries of the repository. */
export function project(name, files, libraries = []) {
  const folder = join(temporary, name);
  cpSync(install(temporary), folder, { recursive: true });
  for (const library of libraries)
    cpSync(join(root, "node_modules", library), join(folder, "node_modules", library), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Returns the code that each program runs. `run` returns the results, which `check` verifies. */
export const runs = (from) => `
import { init, predicate, ResourceClient, resourceDraft, validate } from "${from}";

const attempt = (what) => {
  try {
    return what();
  } catch (error) {
    return error.message;
  }
};
const options = { projectKey: "demo", baseUrl: "https://api.test", token: "secret", retry: { baseDelay: 1 } };

/** Sends two calls over this fetch, each tried twice. */
async function call(client, asked) {
  const { results } = await client.querySorted({ where: predicate\`key = \${"ä"}\` });
  const failed = await client
    .updateById("a", { version: 1, actions: [] })
    .catch(({ name, kind, status }) => [name, kind, status]);
  return { asked, keys: results.map(({ key }) => key), failed };
}

/** Returns a fetch of a service that is busy at first. */
function service() {
  const asked = [];
  const fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    const { method, signal } = init;
    const parts = [method, url, headers.get("Authorization"), headers.has("Idempotency-Key"), signal.aborted];
    asked.push(parts.join(" "));
    if (asked.length % 2 === 1) return new Response("busy", { status: 503 });
    const stale = { statusCode: 409, message: "stale", errors: [] };
    if (init.method === "POST") return Response.json(stale, { status: 409 });
    return Response.json({ results: [{ id: "a", version: 1, key: "ä", lastModifiedAt: "2026-01-01T00:00:00.000Z" }] });
  };
  return { asked, fetch };
}

async function run() {
  const early = attempt(() => validate("resourceUpdate", { version: 1, actions: [] }).valid);
  const earlyClient = attempt(() => new ResourceClient(options) instanceof ResourceClient);
  await init();
  const result = validate("resourceUpdate", new TextEncoder().encode('{"version":1.5,"actions":[]}'));
  const own = service();
  const standard = service();
  const fetched = globalThis.fetch;
  globalThis.fetch = standard.fetch;
  try {
    return {
      early: [early, earlyClient],
      object: validate("resourceUpdate", { version: 1, actions: [] }).valid,
      text: validate("resourceDraft", '{"objectTypeProperty":{"arrayOfFloatExample":[0.30000000000000004]}}').value,
      said: result.issues.map(({ message }) => message),
      standard: resourceDraft["~standard"].validate({ custom: 1n }).issues.map(({ path }) => path),
      own: await call(new ResourceClient({ ...options, fetch: own.fetch }), own.asked),
      calls: await call(new ResourceClient(options), standard.asked),
    };
  } finally {
    globalThis.fetch = fetched;
  }
}
`;

/** Returns a program that passes its results to `report`. */
export const program = (from) => `${runs(from)}\nreport(await run());\n`;

/** Checks the results of a program. `ready` is true if it need not have waited. */
export function check(reported, ready) {
  const [validated, created] = reported.early;
  assert.match(String(validated), ready ? /^true$/ : /is not ready. Call `await init\(\)` once/);
  // The client starts with its first call.
  assert.equal(created, true);
  const read =
    "GET https://api.test/demo/resource/sorted-query-parameters?where=key%20%3D%20%22%C3%A4%22 " +
    "Bearer secret false false";
  const write = "POST https://api.test/demo/resource/a Bearer secret true false";
  const calls = { asked: [read, read, write, write], keys: ["ä"], failed: ["ResourceError", "api", 409] };
  assert.deepEqual(reported, {
    early: reported.early,
    object: true,
    text: { objectTypeProperty: { arrayOfFloatExample: [0.30000000000000004] } },
    said: ["Malformed field 'version': expected an integer, found 1.5."],
    standard: [["custom"], ["objectTypeProperty"]],
    own: calls,
    calls,
  });
}

/** Runs a project's main.js in workerd, bundled by wrangler like a deployment. */
export function workerd(folder, options = {}) {
  writeFileSync(
    join(folder, "wrangler.toml"),
    `name = "worker"\nmain = "main.js"\ncompatibility_date = "${PLATFORM.date}"\n`,
  );
  run(tool("wrangler"), ["deploy", "--dry-run", "--outdir", "out"], folder, {
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
  });
  const out = join(folder, "out");
  const wasm = readdirSync(out).filter((file) => file.endsWith(".wasm"));
  const worker = startWorkerd({
    modulesRoot: out,
    modules: [
      { type: "ESModule", path: join(out, "main.js") },
      ...wasm.map((file) => ({ type: "CompiledWasm", path: join(out, file) })),
    ],
    ...options,
  });
  started.push(() => worker.dispose());
  return worker;
}

/** Runs a Worker, which wrangler bundles, with the service as its binding `RESOURCES` and the tests' API client. */
export function bound(folder, service) {
  return workerd(folder, {
    bindings: { CLIENT_ID: "tests", CLIENT_SECRET: "tests-secret" },
    serviceBindings: {
      RESOURCES: async (request) => {
        const { pathname, search } = new URL(request.url);
        const body = request.body === null ? undefined : await request.text();
        return fetch(new URL(pathname + search, service.url), {
          method: request.method,
          // `fetch` sets the length. Node 20 rejects it twice.
          headers: [...request.headers].filter(([name]) => name !== "content-length"),
          body,
        });
      },
    },
  });
}

let browser;
/** Serves a folder under a policy. Returns a tab of Chromium, and its address. */
export async function openTab(folder, policy = POLICY) {
  if (browser === undefined) {
    browser = await launchChromium();
    started.push(() => browser.close());
  }
  const { url, close } = await serveFolder(folder, policy);
  started.push(close);
  const tab = await (await browser.newContext()).newPage();
  return { tab, url };
}

/**
 * Opens a folder's page in Chromium under the policy. If a service is given, the policy allows requests to it. Returns
 * the results of the page's program.
 */
export async function browse(folder, page = "/index.html", service = "", policy = POLICY) {
  const { tab, url } = await openTab(folder, `${policy} ${service}`);
  const errors = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await tab.goto(url + page);
  const reported = await eventually(async () => {
    const value = await tab.evaluate(() => globalThis.reported);
    assert.notEqual(value, undefined, `the page reported nothing: ${errors.join("\n")}`);
    return value;
  });
  // There is no icon of the page, and a refusal may be intended.
  assert.deepEqual(
    errors.filter((error) => !/status of (400|404|409|412)/.test(error)),
    [],
  );
  await tab.context().close();
  return reported;
}

/** Bundles a file of a project for its page, as main.js. */
export function bundle(folder, source = "src.js", ...options) {
  const all = [source, "--bundle", "--format=esm", "--target=es2022", "--outfile=main.js", ...options];
  run(tool("esbuild"), all, folder, { NODE_PATH: join(root, "node_modules") });
}

/** Returns a page that runs one program. */
export const html = (source) =>
  `<!doctype html><meta charset="utf-8"><title>page</title><script type="module" src="${source}"></script>`;

/** The function that a program in a page reports with. */
export const reports = "globalThis.report = (value) => { globalThis.reported = value; };\n";
