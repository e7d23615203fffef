// A Worker in a separate workerd process, with the light KV of kv.mjs and its objects on disk.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import workerd from "workerd";
import { COMPATIBILITY_DATE } from "../../tests/support/platform.mjs";
import { VARIABLES } from "./token.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(ROOT, "build/dist");
const MEMORY = "/dev/shm";
const STATE_BYTES = 4 * 2 ** 30;
const START_MS = 20_000;
const OUTPUT_KEPT = 4_000;

/**
 * Returns the folder of the databases: in memory if there is room, because the disk's variation would hide the
 * difference.
 */
function folder() {
  if (process.env.TMPDIR !== undefined) return process.env.TMPDIR;
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > STATE_BYTES ? MEMORY : tmpdir();
}

/** The processes that must end with this process. */
const running = new Set();
process.once("exit", () => {
  for (const instance of running) instance.kill();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Describes our Worker: the files of `make build`. */
export function ours(folder = DIST) {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const entry = "entry.js";
  if (!files.includes(entry) || !files.some((name) => name.endsWith(".wasm"))) {
    throw new Error(`${folder} holds no built Worker. Run \`make build\` first.`);
  }
  const type = (name) => (name.endsWith(".wasm") ? "CompiledWasm" : "ESModule");
  const modules = files.filter((name) => /\.(m?js|wasm)$/.test(name) && name !== entry);
  return {
    name: "resource-edge",
    modulesRoot: folder,
    modules: [entry, ...modules].map((name) => ({ type: type(name), path: join(folder, name) })),
    objects: { PROJECTS: "ProjectObject" },
  };
}

/** Describes the Worker that does nothing: the lower limit of every measurement. */
export function empty() {
  const contents =
    'export default { fetch: () => new Response("{}", { headers: { "Content-Type": "application/json" } }) };';
  return {
    name: "empty",
    modulesRoot: ROOT,
    modules: [{ type: "ESModule", path: join(ROOT, "empty.mjs"), contents }],
    objects: {},
  };
}

/** Quotes a string for a Cap'n Proto text file. */
const quote = (text) => JSON.stringify(text);
const list = (items) => `[${items.join(", ")}]`;

/** Writes the modules beside the configuration, which embeds them, and returns their declarations. */
async function modulesOf({ modulesRoot, modules }, state) {
  const declared = modules.map(async ({ type, path, contents }, at) => {
    const file = `module-${at}`;
    await writeFile(join(state, file), contents ?? readFileSync(path));
    const kind = type === "CompiledWasm" ? "wasm" : "esModule";
    return `(name = ${quote(relative(modulesRoot, path))}, ${kind} = embed ${quote(file)})`;
  });
  return list(await Promise.all(declared));
}

async function configuration(worker, state, putMs) {
  const objects = Object.entries(worker.objects);
  const bindings = [
    '(name = "RESOURCES", kvNamespace = "kv")',
    ...Object.entries(VARIABLES).map(([name, value]) => `(name = ${quote(name)}, text = ${quote(value)})`),
    ...objects.map(([name, className]) => `(name = ${quote(name)}, durableObjectNamespace = ${quote(className)})`),
  ];
  const namespaces = objects.map(
    ([, className]) =>
      `(className = ${quote(className)}, uniqueKey = ${quote(`bench-${className}`)}, enableSql = true)`,
  );
  const date = `compatibilityDate = ${quote(COMPATIBILITY_DATE)}`;
  await writeFile(join(state, "kv.mjs"), readFileSync(new URL("./kv.mjs", import.meta.url)));
  const socket = (name, service) =>
    `(name = ${quote(name)}, address = "127.0.0.1:0", http = (), service = ${quote(service)})`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = ${await modulesOf(worker, state)},
      ${date},
      bindings = ${list(bindings)},
      durableObjectNamespaces = ${list(namespaces)},
      durableObjectStorage = (localDisk = "objects"))),
    (name = "kv", worker = (
      modules = [(name = "kv.mjs", esModule = embed "kv.mjs")],
      ${date},
      bindings = [(name = "PUT_MS", json = "${putMs}")])),
    (name = "objects", disk = (path = ${quote(join(state, "objects"))}, writable = true)),
  ],
  sockets = [${socket("http", "worker")}, ${socket("kv", "kv")}]);
`;
}

/** A running Worker. */
export class Instance {
  /** @type {string} */
  name;
  /** @type {string} */
  state;

  /** Starts the Worker. A put of its KV takes `putMs` milliseconds. */
  static async start(worker, putMs = 5) {
    const instance = new Instance();
    instance.name = worker.name;
    instance.output = "";
    instance.state = await mkdtemp(join(folder(), `bench-${worker.name}-`));
    running.add(instance);
    try {
      await mkdir(join(instance.state, "objects"));
      await writeFile(join(instance.state, "config.capnp"), await configuration(worker, instance.state, putMs));
      await instance.#run();
    } catch (error) {
      await instance.stop();
      throw error;
    }
    return instance;
  }

  async #run() {
    const command = ["serve", "config.capnp", "config", "--control-fd=3"];
    this.process = spawn(workerd.default, command, { cwd: this.state, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on("data", (chunk) => (this.output = (this.output + chunk).slice(-OUTPUT_KEPT)));
    }
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    const ports = await this.#ports();
    this.port = ports.get("http");
    this.kvPort = ports.get("kv");
  }

  /** Returns the ports on which workerd listens. */
  #ports() {
    return new Promise((resolve, reject) => {
      const ports = new Map();
      let rest = "";
      const fail = () => reject(new Error(`${this.name}: workerd did not start:\n${this.output}`));
      const timer = setTimeout(fail, START_MS);
      this.process.once("error", reject);
      this.process.once("exit", fail);
      this.process.stdio[3].on("data", (chunk) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop();
        for (const { event, socket, port } of lines.map((line) => JSON.parse(line))) {
          if (event === "listen") ports.set(socket, port);
        }
        if (ports.size < 2) return;
        clearTimeout(timer);
        resolve(ports);
      });
    });
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns the names of KV's entries under a prefix. */
  async entries(prefix) {
    return (await this.list(prefix)).map(({ name }) => name);
  }

  /** Returns KV's entries under a prefix, with their names and metadata. */
  async list(prefix) {
    const keys = [];
    for (let cursor = ""; ; ) {
      const query = new URLSearchParams({ prefix, ...(cursor === "" ? {} : { cursor }) });
      const page = await (await fetch(`http://127.0.0.1:${this.kvPort}/?${query}`)).json();
      keys.push(...page.keys);
      if (page.list_complete) return keys;
      cursor = page.cursor;
    }
  }

  /** Returns the processor time of workerd in microseconds, or `undefined` if there is no /proc. */
  cpu() {
    const file = `/proc/${this.process.pid}/stat`;
    if (!existsSync(file)) return undefined;
    // After the command's name in parentheses, the state is field 1, utime field 12, and stime field 13.
    const fields = readFileSync(file, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  }

  /** Waits until workerd has been idle for `quiet` milliseconds, so that a round includes its deferred work. */
  async settle(quiet = 750, limit = 60_000) {
    const end = Date.now() + limit;
    for (
      let before = this.cpu(), since = Date.now();
      before !== undefined && Date.now() < end && Date.now() - since < quiet;
    ) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const now = this.cpu();
      if (now - before > 10_000) since = Date.now();
      before = now;
    }
  }

  /** Ends workerd and removes its state, all at once. */
  kill() {
    this.process?.kill("SIGKILL");
    rmSync(this.state, { recursive: true, force: true });
  }

  async stop() {
    if (this.process?.exitCode === null) this.process.kill("SIGKILL");
    await this.ended;
    running.delete(this);
    await rm(this.state, { recursive: true, force: true });
  }
}
