// Generated from the messages and steps of src/client. Do not edit: run `make generate`.

import { type MessageNumber, putMessage } from "../core/instance.js";

/** `Options` of src/client/options.rs. */
export interface OptionsMessage {
  retries: MessageNumber;
  baseDelay: MessageNumber;
  maxDelay: MessageNumber;
  projectKey: string;
  region: string;
  cloudProvider: string;
  domain: string;
  baseUrl: string;
}

/** Writes the message into the buffer and returns its length in bytes. */
export function putOptions(message: OptionsMessage) {
  return putMessage([message.retries, message.baseDelay, message.maxDelay], [message.projectKey, message.region, message.cloudProvider, message.domain, message.baseUrl]);
}

/** `Call` of src/client/call.rs. */
export interface CallMessage {
  operation: MessageNumber;
  fresh: MessageNumber;
  respondAsync: MessageNumber;
  repeated: MessageNumber;
  renewable: MessageNumber;
  deadline: MessageNumber;
  failures: MessageNumber;
  parameters: MessageNumber;
  maxAge: MessageNumber;
  idempotencyKey: string;
  firstVariable: string;
  secondVariable: string;
  bodyId: string;
  bodyKey: string;
  pairs: readonly string[];
}

/** Writes the message into the buffer and returns its length in bytes. */
export function putCall(message: CallMessage) {
  return putMessage([message.operation, message.fresh, message.respondAsync, message.repeated, message.renewable, message.deadline, message.failures, message.parameters, message.maxAge], [message.idempotencyKey, message.firstVariable, message.secondVariable, message.bodyId, message.bodyKey, ...message.pairs]);
}

/** `Response` of src/client/attempt.rs. */
export interface ResponseMessage {
  now: MessageNumber;
  jitter: MessageNumber;
  late: MessageNumber;
  unsent: MessageNumber;
  status: MessageNumber;
  foreign: MessageNumber;
  revision: MessageNumber;
  retryAfter: MessageNumber;
  taggedId: string;
  resources: readonly string[];
}

/** Writes the message into the buffer and returns its length in bytes. */
export function putResponse(message: ResponseMessage) {
  return putMessage([message.now, message.jitter, message.late, message.unsent, message.status, message.foreign, message.revision, message.retryAfter], [message.taggedId, ...message.resources]);
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
