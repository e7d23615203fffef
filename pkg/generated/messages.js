// Generated from the messages and steps of src/client. Do not edit: run `make generate`.

import { putMessage } from "../core.js";

/** Writes `Options` (src/client/options.rs) into the buffer and returns its length in bytes. */
export function putOptions({ retries, baseDelay, maxDelay, projectKey, region, cloudProvider, domain, baseUrl }) {
  return putMessage([retries, baseDelay, maxDelay], [projectKey, region, cloudProvider, domain, baseUrl]);
}

/** Writes `Call` (src/client/call.rs) into the buffer and returns its length in bytes. */
export function putCall({ operation, fresh, respondAsync, parameters, idempotencyKey, firstVariable, secondVariable, pairs }) {
  return putMessage([operation, fresh, respondAsync, parameters], [idempotencyKey, firstVariable, secondVariable, ...pairs]);
}

/** Writes `Attempt` (src/client/attempt.rs) into the buffer and returns its length in bytes. */
export function putAttempt({ operation, fresh, began, deadline, retries, renewable, now, jitter, status, revision, retryAfter, firstVariable, bodyId, bodyKey, etag, resources }) {
  return putMessage([operation, fresh, began, deadline, retries, renewable, now, jitter, status, revision, retryAfter], [firstVariable, bodyId, bodyKey, etag, ...resources]);
}

/** What follows an attempt: `Step` in src/client/exchange.rs. */
export const Step = {
  Done: 0,
  Fail: 1,
  FailRetryable: 2,
  Retry: 3,
  RenewToken: 4,
  Refresh: 5,
};
