// One instance of the Worker with its platform in memory: KV, the projects' objects, the clock, and randomness.

import type { Clock, Timer } from "./clock.js";
import { module, openApi } from "./files.js";
import { AutoResponse, afterwards, ObjectSockets, Pair, RuntimeResponse } from "./sockets.js";
import type { Database } from "./sqlite.js";
import { Kv, Storage } from "./storage.js";
import { startWorker } from "./worker.js";

export type Files = [wasm: WebAssembly.Module, document: ArrayBuffer];

/** A request to the Worker. */
export interface Sent {
  method: string;
  url: string | URL;
  headers: HeadersInit;
  body?: ArrayBuffer | undefined;
  signal?: AbortSignal | undefined;
}

/** An object of a project, which is ready when the promise resolves. */
interface Started {
  object: InstanceType<ReturnType<typeof startWorker>["ProjectObject"]>;
  database: Database;
  storage: Storage;
  sockets: ObjectSockets;
  ready: Promise<unknown> | undefined;
}

/**
 * The arguments of a Worker: `settings` are its variables, `bindings` replace those of its environment, `random` is
 * its `crypto`, `lag` is KV's, and `log` receives each line of its log.
 */
export interface Parts {
  files: Files;
  settings: { readonly [name: string]: string };
  bindings?: object;
  clock: Clock;
  random: object;
  lag: number;
  openDatabase: () => Database;
  log: (line: string) => void;
  resources: object | undefined;
}

async function unpack(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  // Not a Blob, because jsdom's has no stream.
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const [unpacked] = await Promise.all([new Response(readable).arrayBuffer(), written]);
  return unpacked;
}

let loading: Promise<Files> | undefined;

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

/** The name of the object that has a project's data (src/worker/objects.ts). */
const objectName = (project: string) => `v1/${project}`;
/** The name of the object that has its epoch. */
const epochName = (project: string) => `h1/${project}`;

/** The codes with which sockets close if the project is restored, and if the service ends. */
const RESTORED = 4410;
const RESTARTED = 1012;

/** More milliseconds than any request waits. */
const LONGEST_MS = 60_000;

/** The Worker and its data. */
export class World {
  #objects = new Map<string, Started>();
  #worker: ReturnType<typeof startWorker>;
  #env;
  #clock;
  #openDatabase;
  #closed = false;
  /** How often it has restored. */
  #restores = 0;
  /** What ends each request that is under way, with its project. */
  #leaves = new Map<() => void, string | undefined>();

  /** Starts the Worker. */
  constructor({ files, settings, bindings, clock, random, lag, openDatabase, log, resources }: Parts) {
    const [wasm, document] = files;
    const write = (line: string) => void (this.#closed || log(line));
    this.#clock = clock;
    this.#openDatabase = openDatabase;
    this.#worker = startWorker({
      WASM_MODULE: wasm,
      Date: { now: () => clock.now() },
      console: { log: write, warn: write, error: write },
      crypto: random,
      Response: RuntimeResponse,
      WebSocketPair: Pair,
      WebSocketRequestResponsePair: AutoResponse,
      // Not the program's `queueMicrotask`: fake timers may have replaced it.
      globalThis: Object.create(globalThis, { queueMicrotask: { value: afterwards } }),
      queueMicrotask: afterwards,
      setTimeout: (run: () => unknown, ms: number) => (ms > 0 ? clock.set(clock.now() + ms, run) : afterwards(run)),
      clearTimeout: (timer: Timer | undefined) => clock.clear(timer),
      // The program handles errors that are thrown outside of requests.
      addEventListener() {},
    });
    if (resources !== undefined) this.#worker.setResources(JSON.stringify(resources));
    this.#env = {
      ...settings,
      RESOURCES: new Kv(clock, lag),
      PROJECTS: {
        getByName: (name: string) => ({
          perform: (message: Uint8Array) => this.#call(name, (object) => object.perform(message)),
          fetch: (_: string, { headers }: { headers: HeadersInit }) =>
            this.#call(name, (object) => object.fetch({ headers: new Headers(headers) })),
          // The storage has no past, so nothing restarts.
          restore: (called: string, time: number, bookmark: string | undefined) =>
            this.#object(name).object.restore(called, time, bookmark),
          epoch: () => this.#object(name).object.epoch(),
          changeEpoch: (epoch: string) => this.#object(name).object.changeEpoch(epoch),
          putAll: (entries: string, limits: unknown) => this.#object(name).object.putAll(entries, limits),
        }),
      },
      ASSETS: { fetch: async () => new Response(document, { headers: { ETag: `"${document.byteLength}"` } }) },
      ...bindings,
    };
  }

  /**
   * Handles a request: `method`, `url`, `headers`, and the body's bytes, if it has one. Rejects if the signal aborts or
   * the service ends.
   */
  async fetch({ method, url, headers, body, signal }: Sent) {
    const sent = new Headers(headers);
    if (body !== undefined) sent.set("Content-Length", String(body.byteLength));
    const request = {
      method,
      url: String(url),
      headers: sent,
      arrayBuffer: async () => body ?? new ArrayBuffer(0),
      body: body === undefined ? null : new Response(body).body,
    };
    // The clock's timers do not keep the process alive, but a request may wait for one of them.
    const { setTimeout, clearTimeout } = globalThis;
    const hold = setTimeout(() => {}, LONGEST_MS);
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(new TypeError("fetch failed", { cause: new Error("the service in memory has ended") }));
    });
    this.#leaves.set(leave, new URL(url).pathname.split("/")[1]);
    signal?.addEventListener("abort", leave);
    try {
      return await Promise.race([this.#worker.default.fetch(request, this.#env), left]);
    } finally {
      clearTimeout(hold);
      this.#leaves.delete(leave);
      signal?.removeEventListener("abort", leave);
    }
  }

  async #call<Reply>(name: string, call: (object: Started["object"]) => Reply) {
    const { object, ready } = this.#object(name);
    await ready;
    return call(object);
  }

  /** Closes the sockets of a project, or of all. */
  closeSockets(project: string | undefined, code: number) {
    for (const [name, { sockets }] of this.#objects)
      if (project === undefined || name === objectName(project)) sockets.closeAll(code);
  }

  /**
   * Replaces the object of a project by one without data. Requests that are under way fail, as at a restart. KV keeps
   * its entries. The object begins to repair them with its first position, because the epoch is another (D31).
   */
  async replace(project: string) {
    this.#restores += 1;
    await this.#object(epochName(project)).object.changeEpoch(String(this.#restores));
    const name = objectName(project);
    const known = this.#objects.get(name);
    this.#objects.delete(name);
    known?.sockets.end(RESTORED);
    for (const [leave, called] of [...this.#leaves]) if (called === project) leave();
    void known?.storage.setAlarm(null);
  }

  #object(name: string): Started {
    const known = this.#objects.get(name);
    if (known !== undefined) return known;
    const database = this.#openDatabase();
    const storage: Storage = new Storage(database, this.#clock, () => object.alarm());
    const sockets: ObjectSockets = new ObjectSockets(() => object, this.#clock);
    let ready: Promise<unknown> | undefined;
    const object: Started["object"] = new this.#worker.ProjectObject(
      {
        id: { name },
        storage,
        blockConcurrencyWhile: (run: () => Promise<unknown>) => (ready = run()),
        acceptWebSocket: (socket: Parameters<ObjectSockets["accept"]>[0]) => sockets.accept(socket),
        getWebSockets: () => sockets.list(),
        setWebSocketAutoResponse: (auto: AutoResponse) => sockets.setAutoResponse(auto),
        getWebSocketAutoResponseTimestamp: (socket: Parameters<ObjectSockets["accept"]>[0]) => sockets.lastPing(socket),
      },
      this.#env,
    );
    const made = { object, database, storage, sockets, ready };
    this.#objects.set(name, made);
    return made;
  }

  /** Frees the data, closes the sockets, and ends the requests that are under way, which can no longer write. */
  close() {
    this.#closed = true;
    for (const leave of [...this.#leaves.keys()]) leave();
    for (const { database, sockets } of this.#objects.values()) {
      sockets.end(RESTARTED);
      database.close();
    }
    this.#objects.clear();
    this.#openDatabase = () => {
      throw new Error("the service is closed");
    };
  }
}
