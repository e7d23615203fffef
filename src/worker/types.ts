// The types of what the platform and WebAssembly pass to the Worker's JavaScript, as far as it uses them. The types of
// @cloudflare/workers-types would replace Node's and the DOM's, which the other JavaScript here needs.

/** The bindings of wrangler.toml, and the settings that JavaScript reads. Rust has checked the settings. */
export interface Environment {
  RESOURCES: Kv;
  PROJECTS: ObjectNamespace;
  ASSETS: { fetch(url: URL): Promise<Response> };
  REQUEST_LIMIT?: RateLimiter;
  TOKEN_LIMIT?: RateLimiter;
  KV_CACHE_TTL?: string | number;
  LISTENERS?: string | number;
  LOCATION_HINT?: string;
  JURISDICTION?: string;
}

/** The bindings whose names `Limiter::binding` returns in Rust. */
export type RateLimiterName = "REQUEST_LIMIT" | "TOKEN_LIMIT";

export interface RateLimiter {
  limit(request: { key: string }): Promise<{ success: boolean }>;
}

/** The metadata of a KV entry. Another program may have written anything. */
export type Metadata = { revision?: unknown; key?: unknown; deleted?: unknown } | null;

export interface CopyOptions {
  type: "arrayBuffer" | "text";
  cacheTtl: number;
}

export interface Entry {
  value: ArrayBuffer | string | null;
  metadata: Metadata;
}

export interface Kv {
  getWithMetadata(key: string, options: CopyOptions): Promise<Entry>;
  put(key: string, value: string, options: { metadata: unknown; expirationTtl: number | undefined }): Promise<void>;
  list(options: { prefix: string; cursor: string | undefined }): Promise<KvPage>;
}

export interface KvPage {
  keys: { name: string; metadata?: unknown }[];
  list_complete: boolean;
  cursor?: string;
}

/** A task of an object that waits for the platform, from `object/drain.rs`. */
export interface RunningTask {
  end(page: string | undefined): void;
  endBatch(failures: string[]): void;
  fail(reason: string): void;
}

export interface ObjectNamespace {
  getByName(name: string, options: { locationHint: string } | undefined): ProjectStub;
  jurisdiction(name: string): ObjectNamespace;
}

/** The head of a reply, and its body, if it has one. */
export type Reply = [head: Uint8Array, body?: unknown];

/** A reply, or the text that it became (`pack`). */
export type PackedReply = Reply | string;

/**
 * The reply to a listener: an empty page, and the message that requests what comes next. `ms` is how long a request
 * waits, or when the token of a socket ends, in milliseconds. `caller` is its number.
 */
export type Listening = { kind: "listen"; reply: Reply; next: Uint8Array; ms: number; caller: number };

/** The object first needs the epoch of the project. */
type EpochNeeded = { kind: "epoch"; project: string };

/** What an object does about a message, as WebAssembly decides. `turn`: the caller has to wait for its turn. */
export type Performed = { kind: "reply"; reply: Reply } | Listening | { kind: "turn"; caller: number } | EpochNeeded;

/** The next frame of sockets, or why they have to be closed. */
export type Framed = { kind: "frame"; text: string } | { kind: "close"; why: "history" | "restart" } | EpochNeeded;

/** The bookmark that undoes a restore, or why the platform refuses it. */
export type Restored = { undo: string; reason?: undefined } | { undo?: undefined; reason: string };

/** A project's object, called from the edge. */
export interface ProjectStub {
  perform(message: Uint8Array): Promise<Reply>;
  perform(message: Uint8Array, packs: boolean): Promise<PackedReply>;
  fetch(url: string, init: { headers: Record<string, string> }): Promise<SocketResponse>;
  restore(name: string, time: number, bookmark: string | undefined): Promise<Restored>;
  epoch(): Promise<string>;
  changeEpoch(epoch: string): Promise<string>;
  findRoom(): Promise<void>;
  restart(): Promise<void>;
  putAll(entries: string, limits: PutLimits): Promise<string[]>;
}

/** The response of an object that may have accepted a socket. */
export type SocketResponse = Response & { webSocket: object | null };

/** A socket that stays open while its object hibernates. */
export interface Socket {
  readyState: number;
  send(text: string): void;
  close(code: number, reason: string): void;
  serializeAttachment(value: unknown): void;
  deserializeAttachment(): any;
}
/** An entry to put: its KV key, its value, its metadata, and its time to live in seconds, which is 0 if it has none. */
export type KvPut = [string, string, unknown, number];

/** How many puts of a batch run at once, how long puts begin, and how long each may last, in milliseconds. */
export interface PutLimits {
  atOnce: number;
  beginMs: number;
  ms: number;
}

/** The state that an object's constructor receives. */
export interface ObjectState {
  /** The object's ID. `name` is the name by which the edge called the object; an alarm may start it without. */
  id: { name?: string };
  storage: ObjectStorage;
  blockConcurrencyWhile(run: () => Promise<void>): void;
  abort(reason: string): void;
  acceptWebSocket(socket: Socket): void;
  getWebSockets(): Socket[];
  setWebSocketAutoResponse(pair: object): void;
  getWebSocketAutoResponseTimestamp(socket: Socket): Date | null;
}

export interface ObjectStorage {
  sql: Sql;
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
  transaction(run: (transaction: Transaction) => Promise<void>): Promise<void>;
  deleteAll(): Promise<void>;
  get(name: string): Promise<string | undefined>;
  put(name: string, value: string): Promise<void>;
  getBookmarkForTime(at: number): Promise<string>;
  onNextSessionRestoreBookmark(bookmark: string): Promise<string>;
}

/** A transaction that may be rolled back. */
export interface Transaction {
  rollback(): void;
}

export interface Sql {
  exec(statement: string, ...binds: unknown[]): Cursor;
  databaseSize: number;
}

export interface Cursor extends Iterable<Row> {
  toArray(): Row[];
  rowsRead: number;
  rowsWritten: number;
}

export type Row = { [column: string]: unknown };

/** The response, or a promise of it. */
export type Outcome = Response | Promise<Response>;

/** An exchange or a check that waits for an effect. Call one of its functions, once. */
export interface Waiting {
  fail(reason: string): Outcome;
}

/** An exchange or a check that waits for the reply of an object. */
export interface ReplyWaiting extends Waiting {
  resumeWithReply(head: Uint8Array, body: unknown): Outcome;
}

/** `ExchangeHandle` in Rust. */
export interface Exchange extends ReplyWaiting {
  resumeWithCopy(
    body: ArrayBuffer | string | null,
    bytes: number,
    revision: number | undefined,
    key: string | undefined,
    deleted: boolean,
  ): Outcome;
  resumeWithPointer(id: string | undefined, deleted: boolean): Outcome;
  resumeWithAsset(etag: string, body: ReadableStream | string | null): Outcome;
  resumeWithText(text: string): Outcome;
  resumeWithVerified(valid: boolean): Outcome;
  resumeWithBody(body: Uint8Array | undefined): Outcome;
  resumeWithinLimit(within: boolean): Outcome;
}

/** The result of `contract` in Rust. */
export interface Contract {
  requestHeaders: string[];
  responseHeaders: string[];
  kvCacheTtl: string;
  listeners: string;
}

/** Lets a promise settle after the response. */
export type AfterResponse = (promise: Promise<unknown>) => void;

/** `next_page` in Rust: returns the message for the page after that of a message and the head of its reply. */
export type NextPage = (message: Uint8Array, head: Uint8Array, wait: number) => Uint8Array | undefined;
