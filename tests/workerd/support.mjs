// The built Worker in workerd, on separate ports, with its state in memory or in a temporary folder.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundle, withResources } from "../../src/worker/self-hosted/workerd.mjs";
import { PLATFORM } from "../support/platform.mjs";
import { eventually, later } from "../support/waiting.mjs";
import { startWorkerd } from "../support/workerd.mjs";

export { eventually, later };

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(ROOT, "build/dist");

/** Returns the settings of the tests as the Worker gets them, overridden by `changes`. Null removes a setting. */
export function settings(changes = {}) {
  const all = { ...JSON.parse(readFileSync(join(ROOT, "tests/support/settings.json"), "utf8")), ...changes };
  if (Array.isArray(all.API_CLIENTS)) {
    // The Worker has hashes. settings.json has the secrets, because the tests send them.
    const hash = (secret) => createHash("sha256").update(secret).digest("hex");
    all.API_CLIENTS = JSON.stringify(
      all.API_CLIENTS.map(({ id, secret, scopes }) => ({ id, secretHash: hash(secret), scopes })),
    );
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** The modules around the Worker that an option of `start` adds, the main one first. */
const AROUND = {
  faulty: ["faulty.mjs"],
  measured: ["support/measured.mjs", "support/memory.mjs"],
  past: ["support/past.mjs"],
  staged: ["support/staged.mjs"],
};

/** Returns the modules of the Worker in Miniflare's form, the main one first. */
function modules(options) {
  const around = Object.keys(AROUND).flatMap((name) => (options[name] ? AROUND[name] : []));
  const read = (file) => [basename(file), { contents: readFileSync(join(ROOT, "tests/workerd", file), "utf8") }];
  const built = bundle(join(DIST, "entry.js"));
  const { resources } = options;
  const worker = resources === undefined ? built : withResources(built, JSON.stringify(resources));
  return Object.entries({ ...Object.fromEntries(around.map(read)), ...worker }).map(([name, source]) => ({
    type: name.endsWith(".wasm") ? "CompiledWasm" : "ESModule",
    path: join(DIST, name),
    ...(typeof source === "string" ? {} : source),
  }));
}

/** The folders to remove when the process ends. One listener removes all, because Node warns about more than ten. */
const folders = new Set();
process.once("exit", () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** Creates a folder for state. It is removed when the process ends. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "resource-edge-"));
  folders.add(path);
  return path;
}

/**
 * Returns the console's files as wrangler.toml serves them. wrangler reads its configuration. Loading wrangler needs a
 * second.
 */
async function assets() {
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  const assets = /** @type {{ directory: string }} */ (workerOptions.assets);
  if (!existsSync(join(assets.directory, "index.html"))) throw new Error("there is no build/site: run make build");
  return assets;
}

/** Returns a PATH in which `npx resource-edge` is the command line of the built package. */
export function pathWithNpx() {
  const bin = folder();
  const program = `exec "${process.execPath}" "${join(ROOT, "pkg/dist/cli/main.js")}" "$@"`;
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\n${program}\n`, { mode: 0o755 });
  return `${bin}:${process.env.PATH}`;
}

/**
 * Runs a script in bash, with these variables. Returns what it prints. It must succeed and have no complaints.
 * @param {string} script
 * @param {Record<string, string>} [variables]
 * @param {string} [cwd]
 */
export async function bash(script, variables, cwd) {
  const options = { cwd, env: { ...process.env, ...variables } };
  const { stdout, stderr } = await promisify(execFile)("bash", ["--noprofile", "--norc", "-euc", script], options);
  assert.equal(stderr, "", stdout);
  return stdout;
}

const children = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

/**
 * Gives a service the functions by which tests call it.
 * @template Service
 * @param {Service} service
 * @param {URL} url
 */
export function connectTo(service, url) {
  const worker = /** @type {any} */ (service);
  const { Agent, request } = url.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  Object.assign(worker, { url, address: url.origin, agent, request, tokens: new Map() });
  worker.send = (request) => send(worker, request);
  worker.call = (line, options) => call(worker, line, options);
  /** Creates a resource, or changes it. */
  worker.create = (project, id, more) =>
    call(worker, `POST /${project}/resource`, { body: { id, objectTypeProperty: {}, ...more } });
  /** Reads from the source of truth. */
  worker.fresh = (line) => call(worker, line, { headers: { "Cache-Control": "no-cache" } });
  worker.token = (project, permission, client) => token(worker, project, permission, client);
  worker.pages = (project) => pages(worker, project);
  /** Imports lines into a project. */
  worker.import = (project, lines) => call(worker, `POST /${project}/import`, { lines });
  return worker;
}

/**
 * Starts the Worker.
 *
 * - `faulty` wraps it in faulty.mjs, `measured` in measured.mjs, `past` in past.mjs, `staged` in staged.mjs.
 * - `site` serves the console beside it, or the files of that folder.
 * - `state` is a folder that outlives it.
 * - `ratelimits` are bindings in Miniflare's form.
 * - `resources` is the content of a `resources.json`.
 * @param {{
 *   changes?: Record<string, any>,
 *   faulty?: boolean,
 *   measured?: boolean,
 *   past?: boolean,
 *   staged?: boolean,
 *   site?: boolean | string,
 *   state?: string,
 *   ratelimits?: any,
 *   resources?: object,
 * }} [options]
 */
export async function start({ changes, site = false, state, ratelimits, ...around } = {}) {
  const before = new Set(children());
  const mf = startWorkerd({
    name: "resource-edge",
    modulesRoot: DIST,
    modules: modules(around),
    bindings: settings(changes),
    ...(site ? { assets: { ...(await assets()), ...(typeof site === "string" ? { directory: site } : {}) } } : {}),
    ...(ratelimits === undefined ? {} : { ratelimits }),
    kvNamespaces: { [PLATFORM.kv]: "resources" },
    durableObjects: Object.fromEntries(
      Object.entries(PLATFORM.objects).map(([name, className]) => [name, { className, useSQLite: true }]),
    ),
    // Without a folder, Miniflare removes the state when it ends.
    resourcePersistencePath: state,
    // Bypass Miniflare's front: the Worker is measured and tested.
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    handleStructuredLogs: ({ message }) => worker.log.push(...message.split("\n")),
  });
  const worker = /** @type {any} */ ({ mf, log: [] });
  await mf.ready;
  connectTo(worker, await mf.unsafeGetDirectURL());
  worker.pids = children().filter((pid) => !before.has(pid));
  /** Returns the resident memory of workerd, in bytes. */
  worker.residentBytes = () =>
    worker.pids
      .map((pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024)
      .reduce((sum, bytes) => sum + bytes, 0);
  worker.kv = () => mf.getKVNamespace(PLATFORM.kv);
  /** Sends a request to a module around the Worker. Returns its answer. */
  worker.around = async (line, body) => {
    const [method, target] = line.split(" ");
    return JSON.parse((await worker.send({ method, target, body })).text);
  };
  /** Sets faults of faulty.mjs. Returns all of them. */
  worker.control = (changes) => worker.around("POST /__faults", JSON.stringify(changes));
  worker.calls = () => worker.around("GET /__calls");
  worker.stop = async () => {
    worker.agent.destroy();
    await mf.dispose();
    checkLog(worker, changes);
  };
  /** Ends workerd like a crash. */
  worker.kill = async () => {
    if (worker.pids.length === 0) throw new Error("no process to end");
    for (const pid of worker.pids) process.kill(pid, "SIGKILL");
    worker.agent.destroy();
    await mf.dispose().catch(() => {});
    checkLog(worker, changes);
  };
  return worker;
}

/**
 * Starts a Worker before the tests of a file or of a `describe`, and stops it after them. `setUp` runs once it has
 * started: other hooks do not wait for this one.
 * @param {Parameters<typeof start>[0]} [options]
 * @param {() => Promise<unknown>} [setUp]
 */
export function startForTests(options, setUp) {
  const worker = /** @type {any} */ ({});
  before(async () => {
    Object.assign(worker, await start(options));
    await setUp?.();
  });
  after(() => worker.stop());
  return worker;
}

/**
 * Starts a Worker for one test, which stops it. `restart` and `crash` start it again on the same state.
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof start>[0]} [options]
 */
export async function startIn(t, options = {}) {
  const all = { state: folder(), ...options };
  const worker = /** @type {any} */ ({});
  const begin = async () => Object.assign(worker, await start(all));
  worker.restart = () => worker.stop().then(begin);
  worker.crash = () => worker.kill().then(begin);
  t.after(() => worker.stop());
  return begin();
}

/** Returns every secret of a Worker with these settings: its signing keys, and its clients' secrets and hashes. */
export function secretsOf(changes = {}) {
  const { TOKEN_SECRET, TOKEN_SECRET_PREVIOUS, API_CLIENTS } = settings(changes);
  const { API_CLIENTS: clients } = JSON.parse(readFileSync(join(ROOT, "tests/support/settings.json"), "utf8"));
  const hashes = (API_CLIENTS ?? "").match(/[0-9a-f]{64}/g) ?? [];
  // Leave out short secrets: a secret of two letters would be found by chance.
  return [TOKEN_SECRET, TOKEN_SECRET_PREVIOUS, ...hashes, ...clients.map(({ secret }) => secret)].filter(
    (secret) => secret?.length > 8,
  );
}

/** Throws if the Worker's log contains a secret or a token. */
export function checkLog(worker, changes) {
  const text = worker.log.join("\n");
  const found = [...secretsOf(changes), ...worker.tokens.values()].filter(
    (secret) => secret !== "not.a.token" && text.includes(secret),
  );
  if (found.length > 0) throw new Error(`the log has secrets: ${found.join(", ")}`);
}

/** Sends a request over a socket, with an unchanged target. Returns the response. */
function send(worker, { method, target, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = worker.url;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const all = bytes === undefined ? headers : { ...headers, "Content-Length": bytes.length };
    const request = worker.request(
      { hostname, port, method, path: target, headers: all, agent: worker.agent },
      (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            raw: response.rawHeaders,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    request.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      // The other side may close a kept socket at the moment when it is used again. Then try another socket.
      if (request.reusedSocket && error.code === "ECONNRESET") resolve(send(worker, { method, target, headers, body }));
      else reject(error);
    });
    request.end(bytes);
  });
}

/**
 * Returns the response to `METHOD /project/…` with a token for the project. A JSON body is parsed.
 * @param {any} worker
 * @param {string} line
 * @param {{ body?: unknown, lines?: string, headers?: Record<string, string> }} [options]
 */
async function call(worker, line, { body, lines, headers = {} } = {}) {
  const [method, target] = line.split(/ (.*)/s);
  const bearer = await worker.token(target.split(/[/?]/)[1]);
  const all = {
    Authorization: `Bearer ${bearer}`,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(lines === undefined ? {} : { "Content-Type": "application/x-ndjson" }),
    ...headers,
  };
  const answer = await worker.send({
    method,
    target,
    headers: all,
    body: body === undefined ? lines : JSON.stringify(body),
  });
  const isJson = /^application\/(problem\+)?json/.test(answer.headers["content-type"]) && answer.text !== "";
  return { ...answer, json: isJson ? JSON.parse(answer.text) : undefined };
}

/** Returns the pages of a project's export. */
async function pages(worker, project) {
  const pages = [];
  for (let target = `/${project}/export`; target !== undefined; ) {
    const page = await worker.call(`GET ${target}`);
    assert.deepEqual([page.status, page.headers["content-type"]], [200, "application/x-ndjson"], page.text);
    pages.push(page.text);
    target = page.headers.link?.match(/^<(.*)>; rel="next"$/)[1];
  }
  return pages;
}

const ARRAYS = ["Int", "UniqueInt", "Twonumbers", "Float", "NumberNoDefaults", "String"];
const NO_ITEMS = [...ARRAYS.map((name) => `arrayOf${name}Example`), "arrayOfObjectType"].map((name) => [name, []]);

/** Returns the state of a resource at a time in milliseconds, as a line of an export. */
export function stateLine(id, version, ms, more = {}) {
  const at = new Date(ms).toISOString();
  const objectTypeProperty = Object.fromEntries(NO_ITEMS);
  return JSON.stringify({ id, version, createdAt: at, lastModifiedAt: at, objectTypeProperty, ...more });
}

/** Returns a request for a token. */
export function tokenRequest(client, secret, scope) {
  const form = { grant_type: "client_credentials", client_id: client, client_secret: secret, scope };
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { method: "POST", target: "/oauth/token", headers, body: new URLSearchParams(form).toString() };
}

/** Returns a token for the project. It is requested once. `worker` sends, and stores the tokens. */
export async function token(worker, project, permission = "manage_test", client = "tests") {
  const name = `${client} ${permission} ${project}`;
  if (!worker.tokens.has(name)) {
    const answer = await worker.send(tokenRequest(client, `${client}-secret`, `${permission}:${project}`));
    // If no issuer is configured, every token is rejected.
    if (answer.status !== 200 && answer.status !== 503) throw new Error(`no token: ${answer.status} ${answer.text}`);
    worker.tokens.set(name, answer.status === 200 ? JSON.parse(answer.text).access_token : "not.a.token");
  }
  return worker.tokens.get(name);
}

let projects = 0;
/** Returns a project that no other test uses. */
export const project = () => `p${process.pid}-${(projects += 1)}`;

/** Returns everything in KV about a project: entry → value and metadata. */
export async function kvOf(worker, name) {
  const kv = await worker.kv();
  const found = {};
  for (const prefix of [`r1:${name}:`, `k1:${name}:`]) {
    const { keys } = await kv.list({ prefix });
    for (const { name: entry } of keys) found[entry] = await kv.getWithMetadata(entry);
  }
  return found;
}

/** Throws if KV differs from the source of truth: the bodies of reads, and the IDs of keys. */
export async function kvEqualsTruth(worker, name) {
  const page = (await worker.call(`GET /${name}/resource?limit=500`)).json;
  const truth = {};
  for (const record of page.results) {
    const read = await worker.fresh(`GET /${name}/resource/${encodeURIComponent(record.id)}`);
    truth[`r1:${name}:${record.id}`] = read.text;
    if (record.key !== undefined) truth[`k1:${name}:${record.key}`] = record.id;
  }
  const stored = {};
  for (const [entry, { value, metadata }] of Object.entries(await kvOf(worker, name))) {
    if (metadata.deleted) continue;
    stored[entry] = value;
    const record = page.results.find(({ id }) => entry === `r1:${name}:${id}`);
    if (
      record !== undefined &&
      (metadata.version !== record.version || metadata.revision !== Date.parse(record.lastModifiedAt))
    ) {
      throw new Error(`the metadata of ${entry} is ${JSON.stringify(metadata)}`);
    }
  }
  const sorted = (object) => JSON.stringify(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (sorted(truth) !== sorted(stored))
    throw new Error(`KV differs from the source of truth:\n${sorted(stored)}\n${sorted(truth)}`);
  return truth;
}
