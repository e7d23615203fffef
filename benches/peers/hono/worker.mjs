// The peer: three operations of the service as a TypeScript team would write them today, on Hono, zod, KV and a SQLite
// Durable Object per project. It is here to be compared with, so it is given every help that its tools have.
import { Hono } from "hono";
import { authenticate, authorize } from "./auth.mjs";
import { ApiError, badHeader, badParameter, failure, invalidBody } from "./errors.mjs";
import { condition, etagOf, matches } from "./etag.mjs";
import * as schema from "./schema.mjs";

export { Collection } from "./collection.mjs";

const BODY_BYTES = 1024 * 1024;
const JSON_TYPE = "application/json; charset=utf-8";
const EXPOSED =
  "ETag, Location, Idempotency-Replayed, Preference-Applied, Resource-Revision, Retry-After, Warning, WWW-Authenticate, X-Correlation-ID";
const READ = ["manage_test", "view_test"];
const WRITE = ["manage_test"];

const app = new Hono();

app.use(async (c, next) => {
  const began = Date.now();
  const given = c.req.header("X-Correlation-ID");
  const correlationId = given !== undefined && /^[ -~]{8,256}$/.test(given) ? given : crypto.randomUUID();
  c.header("X-Correlation-ID", correlationId);
  c.header("Cache-Control", "private, no-cache");
  c.header("Vary", "Authorization, Accept, Origin");
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Access-Control-Expose-Headers", EXPOSED);
  await next();
  const { status } = c.res;
  console.log(
    JSON.stringify({
      level: status >= 500 ? "error" : "info",
      correlationId,
      method: c.req.method,
      operation: c.get("operation") ?? "unknown",
      project: c.get("project"),
      status,
      ms: Date.now() - began,
      source: c.get("source") ?? "edge",
      code: c.get("code"),
    }),
  );
});

/** Lets in a caller with one of the scopes for the project of the path, whose parameters are good. */
const guard = (operation, scopes, parameters) => async (c, next) => {
  c.set("operation", operation);
  const claims = await authenticate(c.req.header("Authorization"), c.env.TOKEN_SECRET);
  const project = c.req.param("projectKey");
  if (!/^[\w-]{1,128}$/.test(project)) throw badParameter("projectKey", "expected 1 to 128 of the characters A-Z a-z 0-9 _ -");
  authorize(claims, project, scopes);
  if (!isWellEncoded(c.req.path)) throw badParameter("id", "it is not percent-encoded UTF-8");
  c.set("project", project);
  c.set("caller", claims.caller);
  checkParameters(c, parameters);
  await next();
};

function isWellEncoded(path) {
  if (!path.includes("%")) return true;
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

function checkParameters(c, parameters) {
  const start = c.req.url.indexOf("?");
  if (start === -1) return;
  for (const part of c.req.url.slice(start + 1).split("&")) {
    const [name] = part.split("=");
    if (part !== "" && (name === "" || !isWellEncoded(part))) throw badParameter(name, "it is not percent-encoded UTF-8");
  }
  const result = parameters.safeParse(c.req.queries());
  if (result.success) return;
  const [{ code, keys, path }] = result.error.issues;
  if (code === "unrecognized_keys") throw badParameter(keys[0], "it is not a parameter of this operation");
  throw badParameter(path[0], "it is given twice or has a wrong form");
}

app.get("/:projectKey/resource/:id", guard("getById", READ, schema.readParameters), async (c) => {
  const { projectKey: project, id } = c.req.param();
  const ifNoneMatch = conditionOf(c, "If-None-Match");
  const least = minRevision(c);
  if (!/(^|,)\s*no-cache\s*(,|$)/i.test(c.req.header("Cache-Control") ?? "")) {
    const { value, metadata } = await c.env.RESOURCES.getWithMetadata(`r1:${project}:${id}`, { type: "text", cacheTtl: 30 });
    if (value !== null && metadata !== null && metadata.revision >= least) {
      c.set("source", "kv");
      return resource(c, { status: 200, id, revision: metadata.revision, body: value }, ifNoneMatch);
    }
  }
  c.set("source", "object");
  return resource(c, await collection(c).read(id), ifNoneMatch);
});

app.post("/:projectKey/resource", guard("createOrUpdate", WRITE, schema.noParameters), async (c) => {
  const terms = termsOf(c);
  const text = await bodyOf(c);
  const draft = parse(text, schema.draft);
  c.set("source", "object");
  return resource(c, await collection(c).put(c.get("project"), draft, await withFingerprint(c, terms, text)));
});

app.post("/:projectKey/resource/:id", guard("updateById", WRITE, schema.noParameters), async (c) => {
  const terms = termsOf(c);
  const text = await bodyOf(c);
  const update = parse(text, schema.update);
  c.set("source", "object");
  return resource(c, await collection(c).update(c.get("project"), c.req.param("id"), update, await withFingerprint(c, terms, text)));
});

app.notFound((c) => respond(c, failure(404, "ResourceNotFound", "There is nothing at this path. Operations stand under /{projectKey}/resource.")));

app.onError((error, c) => {
  if (error instanceof ApiError) return respond(c, error);
  console.error(error);
  return respond(c, failure(500, "General", "Something went wrong on our side. The log names it by the correlation id."));
});

function respond(c, error) {
  c.set("code", error.code);
  const problem = /application\/problem\+json/i.test(c.req.header("Accept") ?? "");
  const type = problem ? "application/problem+json; charset=utf-8" : JSON_TYPE;
  return c.body(error.toJson(problem), error.status, { "Content-Type": type, ...error.headers });
}

const collection = (c) => c.env.COLLECTIONS.getByName(`v1/${c.get("project")}`);

/** The object's reply, or KV's copy, as a response. */
function resource(c, reply, ifNoneMatch) {
  if (reply.replayed) c.header("Idempotency-Replayed", "true");
  if (reply.error !== undefined) {
    if (reply.error.status === 404) c.header("Resource-Revision", String(reply.newest));
    return respond(c, new ApiError(reply.error.status, [reply.error.item]));
  }
  const etag = etagOf(reply.id, reply.revision);
  c.header("ETag", etag);
  c.header("Resource-Revision", String(reply.revision));
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag, true)) return c.body(null, 304);
  if (reply.created) c.header("Location", `/${c.get("project")}/resource/${encodeURIComponent(reply.id)}`);
  return c.body(reply.body, reply.status, { "Content-Type": JSON_TYPE });
}

function conditionOf(c, header) {
  const value = condition(c.req.header(header));
  if (value === null) throw badHeader(header, "expected * or a list of quoted entity tags");
  return value;
}

function minRevision(c) {
  const text = c.req.header("Resource-Min-Revision");
  if (text === undefined) return 0;
  if (!/^\d{1,16}$/.test(text.trim())) throw badHeader("Resource-Min-Revision", "expected a revision: milliseconds since 1970");
  return Number(text);
}

/** What a write carries in its headers. */
function termsOf(c) {
  const key = c.req.header("Idempotency-Key");
  if (key !== undefined && !/^[ -~]{1,255}$/.test(key)) {
    throw badHeader("Idempotency-Key", "expected 1 to 255 printable ASCII characters");
  }
  return { ifMatch: conditionOf(c, "If-Match"), ifNoneMatch: conditionOf(c, "If-None-Match"), key };
}

/** The terms with the hash of the request, where it carries an idempotency key. */
async function withFingerprint(c, { key, ...terms }, text) {
  if (key === undefined) return terms;
  const request = new TextEncoder().encode([c.req.method, c.req.url, text].join("\n"));
  const fingerprint = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", request))).join();
  return { ...terms, idempotency: { caller: c.get("caller"), key, fingerprint } };
}

async function bodyOf(c) {
  const type = c.req.header("Content-Type") ?? "";
  const coding = c.req.header("Content-Encoding") ?? "identity";
  if (!/^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type) || coding !== "identity") {
    throw failure(415, "UnsupportedMediaType", `Expected a body of Content-Type application/json in UTF-8, found '${type}'.`);
  }
  if (Number(c.req.header("Content-Length") ?? 0) > BODY_BYTES) throw tooLarge();
  const text = await c.req.text();
  if (text.length > BODY_BYTES) throw tooLarge();
  return text;
}

const tooLarge = () => failure(413, "ContentTooLarge", `The body is too large: at most ${BODY_BYTES} bytes are taken.`);

function parse(text, shape) {
  let body;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const message = "Request body does not contain valid JSON.";
    throw failure(400, "InvalidJsonInput", message, { detailedErrorMessage: error.message, path: "" });
  }
  const result = shape.safeParse(body);
  if (!result.success) throw invalidBody(body, result.error);
  return result.data;
}

export default app;
