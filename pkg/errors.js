// The errors of the client, and what makes them.

/** Why a call has no result. No token ever gets into it. */
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

/** What the service said; `prefix` stands before it. */
export function refused(answer, retryable, prefix = "") {
  const { status, headers, data, cause } = answer;
  if (status === 0) return new ResourceError("network", `${prefix}The service was not reached.`, { retryable, cause });
  // What a proxy answers may look alike.
  const errors = Array.isArray(data?.errors) ? data.errors.filter((error) => typeof error === "object" && error !== null) : [];
  const message = typeof data?.message === "string" ? data.message : `The service answered ${status}.`;
  return new ResourceError("api", prefix + message, {
    status,
    code: [errors[0]?.code, data?.error].find((code) => typeof code === "string"),
    errors,
    currentVersion: errors.find((error) => error.currentVersion !== undefined)?.currentVersion,
    correlationId: headers.get("X-Correlation-ID") ?? undefined,
    retryable,
  });
}

export function senseless({ status, headers }) {
  const correlationId = headers.get("X-Correlation-ID") ?? undefined;
  return new ResourceError("unexpected", `The answer (${status}) is not the service's.`, { status, correlationId });
}

export function aborted(signal) {
  return new ResourceError("aborted", "The call was aborted.", { cause: signal.reason });
}

export function late(timeout) {
  return new ResourceError("timeout", `The call took longer than ${timeout} ms.`, { retryable: true });
}
