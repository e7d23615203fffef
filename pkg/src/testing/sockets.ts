// Sockets in memory: the two ends that the Worker creates, and the `WebSocket` class of clients.

import type { SocketClass } from "../client/options.js";
import type { Clock } from "./clock.js";

const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3];
/** The code of a socket that ended without a closing handshake. */
const ABNORMAL = 1006;

/** Runs a function after the present one, in order. */
export const afterwards = (run: () => unknown) => void Promise.resolve().then(run);

/** What an end receives: texts, and the end of the connection. */
interface Receiver {
  onText(text: string): void;
  onClose(code: number, reason: string): void;
}

/** One end of a connection. */
class End {
  readyState = OPEN;
  /** The other end. */
  other!: End;
  #receiver: Receiver | undefined;
  /** What it has received before it had a receiver. */
  #received: ((receiver: Receiver) => void)[] = [];
  #attachment: unknown;

  /** Passes everything to the receiver. */
  attach(receiver: Receiver) {
    this.#receiver = receiver;
    for (const pass of this.#received.splice(0)) pass(receiver);
  }

  #pass(pass: (receiver: Receiver) => void) {
    if (this.#receiver === undefined) this.#received.push(pass);
    else pass(this.#receiver);
  }

  send(text: string) {
    if (this.readyState !== OPEN) throw new TypeError("The socket is closed.");
    const { other } = this;
    afterwards(() => other.readyState === OPEN && other.#pass((receiver) => receiver.onText(text)));
  }

  close(code = 1000, reason = "") {
    if (this.readyState !== OPEN) return;
    this.readyState = CLOSED;
    const { other } = this;
    afterwards(() => {
      if (other.readyState !== OPEN) return;
      other.readyState = CLOSED;
      other.#pass((receiver) => receiver.onClose(code, reason));
    });
  }

  serializeAttachment(value: unknown) {
    this.#attachment = structuredClone(value);
  }

  deserializeAttachment() {
    return this.#attachment;
  }
}

/** `WebSocketPair` of the runtime: the client's end and the Worker's. */
export class Pair {
  0 = new End();
  1 = new End();

  constructor() {
    this[0].other = this[1];
    this[1].other = this[0];
  }
}

/** `WebSocketRequestResponsePair` of the runtime. */
export class AutoResponse {
  constructor(
    readonly request: string,
    readonly response: string,
  ) {}
}

/** The response to an upgrade. Others are a `Response`, which cannot have this status. */
export class Upgrade {
  status = 101;
  ok = false;
  headers;
  webSocket;

  constructor({ headers, webSocket }: { headers?: HeadersInit; webSocket: End }) {
    this.headers = new Headers(headers);
    this.webSocket = webSocket;
  }
}

/** `Response` of the runtime. */
export function RuntimeResponse(body: BodyInit | null, init?: ResponseInit & { webSocket?: End }) {
  const { webSocket } = init ?? {};
  if (webSocket !== undefined) return new Upgrade({ ...init, webSocket });
  return Object.assign(new Response(body, init), { webSocket: null });
}

/** What an object does with its sockets. */
interface Owner {
  webSocketMessage(socket: End, text: string): unknown;
  webSocketClose(socket: End, code: number, reason: string): unknown;
}

/** The sockets of an object: the part of its `ctx` that is about them. */
export class ObjectSockets {
  #owner;
  #clock;
  #sockets = new Set<End>();
  #pings = new Map<End, Date>();
  #auto: AutoResponse | undefined;
  /** The code with which sockets close, if the object has ended. */
  #ended: number | undefined;

  constructor(owner: () => Owner, clock: Clock) {
    this.#owner = owner;
    this.#clock = clock;
  }

  accept(socket: End) {
    this.#sockets.add(socket);
    socket.attach({
      onText: (text) => {
        if (text !== this.#auto?.request) return void this.#owner().webSocketMessage(socket, text);
        this.#pings.set(socket, new Date(this.#clock.now()));
        socket.send(this.#auto.response);
      },
      onClose: (code, reason) => void this.#owner().webSocketClose(socket, code, reason),
    });
    if (this.#ended !== undefined) socket.close(this.#ended);
  }

  list() {
    for (const socket of this.#sockets) if (socket.readyState !== OPEN) this.#sockets.delete(socket);
    return [...this.#sockets];
  }

  setAutoResponse(auto: AutoResponse) {
    this.#auto = auto;
  }

  lastPing(socket: End) {
    return this.#pings.get(socket) ?? null;
  }

  closeAll(code: number) {
    for (const socket of this.list()) socket.close(code);
  }

  /** Closes all sockets, and those that the object still accepts: nothing would wake it for them any longer. */
  end(code: number) {
    this.#ended = code;
    this.closeAll(code);
  }
}

/** What sockets need of their service. */
interface Network {
  /** Opens a connection: returns the client's end, or `undefined` if the service refuses it. */
  open: (url: string, protocols: readonly string[]) => Promise<End | undefined>;
  /** Returns how the next frame arrives, if not as it was sent. */
  disturb: (url: string) => "drop" | "repeat" | "delay" | undefined;
}

/** The client's side of a connection, as a `WebSocket`. */
class MemorySocket extends EventTarget {
  readyState = CONNECTING;
  url;
  #network;
  #end: End | undefined;
  /** The frames that arrive after the next one. */
  #late: string[] = [];

  constructor(network: Network, url: string, protocols: readonly string[]) {
    super();
    this.#network = network;
    this.url = url;
    network.open(url, protocols).then(
      (end) => this.#open(end),
      () => this.#open(undefined),
    );
  }

  #open(end: End | undefined) {
    if (this.readyState !== CONNECTING) return end?.close();
    if (end === undefined) {
      this.#emit("error", {});
      return this.#close(ABNORMAL, "");
    }
    this.#end = end;
    this.readyState = OPEN;
    this.#emit("open", {});
    end.attach({
      onText: (text) => this.#receive(text),
      onClose: (code, reason) => this.#close(code, reason),
    });
  }

  #receive(text: string) {
    const how = text === "pong" ? undefined : this.#network.disturb(this.url);
    if (how === "drop") return;
    if (how === "delay") {
      this.#late.push(text);
      return;
    }
    const texts = [text, ...(how === "repeat" ? [text] : []), ...this.#late];
    this.#late = [];
    for (const data of texts) this.#emit("message", { data });
  }

  #close(code: number, reason: string) {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#emit("close", { code, reason, wasClean: code !== ABNORMAL });
  }

  #emit(type: string, members: object) {
    // Node 20 has neither `MessageEvent` nor `CloseEvent`.
    const event = Object.assign(new Event(type), members);
    this.dispatchEvent(event);
    (this as unknown as { [name: string]: ((event: Event) => void) | undefined })[`on${type}`]?.(event);
  }

  send(text: string) {
    if (this.readyState === CONNECTING) throw new TypeError("The socket is not open yet.");
    if (this.readyState === OPEN) this.#end?.send(text);
  }

  close(code = 1000, reason = "") {
    if (this.readyState === CLOSED) return;
    this.#end?.close(code, reason);
    this.readyState = CLOSING;
    afterwards(() => this.#close(this.#end ? code : ABNORMAL, reason));
  }
}

/** Returns the `WebSocket` class of a service. */
export function socketClass(network: Network): SocketClass {
  return class WebSocket extends MemorySocket {
    constructor(url: string | URL, protocols: string | readonly string[] = []) {
      super(network, String(url), [protocols].flat());
    }
  };
}
