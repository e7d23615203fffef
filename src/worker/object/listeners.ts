// The listeners of a project (D36): sockets, and requests that wait for the first change
// (`waiters.ts`). A batch begins after a call that changed something, at most every 100 ms. In a batch, sockets with
// the same message get one text.

import type { Listening, ObjectState, Reply, Socket } from "../types.js";
import { type Group, Groups } from "./groups.js";
import { Places } from "./places.js";
import { Turns } from "./turns.js";
import { type PageSource, type Run, Waiters } from "./waiters.js";

/** The shortest time between two batches, in milliseconds. Changes in between are in one page. */
const BATCH_MS = 100;

/**
 * How many characters a socket gets after its last `ping`. They may stay in the memory of the object. Beyond that it
 * only learns that it is behind.
 */
const UNREAD = 1024 * 1024;
/**
 * How long after its last `ping` a socket with so many is still kept, in milliseconds. So is one that makes room for
 * another listener: its reader may be gone.
 */
const SLOW_MS = 60_000;
/** The bound of all sockets together. Beyond that, a socket that has more than its share is closed. */
const ALL_UNREAD = 32 * UNREAD;

/** Evaluating a condition counts as so many frames in a turn. */
const EVALUATION = 8;

const OPEN = 1;

/** Returns a frame that only says that its reader is behind. */
function withoutLines(frame: string) {
  const [window = ""] = frame.split("\n", 1);
  return `${JSON.stringify({ ...JSON.parse(window), behind: true })}\n`;
}

/** A code, and a reason for people. */
type Close = readonly [code: number, reason: string];

/** Why the service closes a socket. */
export const CLOSE = {
  left: [1000, ""],
  message: [1008, "send only ping"],
  restart: [1012, "the project's object restarts"],
  slow: [1013, "too slow: read faster, and send ping more often"],
  expired: [4401, "the token has expired"],
  history: [4410, "the project was restored, or its data was deleted"],
} as const satisfies { [why: string]: Close };

/** What a socket keeps while the object hibernates. The position is that of all: the newest one. Times are in ms. */
interface Stored {
  message: Uint8Array;
  caller: number;
  expires: number;
  accepted: number;
  /** When the platform responded to its last `ping`, which it does after what the reader got before. */
  ping: number;
  /** How many characters it got after that. */
  unread: number;
}

interface Client {
  socket: Socket;
  stored: Stored;
  group: Group<Client>;
}

/** What the listeners need of their object. */
interface Project extends PageSource {
  /** Returns the next frame from a revision, or why the sockets have to be closed. */
  frame: (message: Uint8Array, from: number) => Promise<string | Close>;
  /** Returns the newest revision before the first call of a woken object. */
  begin: () => number;
  /** Returns the reply to a listener for which there is no room. */
  full: () => Reply;
  /** Ends the instance after an exception. */
  fail: (error: unknown) => void;
}

export class Listeners {
  #project: Project;
  #ctx: ObjectState;
  #places: Places;
  #waiters: Waiters;
  #groups = new Groups<Client>();
  #clients: Map<Socket, Client> | undefined;
  /** The characters that the sockets got after their last `ping`. */
  #unread = 0;
  /** The newest revision at the last batch, or when the first of them began to wait. */
  #newest = 0;
  #batch: ReturnType<typeof setTimeout> | undefined;
  /** When the last batch began. */
  #last = 0;
  /** When sockets last made room. */
  #closed = 0;
  #turns = new Turns();

  /** @param most how many there may be at once */
  constructor(project: Project, ctx: ObjectState, most: number) {
    this.#project = project;
    this.#ctx = ctx;
    this.#places = new Places(most);
    this.#waiters = new Waiters(project, this.#places);
  }

  /**
   * Returns how many there are. The object calls it before each call: when it woke, its sockets have what the database
   * has.
   */
  count() {
    if (this.#clients === undefined) {
      this.#clients = new Map();
      const sockets = this.#ctx.getWebSockets().filter(({ readyState }) => readyState === OPEN);
      if (sockets.length > 0) this.#newest = this.#project.begin();
      for (const socket of sockets) this.#add(socket, socket.deserializeAttachment());
    }
    return this.#places.taken;
  }

  /** Returns whether there is room for a listener of the caller. Those whose reader may be gone make room. */
  #hasRoom(caller: number) {
    if (this.count() === 0) this.#newest = this.#project.newest();
    if (!this.#places.isFree(caller)) this.#closeSome();
    if (!this.#places.isFree(caller)) this.#waiters.makeRoom(caller);
    return this.#places.isFree(caller);
  }

  /** Closes sockets to make room. No timer does, because that would wake the object. */
  #closeSome() {
    const now = Date.now();
    if (Math.abs(now - this.#closed) < BATCH_MS) return;
    this.#closed = now;
    for (const [socket, { stored }] of this.#clients ?? []) {
      if (now >= stored.expires) this.close(socket, CLOSE.expired);
      else if (this.#isSilent(stored, this.#pingOf(socket), now)) this.close(socket, CLOSE.slow);
    }
  }

  /** Calls the function of a request that may wait, in its turn. Until then, it is a listener. */
  inTurn(caller: number, message: Uint8Array, run: Run): Reply | Promise<Reply> {
    if (this.#waiters.areBusy && !this.#hasRoom(caller)) return this.#project.full();
    return this.#waiters.inTurn(caller, message, run);
  }

  /** Returns the first page with a change, or this empty one after its wait. */
  wait(listening: Listening, isAdmitted = false): Reply | Promise<Reply> {
    return isAdmitted || this.#hasRoom(listening.caller) ? this.#waiters.wait(listening) : this.#project.full();
  }

  /** Accepts a socket, and sends its first frame. Returns its other end as body. */
  accept({ reply: [head, body], next, ms, caller }: Listening): Reply {
    if (!this.#hasRoom(caller)) return this.#project.full();
    const { 0: other, 1: socket } = new WebSocketPair();
    this.#ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    this.#ctx.acceptWebSocket(socket);
    const now = Date.now();
    const client = this.#add(socket, { message: next, caller, expires: ms, accepted: now, ping: 0, unread: 0 });
    this.#send(client, String(body), now);
    return [head, other];
  }

  #add(socket: Socket, stored: Stored) {
    const group = this.#groups.of(stored.message, this.#project.newest);
    // The sockets of a group share the text of a long condition.
    stored.message = group.message;
    const client = { socket, stored, group };
    group.members.add(client);
    this.#clients?.set(socket, client);
    this.#places.take(stored.caller);
    this.#unread += stored.unread;
    return client;
  }

  /** Removes a socket that is closed. */
  remove(socket: Socket) {
    const client = this.#clients?.get(socket);
    if (client === undefined) return;
    this.#clients?.delete(socket);
    this.#places.leave(client.stored.caller);
    this.#unread -= client.stored.unread;
    this.#groups.leave(client, client.group);
  }

  close(socket: Socket, [code, reason]: Close) {
    this.remove(socket);
    socket.close(code, reason);
  }

  /** Closes all sockets. */
  closeAll(why: Close) {
    for (const socket of this.#ctx.getWebSockets()) this.close(socket, why);
  }

  /** Begins a batch if something has changed. The object calls it after each call. */
  afterCall() {
    if (this.#places.taken === 0 || this.#batch !== undefined || this.#project.newest() === this.#newest) return;
    // Not later, also if the clock was set back.
    const pause = Math.min(BATCH_MS, Math.max(0, this.#last + BATCH_MS - Date.now()));
    this.#batch = setTimeout(async () => {
      try {
        await this.#deliver();
      } catch (error) {
        this.#project.fail(error);
      }
      this.#batch = undefined;
      this.afterCall();
    }, pause);
  }

  /** Sends each socket what has changed, and lets the requests have their turns. */
  async #deliver() {
    this.#last = Date.now();
    this.#newest = this.#project.newest();
    this.#waiters.wake();
    for (const group of this.#groups.before(this.#newest)) await this.#deliverFrame(group);
  }

  async #deliverFrame(group: Group<Client>) {
    await this.#turns.count(EVALUATION);
    const newest = this.#project.newest();
    const frame = await this.#project.frame(group.message, group.from);
    group.from = newest;
    for (const client of [...group.members]) {
      await this.#turns.count(1);
      if (typeof frame === "string") this.#send(client, frame, Date.now());
      else this.close(client.socket, frame);
    }
  }

  /** Sends a frame, without its lines to a reader that is too slow. Closes the socket if its token has expired. */
  #send({ socket, stored }: Client, frame: string, now: number) {
    if (socket.readyState !== OPEN) return this.remove(socket);
    if (now >= stored.expires) return this.close(socket, CLOSE.expired);
    const ping = this.#pingOf(socket);
    if (ping !== stored.ping) this.#countUnread(stored, -stored.unread);
    stored.ping = ping;
    const isFull = stored.unread > 0 && stored.unread + frame.length > UNREAD;
    const areFull = this.#unread + frame.length > ALL_UNREAD;
    const isSilent = this.#isSilent(stored, ping, now);
    if ((isFull && isSilent) || (areFull && stored.unread > ALL_UNREAD / this.#places.taken))
      return this.close(socket, CLOSE.slow);
    const sent = isFull || areFull ? withoutLines(frame) : frame;
    this.#countUnread(stored, sent.length);
    socket.serializeAttachment(stored);
    return socket.send(sent);
  }

  /** Returns when the platform responded to the last `ping` of a socket; 0 if it never did. */
  #pingOf(socket: Socket) {
    return this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
  }

  #isSilent({ accepted }: Stored, ping: number, now: number) {
    return now > Math.max(ping, accepted) + SLOW_MS;
  }

  #countUnread(stored: Stored, characters: number) {
    stored.unread += characters;
    this.#unread += characters;
  }
}
