// The Worker's entry: passes requests to Rust and survives its traps. A trap (a bug, or memory that ran out) ends the
// whole WebAssembly instance, and a new instance replaces it. The request that trapped gets 500. Requests that waited
// for the old instance continue when their effect ends: a read starts again, a write gets 500.

import { DurableObject, waitUntil } from "cloudflare:workers";
import module from "../../build/worker/resource_edge_bg.wasm";
import * as core from "../../build/worker/resource_edge.js";
import { readBody } from "./body.mjs";
import { configure } from "./effects.mjs";
import { waiting } from "./glue.mjs";

/** @typedef {import("./types.js").Environment} Environment */
/** @typedef {import("./types.js").Outcome} Outcome */

core.initSync({ module });
/** @type {import("./types.js").Contract} */
const CONTRACT = JSON.parse(core.contract());
const BODY_BYTES = CONTRACT.bodyBytes;
// How much of an oversized body is read before the response.
const LINGER_BYTES = 16 * BODY_BYTES;
const NO_BYTES = new Uint8Array(0);

/** How long an object with a pending restore waits for a call of `restart` until it restarts, in milliseconds. */
const RESTART_MS = 10_000;

/** The number of the WebAssembly instance. */
let generation = 0;
/** The last alarm's ticket. */
let last = 0;

/**
 * Replaces the instance. Rust returns its errors, so after an exception the state of the instance is unknown.
 * @param {unknown} error
 * @param {string} [about] the project, if its object called the instance
 */
function replaceInstance(error, about) {
  const ended = [...waiting.values()];
  waiting.clear();
  console.error(JSON.stringify({ level: "error", event: "trap", about, reason: String(error) }));
  generation += 1;
  core.__wbg_reset_state();
  for (const { reject } of ended) reject(error);
}

// The futures of an object's alarm continue in the event loop, so no caller catches their errors.
addEventListener("error", (event) => {
  event.preventDefault();
  // Promises of an ended instance still settle. The bindings reject them with this message.
  if (event.error?.message !== "Cannot invoke closure from previous WASM instance") replaceInstance(event.error);
});
// A rejected promise may contain any value, so only errors that WebAssembly throws count.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof WebAssembly.RuntimeError || event.reason instanceof RangeError)) return;
  event.preventDefault();
  replaceInstance(event.reason);
});

/**
 * Handles a request. Returns the response or a promise of it.
 * @param {Request} request
 * @param {Environment} env
 * @param {Uint8Array | undefined} body
 * @param {boolean} tooLarge
 * @returns {Outcome}
 */
function handle(request, env, body, tooLarge) {
  const born = generation;
  try {
    const response = core.handle(request.method, request.url, request.headers, body, tooLarge, env);
    return response instanceof Promise ? response.catch((error) => recover(error, born, request, env)) : response;
  } catch (error) {
    return recover(error, born, request, env);
  }
}

/**
 * Responds to a request whose instance ended, in its own call or in the call of another request.
 * @param {unknown} error
 * @param {number} born
 * @param {Request} request
 * @param {Environment} env
 */
function recover(error, born, request, env) {
  if (born === generation) replaceInstance(error);
  else if (request.method === "GET" || request.method === "HEAD") return handle(request, env, undefined, false);
  return core.fault(request.method, request.url, request.headers, env);
}

/**
 * Lets a promise settle after the response. If it rejects, the instance trapped, then or before.
 * @param {Promise<unknown>} promise
 */
function afterResponse(promise) {
  const born = generation;
  waitUntil(
    promise.catch((error) => {
      if (born === generation) replaceInstance(error);
    }),
  );
}

/**
 * Handles a request with a body.
 * @param {Request} request
 * @param {Environment} env
 */
function receive(request, env) {
  const length = Number(request.headers.get("Content-Length") ?? NaN);
  // Create no more promises than the platform: most bodies take this path.
  if (length <= BODY_BYTES)
    return request.arrayBuffer().then((body) => handle(request, env, new Uint8Array(body), false));
  return readUnsized(request, length).then((body) => handle(request, env, body, body === undefined));
}

/**
 * Returns the bytes of a body whose length is not known to be small, or `undefined` if there are too many.
 * @param {Request} request
 * @param {number} length
 */
async function readUnsized(request, length) {
  if (length > LINGER_BYTES) return undefined;
  return request.body === null ? NO_BYTES : readBody(request.body, BODY_BYTES, LINGER_BYTES);
}

export default {
  /**
   * @param {Request} request
   * @param {Environment} env
   */
  fetch(request, env) {
    configure(env, CONTRACT, afterResponse);
    // Read operations have no body.
    const { method } = request;
    return method === "GET" || method === "HEAD" ? handle(request, env, undefined, false) : receive(request, env);
  },
};

/**
 * Returns the project of an object, for the log: its name is `v1/{project}` (`object_name` in entry.rs). An object that
 * an alarm started may have no name.
 * @param {string} [name]
 */
const projectOf = (name) => name?.replace(/^v1\//, "");

/** A project's object: the class that the platform requires around the Rust one. */
export class ProjectObject extends DurableObject {
  /** @type {core.ProjectCore | undefined} */
  #core;
  #generation = generation;
  /** @type {number | undefined} */
  #alarm;
  /** Whether the storage is restored at the next start. */
  #ends = false;

  /**
   * @param {import("./types.js").ObjectState} ctx
   * @param {Environment} env
   */
  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const alarm = await ctx.storage.getAlarm();
      // Restored storage contains the alarm of its time, which may never ring.
      this.#alarm = alarm !== null && alarm > Date.now() ? alarm : undefined;
    });
  }

  #live() {
    if (this.#core === undefined || this.#generation !== generation) {
      this.#core = new core.ProjectCore(this.ctx.storage, this.env, this.#alarm);
      this.#generation = generation;
      // The alarm is known only at the start. A later core accepts any alarm, and catches up when that alarm rings.
      this.#alarm = undefined;
    }
    return this.#core;
  }

  /**
   * Returns the reply to a message: its head and its body. The head is empty if the instance trapped.
   * @param {Uint8Array} message
   * @returns {import("./types.js").Reply | Promise<import("./types.js").Reply>}
   */
  perform(message) {
    // The restore would remove the writes of this message.
    if (this.#ends) throw new Error("the project is being restored");
    try {
      return this.#live().perform(message);
    } catch (error) {
      replaceInstance(error, projectOf(this.ctx.id.name));
      return [NO_BYTES];
    }
  }

  /**
   * Restores the storage to a bookmark, or to a time if there is none, at the next start. Returns the bookmark that
   * undoes it, or the reason why the platform refuses.
   * @param {string} name the object's name
   * @param {number} time
   * @param {string} [bookmark]
   * @returns {Promise<import("./types.js").Restored>}
   */
  async restore(name, time, bookmark) {
    const { storage } = this.ctx;
    try {
      const undo = await storage.onNextSessionRestoreBookmark(bookmark ?? (await storage.getBookmarkForTime(time)));
      this.#ends = true;
      setTimeout(() => this.restart(), RESTART_MS);
      // If the response is lost, the log has the bookmark.
      console.log(JSON.stringify({ level: "info", event: "restore", about: projectOf(name), undo }));
      return { undo };
    } catch (error) {
      return { reason: String(error) };
    }
  }

  /** Ends the object if its storage is to be restored. A separate call, so that the bookmark has arrived before. */
  restart() {
    if (this.#ends) this.ctx.abort("the project is being restored");
  }

  /** Replicates pending entries to KV. It never throws, because the platform drops an alarm after some failures. */
  async alarm() {
    try {
      await new Promise((resolve, reject) => {
        const ticket = (last = (last + 1) >>> 0);
        waiting.set(ticket, { resolve, reject });
        try {
          this.#live().alarm(ticket);
        } catch (error) {
          replaceInstance(error, projectOf(this.ctx.id.name));
        }
      });
    } catch {
      await this.ctx.storage.setAlarm(Date.now() + 60_000);
    }
  }
}
