// Which client method an exchange came from, and with which arguments. Each call has its own correlation ID, which is
// also in the service's log.

import { ResourceClient } from "../pkg/browser.js";
import { operations } from "../pkg/operations.js";
import { randomHex } from "../model/random.js";

const KEPT = 500;
// Placeholder for a body. The exchange has the body: it may be large, and is kept once.
const BODY = Symbol("body");
const HEADER = "X-Correlation-ID";
// Options that are part of a call. Left out: a signal, a timeout, and an idempotency key for this one time.
const TOLD = ["fresh", "respondAsync", "headers"];
const calls = new Map();

/** The package's client, which also records the call of each exchange. */
export class NotedClient extends ResourceClient {}

for (const method of Object.keys(operations)) {
  const call = ResourceClient.prototype[method];
  // The options come last.
  const last = call.length - 1;
  NotedClient.prototype[method] = function noted(...args) {
    const options = args[last] ?? {};
    const name = options.headers?.[HEADER] ?? `console-${randomHex(12)}`;
    calls.set(name, { method, args: remembered(operations[method], args, last) });
    if (calls.size > KEPT) calls.delete(calls.keys().next().value);
    const all = [...args];
    all[last] = { ...options, headers: { ...options.headers, [HEADER]: name } };
    return call.apply(this, all);
  };
}

/** Returns a call's arguments as they are kept, with the options last. */
function remembered({ body }, args, last) {
  const kept = Array.from({ length: last }, (_, at) => args[at]);
  const at = body === undefined ? -1 : kept.findIndex((arg) => typeof arg === "object" && arg !== null);
  if (at >= 0) kept[at] = BODY;
  const told = Object.entries(args[last] ?? {}).filter(
    ([option, value]) => TOLD.includes(option) && value !== undefined,
  );
  return [...kept, told.length === 0 ? undefined : Object.fromEntries(told)];
}

/**
 * Returns the call that an exchange came from. `undefined` for requests that no client sent, such as signing in, and if
 * the body is incomplete.
 */
export function callOf({ requestHeaders, requestBody }) {
  const [, name] =
    Object.entries(requestHeaders).find(([header]) => header.toLowerCase() === HEADER.toLowerCase()) ?? [];
  const call = calls.get(name);
  if (call === undefined) return undefined;
  try {
    return { ...call, args: call.args.map((arg) => (arg === BODY ? JSON.parse(requestBody) : arg)) };
  } catch {
    // The body was cut because it is long.
    return undefined;
  }
}

/** Removes every call. */
export const forgetCalls = () => calls.clear();
