// The Worker's entry: passes requests to Rust and survives its traps. A trap (a bug, or memory that ran out) ends the
// whole WebAssembly instance, and a new instance replaces it. The request that trapped gets 500. Requests that waited
// for the old instance continue when their effect ends: a read starts again, a write gets 500.

import { DurableObject, waitUntil } from "cloudflare:workers";
import module from "../../build/worker/resource_edge_bg.wasm";
import * as core from "../../build/worker/resource_edge.js";
import { configure } from "./edge/effects.js";
import { putAll, waiting } from "./glue.js";
import { CLOSE, Listeners } from "./object/listeners.js";
import { Turns } from "./object/turns.js";
import { askIfLocal, beginRehearsal, endRehearsal, findRoom, isFull, isLookDue, rehearse, ROOM } from "./room.js";
import { fromBase64, toBase64, epochObjectOf, MESSAGE, pack } from "./objects.js";
import type {
  Contract,
  Environment,
  Framed,
  Listening,
  ObjectState,
  Outcome,
  PackedReply,
  Performed,
  PutLimits,
  Reply,
  Restored,
  Socket,
  Transaction,
} from "./types.js";

core.initSync({ module });
const CONTRACT: Contract = core.contract();
const NO_BYTES = new Uint8Array(0);

/** The pause of an alarm that waits for room on a full disk, in milliseconds. */
const NO_ROOM_MS = 1_000;

/** The bytes of a message that count as one more call: writing a large body takes as long as many small ones. */
const CALL_BYTES = 16 * 1024;

/** How long an object with a pending restore waits for a call of `restart` until it restarts, in milliseconds. */
const RESTART_MS = 10_000;

/** The number of the WebAssembly instance. */
let generation = 0;
/** The last alarm's ticket. */
let last = 0;

/**
 * Replaces the instance. Rust returns its errors, so after an exception the state of the instance is unknown.
 * @param about the project, if its object called the instance
 */
function replaceInstance(error: unknown, about?: string) {
  const ended = [...waiting.values()];
  waiting.clear();
  console.error(JSON.stringify({ level: "error", event: "trap", about, reason: String(error) }));
  generation += 1;
  core.__wbg_reset_state();
  if (resources !== undefined) passResources(resources);
  for (const { reject } of ended) reject(error);
}

// The tasks of an object end in the event loop, so no caller catches their errors: those of timers are events of this
// kind, those of puts and lists of the next.
addEventListener("error", (event) => {
  event.preventDefault();
  // The timers of an ended instance still ring. The bindings reject its tasks with this message.
  if (event.error?.message !== "Invalid stale object from previous Wasm instance") replaceInstance(event.error);
});
// A rejected promise may contain any value, so only errors that WebAssembly throws count.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof WebAssembly.RuntimeError || event.reason instanceof RangeError)) return;
  event.preventDefault();
  replaceInstance(event.reason);
});

/** Handles a request. Returns the response or a promise of it. */
function handle(request: Request, env: Environment): Outcome {
  const born = generation;
  try {
    const response = core.handle(request.method, request.url, request.headers, request, env);
    return response instanceof Promise ? response.catch((error) => recover(error, born, request, env)) : response;
  } catch (error) {
    return recover(error, born, request, env);
  }
}

/** Responds to a request whose instance ended, in its own call or in the call of another request. */
function recover(error: unknown, born: number, request: Request, env: Environment) {
  if (born === generation) replaceInstance(error);
  else if (request.method === "GET" || request.method === "HEAD") return handle(request, env);
  return core.fault(request.method, request.url, request.headers, env);
}

/** Lets a promise settle after the response. If it rejects, the instance trapped, then or before. */
function afterResponse(promise: Promise<unknown>) {
  const born = generation;
  waitUntil(
    promise.catch((error) => {
      if (born === generation) replaceInstance(error);
    }),
  );
}

const worker = {
  fetch(request: Request, env: Environment) {
    configure(env, CONTRACT, afterResponse, core.nextPage);
    return handle(request, env);
  },
};
export default worker;

/** The content of resources.json. */
let resources: string | undefined;

/** Lets the instance serve resources. */
function passResources(text: string) {
  const wrong = core.setResources(text);
  if (wrong !== undefined) throw new TypeError(wrong);
}

/**
 * Lets the service serve the resources of `resources.json`, and returns the Worker. `text` is `JSON.stringify` of its
 * content. Call it when the module starts: an error then fails the deploy.
 */
export function setResources(text: string) {
  passResources(text);
  resources = text;
  return worker;
}

/**
 * Returns the project of an object, for the log: its name is `v1/{project}` (`object_name` in entry.rs). An object that
 * an alarm started may have no name.
 */
const projectOf = (name?: string) => name?.replace(/^v1\//, "");

/** Lets a caller listen, and returns the reply to it. */
type Listen = (reply: Listening, isAdmitted?: boolean) => Reply | Promise<Reply>;

/** The name under which an object stores the epoch of a project. */
const EPOCH = "epoch";

/**
 * A project's object: the class that the platform requires around the Rust one. Other objects of this class have the
 * project's epoch, or help to put to KV (`objects.ts`).
 */
export class ProjectObject extends DurableObject {
  #core: core.ProjectCore | undefined;
  #generation = generation;
  #alarm: number | undefined;
  #listeners: Listeners;
  #turns = new Turns();
  /** Whether a restore has begun. The object ends soon, and its storage is restored at the next start. */
  #ends = false;
  /** How many reads are in transactions that are rolled back. */
  #rehearsals = 0;

  constructor(ctx: ObjectState, env: Environment) {
    super(ctx, env);
    const project = {
      perform: (message: Uint8Array) => this.#reply(message),
      frame: (message: Uint8Array, from: number) => this.#frame(message, from),
      newest: () => this.#live().newest(),
      begin: () => this.#live().begin(),
      full: () => this.#live().full().reply,
      fail: (error: unknown) => this.#trap(error),
    };
    this.#listeners = new Listeners(project, ctx, Number(env.LISTENERS ?? CONTRACT.listeners));
    ctx.blockConcurrencyWhile(async () => {
      const alarm = await ctx.storage.getAlarm();
      // Restored storage contains the alarm of its time, which may never ring.
      this.#alarm = alarm !== null && alarm > Date.now() ? alarm : undefined;
    });
    void askIfLocal(ctx.storage);
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
   * @param packs whether the reply may be a text (`pack`), which a Worker of an earlier version cannot read
   */
  perform(message: Uint8Array, packs = false): PackedReply | Promise<PackedReply> {
    const reply = this.#reply(message);
    if (!packs) return reply;
    return reply instanceof Promise ? reply.then(pack) : pack(reply);
  }

  #reply(message: Uint8Array): Reply | Promise<Reply> {
    const perform = () => this.#perform(message, (reply, isAdmitted) => this.#listeners.wait(reply, isAdmitted));
    const turn = this.#turn(message);
    return turn === undefined ? perform() : turn.then(perform);
  }

  /** Returns what a message has to wait for before it is performed. */
  #turn(message: Uint8Array) {
    return this.#turns.count(1 + message.length / CALL_BYTES);
  }

  #perform(message: Uint8Array, listen: Listen, hasTurn = false): Reply | Promise<Reply> {
    // The restore would remove the writes of this message.
    if (this.#ends) throw new Error("the project is being restored");
    const perform = () => this.#live().perform(message, this.#listeners.count(), hasTurn);
    const finish = (run: typeof perform) => this.#finish(run, message, listen, hasTurn);
    if (!isFull()) return finish(perform);
    const begin = () => {
      if (!isFull() || !this.#live().hasToIndex(message)) return finish(perform);
      return this.#rehearse(perform).then((performed) => finish(() => performed));
    };
    if (this.#live().isWrite(message)) return findRoom(this.env).then(begin);
    // A read may need room later, and perhaps nobody writes.
    if (isLookDue()) void findRoom(this.env);
    return begin();
  }

  #finish(run: () => Performed, message: Uint8Array, listen: Listen, hasTurn: boolean): Reply | Promise<Reply> {
    try {
      return this.#follow(run(), message, listen, hasTurn);
    } catch (error) {
      this.#trap(error);
      return [NO_BYTES];
    }
  }

  /** Returns the reply to a message after what WebAssembly has done. */
  #follow(performed: Performed, message: Uint8Array, listen: Listen, hasTurn: boolean): Reply | Promise<Reply> {
    switch (performed.kind) {
      case "reply":
        this.#listeners.afterCall();
        return performed.reply;
      case "listen":
        return listen(performed);
      case "turn":
        return this.#listeners.inTurn(performed.caller, message, (late, isAdmitted) => {
          const wait: Listen = (listening) => listen({ ...listening, ms: listening.ms - late }, isAdmitted);
          return this.#perform(message, wait, true);
        });
      case "epoch":
        return this.#readEpoch(performed.project).then(() => this.#perform(message, listen, hasTurn));
    }
  }

  /** Performs a read that has to write to the index first, on a full disk: in a transaction that is rolled back. */
  async #rehearse<T>(read: () => T): Promise<T> {
    const { storage, id }: ObjectState = this.ctx;
    const name = String(id.name);
    beginRehearsal(name, this.#rehearsals);
    this.#rehearsals += 1;
    let result: { value: T } | undefined;
    const run = async (transaction: Transaction) => {
      try {
        result = { value: rehearse(read) };
      } catch (error) {
        this.#trap(error);
        throw error;
      }
      transaction.rollback();
    };
    // The end of the transaction fails, because it would write.
    const failure = await storage.transaction(run).catch((error) => ({ error }));
    this.#rehearsals -= 1;
    endRehearsal(name);
    try {
      this.#live().rolledBack();
    } catch (error) {
      this.#trap(error);
    }
    if (result === undefined) throw failure?.error;
    return result.value;
  }

  /** Reads the epoch, which some calls need. A restore ends the object, so it is read once. */
  async #readEpoch(project: string) {
    let epoch: string | undefined;
    try {
      epoch = await epochObjectOf(this.env, project).epoch();
    } catch (error) {
      // On a full disk no other object starts. There, the platform has never restored anything.
      if (!isFull() || !(await askIfLocal(this.ctx.storage))) throw error;
    }
    this.#live().setEpoch(project, epoch);
  }

  /** Ends the instance. Listeners connect again, because what they got last may be what trapped. */
  #trap(error: unknown) {
    replaceInstance(error, projectOf(this.ctx.id.name));
    this.#listeners.closeAll(CLOSE.restart);
  }

  /**
   * Accepts the socket of a listener (`listen` in effects.ts). The message is in a header, because no message fits into
   * an upgrade. So is the head of the reply, if the socket is accepted; else it is the body.
   */
  async fetch(request: Request) {
    const message = fromBase64(request.headers.get(MESSAGE));
    await this.#turn(message);
    const [head, webSocket] = await this.#perform(message, (reply) => this.#listeners.accept(reply));
    if (webSocket === undefined) return new Response(head.slice());
    const init = { status: 101, headers: { [MESSAGE]: toBase64(head) }, webSocket };
    return new Response(null, init);
  }

  /** Returns the next frame of sockets, or why they have to be closed. */
  async #frame(message: Uint8Array, from: number): Promise<string | readonly [number, string]> {
    // The platform may still refuse the restore. If it accepts, all sockets close with another code.
    if (this.#ends) return CLOSE.restart;
    const read = () => this.#live().frame(message, from);
    let frame: Framed;
    try {
      frame = isFull() && this.#live().hasToIndex(message) ? await this.#rehearse(read) : read();
    } catch (error) {
      // The disk has no room for the index, which is no trap.
      if (!isFull()) throw error;
      return CLOSE.restart;
    }
    if (frame.kind === "frame") return frame.text;
    if (frame.kind === "close") return CLOSE[frame.why];
    const about = frame.project;
    try {
      await this.#readEpoch(about);
    } catch (error) {
      // The other object is unavailable, so this is no trap.
      console.error(JSON.stringify({ level: "error", event: "epoch not read", about, reason: String(error) }));
      return CLOSE.restart;
    }
    return this.#frame(message, from);
  }

  /** A listener sends only `ping`, to which the platform responds. */
  webSocketMessage(socket: Socket) {
    this.#listeners.close(socket, CLOSE.message);
  }

  /** The listener has closed its socket, and waits for the end of the closing handshake. */
  webSocketClose(socket: Socket) {
    this.#listeners.close(socket, CLOSE.left);
  }

  webSocketError(socket: Socket) {
    this.#listeners.remove(socket);
  }

  /** Puts a batch of another object's entries into KV (`putAll` in glue.ts). */
  putAll(entries: string, limits: PutLimits) {
    return putAll(this.env.RESOURCES, entries, limits);
  }

  /** Returns the epoch that this object has for a project; empty before its first restore. */
  async epoch(): Promise<string> {
    return (await this.ctx.storage.get(EPOCH)) ?? "";
  }

  /** Replaces the epoch, and returns the one before. The platform sends the reply once the epoch is stored. */
  async changeEpoch(epoch: string) {
    const before = await this.epoch();
    await this.ctx.storage.put(EPOCH, epoch);
    return before;
  }

  /** Fails if the disk has no room. */
  async findRoom() {
    await this.ctx.storage.put("room", "x".repeat(ROOM));
    await this.ctx.storage.deleteAll();
  }

  /**
   * Restores the storage to a bookmark, or to a time if there is none, at the next start. Returns the bookmark that
   * undoes it, or the reason why the platform refuses. The epoch changes first: wherever the restore is interrupted,
   * the positions of the present are not those of the restored project. If the platform refuses, the epoch is put back.
   * @param name the object's name
   */
  async restore(name: string, time: number, bookmark?: string): Promise<Restored> {
    if (this.#ends) throw new Error("another restore of the project has begun");
    // From here on, no call may combine the new epoch with the old data.
    this.#ends = true;
    try {
      const restored = await this.#prepareRestore(projectOf(name) ?? "", time, bookmark);
      this.#ends = restored.undo !== undefined;
      return restored;
    } catch (error) {
      this.#ends = false;
      throw error;
    }
  }

  async #prepareRestore(project: string, time: number, bookmark?: string): Promise<Restored> {
    const { storage } = this.ctx;
    try {
      bookmark ??= await storage.getBookmarkForTime(time);
    } catch (error) {
      return { reason: String(error) };
    }
    // This object keeps the present epoch, so that its positions are valid after a refusal.
    await this.#readEpoch(project);
    const epochs = epochObjectOf(this.env, project);
    const epoch = await epochs.changeEpoch(core.newEpoch());
    try {
      const undo = await storage.onNextSessionRestoreBookmark(bookmark);
      this.#listeners.closeAll(CLOSE.history);
      setTimeout(() => this.restart(), RESTART_MS);
      // If the response is lost, the log has the bookmark.
      console.log(JSON.stringify({ level: "info", event: "restore", about: project, undo }));
      return { undo };
    } catch (error) {
      await epochs.changeEpoch(epoch);
      return { reason: String(error) };
    }
  }

  /** Ends the object if its storage is to be restored. A separate call, so that the bookmark has arrived before. */
  restart() {
    if (this.#ends) this.ctx.abort("the project is being restored");
  }

  /**
   * Replicates pending entries to KV. It never throws, because the platform drops an alarm after some failures. If the
   * disk is full, it waits for room: the platform writes when it ends.
   */
  async alarm(info?: { isRetry: boolean }) {
    // The object has ended during the last try, perhaps because the disk is full.
    if (info?.isRetry && (await askIfLocal(this.ctx.storage))) await findRoom(this.env);
    while (isFull() && !(await findRoom(this.env))) await new Promise((resolve) => setTimeout(resolve, NO_ROOM_MS));
    try {
      await new Promise((resolve, reject) => {
        const ticket = (last = (last + 1) >>> 0);
        waiting.set(ticket, { resolve, reject });
        try {
          this.#live().alarm(ticket);
        } catch (error) {
          this.#trap(error);
        }
      });
    } catch {
      await this.ctx.storage.setAlarm(Date.now() + 60_000);
    }
  }
}
