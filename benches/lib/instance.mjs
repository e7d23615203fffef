// A worker in its own workerd, reached on a direct socket, with its state on disk.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare } from "miniflare";
import { VARIABLES } from "./token.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(ROOT, "build/dist");
const PEERS = "benches/peers";
/** Where state is kept: in memory where there is such a folder, since a disk's moods would drown the difference. */
const FOLDER = process.env.TMPDIR ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
const COMPATIBILITY_DATE = "2026-04-01";

/** What runs our worker: the files of `make build`. */
export function ours(folder = DIST) {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const entry = ["index.js", "entry.mjs", "entry.js", "worker.js"].find((name) => files.includes(name));
  if (entry === undefined || !files.some((name) => name.endsWith(".wasm"))) {
    throw new Error(`${folder} holds no built worker. Run \`make build\` first.`);
  }
  const type = (name) => (name.endsWith(".wasm") ? "CompiledWasm" : "ESModule");
  const modules = files.filter((name) => /\.(m?js|wasm)$/.test(name) && name !== entry);
  return {
    name: "resource-edge",
    modulesRoot: folder,
    modules: [entry, ...modules].map((name) => ({ type: type(name), path: join(folder, name) })),
    durableObjects: { PROJECTS: { className: "ProjectObject", useSQLite: true } },
  };
}

/** What runs the peer of that name: bundled by esbuild, as wrangler would. */
export async function peer(name) {
  const folder = join(ROOT, "build/peers", name);
  const outfile = join(folder, "worker.mjs");
  const source = join(ROOT, PEERS, name, "worker.mjs");
  if (!existsSync(source)) throw new Error(`There is no peer '${name}': ${PEERS}/${name}/worker.mjs is missing.`);
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers"],
    logLevel: "warning",
  });
  return {
    name,
    modulesRoot: folder,
    modules: [{ type: "ESModule", path: outfile }],
    durableObjects: { COLLECTIONS: { className: "Collection", useSQLite: true } },
  };
}

/** A worker that runs. */
export class Instance {
  static async start({ name, ...worker }) {
    const instance = new Instance();
    instance.name = name;
    instance.logBytes = 0;
    instance.stderr = "";
    instance.state = await mkdtemp(join(FOLDER, `bench-${name}-`));
    instance.port = await freePort();
    const before = new Set(workerds());
    instance.miniflare = new Miniflare({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      // The log is produced and thrown away: the bench counts its bytes, so that nobody can save it.
      handleRuntimeStdio(stdout, stderr) {
        stdout.on("data", (chunk) => (instance.logBytes += chunk.length));
        stderr.on("data", (chunk) => (instance.stderr = (instance.stderr + chunk).slice(-4000)));
      },
      kvPersist: join(instance.state, "kv"),
      durableObjectsPersist: join(instance.state, "do"),
      workers: [
        {
          name: "worker",
          compatibilityDate: COMPATIBILITY_DATE,
          kvNamespaces: ["RESOURCES"],
          bindings: VARIABLES,
          unsafeDirectSockets: [{ host: "127.0.0.1", port: instance.port }],
          ...worker,
        },
      ],
    });
    await instance.miniflare.ready;
    instance.pid = workerds().find((pid) => !before.has(pid));
    return instance;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The names of KV's entries under a prefix. */
  async entries(prefix) {
    const kv = await this.miniflare.getKVNamespace("RESOURCES", "worker");
    const names = [];
    for (let cursor; ; ) {
      const page = await kv.list({ prefix, cursor });
      names.push(...page.keys.map(({ name }) => name));
      if (page.list_complete) return names;
      cursor = page.cursor;
    }
  }

  /** The processor time that workerd has used, in microseconds; `undefined` where /proc does not tell. */
  cpu() {
    if (this.pid === undefined) return undefined;
    // After the command's name in parentheses: state is the first field, utime the twelfth, stime the thirteenth.
    const fields = readFileSync(`/proc/${this.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  }

  /** Waits until workerd rests: what a round put off is done before the other side's round begins. */
  async settle(limit = 30_000) {
    const end = Date.now() + limit;
    for (let before = this.cpu(), still = 0; before !== undefined && still < 3 && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const now = this.cpu();
      still = now - before <= 10_000 ? still + 1 : 0;
      before = now;
    }
  }

  async stop() {
    await this.miniflare.dispose();
    await rm(this.state, { recursive: true, force: true });
  }
}

/** The workerd processes that this one started. */
function workerds() {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, name, , parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
        return name === "workerd" && Number(parent) === process.pid;
      } catch {
        return false;
      }
    });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
