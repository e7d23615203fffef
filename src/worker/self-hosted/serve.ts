// Serves the bundle on plain workerd, without Cloudflare. Data is on disk. `make build` compiles this folder into
// build/self-hosted, and the npm package has it as worker/self-hosted.
//
//   node build/self-hosted/serve.mjs --host 127.0.0.1 --port 8787 --data .workerd
//
// Settings are environment variables with the names in the guide. workerd reads them, so no file contains them. The
// configuration is written beside the data. Only the owner may read that folder, and only one server may use it.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readJson } from "../../../pkg/src/cli/files.js";
import { authority, endTogether, freePort, holdFolder } from "../../../pkg/src/cli/program.js";
import { resourcesFile } from "../../../pkg/src/cli/resources.js";
import { SETTINGS } from "./settings.js";
import { ARGUMENTS, bundle, configure, readPlatform, withResources } from "./workerd.mjs";
import type { Services } from "./workerd.mjs";

const HERE = fileURLToPath(new URL("./", import.meta.url));
const PACKAGED = join(HERE, "../index.js");
/** The bundle, the console's files, and the configuration: beside this folder in the package, else in a checkout. */
const [BUNDLE, SITE, CONFIGURATION] = existsSync(PACKAGED)
  ? [PACKAGED, join(HERE, process.env.CONSOLE === "off" ? "../api-only" : "../site"), join(HERE, "wrangler.toml")]
  : ["build/dist/entry.js", "build/site", "wrangler.toml"].map((path) => join(HERE, "../..", path));
const TYPES: { [extension: string]: string } = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(1);
}

const { values: options } = parseArgs({
  options: {
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "8787" },
    resources: { type: "string" },
    data: { type: "string", default: ".workerd" },
  },
});
if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65535)
  fail(`--port must be a number of at most 65535, not '${options.port}'.`);
if (!process.env.TOKEN_SECRET && !process.env.TOKEN_ISSUER) {
  fail(
    "No token issuer is configured, so the service would reject every call. Set TOKEN_SECRET and API_CLIENTS " +
      "(npx resource-edge client my-client prints it; in a checkout, make client), or TOKEN_ISSUER, TOKEN_AUDIENCE, " +
      "and TOKEN_JWKS_URL.",
  );
}

if (process.env.JURISDICTION) fail("JURISDICTION exists only on Cloudflare; here the data is in the folder of --data.");

const folder = resolve(options.data);
const host = options.host.replace(/^\[(.*)\]$/, "$1");
// The data are as confidential as the secrets.
process.umask(0o077);

/** Returns the result, or ends the program with the error's sentence. */
async function attempt<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    return fail((error as Error).message);
  }
}

/**
 * Returns the path of workerd: as the project has it, or its wrangler, or this package. Some package managers give a
 * package only its own dependencies.
 */
function findWorkerd(): string {
  const own = resolve("package.json");
  for (const from of [() => own, () => createRequire(own).resolve("wrangler/package.json"), () => import.meta.url]) {
    try {
      return createRequire(from())("workerd").default;
    } catch {
      // The next one may have it.
    }
  }
  return fail("workerd is not installed in this folder. Run: npm install workerd");
}

const workerd = findWorkerd();
const platform = await attempt(() => readPlatform(CONFIGURATION));

/** Returns a module of this folder. */
const beside = (name: string) => ({ [name]: join(HERE, name) });

/** Returns the types and entity tags of the console's files. */
function siteFiles() {
  const files: { [path: string]: { type: string; etag: string } } = {};
  for (const entry of readdirSync(SITE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === "_headers") continue;
    const path = join(entry.parentPath ?? (entry as any).path, entry.name);
    const type = TYPES[extname(path)];
    if (type === undefined) fail(`${path} has an unknown type.`);
    const etag = `"${createHash("sha256").update(readFileSync(path)).digest("base64url").slice(0, 22)}"`;
    files[`/${path.slice(SITE.length + 1).replaceAll("\\", "/")}`] = { type, etag };
  }
  const [rule, ...lines] = readFileSync(join(SITE, "_headers"), "utf8").trim().split("\n");
  if (rule !== "/*") fail("www/_headers must have one rule only: /*.");
  const headers = Object.fromEntries(
    lines.map((line) =>
      line
        .trim()
        .split(/: (.*)/s)
        .slice(0, 2),
    ),
  );
  return `export const files = ${JSON.stringify(files)};\nexport const headers = ${JSON.stringify(headers)};\n`;
}

/** Returns the modules of the Worker, with the resources of the option, or of the file in this folder. */
async function workerModules() {
  const modules = await attempt(() => bundle(BUNDLE));
  const file = resourcesFile(options);
  return file === undefined ? modules : withResources(modules, await attempt(() => JSON.stringify(readJson(file))));
}

const settings = SETTINGS.filter((name) => process.env[name] !== undefined);
const services: Services = {
  front: {
    modules: beside("front.mjs"),
    bindings: {
      WORKER: { service: "worker" },
      SITE: { service: "site" },
      WORKER_FIRST: { json: JSON.stringify(platform.workerFirst) },
    },
  },
  worker: {
    modules: await workerModules(),
    bindings: {
      [platform.kv]: { kvNamespace: "kv" },
      [platform.assets]: { service: "site" },
      ...Object.fromEntries(settings.map((name) => [name, { fromEnvironment: name }])),
    },
    objects: platform.objects,
  },
  kv: {
    modules: beside("kv.mjs"),
    objects: { NAMESPACE: "Namespace" },
  },
  site: {
    modules: { ...beside("site.mjs"), "site-files.mjs": { contents: siteFiles() } },
    bindings: { DISK: { service: "files" } },
  },
  files: `disk = (path = ${JSON.stringify(SITE)})`,
};

const advice = "Name another with --data.";
const lock = await attempt(() => holdFolder(folder, advice));
// workerd says only which call of the system failed.
await attempt(() => freePort(Number(options.port), host));
const sockets = { http: { address: authority(host, options.port), service: "front" } };
try {
  rmSync(join(folder, "modules"), { recursive: true, force: true });
  configure(folder, platform.date, services, sockets);
  chmodSync(join(folder, "state"), 0o700);
} catch (error) {
  fail(`The folder ${folder} cannot be written: ${(error as Error).message}. ${advice}`);
}

const server = spawn(workerd, ARGUMENTS, {
  cwd: folder,
  stdio: ["ignore", "inherit", "inherit", "pipe", lock],
});
server.once("error", (error) => fail(`workerd did not start: ${error.message}`));
endTogether(server, "SIGKILL");
const ENDS = ["SIGINT", "SIGTERM"] as const;
server.once("exit", (code, signal) => process.exit(code ?? (ENDS.some((end) => end === signal) ? 0 : 1)));
for (const signal of ENDS) process.once(signal, () => server.kill(signal));
// workerd reports each listening socket as a line of JSON.
server.stdio[3]?.once("data", async (lines) => {
  const { port } = JSON.parse(String(lines).split("\n")[0]);
  console.log(`Serving http://${authority(host, port)}/ with its data in ${folder}`);
  // A wrong setting is reported at the start, not with the first call of a caller.
  const own = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  const health = await fetch(`http://${authority(own, port)}/health`).catch(() => undefined);
  if (health?.status === 503) console.error(`error: ${(await health.json()).message}`);
});
