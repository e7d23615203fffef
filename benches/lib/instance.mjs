// A Worker in a separate workerd process, with the light KV of kv.mjs and its objects on disk.
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, withResources } from "../../src/worker/self-hosted/workerd.mjs";
import { PLATFORM } from "../../tests/support/platform.mjs";
import { WorkerdProcess } from "../../tests/support/process.mjs";
import { VARIABLES } from "./token.mjs";

const BUILD = fileURLToPath(new URL("../../build/dist", import.meta.url));
const KV = fileURLToPath(new URL("kv.mjs", import.meta.url));

/** Describes our Worker: the files of `make build`, or of another build's folder, with declared resources if any. */
export function ours({ folder = BUILD, resources = undefined } = {}) {
  const modules = bundle(join(folder, "entry.js"));
  return {
    name: "resource-edge",
    modules: resources === undefined ? modules : withResources(modules, JSON.stringify(resources)),
    objects: PLATFORM.objects,
  };
}

/** Describes the Worker that does nothing: the lower limit of every measurement. */
export function empty() {
  const contents =
    'export default { fetch: () => new Response("{}", { headers: { "Content-Type": "application/json" } }) };';
  return { name: "empty", modules: { "empty.mjs": { contents } }, objects: {} };
}

/** A running Worker. */
export class Instance extends WorkerdProcess {
  constructor({ name, modules, objects }, putMs) {
    const variables = Object.entries(VARIABLES).map(([name, text]) => [name, { text }]);
    const services = {
      worker: {
        modules,
        bindings: { [PLATFORM.kv]: { kvNamespace: "kv" }, ...Object.fromEntries(variables) },
        objects,
      },
      kv: { modules: { "kv.mjs": KV }, bindings: { PUT_MS: { json: String(putMs) } } },
    };
    super(tmpdir(), services, { http: "worker", kv: "kv" });
    this.name = name;
  }

  /** Starts the Worker. A put of its KV takes `putMs` milliseconds. */
  static async start(worker, putMs = 5) {
    const instance = new Instance(worker, putMs);
    await instance.start();
    return instance;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns KV's entries under a prefix, with their names and metadata. */
  async list(prefix) {
    const keys = [];
    for (let cursor = ""; ; ) {
      const query = new URLSearchParams({ prefix, ...(cursor === "" ? {} : { cursor }) });
      const page = await (await fetch(`http://127.0.0.1:${this.ports.get("kv")}/?${query}`)).json();
      keys.push(...page.keys);
      if (page.list_complete) return keys;
      cursor = page.cursor;
    }
  }

  /** Sends a command to KV. Returns the time of its last put. */
  async #command(command) {
    const address = `http://127.0.0.1:${this.ports.get("kv")}/?${new URLSearchParams(command)}`;
    return (await fetch(address, { method: "POST" })).json();
  }

  /** Lets KV have a copy of the entry of an ID for every other ID under the prefix. */
  copyForAll(prefix, id) {
    return this.#command({ prefix, id });
  }

  /** Returns when the last put to KV was done. */
  lastPut() {
    return this.#command({});
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

  /** Ends workerd and removes its data, even if it has crashed. */
  async stop() {
    this.remove();
    await this.ended;
  }
}
