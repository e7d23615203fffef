// The rules for every response to every request (contract, D1, D16, D19, D20, sections 7, 8, and 10).
// tests/support/invariants.rs has the same rules.

import { numberOf, types } from "../../pkg/dist/generated/accept.js";

const { fields } = types[numberOf("resourceDraft")];
/** The names of a resource's fields, in their order. */
const RECORD = Object.keys(fields);
/** The names of the texts, in their order. */
export const TEXTS = RECORD.filter((name) => fields[name] === fields.custom);
const ARRAYS = Object.keys(fields.objectTypeProperty.fields);
const PRINTABLE = /^[ -~]*$/;

/** Returns a description of the response's first error, or undefined if there is none. */
export function broken(request, answer) {
  return [
    ...headers(request, answer),
    ...bodies(request, answer),
    ...(answer.status >= 400 ? error(request, answer) : record(answer)),
  ].find((wrong) => wrong !== undefined);
}

const need = (holds, what) => (holds ? undefined : what);

function* headers(request, { status, headers: got, raw }) {
  const names = raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  yield need(new Set(names).size === names.length, "a duplicate header");
  yield need(
    Object.values(got).every((value) => PRINTABLE.test(value)),
    "a header is not printable ASCII",
  );
  const sent = Object.entries(request.headers ?? {}).find(([name]) => name.toLowerCase() === "x-correlation-id")?.[1];
  const id = got["x-correlation-id"] ?? "";
  yield need(id.length >= 8 && id.length <= 256, "X-Correlation-ID is absent or has a wrong length");
  const taken = sent !== undefined && sent.length >= 8 && sent.length <= 256 && PRINTABLE.test(sent);
  yield need(!taken || sent.trim() === id.trim(), "X-Correlation-ID is not the caller's");
  const oauth = /^\/oauth\/(token|introspect)(\?|$)/.test(request.target) && request.method === "POST";
  const document = /^\/openapi\.json(\?|$)/.test(request.target) && [200, 304].includes(status);
  const cache = document ? "public, max-age=300" : "private, no-cache";
  yield need(got["cache-control"] === (oauth ? "no-store" : cache), "Cache-Control is not what D20 says");
  yield need(got.vary === "Authorization, Accept, Origin", "Vary is not what D20 says");
  yield need(status !== 405 || got.allow !== undefined, "405 without Allow");
  yield need(![401, 403].includes(status) || got["www-authenticate"] !== undefined, "no WWW-Authenticate");
  yield need(![429, 503].includes(status) || got["retry-after"] !== undefined, "no Retry-After");
}

function* bodies(request, { status, headers: got, text }) {
  const bare = request.method === "HEAD" || status === 204 || status === 304;
  yield need(bare ? text === "" : text !== "" || isExport(got), bare ? "a body where there must be none" : "no body");
  if (bare) return;
  yield need(got["content-type"] !== undefined, "a body without Content-Type");
  if (/^application\/(problem\+)?json/.test(got["content-type"] ?? ""))
    yield need(parse(text) !== undefined, "the body is not JSON");
}

/** Returns whether this is a page of an export. It may be empty, and its lines are not a single resource. */
const isExport = (headers) => headers["content-type"] === "application/x-ndjson";

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function* error(request, { status, headers: got, text }) {
  if (request.method === "HEAD") return;
  const body = parse(text) ?? {};
  const problem = (got["content-type"] ?? "").startsWith("application/problem+json");
  const errors = body.errors ?? [];
  yield need((problem ? body.status : body.statusCode) === status, "the body's status is another");
  yield need(errors.length > 0 && errors.length <= 100, "no errors, or too many");
  yield need((problem ? body.detail : body.message) === errors[0]?.message, "message is not the first error's");
  const spoken = (value) => typeof value === "string" && value !== "";
  yield need(
    errors.every(({ code, message }) => spoken(code) && spoken(message)),
    "an error says nothing",
  );
  yield need(status !== 409 || Number.isInteger(errors[0]?.currentVersion), "409 without currentVersion");
  yield need(![401, 403].includes(status) || body.error === errors[0]?.code, "401 or 403 without error");
}

function* record({ status, headers: got, text }) {
  const body = parse(text);
  if (isExport(got) || typeof body?.id !== "string" || typeof body.objectTypeProperty !== "object") return;
  const places = Object.keys(body).map((name) => RECORD.indexOf(name));
  yield need(!places.includes(-1), "members that no record has");
  yield need(
    places.every((place, index) => index === 0 || places[index - 1] < place),
    "members out of order",
  );
  yield need(Number.isInteger(body.version) && body.version >= 1, "a version under 1");
  yield need(Object.keys(body.objectTypeProperty).join() === ARRAYS.join(), "not the seven arrays in their order");
  const revision = Date.parse(body.lastModifiedAt);
  yield need(got.etag !== undefined, "a resource without ETag");
  yield need(Number(got["resource-revision"]) >= revision, "Resource-Revision is absent or before lastModifiedAt");
  yield need(status !== 201 || got.location !== undefined, "201 without Location");
}
