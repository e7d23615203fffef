// A response of the service, and the parts of it that Rust needs for its decision (src/client/attempt.rs).

import type { ResponseMessage } from "../generated/messages.js";
import type { RetryEvent } from "./options.js";

/** Parses the text of a successful response. */
export type Parse = (text: string) => unknown;

/** The response to a request, or the reason why there is none. */
export class ServiceResponse {
  status;
  ok;
  headers;
  cause: unknown = undefined;
  /** Whether it is an error of another server: it does not have the form of the service's errors. */
  isForeign = false;
  /** Whether it is the token endpoint's: then the request of the call was not sent. */
  isToken = false;
  /** Whether its attempt takes too long and may still get a response. */
  isLate = false;
  retryAfter: number | undefined = undefined;
  /** The address of the request. */
  url: string | undefined = undefined;
  /** The step that follows, and the pause before the next attempt. Rust decides both. */
  step = NaN;
  pause = NaN;
  event: Omit<RetryEvent, "reason" | "pause" | "cause"> | undefined = undefined;
  data: any = undefined;

  /** @param content its text, or the reason why there is no response */
  constructor(response: Response | undefined, content: unknown, parse: Parse = JSON.parse) {
    // A browser hides the status of a redirect that is not followed. A caller's `fetch` may follow redirects anyway.
    const isRedirected = response?.redirected || response?.type === "opaqueredirect";
    this.status = isRedirected ? 302 : (response?.status ?? 0);
    this.ok = !isRedirected && (response?.ok ?? false);
    this.headers = response?.headers;
    if (response === undefined) this.cause = content;
    else if (content !== "") {
      try {
        this.data = (this.ok ? parse : JSON.parse)(content as string);
      } catch {
        // The page of a proxy, not a response of the service.
      }
    }
  }

  /** Returns the same response with another `Retry-After`, in milliseconds. */
  withRetryAfter(retryAfter: number) {
    return Object.assign(new ServiceResponse(undefined, undefined), this, { retryAfter });
  }

  /** Returns what Rust needs of it for its decision. `writes`: those of a batch. */
  describe(method: string, writes?: readonly { readonly operation: string }[]): ResponseMessage {
    const { status, ok, headers, data } = this;
    this.isForeign = status > 300 && status !== 304 && !isOwnError(this, method);
    const results = ok ? data?.results : undefined;
    const isPage = Array.isArray(results);
    const hasResource = !isPage && ok && typeof data?.id === "string";
    // A resource contains its revision; a deleted one contains the revision of its last change.
    const hasRevision = hasResource && method !== "DELETE";
    return {
      now: performance.now(),
      jitter: Math.random() * 2 ** 32,
      late: this.isLate,
      unsent: this.isToken,
      status,
      foreign: this.isForeign,
      revision: hasRevision ? NaN : Number(headers?.get("Resource-Revision") || NaN),
      retryAfter: this.retryAfter ?? (ok ? NaN : retryAfter(headers?.get("Retry-After"))),
      taggedId: (ok && !isPage && !hasResource && taggedId(headers?.get("ETag"))) || "",
      resources: resourceTexts(isPage ? (writes ? this.#written(writes) : results) : hasResource ? [data] : []),
    };
  }

  /** Returns the resources of a batch. A deleted one has a revision after its last state, which the result is. */
  #written(writes: readonly { readonly operation: string }[]) {
    const after = ({ lastModifiedAt }: any) => new Date(Date.parse(lastModifiedAt) + 1).toJSON();
    return this.data.results.map(({ resource }: any, at: number) =>
      writes[at]?.operation === "deleteById" ? { ...resource, lastModifiedAt: after(resource) } : resource,
    );
  }
}

/**
 * Returns whether an error has the form of the service's, or that of RFC 9457. A response to HEAD has only its type,
 * and if nothing matches, not even that.
 */
function isOwnError({ status, headers, data }: ServiceResponse, method: string) {
  const type = headers?.get("Content-Type");
  if (method === "HEAD" && !data) return type ? /json/.test(type) : status === 404;
  return data?.errors && (data.statusCode ?? data.status) === status;
}

const isResource = (data: any) => typeof data?.id === "string" && Number.isInteger(data.version);

/** Returns whether the data of a successful response is a result of the operation. */
export function isResult(
  { method, page, body, lines }: { method?: string; page?: boolean; body?: string; lines?: boolean },
  data: any,
) {
  if (method === "HEAD") return true;
  if (lines) return typeof data === "string";
  if (page) return Array.isArray(data?.results) && data.results.every(isResource);
  if (body === "writeBatch")
    return Array.isArray(data?.results) && data.results.every((result: any) => isResource(result?.resource));
  // The arrays, or a receipt; the status, or the result of an import.
  if (body === "complexBody" || lines === false)
    return typeof data === "object" && data !== null && !Array.isArray(data);
  return isResource(data);
}

/** Returns the ID in an entity tag (D16), which escapes everything except the tag's own dots, or nothing. */
function taggedId(etag: string | null | undefined) {
  const [, escaped] = /"(.+)\./.exec(etag ?? "") ?? [];
  try {
    return escaped && decodeURIComponent(escaped);
  } catch {
    // Another server has made the tag.
    return;
  }
}

/** Returns what Rust needs of each resource: its ID, its key, and its revision. */
export function resourceTexts(resources: readonly { id?: unknown; key?: unknown; lastModifiedAt?: unknown }[]) {
  const texts: string[] = [];
  for (const { id, key = "", lastModifiedAt } of resources) texts.push(`${id}`, `${key}`, `${lastModifiedAt}`);
  return texts;
}

/** Parses `Retry-After` into milliseconds. Returns NaN if it is malformed, or a date in the past by this clock. */
export function retryAfter(value: string | null | undefined) {
  if (value == null) return NaN;
  if (/^\s*\d+\s*$/.test(value)) return Math.min(Number(value) * 1000, 1e15);
  // HTTP dates start with the name of a day. `parse` accepts other forms too.
  const pause = /^\s*[A-Z][a-z]+,? /.test(value) ? Date.parse(value) - Date.now() : NaN;
  return pause > 0 ? Math.ceil(Math.min(pause, 1e15)) : NaN;
}
