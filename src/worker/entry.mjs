// The Worker's entry: hands requests to Rust and outlives its traps. A trap (a bug, or memory that ran out) ends the whole
// instance of WebAssembly: every request that waits for it is answered 500, and a new instance takes its place.

import { DurableObject } from "cloudflare:workers";
import module from "../../build/worker/resource_edge_bg.wasm";
import * as core from "../../build/worker/resource_edge.js";
import { bounded, waiting } from "./glue.mjs";

core.initSync({ module });
const HEADERS = core.requestHeaders().split("\n");
const BODY_BYTES = core.bodyBytes();
// How much of a body that is too large is taken off the wire before it is answered.
const LINGER_BYTES = 16 * BODY_BYTES;
const NOTHING = new Uint8Array(0);

let generation = 0;
let last = 0;

// Whatever leaves a call of Rust as an exception left it half done: Rust returns its errors.
function trapped(error) {
  const ended = [...waiting.values()];
  waiting.clear();
  console.error(JSON.stringify({ level: "error", event: "trap", reason: String(error), requests: ended.length }));
  generation += 1;
  core.__wbg_reset_state();
  for (const { reject } of ended) reject(error);
}

// What the event loop calls (a future that goes on) has no caller but the event loop. A rejected promise may be anything,
// so there only what WebAssembly itself throws counts.
addEventListener("error", (event) => {
  event.preventDefault();
  // Promises of an ended instance still settle; the bindings refuse them with this.
  if (event.error?.message !== "Cannot invoke closure from previous WASM instance") trapped(event.error);
});
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof WebAssembly.RuntimeError || event.reason instanceof RangeError)) return;
  event.preventDefault();
  trapped(event.reason);
});

/** What `begin` settles under its ticket; rejected when the instance traps first. */
function wait(begin) {
  return new Promise((resolve, reject) => {
    const ticket = (last = (last + 1) >>> 0);
    waiting.set(ticket, { resolve, reject });
    try {
      begin(ticket);
    } catch (error) {
      trapped(error);
    }
  });
}

function lines(request) {
  const { headers } = request;
  let text = `${request.method}\n${request.url}`;
  for (const name of HEADERS) text += `\n${headers.get(name) ?? "\0"}`;
  return text;
}

function dispatch(request, env, ctx, body, tooLarge) {
  const text = lines(request);
  const answer = wait((ticket) => core.handle(ticket, text, body, tooLarge, env)).catch(() =>
    wait((ticket) => core.fault(ticket, text, env)),
  );
  // What is not answered at once runs to its end also when the caller has gone: its memory is Rust's until then.
  if (waiting.has(last)) ctx.waitUntil(answer);
  return answer;
}

/** The body's bytes; `undefined` where it is too large. */
async function read(request) {
  const length = Number(request.headers.get("Content-Length") ?? NaN);
  if (length <= BODY_BYTES) return new Uint8Array(await request.arrayBuffer());
  if (length > LINGER_BYTES) return undefined;
  return bounded(request.body, BODY_BYTES, LINGER_BYTES);
}

async function receive(request, env, ctx) {
  const body = await read(request);
  return dispatch(request, env, ctx, body, body === undefined);
}

export default {
  fetch(request, env, ctx) {
    return request.body === null ? dispatch(request, env, ctx, undefined, false) : receive(request, env, ctx);
  },
};

/** A project's object: the class that the platform wants around the Rust one. */
export class ProjectObject extends DurableObject {
  #core;
  #generation;
  #alarm;

  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await ctx.storage.getAlarm();
    });
  }

  #live() {
    if (this.#generation !== generation) {
      this.#core = new core.ProjectCore(this.ctx.storage, this.env, this.#alarm ?? undefined);
      this.#generation = generation;
      // Known only at the start: a later core takes any alarm it wants, and catches up when that one rings.
      this.#alarm = undefined;
    }
    return this.#core;
  }

  /** The reply to a message; no bytes where the instance trapped. */
  perform(message) {
    try {
      return this.#live().perform(message);
    } catch (error) {
      trapped(error);
      // A turn later: the caller's request may have been in the same instance, and hears of its end before this answer.
      return new Promise((resolve) => setTimeout(() => resolve(NOTHING), 1));
    }
  }

  /** Brings KV up to date; never throws, or the platform would give up after some tries. */
  async alarm() {
    try {
      await wait((ticket) => this.#live().alarm(ticket));
    } catch {
      await this.ctx.storage.setAlarm(Date.now() + 60_000);
    }
  }
}
