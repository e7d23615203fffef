// Performs the effects of the handler (src/server/effect.rs), and creates its responses. Each function receives the
// exchange that waits for its outcome, resumes it once, and returns the promise of the response. This file makes no
// decisions.

import { fromBase64, toBase64, MESSAGE, objectOf, unpack } from "../objects.js";
import { failureOf, isFull } from "../room.js";
import { promiseOf } from "../reason.js";
import type {
  Exchange,
  PackedReply,
  ReplyWaiting,
  Waiting,
  Entry,
  Reply,
  Outcome,
  Environment,
  CopyOptions,
  AfterResponse,
  NextPage,
  Contract,
  RateLimiterName,
} from "../types.js";
import { eventStream } from "./events.js";
import { readStream } from "./stream.js";

let bindings: Environment;
let requestHeaders: string[];
let responseHeaders: string[];
// How to read KV, from the settings. Rust has checked the settings before any effect.
let copyOptions: CopyOptions;
let pointerOptions: CopyOptions;
let afterResponse: AfterResponse;
let nextPage: NextPage;

/**
 * Sets the environment whose bindings the effects use, the result of Rust's `contract`, the function that lets a
 * promise settle after the response, and Rust's `nextPage`: WebAssembly imports this file, which cannot import it.
 */
export function configure(env: Environment, contract: Contract, after: AfterResponse, next: NextPage) {
  if (env === bindings) return;
  bindings = env;
  afterResponse = after;
  nextPage = next;
  ({ requestHeaders, responseHeaders } = contract);
  const cacheTtl = Number(env.KV_CACHE_TTL ?? contract.kvCacheTtl);
  copyOptions = { type: "arrayBuffer", cacheTtl };
  pointerOptions = { type: "text", cacheTtl };
}

export const header = (headers: Headers, number: number) => headers.get(requestHeaders[number]) ?? undefined;

/** The letter for the first response header. */
const FIRST = "A".charCodeAt(0);

/** Creates a response. In workerd, an object is the cheapest form of headers: less than half the time of `Headers`. */
export function respond(status: number, count: number, text: string, body: BodyInit | null | undefined) {
  const headers: Record<string, string> = {};
  let at = 0;
  for (let left = count; left > 0; left -= 1) {
    const end = text.indexOf("\n", at);
    headers[responseHeaders[text.charCodeAt(at) - FIRST]] = text.slice(at + 1, end);
    at = end + 1;
  }
  if (status === 101) return new Response(null, { status, headers, webSocket: body } as ResponseInit);
  return new Response(body === undefined ? text.slice(at) : body, { status, headers });
}

/**
 * Returns a message with a body in the places of its two tabs, as a JSON text and as it is; `undefined` if the body is
 * no text. In WebAssembly, a large body would take memory that is never freed. A `Blob` needs no joined text.
 */
export function embed(message: string, body: unknown) {
  if (typeof body !== "string") return undefined;
  const [before, between, after] = message.split("\t");
  return new Blob([before, JSON.stringify(body), between, body, after]);
}

/**
 * Starts an effect, and resumes the exchange with its value, or with the reason of its failure.
 * @param repeats whether to begin again if an object ended because the disk is full: on a full disk it changes nothing
 */
function start<E extends Waiting, T>(
  exchange: E,
  begin: () => Promise<T>,
  resume: (exchange: E, value: T) => Outcome,
  repeats = false,
): Promise<Response> {
  return promiseOf(begin).then(
    (value) => resume(exchange, value),
    async (error) => {
      const reason = await failureOf(bindings, error);
      return repeats && isFull() ? start(exchange, begin, resume) : exchange.fail(reason);
    },
  );
}

export const readCopy = (exchange: Exchange, kvKey: string) =>
  start(exchange, () => bindings.RESOURCES.getWithMetadata(kvKey, copyOptions), withCopy);

function withCopy(exchange: Exchange, { value, metadata }: Entry) {
  const bytes = value instanceof ArrayBuffer ? value.byteLength : 0;
  const [revision, key] = [number(metadata?.revision), text(metadata?.key)];
  return exchange.resumeWithCopy(value, bytes, revision, key, metadata?.deleted === true);
}

export const readPointer = (exchange: Exchange, kvKey: string) =>
  start(exchange, () => bindings.RESOURCES.getWithMetadata(kvKey, pointerOptions), withPointer);

/** A pointer without metadata was not written by this service. */
function withPointer(exchange: Exchange, { value, metadata }: Entry) {
  return exchange.resumeWithPointer(metadata ? text(value) : undefined, metadata?.deleted === true);
}

const number = (value: unknown) => (typeof value === "number" ? value : undefined);
const text = (value: unknown) => (typeof value === "string" ? value : undefined);

export function callObject(exchange: ReplyWaiting, name: string, message: Uint8Array, repeats: boolean) {
  // A view of WebAssembly memory, which moves.
  const copy = message.slice();
  return start(exchange, () => objectOf(bindings, name).perform(copy, true), withReply, repeats);
}

/** The calls whose replies other requests may share, by their messages. */
const shared = new Map<string, Promise<PackedReply>>();

/** Sends a message to the project's object, or waits for the reply to the same message of another request. */
export function shareCall(exchange: Exchange, name: string, message: Uint8Array, joins: boolean) {
  const copy = message.slice();
  const key = toBase64(copy);
  const begin = () => {
    const running = joins ? shared.get(key) : undefined;
    if (running !== undefined) return running;
    const call = promiseOf(() => objectOf(bindings, name).perform(copy, true));
    shared.set(key, call);
    const end = () => {
      if (shared.get(key) === call) shared.delete(key);
    };
    // The others get the reply even if this caller leaves.
    afterResponse(call.then(end, end));
    return call;
  };
  return start(exchange, begin, withReply, true);
}

/** Lets the project's object accept a socket. Its other end is the body of the reply. */
export function listen(exchange: Exchange, name: string, message: Uint8Array) {
  const headers = { Upgrade: "websocket", [MESSAGE]: toBase64(message) };
  const begin = async (): Promise<Reply> => {
    const response = await objectOf(bindings, name).fetch("https://object", { headers });
    if (response.webSocket === null) return [new Uint8Array(await response.arrayBuffer())];
    return [fromBase64(response.headers.get(MESSAGE)), response.webSocket];
  };
  return start(exchange, begin, withReply, true);
}

export function streamChanges(exchange: Exchange, name: string, message: Uint8Array, ms: number) {
  const copy = message.slice();
  const end = Date.now() + ms;
  const begin = async (): Promise<Reply> => {
    const object = objectOf(bindings, name);
    const [head, body] = await object.perform(copy);
    if (typeof body !== "string") return [head, body];
    return [head, eventStream(object, copy, [head, body], end, nextPage)];
  };
  return start(exchange, begin, withReply, true);
}

/** Sends a check to the project's object after the response, and resumes the check with the reply. */
export const beginCheck = (check: ReplyWaiting, name: string, message: Uint8Array) =>
  afterResponse(callObject(check, name, message, false));

/**
 * Restores the project's object to a time or bookmark, restarts it, then sends the message. Resumes the exchange with
 * the reply, or with the reason of a refusal.
 */
export function restore(
  exchange: Exchange,
  name: string,
  time: number,
  bookmark: string | undefined,
  message: Uint8Array,
) {
  const copy = message.slice();
  const object = () => objectOf(bindings, name);
  const begin = async (): Promise<string | Reply> => {
    const { undo, reason } = await object().restore(name, time, bookmark);
    if (undo === undefined) return reason;
    // The first call ends the object, so it fails. The next one starts it on the restored storage.
    for (let calls = 0; calls < RESTARTS; calls += 1) {
      try {
        await object().restart();
        break;
      } catch {}
    }
    const [head] = await object().perform(copy);
    return [head, JSON.stringify({ undo })];
  };
  const response = start(exchange, begin, withRestored);
  // The restore continues if the caller leaves.
  afterResponse(response);
  return response;
}

/** The maximum number of calls of `restart`: the first ends the object, the next one starts it. */
const RESTARTS = 3;

const withRestored = (exchange: Exchange, result: string | Reply) =>
  typeof result === "string" ? exchange.resumeWithText(result) : withReply(exchange, result);

function withReply(exchange: ReplyWaiting, reply: PackedReply) {
  const [head, body] = unpack(reply);
  return exchange.resumeWithReply(head, body);
}

export const readAsset = (exchange: Exchange, path: string) =>
  start(
    exchange,
    () => openAsset(path),
    (waiting, { etag, body }) => waiting.resumeWithAsset(etag, body),
  );

/** A static file: the OpenAPI document is the only one. */
interface Asset {
  etag: string;
  body: ReadableStream | null;
}

async function openAsset(path: string): Promise<Asset> {
  // The host is ignored: the binding serves this Worker's own files.
  const response = await bindings.ASSETS.fetch(new URL(path, "https://assets"));
  const etag = response.headers.get("ETag");
  if (response.status !== 200 || etag === null) throw new Error(`static file: status ${response.status}, ETag ${etag}`);
  return { etag, body: response.body };
}

export const fetchText = (exchange: Exchange, url: string, ms: number, limit: number) =>
  start(
    exchange,
    () => download(url, ms, limit),
    (waiting, content) => waiting.resumeWithText(content),
  );

async function download(url: string, ms: number, limit: number) {
  const response = await fetch(url, { signal: AbortSignal.timeout(ms) });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  const bytes = response.body === null ? new Uint8Array(0) : await readStream(response.body, limit, limit);
  if (bytes === undefined) throw new Error(`more than ${limit} bytes`);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

const RS256 = {
  import: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  verify: { name: "RSASSA-PKCS1-v1_5" },
};
const ES256 = {
  import: { name: "ECDSA", namedCurve: "P-256" },
  verify: { name: "ECDSA", hash: "SHA-256" },
};
/** Imported keys by their JWK: an issuer has few. */
const keys = new Map<string, CryptoKey>();
const KEYS = 16;

async function importedKey(jwk: string, algorithm: typeof RS256 | typeof ES256) {
  const known = keys.get(jwk);
  if (known !== undefined) return known;
  const key = await crypto.subtle.importKey("jwk", JSON.parse(jwk), algorithm.import, false, ["verify"]);
  const { value: oldest } = keys.keys().next();
  if (oldest !== undefined && keys.size >= KEYS) keys.delete(oldest);
  keys.set(jwk, key);
  return key;
}

export function verify(exchange: Exchange, jwk: string, es256: boolean, data: Uint8Array, signature: Uint8Array) {
  const algorithm = es256 ? ES256 : RS256;
  // Both are views of WebAssembly memory, which moves: copy them before they are kept.
  const [signed, bytes] = [data.slice(), signature.slice()];
  const begin = async () => crypto.subtle.verify(algorithm.verify, await importedKey(jwk, algorithm), bytes, signed);
  return start(exchange, begin, (waiting, valid) => waiting.resumeWithVerified(valid));
}

export function readBody(exchange: Exchange, request: Request, limit: number, discard: number) {
  const length = Number(request.headers.get("Content-Length") ?? NaN);
  // Create no more promises than the platform: most bodies take this path.
  if (length <= limit) return start(exchange, () => request.arrayBuffer(), withBuffer);
  return start(exchange, () => readUnsized(request, length, limit, discard), withBody);
}

/** Returns the bytes of a body whose length is not known to be small, or `undefined` if there are too many. */
async function readUnsized({ body }: Request, length: number, limit: number, discard: number) {
  if (length > discard) return undefined;
  return body === null ? new Uint8Array(0) : readStream(body, limit, discard);
}

const withBuffer = (exchange: Exchange, buffer: ArrayBuffer) => exchange.resumeWithBody(new Uint8Array(buffer));

const withBody = (exchange: Exchange, body: Uint8Array | undefined) => exchange.resumeWithBody(body);

export const countRequest = (exchange: Exchange, binding: RateLimiterName, key: string) =>
  start(
    exchange,
    () => {
      // Only a limiter that is bound counts (`Service::limited_by`).
      const limiter = bindings[binding];
      if (limiter === undefined) throw new Error(`${binding} is not bound`);
      return limiter.limit({ key });
    },
    withCount,
  );

const withCount = (exchange: Exchange, { success }: { success: boolean }) => exchange.resumeWithinLimit(success);
