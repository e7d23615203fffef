// One instance of the Worker with its platform in memory: KV, the projects' objects, the clock, and randomness.

import { module, openApi } from "./files.js";
import { Kv, Storage } from "./storage.js";
import { startWorker } from "./worker.js";

/** @typedef {[wasm: WebAssembly.Module, document: ArrayBuffer]} Files */
/** @typedef {import("./sqlite.js").Database} Database */

/**
 * A request to the Worker.
 * @typedef {{ method: string, url: string | URL, headers: HeadersInit, body?: ArrayBuffer | undefined }} Sent
 */

/**
 * An object of a project, which is ready when the promise resolves.
 * @typedef {object} Started
 * @property {InstanceType<ReturnType<typeof startWorker>["ProjectObject"]>} object
 * @property {Database} database
 * @property {Promise<unknown> | undefined} ready
 */

/**
 * The arguments of a Worker: `settings` are its variables, `bindings` replace those of its environment, `random` is
 * its `crypto`, `lag` is KV's, and `log` receives each line of its log.
 * @typedef {object} Parts
 * @property {Files} files
 * @property {{ readonly [name: string]: string }} settings
 * @property {object} [bindings]
 * @property {import("./clock.js").Clock} clock
 * @property {object} random
 * @property {number} lag
 * @property {() => Database} openDatabase
 * @property {(line: string) => void} log
 */

/** @param {string} base64 */
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  // Not a Blob, because jsdom's has no stream.
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const [unpacked] = await Promise.all([new Response(readable).arrayBuffer(), written]);
  return unpacked;
}

/** @type {Promise<Files> | undefined} */
let loading;

/** Returns the compiled WebAssembly and the OpenAPI document, loaded once. A failed attempt may be repeated. */
export function loadFiles() {
  loading ??= Promise.all([unpack(module).then((bytes) => WebAssembly.compile(bytes)), unpack(openApi)]).catch(
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** @param {() => unknown} run */
const afterwards = (run) => void Promise.resolve().then(run);

/** The Worker and its data. */
export class World {
  /** @type {Map<string, Started>} */
  #objects = new Map();
  /** @type {ReturnType<typeof startWorker>} */
  #worker;
  #env;
  #clock;
  #openDatabase;
  #closed = false;

  /**
   * Starts the Worker.
   * @param {Parts} parts
   */
  constructor({ files: [wasm, document], settings, bindings, clock, random, lag, openDatabase, log }) {
    /** @param {string} line */
    const write = (line) => void (this.#closed || log(line));
    this.#clock = clock;
    this.#openDatabase = openDatabase;
    this.#worker = startWorker({
      WASM_MODULE: wasm,
      Date: { now: () => clock.now() },
      console: { log: write, warn: write, error: write },
      crypto: random,
      // Not the program's `queueMicrotask`: fake timers may have replaced it.
      globalThis: Object.create(globalThis, { queueMicrotask: { value: afterwards } }),
      queueMicrotask: afterwards,
      setTimeout: (/** @type {() => unknown} */ run, /** @type {number} */ ms) =>
        ms > 0 ? clock.set(clock.now() + ms, run) : afterwards(run),
      clearTimeout: (/** @type {import("./clock.js").Timer | undefined} */ timer) => clock.clear(timer),
      // The program handles errors that are thrown outside of requests.
      addEventListener() {},
    });
    this.#env = {
      ...settings,
      RESOURCES: new Kv(clock, lag),
      PROJECTS: {
        getByName: (/** @type {string} */ name) => ({
          perform: (/** @type {Uint8Array} */ message) => this.#perform(name, message),
          // The storage has no past, so nothing restarts.
          restore: (
            /** @type {string} */ called,
            /** @type {number} */ time,
            /** @type {string | undefined} */ bookmark,
          ) => this.#object(name).object.restore(called, time, bookmark),
          epoch: () => this.#object(name).object.epoch(),
          changeEpoch: () => this.#object(name).object.changeEpoch(),
        }),
      },
      ASSETS: { fetch: async () => new Response(document, { headers: { ETag: `"${document.byteLength}"` } }) },
      ...bindings,
    };
  }

  /**
   * Handles a request: `method`, `url`, `headers`, and the body's bytes, if it has one.
   * @param {Sent} request
   */
  async fetch({ method, url, headers, body }) {
    const sent = new Headers(headers);
    if (body !== undefined) sent.set("Content-Length", String(body.byteLength));
    const request = {
      method,
      url: String(url),
      headers: sent,
      arrayBuffer: async () => body ?? new ArrayBuffer(0),
      body: body === undefined ? null : new Response(body).body,
    };
    return this.#worker.default.fetch(request, this.#env);
  }

  /**
   * @param {string} name
   * @param {Uint8Array} message
   */
  async #perform(name, message) {
    const { object, ready } = this.#object(name);
    await ready;
    return object.perform(message);
  }

  /**
   * @param {string} name
   * @returns {Started}
   */
  #object(name) {
    const known = this.#objects.get(name);
    if (known !== undefined) return known;
    const database = this.#openDatabase();
    /** @type {Storage} */
    const storage = new Storage(database, this.#clock, () => object.alarm());
    /** @type {Promise<unknown> | undefined} */
    let ready;
    /** @type {Started["object"]} */
    const object = new this.#worker.ProjectObject(
      { id: { name }, storage, blockConcurrencyWhile: (/** @type {() => Promise<unknown>} */ run) => (ready = run()) },
      this.#env,
    );
    const made = { object, database, ready };
    this.#objects.set(name, made);
    return made;
  }

  /** Frees the data. Requests in flight can no longer write. */
  close() {
    this.#closed = true;
    for (const { database } of this.#objects.values()) database.close();
    this.#objects.clear();
    this.#openDatabase = () => {
      throw new Error("the service is closed");
    };
  }
}
