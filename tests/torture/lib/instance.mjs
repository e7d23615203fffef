// The built Worker in a workerd process that may be killed at any moment. Its objects remain on disk. Its KV is a
// server of this process (kv.mjs), so that a put in flight outlives the Worker that sent it.

import { spawn } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import workerd from "workerd";
import { COMPATIBILITY_DATE } from "../../support/platform.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DIST = join(ROOT, "build/dist");
const START_MS = 20_000;
const LOG_KEPT = 400;
const SECRET = "a-secret-for-the-torture-on-loopback-only";
// The service requires a client. Tokens are signed here.
const CLIENTS = JSON.stringify([
  { id: "torture", secretHash: createHash("sha256").update(SECRET).digest("hex"), scopes: ["manage_test:*"] },
]);

/** The instances to remove, with their folders, when this process ends. */
const running = new Set();
process.once("exit", () => {
  for (const instance of running) instance.remove();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const quoted = (text) => JSON.stringify(text);

/** Returns an access token for the scope. It is valid for years, because the Worker's clock is fast. */
export function tokenFor(scope, start) {
  const issued = Math.floor(start / 1000) - 60;
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    iss: "resource-edge",
    aud: "resource-edge",
    sub: "torture",
    client_id: "torture",
    jti: "torture",
    scope,
  };
  const signed = `${part({ typ: "at+jwt", alg: "HS256" })}.${part({ ...claims, iat: issued, exp: issued + 1e9 })}`;
  return `${signed}.${createHmac("sha256", SECRET).update(signed).digest("base64url")}`;
}

/** Copies the modules to where the configuration embeds them, and returns their declarations. */
function modules(folder) {
  const files = existsSync(DIST) ? readdirSync(DIST) : [];
  const wasm = files.filter((name) => name.endsWith(".wasm"));
  if (!files.includes("entry.js") || wasm.length === 0) throw new Error("there is no build/dist: run `make build`");
  const declare = (name, kind, path) => {
    writeFileSync(join(folder, name), readFileSync(path));
    return `(name = ${quoted(name)}, ${kind} = embed ${quoted(name)})`;
  };
  const own = ["worker.mjs", "broken.mjs"].map((name) =>
    declare(name, "esModule", fileURLToPath(new URL(`./${name}`, import.meta.url))),
  );
  return [
    ...own,
    declare("entry.js", "esModule", join(DIST, "entry.js")),
    ...wasm.map((name) => declare(name, "wasm", join(DIST, name))),
  ].join(", ");
}

export class Instance {
  /** The last lines that workerd printed. */
  log = [];
  /** The number of kills. */
  kills = 0;
  /** The port on which it listens; `undefined` while it does not run. */
  port;

  /** `broken` names a promise that the Worker breaks (broken.mjs). */
  constructor({ kvPort, start, speed, broken = "" }) {
    this.folder = mkdtempSync(join(tmpdir(), "resource-edge-torture-"));
    running.add(this);
    mkdirSync(join(this.folder, "objects"));
    const bindings = [
      '(name = "RESOURCES", kvNamespace = "kv")',
      '(name = "PROJECTS", durableObjectNamespace = "ProjectObject")',
      '(name = "LOG", text = "errors")',
      `(name = "TOKEN_SECRET", text = ${quoted(SECRET)})`,
      `(name = "API_CLIENTS", text = ${quoted(CLIENTS)})`,
      `(name = "SPEED", json = "${speed}")`,
      `(name = "START", json = "${start}")`,
      `(name = "BROKEN", text = ${quoted(broken)})`,
    ];
    const worker = `(modules = [${modules(this.folder)}], compatibilityDate = ${quoted(COMPATIBILITY_DATE)},
      bindings = [${bindings.join(", ")}],
      durableObjectNamespaces = [(className = "ProjectObject", uniqueKey = "torture", enableSql = true)],
      durableObjectStorage = (localDisk = "objects"))`;
    writeFileSync(
      join(this.folder, "config.capnp"),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = ${worker}),
    (name = "kv", external = (address = "127.0.0.1:${kvPort}", http = ())),
    (name = "objects", disk = (path = ${quoted(join(this.folder, "objects"))}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")]);
`,
    );
  }

  /** Starts workerd and waits until it listens. */
  async start() {
    const command = ["serve", "config.capnp", "config", "--control-fd=3"];
    const child = spawn(workerd.default, command, { cwd: this.folder, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    this.process = child;
    this.ended = new Promise((resolve) => child.once("exit", resolve));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => this.log.push(...text.split("\n").filter(Boolean)));
      stream.on("data", () => this.log.splice(0, this.log.length - LOG_KEPT));
    }
    this.port = await new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`workerd did not start:\n${this.log.join("\n")}`));
      const timer = setTimeout(fail, START_MS);
      child.once("error", reject);
      child.once("exit", fail);
      let text = "";
      /** @type {import("node:stream").Readable} */ (child.stdio[3]).setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
        const line = text.split("\n").find((one) => one.includes('"listen"'));
        if (line === undefined) return;
        clearTimeout(timer);
        child.off("exit", fail);
        resolve(JSON.parse(line).port);
      });
    });
  }

  /** Ends workerd like a crash. */
  async kill() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) {
      throw new Error(`workerd exited early:\n${this.log.join("\n")}`);
    }
    this.port = undefined;
    this.kills += 1;
    this.process.kill("SIGKILL");
    await this.ended;
  }

  /** Ends workerd and removes its data. */
  remove() {
    this.process?.kill("SIGKILL");
    running.delete(this);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
