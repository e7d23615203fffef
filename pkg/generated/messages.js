// Generated from the messages and steps of src/client. Do not edit: run `make generate`.

import { putMessage } from "../core.js";

/**
 * Writes `Options` (src/client/options.rs) into the buffer and returns its length in bytes.
 * @param {{
 *   retries: number | boolean | undefined,
 *   baseDelay: number | boolean | undefined,
 *   maxDelay: number | boolean | undefined,
 *   projectKey: string,
 *   region: string,
 *   cloudProvider: string,
 *   domain: string,
 *   baseUrl: string,
 * }} message
 */
export function putOptions({ retries, baseDelay, maxDelay, projectKey, region, cloudProvider, domain, baseUrl }) {
  return putMessage([retries, baseDelay, maxDelay], [projectKey, region, cloudProvider, domain, baseUrl]);
}

/**
 * Writes `Call` (src/client/call.rs) into the buffer and returns its length in bytes.
 * @param {{
 *   operation: number | boolean | undefined,
 *   fresh: number | boolean | undefined,
 *   progress: number | boolean | undefined,
 *   respondAsync: number | boolean | undefined,
 *   parameters: number | boolean | undefined,
 *   idempotencyKey: string,
 *   firstVariable: string,
 *   secondVariable: string,
 *   pairs: readonly string[],
 * }} message
 */
export function putCall({ operation, fresh, progress, respondAsync, parameters, idempotencyKey, firstVariable, secondVariable, pairs }) {
  return putMessage([operation, fresh, progress, respondAsync, parameters], [idempotencyKey, firstVariable, secondVariable, ...pairs]);
}

/**
 * Writes `Attempt` (src/client/attempt.rs) into the buffer and returns its length in bytes.
 * @param {{
 *   operation: number | boolean | undefined,
 *   fresh: number | boolean | undefined,
 *   repeated: number | boolean | undefined,
 *   began: number | boolean | undefined,
 *   deadline: number | boolean | undefined,
 *   progress: number | boolean | undefined,
 *   renewable: number | boolean | undefined,
 *   now: number | boolean | undefined,
 *   jitter: number | boolean | undefined,
 *   late: number | boolean | undefined,
 *   unsent: number | boolean | undefined,
 *   status: number | boolean | undefined,
 *   revision: number | boolean | undefined,
 *   retryAfter: number | boolean | undefined,
 *   firstVariable: string,
 *   bodyId: string,
 *   bodyKey: string,
 *   etag: string,
 *   resources: readonly string[],
 * }} message
 */
export function putAttempt({ operation, fresh, repeated, began, deadline, progress, renewable, now, jitter, late, unsent, status, revision, retryAfter, firstVariable, bodyId, bodyKey, etag, resources }) {
  return putMessage([operation, fresh, repeated, began, deadline, progress, renewable, now, jitter, late, unsent, status, revision, retryAfter], [firstVariable, bodyId, bodyKey, etag, ...resources]);
}

/** What follows an attempt: `Step` in src/client/exchange.rs. */
export const Step = {
  Done: 0,
  Fail: 1,
  FailRetryable: 2,
  Retry: 3,
  RenewToken: 4,
  Refresh: 5,
  Wait: 6,
};

/** How often and how soon to retry by default: `Retry::DEFAULT` in src/client/options.rs. */
export const RETRY = { retries: 4, baseDelay: 200, maxDelay: 8000 };

/** The default timeout of a call, in milliseconds. */
export const TIMEOUT = 30000;

/** The part of a call's timeout that an attempt has by default. */
export const ATTEMPTS = 3;
