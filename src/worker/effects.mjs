// Performs the effects of the handler (src/server/effect.rs), and creates its responses. Each function receives the
// exchange that waits for its outcome, resumes it once, and returns the promise of the response. No decision is made
// here.

import { readBody } from "./body.mjs";

let bindings;
let requestHeaders;
let responseHeaders;
// How to read KV, and where the objects are, from the settings. Rust has checked the settings before any effect.
let copyOptions;
let pointerOptions;
let objectOptions;
let afterResponse;

/**
 * Sets the environment whose bindings the effects use, the result of Rust's `contract`, and the function that lets a
 * promise settle after the response.
 */
export function configure(env, contract, after) {
  if (env === bindings) return;
  bindings = env;
  afterResponse = after;
  ({ requestHeaders, responseHeaders } = contract);
  const cacheTtl = Number(env.KV_CACHE_TTL ?? contract.kvCacheTtl);
  copyOptions = { type: "arrayBuffer", cacheTtl };
  pointerOptions = { type: "text", cacheTtl };
  objectOptions = env.LOCATION_HINT === undefined ? undefined : { locationHint: env.LOCATION_HINT };
}

export const header = (headers, number) => headers.get(requestHeaders[number]) ?? undefined;

/** The letter for the first response header. */
const FIRST = "A".charCodeAt(0);

// In workerd, an object is the cheapest form of headers: less than half the time of `Headers`.
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

/** Resumes the exchange with the promise's value, or with the reason of its failure. */
function follow(exchange, promise, resume) {
  return promise.then(
    (value) => resume(exchange, value),
    (error) => exchange.fail(reason(error)),
  );
}

/** Returns the text of a thrown value, for the log. */
function reason(error) {
  return error instanceof Error ? error.message : typeof error === "string" ? error : "an exception without a message";
}

/** Starts an effect whose first call may throw. */
function start(exchange, begin, resume) {
  let promise;
  try {
    promise = begin();
  } catch (error) {
    promise = Promise.reject(error);
  }
  return follow(exchange, promise, resume);
}

export const readCopy = (exchange, kvKey) =>
  start(exchange, () => bindings.RESOURCES.getWithMetadata(kvKey, copyOptions), withCopy);

function withCopy(exchange, { value, metadata }) {
  return exchange.resumeWithCopy(value, number(metadata?.revision), text(metadata?.key), metadata?.deleted === true);
}

export const readPointer = (exchange, kvKey) =>
  start(exchange, () => bindings.RESOURCES.getWithMetadata(kvKey, pointerOptions), withPointer);

// A pointer without metadata was not written by this service.
function withPointer(exchange, { value, metadata }) {
  return exchange.resumeWithPointer(metadata ? text(value) : undefined, metadata?.deleted === true);
}

const number = (value) => (typeof value === "number" ? value : undefined);
const text = (value) => (typeof value === "string" ? value : undefined);

export function callObject(exchange, name, message) {
  // The message is a view of WebAssembly memory, which moves: copy it before it is kept.
  const copy = message.slice();
  return start(exchange, () => projects().getByName(name, objectOptions).perform(copy), withReply);
}

// A check is resumed as an exchange is.
export const beginCheck = (check, name, message) => afterResponse(callObject(check, name, message));

export function restore(exchange, name, time, bookmark, message) {
  const copy = message.slice();
  const object = () => projects().getByName(name, objectOptions);
  const begin = async () => {
    const { undo, reason } = await object().restore(time, bookmark);
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
  // Continue if the caller leaves.
  afterResponse(response);
  return response;
}

/** How often an object is asked to end and start. */
const RESTARTS = 3;

const withRestored = (exchange, result) =>
  typeof result === "string" ? exchange.resumeWithText(result) : withReply(exchange, result);

/** Returns the namespace of the objects. A namespace that is restricted to a jurisdiction has separate objects. */
function projects() {
  const { PROJECTS, JURISDICTION } = bindings;
  return JURISDICTION === undefined ? PROJECTS : PROJECTS.jurisdiction(JURISDICTION);
}

const withReply = (exchange, [head, body]) => exchange.resumeWithReply(head, body);

// The host of the address is ignored: the binding serves this Worker's own files.
export const readAsset = (exchange, path) =>
  start(exchange, async () => bindings.ASSETS.fetch(new URL(path, "https://assets")), withAsset);

function withAsset(exchange, response) {
  const etag = response.headers.get("ETag");
  if (response.status !== 200 || etag === null)
    return exchange.fail(`static file: status ${response.status}, ETag ${etag}`);
  return exchange.resumeWithAsset(etag, response.body);
}

export const fetchText = (exchange, url, ms, limit) =>
  start(
    exchange,
    () => download(url, ms, limit),
    (waiting, content) => waiting.resumeWithText(content),
  );

async function download(url, ms, limit) {
  const response = await fetch(url, { signal: AbortSignal.timeout(ms) });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  const bytes = response.body === null ? new Uint8Array(0) : await readBody(response.body, limit, limit);
  if (bytes === undefined) throw new Error(`more than ${limit} bytes`);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

const ALGORITHMS = [
  { import: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, verify: { name: "RSASSA-PKCS1-v1_5" } },
  { import: { name: "ECDSA", namedCurve: "P-256" }, verify: { name: "ECDSA", hash: "SHA-256" } },
];
/** Imported keys by their JWK: an issuer has few. */
const keys = new Map();
const KEYS = 16;

async function importedKey(jwk, algorithm) {
  const known = keys.get(jwk);
  if (known !== undefined) return known;
  const key = await crypto.subtle.importKey("jwk", JSON.parse(jwk), algorithm.import, false, ["verify"]);
  if (keys.size >= KEYS) keys.delete(keys.keys().next().value);
  keys.set(jwk, key);
  return key;
}

export function verify(exchange, jwk, es256, data, signature) {
  const algorithm = ALGORITHMS[Number(es256)];
  // Both are views of WebAssembly memory, which moves: copy them before they are kept.
  const [signed, bytes] = [data.slice(), signature.slice()];
  const begin = async () => crypto.subtle.verify(algorithm.verify, await importedKey(jwk, algorithm), bytes, signed);
  return start(exchange, begin, (waiting, valid) => waiting.resumeWithVerified(valid));
}

export const countRequest = (exchange, binding, key) =>
  start(exchange, () => bindings[binding].limit({ key }), withCount);

const withCount = (exchange, { success }) => exchange.resumeWithinLimit(success);
