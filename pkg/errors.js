// The error of the client, and functions that create it.

/** @typedef {import("./response.js").ServiceResponse} ServiceResponse */
/** @typedef {import("./generated/issues.js").ErrorItem} ErrorItem */

/**
 * The members of an error that not every kind has.
 * @typedef {object} Details
 * @property {number} [status]
 * @property {string} [code]
 * @property {readonly ErrorItem[]} [errors]
 * @property {readonly import("./validate.js").Issue[]} [issues]
 * @property {number} [currentVersion]
 * @property {string} [correlationId]
 * @property {boolean} [retryable]
 * @property {string} [idempotencyKey]
 * @property {"unknown" | "refused"} [outcome]
 */

/** The reason why a call has no result. It never contains a token. */
export class ResourceError extends Error {
  /**
   * @param {import("./client.js").ErrorKind} kind
   * @param {string} message
   * @param {Details & { cause?: unknown }} [details]
   */
  constructor(kind, message, { cause, ...details } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    /** @type {Details["status"]} */
    this.status = undefined;
    /** @type {Details["code"]} */
    this.code = undefined;
    /** @type {NonNullable<Details["errors"]>} */
    this.errors = [];
    /** @type {Details["issues"]} */
    this.issues = undefined;
    /** @type {Details["currentVersion"]} */
    this.currentVersion = undefined;
    /** @type {Details["correlationId"]} */
    this.correlationId = undefined;
    this.retryable = false;
    /** @type {Details["idempotencyKey"]} */
    this.idempotencyKey = undefined;
    /** @type {Details["outcome"]} */
    this.outcome = undefined;
    Object.assign(this, details);
  }

  get name() {
    return "ResourceError";
  }

  get isValidation() {
    return this.kind === "invalid" || this.status === 400;
  }

  get isUnauthorized() {
    return this.status === 401;
  }

  get isForbidden() {
    return this.status === 403;
  }

  get isNotFound() {
    return this.status === 404;
  }

  get isConflict() {
    return this.status === 409;
  }

  get isPreconditionFailed() {
    return this.status === 412;
  }

  get isRateLimited() {
    return this.status === 429;
  }

  toJSON() {
    // The spread has neither: the first is a getter, the second is not enumerable.
    return { name: this.name, message: this.message, .../** @type {object} */ (this) };
  }
}

/**
 * Returns an error with the same members, for one of several calls.
 * @param {unknown} error
 */
export function copyError(error) {
  if (!(error instanceof ResourceError)) return error;
  return new ResourceError(error.kind, error.message, { ...error, cause: error.cause });
}

/**
 * Returns the error of a response that is not a result, or of a missing response.
 * @param {ServiceResponse} response
 * @param {boolean} retryable
 */
export function responseError({ status, headers, data, cause, isToken }, retryable) {
  const prefix = isToken ? "No token was given: " : "";
  if (status === 0)
    return new ResourceError("network", `${prefix}The service could not be reached.`, { retryable, cause });
  // The response of a proxy may look similar.
  /** @type {ErrorItem[]} */
  const listed = Array.isArray(data?.errors) ? data.errors : [];
  const errors = listed.filter((error) => typeof error === "object" && error !== null);
  const isRedirect = status > 300 && status < 309 && status !== 304;
  const reason = isRedirect
    ? ": the client does not follow redirects."
    : status === 200
      ? ", but the client has seen a newer state."
      : ".";
  /** @param {unknown} value */
  const isText = (value) => typeof value === "string";
  // A problem (RFC 9457) has a title and a detail.
  const message = [data?.message, data?.detail, data?.title, `The service returned status ${status}${reason}`].find(
    isText,
  );
  return new ResourceError("api", prefix + message, {
    status,
    code: [errors[0]?.code, data?.error].find(isText),
    errors,
    currentVersion: errors.find((error) => error.currentVersion !== undefined)?.currentVersion,
    correlationId: headers?.get("X-Correlation-ID") ?? undefined,
    retryable,
  });
}

/**
 * Returns the error of a response that the service never sends.
 * @param {ServiceResponse} response
 */
export function unexpectedResponseError({ status, headers }) {
  const correlationId = headers?.get("X-Correlation-ID") ?? undefined;
  return new ResourceError("unexpected", `The response (${status}) is not from the service.`, {
    status,
    correlationId,
  });
}

/**
 * Returns the error of a wrong option, or of a call that cannot be sent.
 * @param {string} message
 */
export const wrongOption = (message) => new ResourceError("invalid", message);

/**
 * Returns the error of a call with that wrong `parameter` or `header`.
 * @param {string} place
 * @param {string} name
 * @param {string} reason
 */
export const wrongInput = (place, name, reason) => inputError([place, name, `Malformed ${place}: ${name}: ${reason}.`]);

/**
 * Returns the error of a call that cannot be sent, from the place, the name, and the message of each mistake.
 * @param {readonly string[]} mistakes
 */
export function inputError(mistakes) {
  const code = "InvalidInput";
  /** @type {ErrorItem[]} */
  const errors = [];
  for (let at = 0; at + 2 < mistakes.length; at += 3)
    errors.push({ code, message: mistakes[at + 2], [mistakes[at]]: mistakes[at + 1] });
  return new ResourceError("invalid", errors[0].message, { code, errors });
}

/**
 * Returns the error of a call that its signal aborts.
 * @param {{ aborted?: boolean, reason?: unknown }} signal
 */
export function abortError(signal) {
  return new ResourceError("aborted", "The call was aborted.", { cause: signal.reason });
}

/**
 * Returns the error of a call, or of an attempt, that takes too long.
 * @param {"call" | "attempt"} what
 * @param {number} timeout
 */
export function timeoutError(what, timeout) {
  return new ResourceError("timeout", `The ${what} took longer than ${timeout} ms.`, { retryable: true });
}
