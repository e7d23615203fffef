// The error of the client, and functions that create it.
import { retryAfter, type ServiceResponse } from "./response.js";
import type { ErrorItem } from "../generated/issues.js";
import type { Issue } from "../validate/validate.js";

/**
 * Why a call has no result. `invalid`: the client sent nothing, because the call is wrong. `network`: the service was
 * not reached. `timeout`: the call took too long. `aborted`: its signal ended it. `api`: the service rejected it.
 * `unexpected`: another server responded, such as a proxy that does not reach the service, or a function of the caller
 * failed.
 */
export type ErrorKind = "invalid" | "network" | "timeout" | "aborted" | "api" | "unexpected";

/** The error of a call. It never contains tokens or secrets. */
export class ResourceError extends Error {
  /** The kind of the failure. */
  readonly kind: ErrorKind;
  /** The HTTP status of the response. `undefined` if there is none. */
  readonly status: number | undefined = undefined;
  /** The code of the first error, such as `ConcurrentModification`. */
  readonly code: string | undefined = undefined;
  /** All problems in the service's form, whether the service or the client found them. */
  readonly errors: readonly ErrorItem[] = [];
  /** The issues of the body, if the client found them before it sent the body. */
  readonly issues: readonly Issue[] | undefined = undefined;
  /** The version of the resource, if it is not the expected version. */
  readonly currentVersion: number | undefined = undefined;
  /** The ID of the request in the service's log. */
  readonly correlationId: string | undefined = undefined;
  /** The address that was called, with the query. `undefined` if nothing was sent, and for `timeout` and `aborted`. */
  readonly url: string | undefined = undefined;
  /** How long the service asks to wait before the next call (`Retry-After`), in milliseconds. */
  readonly retryAfter: number | undefined = undefined;
  /**
   * Whether the call may succeed a little later. Repeat a write with the error's `idempotencyKey`. Without it, a write
   * whose outcome is unknown may be performed twice.
   */
  readonly retryable: boolean = false;
  /**
   * The idempotency key of a write. A repeat of the call with this key as its option `idempotencyKey` is performed only
   * if the write was not. `undefined` for reads, and if no key was generated because the client sent nothing.
   */
  readonly idempotencyKey: string | undefined = undefined;
  /**
   * Whether a write was performed. `refused`: it was not, neither by this call nor, if you passed an `idempotencyKey`,
   * by an earlier call with that key. `unknown`: it may have been performed, or may still be. `undefined` for reads.
   */
  readonly outcome: "unknown" | "refused" | undefined = undefined;

  private constructor(kind: ErrorKind, message: string, cause: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }

  /** @internal Creates an error. Programs only receive errors. */
  static of(kind: ErrorKind, message: string, { cause, ...details }: Partial<ResourceError> = {}) {
    return Object.assign(new ResourceError(kind, message, cause), details);
  }

  override get name(): "ResourceError" {
    return "ResourceError";
  }

  /** The call is wrong: the client did not send it, or the service rejected it with 400. */
  get isValidation(): boolean {
    return this.kind === "invalid" || this.status === 400;
  }

  /** 401: the token is missing, has expired, or is not accepted. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** 403: the token does not allow the operation. */
  get isForbidden(): boolean {
    return this.status === 403;
  }

  /** 404: there is no such resource, or the address is wrong. */
  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** 409: the resource does not have the expected version. */
  get isConflict(): boolean {
    return this.status === 409;
  }

  /** 412: the resource does not match `If-Match` or `If-None-Match`. */
  get isPreconditionFailed(): boolean {
    return this.status === 412;
  }

  /** 429: too many requests. */
  get isRateLimited(): boolean {
    return this.status === 429;
  }

  /** Returns what `JSON.stringify` writes: name, message, and all members except stack and cause. */
  toJSON(): object {
    // The spread has neither: the first is a getter, the second is not enumerable.
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

/** @internal Returns an error with the same members, for one of several calls. */
export function copyError(error: unknown) {
  if (!(error instanceof ResourceError)) return error;
  return ResourceError.of(error.kind, error.message, { ...error, cause: error.cause });
}

/** @internal Returns the error of a response that is not a result, or of a missing response. */
export function responseError(response: ServiceResponse, retryable: boolean) {
  const { status, headers, data, cause, isForeign, isToken, url } = response;
  const prefix = isToken ? "No token was given: " : "";
  if (status === 0) {
    const message = `${prefix}The service could not be reached at ${origin(url)}.${originHint(url)}`;
    return ResourceError.of("network", message, { retryable, cause, url });
  }
  // The response of a proxy may look similar.
  const listed: ErrorItem[] = Array.isArray(data?.errors) ? data.errors : [];
  const errors = listed.filter((error) => typeof error === "object" && error !== null);
  const isText = (value: unknown) => typeof value === "string";
  // A problem (RFC 9457) has a title and a detail.
  const text: string | undefined = [data?.message, data?.detail, data?.title].find(isText);
  const isRedirect = status > 300 && status < 309 && status !== 304;
  const redirect = isRedirect ? ": the client does not follow redirects." : ".";
  const message = isForeign
    ? `The response (${status}) of ${origin(url)} is not from the service${redirect}`
    : (text ??
      `The service returned status ${status}${status === 200 ? ", but the client has seen a newer state." : "."}`);
  return ResourceError.of(isForeign ? "unexpected" : "api", prefix + withDetails(message, response, errors), {
    status,
    code: [errors[0]?.code, data?.error].find(isText),
    errors,
    url,
    retryAfter: response.retryAfter ?? (retryAfter(headers?.get("Retry-After")) || undefined),
    currentVersion: errors.find((error) => error.currentVersion !== undefined)?.currentVersion,
    correlationId: headers?.get("X-Correlation-ID") ?? undefined,
    retryable,
  });
}

/** @internal Returns whether the database has no such resource. Only its responses have a revision. */
export const isMissing = ({ headers }: ServiceResponse) => !!headers?.get("Resource-Revision");

/** Returns a message with what the response says elsewhere. */
function withDetails(message: string, response: ServiceResponse, [first]: readonly ErrorItem[]) {
  const { status, headers, isToken, url } = response;
  if (first?.detailedErrorMessage) return `${message} ${first.detailedErrorMessage}`;
  if (status === 404 && !isMissing(response)) return `${message} The address was ${url}.`;
  if (isToken) return message;
  // The contract fixes the messages of 401 and 403. The reason is in the challenge (RFC 6750).
  const challenge = headers?.get("WWW-Authenticate") ?? "";
  const [, description, project] = /error_description="(.*?)"|scope="[^":]*:([^"]*)"/.exec(challenge) ?? [];
  const reason = description ?? (/^bearer$/i.test(challenge) && "The request has no token.");
  if (status === 401 && reason) return `${message.replace(/\.$/, "")}: ${reason}`;
  return status === 403 && project ? `${message} The project is '${project}'.` : message;
}

const origin = (url: string | undefined) => url?.match(/^\w+:\/\/[^/]*/)?.[0];

/** A browser does not say why it refuses a call of another origin. Returns the likely reason in a page. */
function originHint(url: string | undefined) {
  const page = globalThis.location?.origin;
  if (page === undefined || page === "null" || page === origin(url)) return "";
  return ` If it runs, check that its setting CORS_ORIGINS allows ${page}.`;
}

/** @internal Returns the error of a response that the service never sends. */
export const unexpectedResponseError = (response: ServiceResponse) =>
  responseError(Object.assign(response, { isForeign: true }), false);

/** @internal Returns the error of a wrong option, or of a call that cannot be sent. */
export const wrongOption = (message: string) => ResourceError.of("invalid", message);

/** @internal Returns the error of a call. Other errors are those of the caller's functions. */
export const asResourceError = (thrown: unknown) =>
  thrown instanceof ResourceError ? thrown : ResourceError.of("unexpected", String(thrown), { cause: thrown });

/** @internal Returns the error of a call with that wrong `parameter` or `header`. */
export const wrongInput = (place: string, name: string, reason: string) =>
  inputError([place, name, `Malformed ${place}: ${name}: ${reason}.`]);

/**
 * @internal Returns the error of a call that cannot be sent, from the place, the name, and the message of each mistake.
 */
export function inputError(mistakes: readonly string[]) {
  const code = "InvalidInput";
  const errors: ErrorItem[] = [];
  for (let at = 0; at + 2 < mistakes.length; at += 3)
    errors.push({ code, message: mistakes[at + 2], [mistakes[at]]: mistakes[at + 1] });
  return ResourceError.of("invalid", errors[0].message, { code, errors });
}

/** @internal Returns the error of a call that its signal aborts. */
export function abortError(signal: { aborted?: boolean; reason?: unknown }) {
  return ResourceError.of("aborted", "The call was aborted.", { cause: signal.reason });
}

/** @internal Returns the error of a call, or of an attempt, that takes too long. */
export function timeoutError(what: "call" | "attempt", timeout: number) {
  return ResourceError.of("timeout", `The ${what} took longer than ${timeout} ms.`, { retryable: true });
}
