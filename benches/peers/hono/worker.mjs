// The peer: the operations of the benchmark in typical TypeScript, with Hono, ajv's compiled validators, jose, KV, and
// a SQLite Durable Object per project. The comparison has to be fair, so it is optimized too.
import { Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { authenticate, authorize } from "./auth.mjs";
import { draftOf, updateOf } from "./bodies.mjs";
import { ApiError, badHeader, badParameter, failure } from "./errors.mjs";
import { condition, etagOf, matches } from "./etag.mjs";
import { checkNoParameters, checkReadParameters, queryOf, searchOf } from "./parameters.mjs";

export { Collection } from "./collection.mjs";

const BODY_BYTES = 1024 * 1024;
const JSON_TYPE = "application/json; charset=utf-8";
const EXPOSED =
  "ETag, Location, Idempotency-Replayed, Preference-Applied, Resource-Revision, Retry-After, Warning, " +
  "WWW-Authenticate, X-Correlation-ID";
const READ = ["manage_test", "view_test"];
const WRITE = ["manage_test"];
const KV_READ = { type: "text", cacheTtl: 30 };

/** A request in progress, with the data that its handler needs. */
class Exchange {
  constructor(c) {
    const { raw } = c.req;
    this.c = c;
    this.env = c.env;
    this.headers = raw.headers;
    const given = raw.headers.get("X-Correlation-ID");
    this.correlationId = given !== null && /^[ -~]{8,256}$/.test(given) ? given : crypto.randomUUID();
  }

  header(name) {
    return this.headers.get(name) ?? undefined;
  }

  /** Admits a caller with one of the scopes for the path's project. */
  async admit(scopes) {
    const trusted = authenticate(this.headers.get("Authorization"), this.env.TOKEN_SECRET);
    const claims = trusted instanceof Promise ? await trusted : trusted;
    const project = this.c.req.param("projectKey");
    if (!/^[\w-]{1,128}$/.test(project))
      throw badParameter("projectKey", "expected 1 to 128 of the characters A-Z a-z 0-9 _ -");
    authorize(claims, project, scopes);
    this.project = project;
    this.caller = claims.caller;
  }

  get collection() {
    return this.env.COLLECTIONS.getByName(`v1/${this.project}`);
  }

  /** Returns a response with the headers that every response has. */
  respond(status, body, more) {
    const headers = {
      "Content-Type": JSON_TYPE,
      "X-Correlation-ID": this.correlationId,
      "Cache-Control": "private, no-cache",
      Vary: "Authorization, Accept, Origin",
      "Access-Control-Allow-Origin": "*",
      ...more,
    };
    if (this.headers.has("Origin")) headers["Access-Control-Expose-Headers"] = EXPOSED;
    if (body === null) delete headers["Content-Type"];
    return new Response(body, { status, headers });
  }

  fail(error, more) {
    const problem = /application\/problem\+json/i.test(this.header("Accept") ?? "");
    const type = problem ? { "Content-Type": "application/problem+json; charset=utf-8" } : {};
    return this.respond(error.status, error.toJson(problem), { ...error.headers, ...type, ...more });
  }

  /** Returns the object's reply, or KV's copy, as a response. */
  resource(reply, ifNoneMatch) {
    const { error, id, revision } = reply;
    const replayed = reply.replayed ? { "Idempotency-Replayed": "true" } : {};
    if (error !== undefined) {
      const newest = error.status === 404 ? { "Resource-Revision": String(reply.newest) } : {};
      return this.fail(new ApiError(error.status, [error.item]), { ...replayed, ...newest });
    }
    const etag = etagOf(id, revision);
    /** @type {Record<string, string>} */
    const headers = { ...replayed, ETag: etag, "Resource-Revision": String(revision) };
    if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag, true)) return this.respond(304, null, headers);
    if (reply.created) headers.Location = `/${this.project}/resource/${encodeURIComponent(id)}`;
    return this.respond(reply.status, reply.body, headers);
  }
}

/** Returns a route's handler: admits the caller, runs, and responds with any thrown error. */
const route = (scopes, run) => async (c) => {
  const exchange = new Exchange(c);
  try {
    await exchange.admit(scopes);
    return await run(exchange, c);
  } catch (error) {
    if (error instanceof ApiError) return exchange.fail(error);
    console.error(error);
    return exchange.fail(failure(500, "General", "Internal error. The correlation ID identifies it in the log."));
  }
};

// A router of one regular expression does not support a literal beside a parameter, and is much faster than the others.
const app = new Hono({ router: new RegExpRouter() });

app.get(
  "/:projectKey/resource",
  route(READ, async (exchange, c) => {
    const query = queryOf(c, "query");
    if (c.req.method !== "HEAD") return page(exchange, query);
    const found = await exchange.collection.exists(query.condition);
    return exchange.respond(found ? 200 : 404, null);
  }),
);

app.get(
  "/:projectKey/resource/:id",
  route(READ, (exchange, c) => {
    const part = lastPart(c);
    if (part === "sorted-query-parameters") return page(exchange, queryOf(c, "sorted"));
    if (part === "searchApiPattern") return page(exchange, searchOf(c));
    const named = part.startsWith("key=");
    checkReadParameters(c, named);
    const ifNoneMatch = conditionOf(exchange, "If-None-Match");
    const min = minRevision(exchange);
    const fresh = /(^|,)\s*no-cache\s*(,|$)/i.test(exchange.header("Cache-Control") ?? "");
    return named
      ? byKey(exchange, decodePart(part.slice("key=".length)), fresh, min, ifNoneMatch)
      : byId(exchange, decodePart(part), fresh, min, ifNoneMatch);
  }),
);

app.post(
  "/:projectKey/resource",
  route(WRITE, async (exchange, c) => {
    checkNoParameters(c);
    const options = optionsOf(exchange);
    const text = await bodyOf(exchange, c);
    draftOf(text);
    return exchange.resource(
      await exchange.collection.put(exchange.project, text, await withFingerprint(exchange, c, options, text)),
    );
  }),
);

app.post(
  "/:projectKey/resource/:id",
  route(WRITE, async (exchange, c) => {
    const id = decodePart(lastPart(c));
    checkNoParameters(c);
    const options = optionsOf(exchange);
    const text = await bodyOf(exchange, c);
    updateOf(text);
    return exchange.resource(
      await exchange.collection.update(exchange.project, id, text, await withFingerprint(exchange, c, options, text)),
    );
  }),
);

app.notFound((c) =>
  new Exchange(c).fail(failure(404, "ResourceNotFound", "Unknown path. Operations are under /{projectKey}/resource.")),
);

/** Returns the last part of the path as it was sent: literal parts are matched before percent-decoding. */
function lastPart({ req: { url } }) {
  const query = url.indexOf("?");
  const end = query === -1 ? url.length : query;
  return url.slice(url.lastIndexOf("/", end) + 1, end);
}

function decodePart(part) {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    throw badParameter("id", "it is not percent-encoded UTF-8");
  }
}

async function page(exchange, query) {
  const { body, error } = await exchange.collection.query(query);
  if (error !== undefined) throw badParameter("limit", error);
  return exchange.respond(200, body);
}

async function byId(exchange, id, fresh, min, ifNoneMatch) {
  if (!fresh) {
    const { value, metadata } = await exchange.env.RESOURCES.getWithMetadata(`r1:${exchange.project}:${id}`, KV_READ);
    if (value !== null && metadata !== null && metadata.revision >= min) {
      return exchange.resource({ status: 200, id, revision: metadata.revision, body: value }, ifNoneMatch);
    }
  }
  return exchange.resource(await exchange.collection.read(id), ifNoneMatch);
}

/** Reads the key's pointer and then the resource. The resource must still have the key. */
async function byKey(exchange, key, fresh, min, ifNoneMatch) {
  if (!fresh) {
    const { RESOURCES } = exchange.env;
    const id = await RESOURCES.get(`k1:${exchange.project}:${key}`, KV_READ);
    if (id !== null) {
      const { value, metadata } = await RESOURCES.getWithMetadata(`r1:${exchange.project}:${id}`, KV_READ);
      if (value !== null && metadata !== null && metadata.key === key && metadata.revision >= min) {
        return exchange.resource({ status: 200, id, revision: metadata.revision, body: value }, ifNoneMatch);
      }
    }
  }
  return exchange.resource(await exchange.collection.readByKey(key), ifNoneMatch);
}

function conditionOf(exchange, header) {
  const value = condition(exchange.header(header));
  if (value === null) throw badHeader(header, "expected * or a list of quoted entity tags");
  return value;
}

function minRevision(exchange) {
  const text = exchange.header("Resource-Min-Revision");
  if (text === undefined) return 0;
  const revision = /^\d{1,16}$/.test(text.trim()) ? Number(text) : NaN;
  if (Number.isSafeInteger(revision)) return revision;
  throw badHeader("Resource-Min-Revision", "expected a revision: milliseconds since 1970");
}

/** Returns the write options from the headers. */
function optionsOf(exchange) {
  const key = exchange.header("Idempotency-Key");
  if (key !== undefined && !/^[ -~]{1,255}$/.test(key)) {
    throw badHeader("Idempotency-Key", "expected 1 to 255 printable ASCII characters");
  }
  return { ifMatch: conditionOf(exchange, "If-Match"), ifNoneMatch: conditionOf(exchange, "If-None-Match"), key };
}

/** Returns the options with the hash of the request, if it has an idempotency key. */
async function withFingerprint(exchange, c, { key, ...options }, text) {
  if (key === undefined) return options;
  const request = new TextEncoder().encode([c.req.method, c.req.url, text].join("\n"));
  const fingerprint = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", request))).join();
  return { ...options, idempotency: { caller: exchange.caller, key, fingerprint } };
}

async function bodyOf(exchange, c) {
  const type = exchange.header("Content-Type") ?? "";
  const coding = exchange.header("Content-Encoding") ?? "identity";
  if (!/^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type) || coding !== "identity") {
    throw failure(
      415,
      "UnsupportedMediaType",
      `Expected a body of Content-Type application/json in UTF-8, found '${type}'.`,
    );
  }
  if (Number(exchange.header("Content-Length") ?? 0) > BODY_BYTES) throw tooLarge();
  const text = await c.req.raw.text();
  if (text.length > BODY_BYTES) throw tooLarge();
  return text;
}

const tooLarge = () =>
  failure(413, "ContentTooLarge", `The request body is too large. The limit is ${BODY_BYTES} bytes.`);

export default app;
