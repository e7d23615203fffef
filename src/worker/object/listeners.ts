// The listeners of a project (src/guide/specification.md, D36): requests that wait for the first change, and sockets. A
// batch begins after a call that changed something, at most every 100 ms. In a batch, listeners with the same message
// get one text.

import type { Listening, ObjectState, Reply, Socket } from "../types.js";

/** The shortest time between two batches, in milliseconds. Changes in between are in one page. */
const BATCH_MS = 100;

/**
 * How many characters a socket gets after its last `ping`. They may stay in the memory of the object. Beyond that it
 * only learns that it is behind.
 */
const UNREAD = 1024 * 1024;
/** How long after its last `ping` a socket with so many is still kept, in milliseconds. */
const SLOW_MS = 60_000;
/** The bound of all sockets together. Beyond that, a socket that has more than its share is closed. */
const ALL_UNREAD = 32 * UNREAD;

/** How many sockets get a frame before the object performs other calls. Evaluating a condition counts as some. */
const TURN = 16;
const EVALUATION = 8;

const OPEN = 1;

/** Decodes each byte as another character, for the keys of messages of any length. */
const BYTES = new TextDecoder("latin1");

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
  expires: number;
  accepted: number;
  /** When the platform responded to its last `ping`, which it does after what the reader got before. */
  ping: number;
  /** How many characters it got after that. */
  unread: number;
}

interface Waiter {
  resolve: (reply: Reply | Promise<Reply>) => void;
  timer: ReturnType<typeof setTimeout>;
}

interface Client {
  socket: Socket;
  stored: Stored;
  group: Group;
}

/** Listeners with the same message. */
interface Group {
  key: string;
  message: Uint8Array;
  /** The revision that all of them have. */
  from: number;
  waiters: Set<Waiter>;
  clients: Set<Client>;
}

/** What the listeners need of their object. */
interface Project {
  perform: (message: Uint8Array) => Reply | Promise<Reply>;
  /** Returns the next frame from a revision, or why the sockets have to be closed. */
  frame: (message: Uint8Array, from: number) => Promise<string | Close>;
  /** Returns the newest revision. */
  newest: () => number;
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
  #most: number;
  #groups = new Map<string, Group>();
  #clients: Map<Socket, Client> | undefined;
  #count = 0;
  /** The characters that the sockets got after their last `ping`. */
  #unread = 0;
  /** The newest revision at the last batch, or when the first of them began to wait. */
  #newest = 0;
  #batch: ReturnType<typeof setTimeout> | undefined;
  /** When the last batch began. */
  #last = 0;
  /** How much the present turn has done. */
  #done = 0;

  /** @param most how many there may be at once */
  constructor(project: Project, ctx: ObjectState, most: number) {
    this.#project = project;
    this.#ctx = ctx;
    this.#most = most;
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
    return this.#count;
  }

  #isFull() {
    if (this.count() >= this.#most) this.#closeExpired();
    if (this.#count >= this.#most) return true;
    if (this.#count === 0) this.#newest = this.#project.newest();
    return false;
  }

  /** Makes room. No timer closes an expired socket, because that would wake the object: its next frame does. */
  #closeExpired() {
    const now = Date.now();
    for (const [socket, { stored }] of this.#clients ?? []) {
      if (now >= stored.expires) this.close(socket, CLOSE.expired);
    }
  }

  #groupOf(message: Uint8Array) {
    const key = BYTES.decode(message);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { key, message, from: this.#project.newest(), waiters: new Set(), clients: new Set() };
      this.#groups.set(key, group);
    }
    return group;
  }

  /** Removes a group that has become empty. */
  #leave(group: Group) {
    if (group.waiters.size + group.clients.size > 0) return;
    if (this.#groups.get(group.key) === group) this.#groups.delete(group.key);
  }

  /** Returns the first page with a change, or this empty one after its wait. */
  wait([head, body, message, ms]: Listening): Reply | Promise<Reply> {
    if (this.#isFull()) return this.#project.full();
    this.#count += 1;
    const group = this.#groupOf(message);
    return new Promise((resolve) => {
      const end = () => {
        this.#count -= 1;
        group.waiters.delete(waiter);
        this.#leave(group);
        resolve([head, body]);
      };
      const waiter = { resolve, timer: setTimeout(end, ms) };
      group.waiters.add(waiter);
    });
  }

  /** Accepts a socket, and sends its first frame. Returns its other end as body. */
  accept([head, body, message, expires]: Listening): Reply {
    if (this.#isFull()) return this.#project.full();
    const { 0: other, 1: socket } = new WebSocketPair();
    this.#ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    this.#ctx.acceptWebSocket(socket);
    const now = Date.now();
    const client = this.#add(socket, { message, expires, accepted: now, ping: 0, unread: 0 });
    this.#send(client, String(body), now);
    return [head, other];
  }

  #add(socket: Socket, stored: Stored) {
    const group = this.#groupOf(stored.message);
    // The listeners of a group share the text of a long condition.
    stored.message = group.message;
    const client = { socket, stored, group };
    group.clients.add(client);
    this.#clients?.set(socket, client);
    this.#count += 1;
    this.#unread += stored.unread;
    return client;
  }

  /** Removes a socket that is closed. */
  remove(socket: Socket) {
    const client = this.#clients?.get(socket);
    if (client === undefined) return;
    this.#clients?.delete(socket);
    client.group.clients.delete(client);
    this.#count -= 1;
    this.#unread -= client.stored.unread;
    this.#leave(client.group);
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
    if (this.#count === 0 || this.#batch !== undefined || this.#project.newest() === this.#newest) return;
    const pause = Math.max(0, this.#last + BATCH_MS - Date.now());
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

  /** Sends each listener what has changed. */
  async #deliver() {
    this.#last = Date.now();
    this.#newest = this.#project.newest();
    for (const group of [...this.#groups.values()]) {
      // Nothing has changed since its listeners began to wait.
      if (group.from === this.#project.newest()) continue;
      const { message, waiters } = group;
      group.waiters = new Set();
      this.#count -= waiters.size;
      this.#leave(group);
      for (const { timer } of waiters) clearTimeout(timer);
      if (waiters.size > 0) {
        const reply = (async () => this.#project.perform(message))();
        for (const { resolve } of waiters) resolve(reply);
        // Now and then the reply is late, so that the object reads its sockets in between.
        await reply.catch(() => undefined);
      }
      await this.#deliverFrame(group);
    }
  }

  async #deliverFrame(group: Group) {
    if (group.clients.size === 0) return;
    const newest = this.#project.newest();
    const frame = await this.#project.frame(group.message, group.from);
    group.from = newest;
    await this.#turn(EVALUATION);
    for (const client of [...group.clients]) {
      if (typeof frame === "string") this.#send(client, frame, Date.now());
      else this.close(client.socket, frame);
      await this.#turn(1);
    }
  }

  /** Counts what a turn has done. After a long turn the object performs other calls first. */
  async #turn(cost: number) {
    this.#done += cost;
    if (this.#done < TURN) return;
    this.#done = 0;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Sends a frame, without its lines to a reader that is too slow. Closes the socket if its token has expired. */
  #send({ socket, stored }: Client, frame: string, now: number) {
    if (socket.readyState !== OPEN) return this.remove(socket);
    if (now >= stored.expires) return this.close(socket, CLOSE.expired);
    const ping = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    if (ping !== stored.ping) this.#countUnread(stored, -stored.unread);
    stored.ping = ping;
    const isFull = stored.unread > 0 && stored.unread + frame.length > UNREAD;
    const areFull = this.#unread + frame.length > ALL_UNREAD;
    const isSilent = now > Math.max(ping, stored.accepted) + SLOW_MS;
    if ((isFull && isSilent) || (areFull && stored.unread > ALL_UNREAD / this.#count))
      return this.close(socket, CLOSE.slow);
    const sent = isFull || areFull ? withoutLines(frame) : frame;
    this.#countUnread(stored, sent.length);
    socket.serializeAttachment(stored);
    return socket.send(sent);
  }

  #countUnread(stored: Stored, characters: number) {
    stored.unread += characters;
    this.#unread += characters;
  }
}
