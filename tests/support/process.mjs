// A workerd process of a test or a benchmark, in a separate folder. It may be killed at any moment, and started again
// on the same state.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import workerd from "workerd";
import { ARGUMENTS, configure } from "../../src/worker/self-hosted/workerd.mjs";
import { PLATFORM } from "./platform.mjs";

const START_MS = 20_000;
const LOG_KEPT = 400;

/** The processes to end, with their folders, when this process ends. */
const running = new Set();
process.once("exit", () => {
  for (const one of running) one.remove();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export class WorkerdProcess {
  /** The last lines that workerd printed. */
  log = [];
  /** The number of kills. */
  kills = 0;
  /** The ports on which it listens, by the names of the sockets. There is none while it does not run. */
  ports = new Map();

  /**
   * @param {string} parent the folder in which it gets a folder
   * @param {import("../../src/worker/self-hosted/workerd.mjs").Services} services
   * @param {{ [name: string]: string }} sockets the services that get ports of this machine
   */
  constructor(parent, services, sockets) {
    this.folder = mkdtempSync(join(parent, "resource-edge-"));
    running.add(this);
    this.sockets = Object.entries(sockets).map(([name, service]) => [name, { address: "127.0.0.1:0", service }]);
    configure(this.folder, PLATFORM.date, services, Object.fromEntries(this.sockets));
  }

  /** The port of the socket "http"; `undefined` while it does not run. */
  get port() {
    return this.ports.get("http");
  }

  /** Starts workerd and waits until it listens. */
  async start() {
    const child = spawn(workerd.default, ARGUMENTS, { cwd: this.folder, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    this.process = child;
    this.ended = new Promise((resolve) => child.once("exit", resolve));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => this.log.push(...text.split("\n").filter(Boolean)));
      stream.on("data", () => this.log.splice(0, this.log.length - LOG_KEPT));
    }
    this.ports = await new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`workerd did not start:\n${this.log.join("\n")}`));
      const timer = setTimeout(fail, START_MS);
      child.once("error", reject);
      child.once("exit", fail);
      const ports = new Map();
      let rest = "";
      /** @type {import("node:stream").Readable} */ (child.stdio[3]).setEncoding("utf8").on("data", (chunk) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop();
        for (const { event, socket, port } of lines.map((line) => JSON.parse(line))) {
          if (event === "listen") ports.set(socket, port);
        }
        if (ports.size < this.sockets.length) return;
        clearTimeout(timer);
        child.off("exit", fail);
        resolve(ports);
      });
    });
  }

  /** Ends workerd like a crash. */
  async kill() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) {
      throw new Error(`workerd exited early:\n${this.log.join("\n")}`);
    }
    this.ports = new Map();
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
