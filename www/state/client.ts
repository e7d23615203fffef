// The package's client, which also records the call of each exchange: the method and its arguments. Each call has its
// own correlation ID, which is also in the service's log.

import { ResourceClient } from "../pkg/browser.js";
import { operations, type Operation } from "../pkg/operations.js";
import type { Exchange } from "./request-log.js";

/** A call of the client. */
type Call = { method: string; args: unknown[] };

const KEPT = 500;
// Placeholder for a body. The exchange has the body: it may be large, and is kept once.
const BODY = Symbol("body");
const HEADER = "X-Correlation-ID";
// Options that are part of a call. Left out: a signal, a timeout, and an idempotency key for this one time.
const SHOWN_OPTIONS = ["fresh", "respondAsync", "headers"];
// `crypto.randomUUID` is missing in pages that were loaded without TLS.
const RUN = crypto.getRandomValues(new BigUint64Array(1))[0]?.toString(36);
let sent = 0;
const calls = new Map<string, Call>();

/** The package's client, which also records the call of each exchange. */
export class RecordedClient extends ResourceClient {}

for (const method of Object.keys(operations) as Operation[]) {
  const call: (...args: never[]) => unknown = ResourceClient.prototype[method];
  // The options come last.
  const last = call.length - 1;
  const recorded = function (this: RecordedClient, ...args: unknown[]) {
    const options = (args[last] ?? {}) as { headers?: { [name: string]: string } };
    const name = options.headers?.[HEADER] ?? `console-${RUN}-${(sent += 1)}`;
    calls.set(name, { method, args: argsToKeep(operations[method], args, last) });
    if (calls.size > KEPT) calls.delete(calls.keys().next().value ?? "");
    const all = [...args];
    all[last] = { ...options, headers: { ...options.headers, [HEADER]: name } };
    return call.apply(this, all as never[]);
  };
  Object.defineProperty(RecordedClient.prototype, method, { value: recorded, writable: true, configurable: true });
}

/** Returns a call's arguments as they are kept, with the options last. */
function argsToKeep({ body }: { body?: string }, args: unknown[], last: number) {
  const kept = Array.from({ length: last }, (_, at) => args[at]);
  const at = body === undefined ? -1 : kept.findIndex((arg) => typeof arg === "object" && arg !== null);
  if (at >= 0) kept[at] = BODY;
  const options = Object.entries(args[last] ?? {}).filter(
    ([option, value]) => SHOWN_OPTIONS.includes(option) && value !== undefined,
  );
  return [...kept, options.length === 0 ? undefined : Object.fromEntries(options)];
}

/**
 * Returns the call that an exchange came from. `undefined` for requests that no client sent, such as signing in, and if
 * the body is incomplete.
 */
export function callOf({
  requestHeaders,
  requestBody,
}: Pick<Exchange, "requestHeaders" | "requestBody">): Call | undefined {
  const [, name] =
    Object.entries(requestHeaders).find(([header]) => header.toLowerCase() === HEADER.toLowerCase()) ?? [];
  const call = calls.get(name ?? "");
  if (call === undefined) return undefined;
  try {
    return { ...call, args: call.args.map((arg) => (arg === BODY ? JSON.parse(requestBody ?? "") : arg)) };
  } catch {
    // The body was cut because it is long.
    return undefined;
  }
}

/** Removes every call. */
export const clearCalls = () => calls.clear();
