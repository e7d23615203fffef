// The error of the client, and functions that create it.

/** The reason why a call has no result. It never contains a token. */
export class ResourceError extends Error {
  constructor(kind, message, { cause, ...details } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = undefined;
    this.code = undefined;
    this.errors = [];
    this.issues = undefined;
    this.currentVersion = undefined;
    this.correlationId = undefined;
    this.retryable = false;
    Object.assign(this, details);
  }

  get name() {
    return "ResourceError";
  }
}

/** The error of a response that is not a result, or of none. `prefix` precedes its message. */
export function responseError({ status, headers, data, cause }, retryable, prefix = "") {
  if (status === 0) return new ResourceError("network", `${prefix}The service was not reached.`, { retryable, cause });
  // The response of a proxy may look similar.
  const errors = Array.isArray(data?.errors) ? data.errors.filter((error) => typeof error === "object" && error !== null) : [];
  const isRedirect = status > 300 && status < 309 && status !== 304;
  const reason = isRedirect ? ": the client follows no redirect." : status === 200 ? ", but the client has seen a newer state." : ".";
  const message = typeof data?.message === "string" ? data.message : `The service answered ${status}${reason}`;
  return new ResourceError("api", prefix + message, {
    status,
    code: [errors[0]?.code, data?.error].find((code) => typeof code === "string"),
    errors,
    currentVersion: errors.find((error) => error.currentVersion !== undefined)?.currentVersion,
    correlationId: headers.get("X-Correlation-ID") ?? undefined,
    retryable,
  });
}

/** The error of a response that the service never sends. */
export function unexpectedResponseError({ status, headers }) {
  const correlationId = headers.get("X-Correlation-ID") ?? undefined;
  return new ResourceError("unexpected", `The answer (${status}) is not the service's.`, { status, correlationId });
}

/** The error of a call that its signal aborts. */
export function abortError(signal) {
  return new ResourceError("aborted", "The call was aborted.", { cause: signal.reason });
}

/** The error of a call that takes too long. */
export function timeoutError(timeout) {
  return new ResourceError("timeout", `The call took longer than ${timeout} ms.`, { retryable: true });
}
