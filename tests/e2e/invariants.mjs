// The rules for the headers of every response, and for the presence of a body (contract, D16, D20, sections 7 and 8):
// what the platform could change. tests/support/invariants.rs has the rules for bodies, which the Worker writes, and
// support/document.mjs compares each body with the OpenAPI document.

import { numberOf, types } from "../../pkg/dist/generated/accept.js";

const { fields } = types[numberOf("resourceDraft")];
/** The names of the texts, in their order. */
export const TEXTS = Object.keys(fields).filter((name) => fields[name] === fields.custom);
const PRINTABLE = /^[ -~]*$/;

/** Returns a description of the response's first error, or undefined if there is none. */
export function broken(request, answer) {
  return [...headers(request, answer), ...bodies(request, answer)].find((wrong) => wrong !== undefined);
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
