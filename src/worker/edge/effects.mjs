// Performs the effects of the handler (src/server/effect.rs), and creates its responses. Each function receives the
// exchange that waits for its outcome, resumes it once, and returns the promise of the response. This file makes no
// decisions.

import { objectOf } from "../objects.mjs";
import { readStream } from "./stream.mjs";

/** @typedef {import("../types.js").Exchange} Exchange */
/** @typedef {import("../types.js").ReplyWaiting} ReplyWaiting */
/** @typedef {import("../types.js").Waiting} Waiting */
/** @typedef {import("../types.js").Entry} Entry */
/** @typedef {import("../types.js").Reply} Reply */
/** @typedef {import("../types.js").Outcome} Outcome */

/** @type {import("../types.js").Environment} */
let bindings;
/** @type {string[]} */
let requestHeaders;
/** @type {string[]} */
let responseHeaders;
// How to read KV, from the settings. Rust has checked the settings before any effect.
/** @type {import("../types.js").CopyOptions} */
let copyOptions;
/** @type {import("../types.js").CopyOptions} */
let pointerOptions;
/** @type {import("../types.js").AfterResponse} */
let afterResponse;

/**
 * Sets the environment whose bindings the effects use, the result of Rust's `contract`, and the function that lets a
 * promise settle after the response.
 * @param {import("../types.js").Environment} env
 * @param {import("../types.js").Contract} contract
 * @param {import("../types.js").AfterResponse} after
 */
export function configure(env, contract, after) {
  if (env === bindings) return;
  bindings = env;
  afterResponse = after;
  ({ requestHeaders, responseHeaders } = contract);
  const cacheTtl = Number(env.KV_CACHE_TTL ?? contract.kvCacheTtl);
  copyOptions = { type: "arrayBuffer", cacheTtl };
  pointerOptions = { type: "text", cacheTtl };
}

/**
 * @param {Headers} headers
 * @param {number} number
 */
export const header = (headers, number) => headers.get(requestHeaders[number]) ?? undefined;

/** The letter for the first response header. */
const FIRST = "A".charCodeAt(0);

/**
 * Creates a response. In workerd, an object is the cheapest form of headers: less than half the time of `Headers`.
 * @param {number} status
 * @param {number} count
 * @param {string} text
 * @param {BodyInit | null | undefined} body
 */
export function respond(status, count, text, body) {
  /** @type {Record<string, string>} */
  const headers = {};
  let at = 0;
  for (let left = count; left > 0; left -= 1) {
    const end = text.indexOf("\n", at);
    headers[responseHeaders[text.charCodeAt(at) - FIRST]] = text.slice(at + 1, end);
    at = end + 1;
  }
  return new Response(body === undefined ? text.slice(at) : body, { status, headers });
}

/**
 * Resumes the exchange with the promise's value, or with the reason of its failure.
 * @template {Waiting} E
 * @template T
 * @param {E} exchange
 * @param {Promise<T>} promise
 * @param {(exchange: E, value: T) => Outcome} resume
 * @returns {Promise<Response>}
 */
function follow(exchange, promise, resume) {
  return promise.then(
    (value) => resume(exchange, value),
    (error) => exchange.fail(reason(error)),
  );
}

/**
 * Returns the text of a thrown value, for the log.
 * @param {unknown} error
 */
function reason(error) {
  return error instanceof Error ? error.message : typeof error === "string" ? error : "an exception without a message";
}

/**
 * Starts an effect whose first call may throw.
 * @template {Waiting} E
 * @template T
 * @param {E} exchange
 * @param {() => Promise<T>} begin
 * @param {(exchange: E, value: T) => Outcome} resume
 */
function start(exchange, begin, resume) {
  /** @type {Promise<T>} */
  let promise;
  try {
    promise = begin();
  } catch (error) {
    promise = Promise.reject(error);
  }
  return follow(exchange, promise, resume);
}

/**
 * @param {Exchange} exchange
 * @param {string} kvKey
 */
export const readCopy = (exchange, kvKey) =>
  start(exchange, () => bindings.RESOURCES.getWithMetadata(kvKey, copyOptions), withCopy);

/**
 * @param {Exchange} exchange
 * @param {Entry} entry
 */
function withCopy(exchange, { value, metadata }) {
  return exchange.resumeWithCopy(value, number(metadata?.revision), text(metadata?.key), metadata?.deleted === true);
}

/**
 * @param {Exchange} exchange
 * @param {string} kvKey
 */
export const readPointer = (exchange, kvKey) =>
  start(exchange, () => bindings.RESOURCES.getWithMetadata(kvKey, pointerOptions), withPointer);

/**
 * A pointer without metadata was not written by this service.
 * @param {Exchange} exchange
 * @param {Entry} entry
 */
function withPointer(exchange, { value, metadata }) {
  return exchange.resumeWithPointer(metadata ? text(value) : undefined, metadata?.deleted === true);
}

/** @param {unknown} value */
const number = (value) => (typeof value === "number" ? value : undefined);
/** @param {unknown} value */
const text = (value) => (typeof value === "string" ? value : undefined);

/**
 * @param {ReplyWaiting} exchange
 * @param {string} name
 * @param {Uint8Array} message
 */
export function callObject(exchange, name, message) {
  // The message is a view of WebAssembly memory, which moves: copy it before it is kept.
  const copy = message.slice();
  return start(exchange, () => objectOf(bindings, name).perform(copy), withReply);
}

/**
 * Sends a check to the project's object after the response, and resumes the check with the reply.
 * @param {ReplyWaiting} check
 * @param {string} name
 * @param {Uint8Array} message
 */
export const beginCheck = (check, name, message) => afterResponse(callObject(check, name, message));

/**
 * Restores the project's object to a time or bookmark, restarts it, then sends the message. Resumes the exchange with
 * the reply, or with the reason of a refusal.
 * @param {Exchange} exchange
 * @param {string} name
 * @param {number} time
 * @param {string | undefined} bookmark
 * @param {Uint8Array} message
 */
export function restore(exchange, name, time, bookmark, message) {
  const copy = message.slice();
  const object = () => objectOf(bindings, name);
  /** @returns {Promise<string | Reply>} */
  const begin = async () => {
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

/**
 * @param {Exchange} exchange
 * @param {string | Reply} result
 */
const withRestored = (exchange, result) =>
  typeof result === "string" ? exchange.resumeWithText(result) : withReply(exchange, result);

/**
 * @param {ReplyWaiting} exchange
 * @param {Reply} reply
 */
const withReply = (exchange, [head, body]) => exchange.resumeWithReply(head, body);

/**
 * The host of the address is ignored: the binding serves this Worker's own files.
 * @param {Exchange} exchange
 * @param {string} path
 */
export const readAsset = (exchange, path) =>
  start(exchange, async () => bindings.ASSETS.fetch(new URL(path, "https://assets")), withAsset);

/**
 * @param {Exchange} exchange
 * @param {Response} response
 */
function withAsset(exchange, response) {
  const etag = response.headers.get("ETag");
  if (response.status !== 200 || etag === null)
    return exchange.fail(`static file: status ${response.status}, ETag ${etag}`);
  return exchange.resumeWithAsset(etag, response.body);
}

/**
 * @param {Exchange} exchange
 * @param {string} url
 * @param {number} ms
 * @param {number} limit
 */
export const fetchText = (exchange, url, ms, limit) =>
  start(
    exchange,
    () => download(url, ms, limit),
    (waiting, content) => waiting.resumeWithText(content),
  );

/**
 * @param {string} url
 * @param {number} ms
 * @param {number} limit
 */
async function download(url, ms, limit) {
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
/**
 * Imported keys by their JWK: an issuer has few.
 * @type {Map<string, CryptoKey>}
 */
const keys = new Map();
const KEYS = 16;

/**
 * @param {string} jwk
 * @param {typeof RS256 | typeof ES256} algorithm
 */
async function importedKey(jwk, algorithm) {
  const known = keys.get(jwk);
  if (known !== undefined) return known;
  const key = await crypto.subtle.importKey("jwk", JSON.parse(jwk), algorithm.import, false, ["verify"]);
  const { value: oldest } = keys.keys().next();
  if (oldest !== undefined && keys.size >= KEYS) keys.delete(oldest);
  keys.set(jwk, key);
  return key;
}

/**
 * @param {Exchange} exchange
 * @param {string} jwk
 * @param {boolean} es256
 * @param {Uint8Array} data
 * @param {Uint8Array} signature
 */
export function verify(exchange, jwk, es256, data, signature) {
  const algorithm = es256 ? ES256 : RS256;
  // Both are views of WebAssembly memory, which moves: copy them before they are kept.
  const [signed, bytes] = [data.slice(), signature.slice()];
  const begin = async () => crypto.subtle.verify(algorithm.verify, await importedKey(jwk, algorithm), bytes, signed);
  return start(exchange, begin, (waiting, valid) => waiting.resumeWithVerified(valid));
}

/**
 * @param {Exchange} exchange
 * @param {Request} request
 * @param {number} limit
 * @param {number} discard
 */
export function readBody(exchange, request, limit, discard) {
  const length = Number(request.headers.get("Content-Length") ?? NaN);
  // Create no more promises than the platform: most bodies take this path.
  if (length <= limit) return start(exchange, () => request.arrayBuffer(), withBuffer);
  return start(exchange, () => readUnsized(request, length, limit, discard), withBody);
}

/**
 * Returns the bytes of a body whose length is not known to be small, or `undefined` if there are too many.
 * @param {Request} request
 * @param {number} length
 * @param {number} limit
 * @param {number} discard
 */
async function readUnsized({ body }, length, limit, discard) {
  if (length > discard) return undefined;
  return body === null ? new Uint8Array(0) : readStream(body, limit, discard);
}

/**
 * @param {Exchange} exchange
 * @param {ArrayBuffer} buffer
 */
const withBuffer = (exchange, buffer) => exchange.resumeWithBody(new Uint8Array(buffer));

/**
 * @param {Exchange} exchange
 * @param {Uint8Array | undefined} body
 */
const withBody = (exchange, body) => exchange.resumeWithBody(body);

/**
 * @param {Exchange} exchange
 * @param {import("../types.js").RateLimiterName} binding
 * @param {string} key
 */
export const countRequest = (exchange, binding, key) =>
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

/**
 * @param {Exchange} exchange
 * @param {{ success: boolean }} verdict
 */
const withCount = (exchange, { success }) => exchange.resumeWithinLimit(success);
