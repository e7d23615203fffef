// The error of a request that the client does not send: those of a project beside the operations, from the console and
// the command line. It has the members of the client's `ResourceError` that they show.

import { withReason } from "./errors.js";
import type { ErrorItem } from "./generated/issues.js";
import type { AnswerHeaders } from "./options.js";

interface Details {
  kind: "network" | "api";
  status?: number;
  errors?: readonly ErrorItem[];
  correlationId?: string | undefined;
  retryAfterMs?: number;
  cause?: unknown;
}

/** Why a request of a project has no result. */
export class ServiceError extends Error {
  kind;
  status;
  errors;
  correlationId;
  /** How long to wait before the next attempt, in milliseconds. */
  retryAfterMs;

  constructor(message: string, details: Details) {
    const { kind, status, errors = [], correlationId, retryAfterMs = 0, cause } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = status;
    this.errors = errors;
    this.correlationId = correlationId;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed a little later. */
  get isTransient() {
    return this.kind === "network" || [429, 502, 503, 504].includes(this.status ?? 0);
  }

  /** Returns the error of a request without a response. */
  static unreachable(cause: unknown) {
    return new ServiceError("The service is not reachable.", { kind: "network", cause });
  }

  /** Returns the error of a response. `body` is its parsed body, which may be anything. */
  static ofResponse(
    { status, headers }: { status: number; headers: AnswerHeaders },
    body?: { message?: unknown; errors?: unknown },
  ) {
    const isText = (value: unknown) => typeof value === "string";
    const message = isText(body?.message) ? body.message : `The service returned status ${status}.`;
    return new ServiceError(withReason(message, status, headers), {
      kind: "api",
      status,
      errors: Array.isArray(body?.errors) ? body.errors : [],
      correlationId: headers.get("X-Correlation-ID") ?? undefined,
      retryAfterMs: (Number(headers.get("Retry-After")) || 0) * 1000,
    });
  }
}
